"""What each model family really emits, read as a run: one small module a dialect.

`open_dialect` gives a run that is scored as any other, `convert_run` writes it as a file of ours.
A package of your own adds a dialect by an entry point of the group `ovearth.dialects`, whose name
is the dialect's and whose object is a `Dialect`.
"""

from .answer import Answer
from .converting import Converted, convert_run
from .dialect import Dialect
from .opening import DialectRun, open_dialect
from .options import DialectOptions
from .reading import Reading
from .registry import dialect_names, find_dialect
from .text import text_dialect

__all__ = [
    "Answer",
    "Converted",
    "Dialect",
    "DialectOptions",
    "DialectRun",
    "Reading",
    "convert_run",
    "dialect_names",
    "find_dialect",
    "open_dialect",
    "text_dialect",
]
