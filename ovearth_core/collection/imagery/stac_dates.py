"""Dates as STAC has them: a day, a month, a year, a moment, or a range of these."""

from __future__ import annotations

import re
from datetime import datetime, timedelta, timezone

_FIRST = datetime(1, 1, 1, tzinfo=timezone.utc)
_LAST = datetime(9999, 12, 31, tzinfo=timezone.utc)


class DateRange:
    """A range of time: "2023", "2023-05", "2023-05-01", "2023-05-01/2023-09-30", "2023/..".

    Whole days, months and years belong to it to their ends. Raises ValueError for anything else.
    """

    def __init__(self, text: str) -> None:
        self.text = text.strip()
        first, slash, last = self.text.partition("/")
        self._start = _FIRST if first in ("", "..") else _span(first)[0]
        end = last if slash else first
        self._end = _LAST if end in ("", "..") else _span(end)[1]
        if not self.text or self._start >= self._end:
            raise ValueError(self.text)

    def __contains__(self, moment: datetime) -> bool:
        return self._start <= moment < self._end

    @property
    def as_stac(self) -> str:
        """The range as an API takes it, both ends included."""
        last = self._end - timedelta(seconds=1)
        start = ".." if self._start == _FIRST else _written(self._start)
        return f"{start}/{'..' if self._end == _LAST else _written(last)}"


def moment_of(text: str) -> datetime:
    """Return a moment that is written as RFC 3339 or as a day, in UTC; ValueError for others."""
    return _span(text)[0]


def _written(moment: datetime) -> str:
    return moment.astimezone(timezone.utc).isoformat(timespec="seconds").replace("+00:00", "Z")


def _span(text: str) -> tuple[datetime, datetime]:
    """Return the first moment of what is written, and the first one after it."""
    found = re.fullmatch(r"(\d{4})(?:-(\d\d)(?:-(\d\d))?)?", text.strip())
    if found is None:
        moment = datetime.fromisoformat(_plain(text.strip()))
        if moment.tzinfo is None:
            moment = moment.replace(tzinfo=timezone.utc)
        return moment, moment + timedelta(seconds=1)
    year, month, day = (int(part) if part else None for part in found.groups())
    start = datetime(year or 1, month or 1, day or 1, tzinfo=timezone.utc)
    if day is not None:
        return start, start + timedelta(days=1)
    if month is not None and month < 12:
        return start, start.replace(month=month + 1)
    return start, start.replace(year=start.year + 1, month=1)


def _plain(text: str) -> str:
    """Return RFC 3339 as Python 3.10 reads it: Z, and fractions of any length."""
    text = re.sub(r"[zZ]$", "+00:00", text)
    return re.sub(r"\.(\d+)", lambda m: "." + m[1][:6].ljust(6, "0"), text)
