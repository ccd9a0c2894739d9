"""The tab Collect: places found, looked at, and cut out of imagery."""
