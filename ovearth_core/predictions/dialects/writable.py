"""What an answer keeps besides its shapes, checked: a run's file must be able to hold it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ...errors import InputError
from .answer import Answer
from .reading import Reading

UNWRITABLE = "labels and attributes that no JSON can hold"


def writable(answer: Answer, reading: Reading, where: str) -> Answer:
    """Return an answer whose labels and attributes JSON can hold, the others being refused.

    Asked of every answer, so that a source that can't be converted can't be scored either. JSON has
    no infinity (which 1e400 is read as) and no half of a surrogate pair. where: its place.
    """
    if not answer.attributes and not any(answer.labels):
        return answer
    if _fault_of([answer.labels, answer.attributes]) is None:
        return answer
    kept: dict[str, Any] = {}
    for key, value in answer.attributes.items():
        fault = _fault_of({key: value})
        if fault is None:
            kept[key] = value
        else:
            _refuse(f"{key[:40]!r} holds {fault}", reading, where)
    labels: list[str | None] = []
    for k, label in enumerate(answer.labels):
        fault = _fault_of(label)
        labels.append(label if fault is None else None)
        if fault is not None:
            _refuse(f"label {k + 1} holds {fault}", reading, where)
    return replace(answer, attributes=kept, labels=labels)


def _refuse(what: str, reading: Reading, where: str) -> None:
    reading.refuse(InputError(what, where, "mend it, or leave it out: --lenient"), UNWRITABLE)


def _fault_of(value: list[Any] | Mapping[str, Any] | str | None) -> str | None:
    """Return what keeps a value from being written as JSON, None where nothing does."""
    try:
        json.dumps(value, ensure_ascii=False, allow_nan=False).encode()
    except UnicodeEncodeError:
        return "half of a character (\\ud800 to \\udfff alone)"
    except (ValueError, RecursionError):
        return "a number that is not finite, or is nested too deep"
    except TypeError:
        return "something that is no JSON"
    return None
