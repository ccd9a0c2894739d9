"""Proposes how the classes of someone's list match the taxonomy; the unsure ones are left open.

Evidence counts, in this order: the name or a synonym; what other datasets' aligned classes of the
same name were decided to be; a more general or more special word that the taxonomy lists; a name
that ends in a category's name ("white pickup truck" is a truck). Likeness of spelling alone is no
evidence: it only says what a person may want to look at.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from .alignment import BROADER, EXACT, NARROWER, Alignment, ClassDecision, Match
from .model import Category, Taxonomy
from .search import search
from .words import key_of, words_of

SURE, UNSURE = "sure", "unsure"
_MOST_CANDIDATES = 3
_CATCH_ALLS = frozenset(
    [
        *("background", "clutter", "ignore", "ignored", "misc", "nodata", "none", "other"),
        *("unknown", "unlabeled", "unlabelled", "void"),
    ]
)


@dataclass(frozen=True)
class Proposal:
    """A class, its proposed matches and why; `state` is "sure", "unsure" (a person decides)."""

    name: str
    state: str
    matches: tuple[Match, ...]
    reason: str
    candidates: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """Return it as `ovearth taxonomy overlap --classes --json` writes it."""
        return {
            "class": self.name,
            "state": self.state,
            "matches": [{"category": m.category, "kind": m.kind} for m in self.matches],
            "reason": self.reason,
            "candidates": list(self.candidates),
        }


def propose(
    taxonomy: Taxonomy, classes: Iterable[str], alignments: Iterable[Alignment] = ()
) -> list[Proposal]:
    """Return one proposal for each class, in order."""
    decided = _decided(alignments, taxonomy)
    return [_proposal(taxonomy, name, decided) for name in classes]


def _decided(
    alignments: Iterable[Alignment], taxonomy: Taxonomy
) -> dict[str, tuple[str, ClassDecision]]:
    """Return the decided classes by their name's key, the first dataset's where several agree."""
    ids = {category.id for category in taxonomy}
    found: dict[str, tuple[str, ClassDecision]] = {}
    for alignment in alignments:
        for decision in alignment.classes:
            if all(match.category in ids for match in decision.matches):
                found.setdefault(key_of(decision.name), (alignment.dataset, decision))
    return found


def _proposal(
    taxonomy: Taxonomy, name: str, decided: dict[str, tuple[str, ClassDecision]]
) -> Proposal:
    if _is_catch_all(name):
        return Proposal(name, SURE, (), "a catch-all or background label, left out")
    category = taxonomy.known(name)
    if category is not None:
        reason = "name" if key_of(name) == key_of(category.name) else "synonym"
        return Proposal(name, SURE, (Match(category.id, EXACT),), reason)
    dataset, decision = decided.get(key_of(name), ("", None))
    if decision is not None:
        return _as_decided(taxonomy, name, dataset, decision)
    return _by_words(taxonomy, name) or _left_open(taxonomy, name)


def _is_catch_all(name: str) -> bool:
    words = words_of(name)
    return words[:1] == ("other",) or set(words) <= _CATCH_ALLS or key_of(name) in _CATCH_ALLS


def _as_decided(taxonomy: Taxonomy, name: str, dataset: str, decision: ClassDecision) -> Proposal:
    """Return what people decided for that dataset; what they found doubtful there stays open."""
    state = UNSURE if decision.why else SURE
    reason = f"as decided for {dataset}" + (f" ({decision.why})" if decision.why else "")
    near = () if decision.matches else _like(taxonomy, name)
    return Proposal(name, state, decision.matches, reason, near)


def _by_words(taxonomy: Taxonomy, name: str) -> Proposal | None:
    key = key_of(name)
    kinds = [c.id for c in taxonomy if key in map(key_of, c.narrower)]
    if kinds:
        return Proposal(name, SURE, _matches(kinds, NARROWER), "a kind that the taxonomy lists")
    general = [c.id for c in taxonomy if key in map(key_of, c.broader)]
    if general:
        return Proposal(name, SURE, _matches(general, BROADER), "a more general word for them")
    ending = [c.id for c in taxonomy if _ends_in(name, c)]
    if ending:
        return Proposal(name, UNSURE, _matches(ending[:1], NARROWER), "ends in its name")
    return None


def _matches(ids: Iterable[str], kind: str) -> tuple[Match, ...]:
    return tuple(Match(id_, kind) for id_ in ids)


def _ends_in(name: str, category: Category) -> bool:
    words = words_of(name)
    endings = [words_of(known) for known in category.names]
    return any(len(words) > len(e) and words[-len(e) :] == e for e in endings if e)


def _left_open(taxonomy: Taxonomy, name: str) -> Proposal:
    near = _like(taxonomy, name)
    reason = "no evidence; names like it" if near else "nothing like it"
    return Proposal(name, UNSURE, (), reason, near)


def _like(taxonomy: Taxonomy, name: str) -> tuple[str, ...]:
    return tuple(hit.category.id for hit in search(taxonomy, name)[:_MOST_CANDIDATES])
