"""What can be said of imagery on servers besides its address, after `#` or as options."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import unquote_plus

from ...errors import UsageError
from ...spelling import nearest
from ..network import network
from .fetching import Politeness
from .source import ImagerySpec

_YES = {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}


def yes_or_no(text: str) -> bool:
    """Return what "yes", "no" and the like mean."""
    return _YES[text.strip().lower()]


def words_of(text: str) -> tuple[str, ...]:
    """Return words that commas part."""
    return tuple(word.strip() for word in text.split(",") if word.strip())


def address_and_options(spec: ImagerySpec) -> tuple[str, dict[str, str]]:
    """Return the address in a spec, and the options after its `#`, which no server ever sees."""
    address, _, rest = spec.place().partition("#")
    pairs = [pair.partition("=") for pair in rest.split("&") if pair]
    return address, {name: unquote_plus(value) for name, _, value in pairs}


Parsers = Mapping[str, Callable[[str], Any]]

_POLITENESS: Parsers = {
    "per_host": int,
    "timeout": float,
    "attempts": int,
    "backoff": float,
    "most_bytes": int,
}
_FIELDS = {"timeout": "timeout_s", "backoff": "backoff_s"}


# What GDAL heeds of it, where it asks the server itself.
_OF_RASTERS = ("timeout", "attempts")


def raster_options(spec: ImagerySpec, said: Mapping[str, str]) -> Politeness:
    """Return how a server of rasters is asked. said: what follows the address."""
    known = {name: _POLITENESS[name] for name in _OF_RASTERS}
    return _politeness(_parsed({**said, **dict(spec.options)}, known))


def passed_on(spec: ImagerySpec) -> tuple[tuple[str, str], ...]:
    """Return the options of a search that hold for its rasters too."""
    said = {**address_and_options(spec)[1], **dict(spec.options)}
    return tuple((name, said[name]) for name in _OF_RASTERS if name in said)


def read_options(
    spec: ImagerySpec, parsers: Parsers, more: Mapping[str, str] | None = None
) -> tuple[dict[str, Any], Politeness]:
    """Return a kind's own options, read by their parsers, and how its servers are asked.

    more: options from the address's query, which those after `#`, and the spec's own, win over.
    Raises UsageError.
    """
    said = {**(more or {}), **address_and_options(spec)[1], **dict(spec.options)}
    found = _parsed(said, {**parsers, **_POLITENESS})
    return found, _politeness(found)


def _parsed(said: Mapping[str, str], known: Parsers) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, text in said.items():
        where = f"imagery option {name}"
        if name not in known:
            raise UsageError("unknown option", where, nearest(name, tuple(known)))
        try:
            found[name] = known[name](text)
        except (ValueError, KeyError):
            raise UsageError(f"{text!r} can't be its value", where, "see docs/imagery.md") from None
    return found


def _politeness(found: dict[str, Any]) -> Politeness:
    """Take what says how a server is asked out of the options found."""
    rules = {_FIELDS.get(name, name): found.pop(name) for name in _POLITENESS if name in found}
    # A person who has told QGIS to be patient means every server.
    usual_s = max(Politeness().timeout_s, network().least_wait_s)
    return Politeness(**{"timeout_s": usual_s, **rules})
