"""A dialect: what it is called, who speaks it, where that is published, and how it is read."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from ..header import Header
from .answer import Answer
from .reading import Reading

# Yields the answers of a source, one a query, streaming, anew at each call. Raises InputError with
# the place of what is malformed, or hands it to `Reading.refuse`, which may count it.
Reader = Callable[[Path, Reading], Iterator[Answer]]
HeaderReader = Callable[[Path, Reading], Header]

# JSON Lines with the raw answer in "text"; JSON Lines of numbers; outputs by image and class;
# rasters; map products.
KINDS = ("text", "records", "scene", "masks", "map")
UNVERIFIED = "unverified"


@dataclass(frozen=True)
class Dialect:
    """One way in which models answer.

    families: who speaks it. kind: one of KINDS. reads: in a sentence, for people. source: address
    and commit of the published code or example that it follows, beginning with "unverified" where
    there is none. options: names of the DialectOptions that it looks at; needs: those of
    them that must be given. header: says what the run
    is where its source has no header of its own.
    """

    name: str
    families: tuple[str, ...]
    kind: str
    reads: str
    source: str
    read: Reader
    options: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    header: HeaderReader | None = None

    @property
    def is_verified(self) -> bool:
        """Whether it follows published code or examples."""
        return not self.source.startswith(UNVERIFIED)
