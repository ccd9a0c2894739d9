"""The header of a run: who made it, in which coordinates, and what it attempts."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ..benchmark import MODALITIES, TASKS
from ..entry import Entry, describe
from .record import meant_of_record

FORMAT = "ovearth-predictions/1"
INTERFACES = ("ovs", "mllm", "grounding")
COORDINATES = ("pixel", "map")
ATTRIBUTES = ("interface", "mllm", "eo_specific", "family", "variant", "baseline")
_KEYS = ("format", "model", "coordinates", "crs", "modalities", "tasks", *ATTRIBUTES)


@dataclass(frozen=True)
class Header:
    """What a run says of itself; None where it says nothing.

    `crs`: of map coordinates, x always easting or longitude; None is each image's own.
    `attributes`: what describes the model, copied into the scores.
    """

    model: str
    in_map: bool = False
    crs: str | None = None
    modalities: tuple[str, ...] | None = None
    tasks: tuple[str, ...] | None = None
    attributes: Mapping[str, Any] = field(default_factory=dict)

    def document(self) -> dict[str, Any]:
        """Return the header as it stands in a file."""
        document: dict[str, Any] = {"format": FORMAT, "model": self.model}
        document["coordinates"] = "map" if self.in_map else "pixel"
        for key in ("crs", "modalities", "tasks"):
            value = getattr(self, key)
            if value is not None:
                document[key] = list(value) if isinstance(value, tuple) else value
        return {**document, **self.attributes}


def is_header(fields: Mapping[str, Any]) -> bool:
    """Whether a run's first object is a header: it has nothing that a record has."""
    return not any(key in fields for key in ("query_id", *MODALITIES))


def parse_header(entry: Entry, default_model: str) -> Header:
    """Read a header; raises InputError for a key or word that is misspelt."""
    for key in entry.fields:
        if key not in _KEYS:
            _refuse_near_miss(entry, key)
    if entry.fields and not any(key in entry.fields for key in _KEYS):
        raise entry.fail("'query_id' is missing", "every record names its query")
    if entry.fields.get("format") is not None and entry.fields["format"] != FORMAT:
        raise entry.fail(
            f"format is {describe(entry.fields['format'])}, this version reads {FORMAT!r}",
            "name a predictions file",
        )
    coordinates = (
        entry.word("coordinates", COORDINATES)
        if entry.fields.get("coordinates") is not None
        else COORDINATES[0]
    )
    crs = entry.optional_text("crs")
    if crs is not None and coordinates == "pixel":
        raise entry.fail(
            f"'crs' is {crs!r} but coordinates are pixel", 'write "coordinates": "map"'
        )
    return Header(
        model=entry.optional_text("model") or default_model,
        in_map=coordinates == "map",
        crs=crs,
        modalities=words_of(entry, "modalities", MODALITIES),
        tasks=words_of(entry, "tasks", TASKS),
        attributes=_with_others(attributes_of(entry), entry),
    )


def attributes_of(entry: Entry) -> dict[str, Any]:
    """Return what an object says of a model, null left out; InputError for a word that is none."""
    if entry.fields.get("interface") is not None:
        entry.word("interface", INTERFACES)
    for key in ("mllm", "eo_specific"):
        entry.boolean(key, default=False)
    for key in ("family", "variant", "baseline"):
        entry.optional_text(key)
    return {key: entry.fields[key] for key in ATTRIBUTES if entry.fields.get(key) is not None}


def _with_others(known: dict[str, Any], entry: Entry) -> dict[str, Any]:
    other = {key: value for key, value in entry.fields.items() if key not in _KEYS}
    # Under a name of their own: a header must not be able to speak for the scorer.
    return {**known, "other": other} if other else known


def words_of(entry: Entry, key: str, words: tuple[str, ...]) -> tuple[str, ...] | None:
    """Return the words of a list, in the order of `words`, or None; InputError for another."""
    value = entry.fields.get(key)
    if value is None:
        return None
    if not isinstance(value, list):
        raise entry.fail(f"'{key}' is {describe(value)}, not a list", f"write a list of {words}")
    given = {Entry({key: word}, entry.where).word(key, words) for word in value}
    if not given:
        raise entry.fail(f"'{key}' is an empty list", "name at least one, or leave it out")
    return tuple(word for word in words if word in given)


def _refuse_near_miss(entry: Entry, key: str) -> None:
    near = difflib.get_close_matches(key.lower(), _KEYS, n=1, cutoff=0.8)
    if not near and meant_of_record(key) is not None:
        raise entry.fail(f"'query_id' is missing beside {key!r}", "every record names its query")
    if near:
        raise entry.fail(f"unknown header key {key!r}", f"did you mean {near[0]!r}?")
