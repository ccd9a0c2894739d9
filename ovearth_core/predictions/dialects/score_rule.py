"""The rule of formats in which all that belongs together has a score, or none of it."""

from __future__ import annotations

from ...errors import InputError
from .reading import Reading


class ScoreRule:
    """Holds what comes to what came first."""

    def __init__(self, reading: Reading) -> None:
        self._is_strict = not reading.options.lenient
        self._first: dict[str, tuple[str, bool]] = {}

    def check(self, group: str, has_score: bool, place: str) -> None:
        """Raise InputError, without a place, for a score where the first of a group has none.

        Or the reverse. place: what the message calls it. Where lenient, nothing is raised: the
        answers that it is part of are warned of, and use no score.
        """
        first, first_has = self._first.setdefault(group, (place, has_score))
        if self._is_strict and has_score != first_has:
            what = f"{'a' if has_score else 'no'} score, and {first} has "
            what += "one" if first_has else "none"
            raise InputError(what, mend="give all of them one, or none")
