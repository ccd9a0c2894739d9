"""How the classes of other datasets relate to the categories, and what that counts to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..entry import Entry
from ..errors import InputError
from ..jsonstream import JsonStream
from ..resources import resource
from .model import Taxonomy

FORMAT = "ovearth-alignments/1"
OURS = "taxonomy/alignments.json"
# What a class is to a category: the same, more general, more special.
EXACT, BROADER, NARROWER = "exact", "broader", "narrower"
KINDS = (EXACT, BROADER, NARROWER)
_IN_WORDS = {EXACT: "same as", BROADER: "broader than", NARROWER: "narrower than"}


@dataclass(frozen=True)
class Match:
    """A category's id, and what the class is to it: "exact", "broader" or "narrower"."""

    category: str
    kind: str

    def __str__(self) -> str:
        return f"{_IN_WORDS[self.kind]} {self.category}"


@dataclass(frozen=True)
class ClassDecision:
    """One class of a dataset: its matches (none: unmatched), or why it doesn't count."""

    name: str
    matches: tuple[Match, ...] = ()
    why: str = ""
    excluded: str = ""

    @property
    def outcome(self) -> str:
        """The best kind of its matches, "unmatched", or "excluded"."""
        if self.excluded:
            return "excluded"
        kinds = {match.kind for match in self.matches}
        return next((kind for kind in KINDS if kind in kinds), "unmatched")


@dataclass(frozen=True)
class Alignment:
    """A dataset's classes, each decided. `compared`: one of the paper's eight."""

    dataset: str
    source: str
    compared: bool
    classes: tuple[ClassDecision, ...]

    def count(self) -> dict[str, int]:
        """Return how many of its classes have each outcome, and `countable`: all but excluded."""
        names = (*KINDS, "unmatched", "excluded")
        found = {name: sum(c.outcome == name for c in self.classes) for name in names}
        return {**found, "countable": len(self.classes) - found["excluded"]}


def load_alignments() -> tuple[Alignment, ...]:
    """Return the alignments that come with OVEarth."""
    return read_alignments(resource(OURS))


def read_alignments(path: Path) -> tuple[Alignment, ...]:
    """Read an alignment file; InputError, with the place, where it is not whole."""
    members = [member for member in JsonStream(path).members() if member.key == "datasets"]
    found = tuple(_alignment(Entry(m.value, f"{path} line {m.line}")) for m in members)
    if not found:
        raise InputError("no 'datasets' in it", str(path), f"name an alignment file ({FORMAT})")
    return found


def _alignment(entry: Entry) -> Alignment:
    name = entry.text("name")
    entry.where = f"{entry.where}, dataset {name!r}"
    classes = entry.require("classes")
    if not isinstance(classes, list):
        raise entry.fail("'classes' is no list", "write a list")
    decisions = tuple(_decision(Entry(value, entry.where)) for value in classes)
    met: set[str] = set()
    for decision in decisions:
        if decision.name in met:
            raise entry.fail(f"class {decision.name!r} is there twice", "keep one")
        met.add(decision.name)
    compared = entry.boolean("compared", default=False)
    return Alignment(name, entry.optional_text("source") or "", compared, decisions)


def _decision(entry: Entry) -> ClassDecision:
    name = entry.text("class")
    entry.where = f"{entry.where}, class {name!r}"
    values = entry.fields.get("matches") or []
    if not isinstance(values, list):
        raise entry.fail("'matches' is no list", "write a list")
    matches = tuple(_match(Entry(value, entry.where)) for value in values)
    excluded = entry.optional_text("excluded") or ""
    if excluded and matches:
        raise entry.fail("it is excluded and has matches", "keep one of the two")
    return ClassDecision(name, matches, entry.optional_text("why") or "", excluded)


def _match(entry: Entry) -> Match:
    return Match(entry.text("category"), entry.word("kind", KINDS))


def check_alignments(alignments: Iterable[Alignment], taxonomy: Taxonomy, where: str) -> None:
    """Raise InputError for a match with a category that the taxonomy doesn't have."""
    ids = {category.id for category in taxonomy}
    for alignment in alignments:
        for decision in alignment.classes:
            for match in decision.matches:
                if match.category not in ids:
                    near = taxonomy.nearest(match.category, 1)[0].id
                    place = f"{where}, dataset {alignment.dataset!r}, class {decision.name!r}"
                    raise InputError(
                        f"{match.category!r} is no category", place, f"did you mean {near!r}?"
                    )


def appearances(alignments: Iterable[Alignment]) -> dict[str, list[dict[str, str]]]:
    """Return, for each category's id, where it appears: dataset, class and kind."""
    found: dict[str, list[dict[str, str]]] = {}
    for alignment in alignments:
        for decision in alignment.classes:
            for match in decision.matches:
                place = {"dataset": alignment.dataset, "class": decision.name, "kind": match.kind}
                found.setdefault(match.category, []).append(place)
    return found


def reverse_outcomes(taxonomy: Taxonomy, alignments: Iterable[Alignment]) -> dict[str, str]:
    """Return each category's outcome: "exact", "hierarchy" (broader or narrower only), "none"."""
    places = appearances(alignments)
    found = {}
    for category in taxonomy:
        kinds = {place["kind"] for place in places.get(category.id, ())}
        found[category.id] = EXACT if EXACT in kinds else "hierarchy" if kinds else "none"
    return found


def overlap_document(taxonomy: Taxonomy, alignments: Iterable[Alignment]) -> dict[str, Any]:
    """Return both directions of the overlap, as `ovearth taxonomy overlap --json` writes them."""
    alignments = tuple(alignments)
    outcomes = reverse_outcomes(taxonomy, alignments)
    return {
        "taxonomy": {"name": taxonomy.name, "version": taxonomy.version, "size": len(taxonomy)},
        "datasets": [_dataset_document(alignment) for alignment in alignments],
        "categories": {
            "counts": {
                outcome: sum(o == outcome for o in outcomes.values())
                for outcome in (EXACT, "hierarchy", "none")
            },
            "outcomes": outcomes,
        },
    }


def _dataset_document(alignment: Alignment) -> Mapping[str, Any]:
    counts = alignment.count()
    return {
        "name": alignment.dataset,
        "source": alignment.source,
        **counts,
        "matched": counts["countable"] - counts["unmatched"],
        "classes": [
            {
                "class": decision.name,
                "outcome": decision.outcome,
                "matches": [{"category": m.category, "kind": m.kind} for m in decision.matches],
                "why": decision.why or decision.excluded,
            }
            for decision in alignment.classes
        ],
    }
