"""The tab Inspect: runs on the map, query by query."""
