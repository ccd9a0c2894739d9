"""How often a server is asked again, and how long is waited before."""

from __future__ import annotations

import re
import threading
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from typing import Any

# A server that wants more patience than this is better asked another day.
LONGEST_WAIT_S = 60.0
_LONGEST_BACKOFF_S = 20.0


def retrying(tenacity: Any, attempts: int, backoff_s: float, stop: threading.Event) -> Any:
    """Return tenacity's caller: work is done again after a fault that may pass.

    Waited is as long as the server asks for, else longer each time and never in step; not at all
    once `stop` is set, nor where a server asks for more than LONGEST_WAIT_S.
    """
    backoff = tenacity.wait_random_exponential(multiplier=backoff_s, max=_LONGEST_BACKOFF_S)

    def pause_s(state: Any) -> float:
        asked = _asked_wait_s(state)
        return float(backoff(state)) if asked is None else asked

    return tenacity.Retrying(
        retry=tenacity.retry_if_exception(lambda fault: getattr(fault, "may_pass", False)),
        stop=tenacity.stop_any(
            tenacity.stop_after_attempt(attempts),
            tenacity.stop_when_event_set(stop),
            lambda state: (_asked_wait_s(state) or 0.0) > LONGEST_WAIT_S,
        ),
        wait=pause_s,
        sleep=tenacity.sleep_using_event(stop),
        reraise=True,
    )


def _asked_wait_s(state: Any) -> float | None:
    wait: float | None = getattr(state.outcome.exception(), "retry_after_s", None)
    return wait


def retry_after_s(value: str | None) -> float | None:
    """Return the seconds that a Retry-After header asks for (a number or a date), None if none."""
    if value is None:
        return None
    if re.fullmatch(r"\s*\d{1,9}\s*", value):
        return float(value)
    try:
        moment = parsedate_to_datetime(value)
    except (ValueError, TypeError, OverflowError):
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=timezone.utc)
    return max(0.0, (moment - datetime.now(timezone.utc)).total_seconds())
