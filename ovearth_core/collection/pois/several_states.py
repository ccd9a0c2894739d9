"""Files that have objects in several states: of histories and changes nobody can tell what is."""

from __future__ import annotations

from ...errors import InputError

SUFFIXES = tuple(
    kind + packed for kind in (".osc", ".osh") for packed in ("", ".pbf", ".gz", ".bz2")
)


def several_states(where: str) -> InputError:
    """Return the error for such a file."""
    what = "the same objects in several states: a history or a change file"
    mend = "make a file of one moment with osmium: time-filter, or apply-changes to an extract"
    return InputError(what, where, mend)
