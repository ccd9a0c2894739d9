"""The embedded sample: a small made-up place, drawn at run time, with queries and two runs."""

from .write import Sample, write_sample

__all__ = ["Sample", "write_sample"]
