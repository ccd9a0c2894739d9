"""When imagery was taken, as a person says it."""

from __future__ import annotations

import re
from datetime import datetime

from ...errors import UsageError

# A year, month or day, or a moment with or without seconds and zone: ISO 8601's extended form.
_ISO = re.compile(
    r"\d{4}(?:-\d{2}(?:-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?(?:Z|[+-]\d{2}:\d{2})?)?)?)?",
    re.ASCII,
)


def check_date(text: str | None) -> None:
    """Raise UsageError for what is no date or date-time of ISO 8601; None is nothing said."""
    if text is None:
        return
    try:
        if _ISO.fullmatch(text) is None:
            raise ValueError
        # Older Pythons know neither Z nor fractions of any other length.
        datetime.fromisoformat(re.sub(r"\.\d+|Z$", "", text + "-01-01"[: max(0, 10 - len(text))]))
    except ValueError:
        raise UsageError(
            f"{text!r} is no date",
            "--date",
            "write 2024-06-30 or 2024-06-30T10:15:00Z (2024 and 2024-06 will do)",
        ) from None
