"""Which queries an output without query ids answers: by the class or phrase that it names.

A class is what the mapping file says, else the category of the benchmark that it names (by id,
name or synonym, spelling evened out), else a phrase that queries ask with. A positive vocabulary
query is answered by its category; other queries by what their text names, since a class that a
model gave is no answer to a phrase that means something else.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property, lru_cache

from ...benchmark import TASKS, Benchmark
from ...errors import InputError
from ...spelling import shortened
from ...taxonomy import load
from ...taxonomy.words import key_of
from .reading import Reading

# A category's id, or the words of a phrase, evened out.
Concept = int | str

UNKNOWN_CLASSES = "outputs of classes that are no category and no phrase"
MAPPED_OUT = "outputs of classes that the mapping file leaves out"
_VOCABULARY = TASKS.index("vocabulary")
_FEW = 3


class ClassNames:
    """What class names and category ids mean in a benchmark."""

    def __init__(self, reading: Reading) -> None:
        self._reading = reading
        self._benchmark: Benchmark = reading.benchmark
        self._of_name = lru_cache(maxsize=4096)(self._named)

    def of_name(self, name: str, where: str) -> tuple[Concept, ...]:
        """Return what a class name means, nothing where it is mapped out or unknown and lenient.

        Raises InputError, with its place, for an unknown one.
        """
        found = self._of_name(name)
        if found is None:
            self._reading.refuse(self._unknown(name, where), UNKNOWN_CLASSES)
            return ()
        if not found:
            self._reading.left_out[MAPPED_OUT] += 1
        return found

    def known(self, name: str) -> tuple[Concept, ...]:
        """Return what a class name means, nothing for an unknown one."""
        return self._of_name(name) or ()

    def of_id(self, category_id: int, where: str) -> tuple[Concept, ...]:
        """Return what a category id means; as of_name does."""
        mapped = self._reading.mapping.of(str(category_id))
        if mapped is None and category_id in self._benchmark.category_by_id:
            return (category_id,)
        return self.of_name(str(category_id), where)

    @cached_property
    def wanted(self) -> list[tuple[Concept, ...]]:
        """What each query of the benchmark is answered by, in its order."""
        targets = self._benchmark.columns.targets.category_ids[self._benchmark.target_places]
        columns = self._benchmark.columns.queries
        return [
            self._wanted(text_of.text, int(category), bool(positive) and task == _VOCABULARY)
            for text_of, category, positive, task in zip(
                self._benchmark.queries,
                targets.tolist(),
                columns.is_positive.tolist(),
                columns.tasks.tolist(),
                strict=True,
            )
        ]

    def _wanted(self, text: str, category: int, is_own: bool) -> tuple[Concept, ...]:
        key = key_of(text)
        named = category if is_own else self._category_of_key.get(key)
        return (key,) if named is None else (named, key)

    def _named(self, name: str) -> tuple[Concept, ...] | None:
        mapped = self._reading.mapping.of(name)
        if mapped is None:
            return self._meant(name)
        meant = [self._meant(each) for each in mapped]
        if None in meant:
            each = mapped[meant.index(None)]
            raise self._unknown(each, self._reading.mapping.where)
        return tuple(concept for some in meant for concept in some or ())

    def _meant(self, name: str) -> tuple[Concept, ...] | None:
        key = key_of(name)
        if key in self._category_of_key:
            return (self._category_of_key[key],)
        if key in self._phrases:
            return (key,)
        if name.isascii() and name.isdecimal() and int(name) in self._benchmark.category_by_id:
            return (int(name),)
        return None

    @cached_property
    def _phrases(self) -> frozenset[str]:
        return frozenset(key_of(query.text) for query in self._benchmark.queries)

    @cached_property
    def _category_of_key(self) -> dict[str, int]:
        """Category ids by evened-out names: their own before synonyms, these before the taxonomy's.

        The taxonomy's synonyms count only where none of the benchmark's categories is called so.
        """
        found: dict[str, int] = {}
        for category in self._benchmark.categories:
            found.setdefault(key_of(category.name), category.id)
        for category in self._benchmark.categories:
            for name in _synonyms(category.extra.get("synonyms")):
                found.setdefault(key_of(name), category.id)
        whole = load()
        for category in self._benchmark.categories:
            known = whole.known(category.name)
            for name in known.names if known is not None else ():
                found.setdefault(key_of(name), category.id)
        found.pop("", None)
        return found

    def _unknown(self, name: str, where: str) -> InputError:
        names = [category.name for category in self._benchmark.categories]
        near = ", ".join(shortened(each) for each in _nearest(name, names)) or "none"
        return InputError(
            f"the class {shortened(name)!r} is no category and no phrase of a query",
            where,
            f"map it, or leave it out: --mapping (nearest are {near})",
        )


def _synonyms(value: object) -> Iterable[str]:
    return [name for name in value if isinstance(name, str)] if isinstance(value, list) else ()


def _nearest(name: str, names: list[str]) -> list[str]:
    from ...taxonomy.words import Likeness

    likeness = Likeness(name[:200])
    return sorted(names, key=lambda other: -likeness.to(other))[:_FEW]
