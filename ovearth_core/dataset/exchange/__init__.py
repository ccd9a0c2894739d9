"""A dataset's ways in and out: the benchmark file, and the formats of other tools."""
