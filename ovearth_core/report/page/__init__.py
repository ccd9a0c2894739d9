"""The report: one HTML page about runs over a benchmark, and what it keeps beside it."""
