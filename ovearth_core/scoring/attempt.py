"""What a run attempts: declared by its header, else by option, else by what occurs in it."""

from __future__ import annotations

from collections.abc import Sequence

from ..benchmark import MODALITIES, TASKS
from ..errors import UsageError
from ..predictions import Header
from ..spelling import nearest


def declared(
    header: tuple[str, ...] | None, wanted: Sequence[str] | None, known: tuple[str, ...], name: str
) -> tuple[str, ...] | None:
    """Return what is declared, in the order of `known`, or None where nobody declares anything.

    Options narrow a header; without one they declare. Raises UsageError where nothing is left.
    """
    if not wanted:
        return header
    chosen = tuple(word for word in known if word in wanted and (header is None or word in header))
    if not chosen:
        raise UsageError(
            f"no {name} left: the run attempts {' and '.join(header or ())},"
            f" asked for {' and '.join(wanted)}",
            mend="ask for one that it attempts",
        )
    return chosen


def check_words(wanted: Sequence[str] | None, known: tuple[str, ...], name: str) -> None:
    """Raise UsageError, with the nearest right word, for one that is not known."""
    for word in wanted or ():
        if word not in known:
            raise UsageError(f"unknown {name} {word!r}", f"--{name}", nearest(word, known))


def declared_modalities(header: Header, wanted: Sequence[str] | None) -> tuple[str, ...] | None:
    """Return the declared modalities, or None."""
    return declared(header.modalities, wanted, MODALITIES, "modality")


def declared_tasks(header: Header, wanted: Sequence[str] | None) -> tuple[str, ...] | None:
    """Return the declared tasks, or None."""
    return declared(header.tasks, wanted, TASKS, "task")
