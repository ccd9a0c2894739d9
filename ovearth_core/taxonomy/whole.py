"""Whether the parts of a taxonomy fit together: nothing doubled, nothing in the air, no circle."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

from ..errors import InputError
from ..spelling import nearest
from .model import Category, Taxonomy
from .words import key_of

T = TypeVar("T")


def check_whole(taxonomy: Taxonomy) -> Taxonomy:
    """Return the taxonomy; InputError where its parts don't fit together."""
    if not taxonomy.categories:
        raise InputError("no category in it", taxonomy.where, "add some")
    _refuse_doubles(taxonomy, "id", lambda c: [c.id], str)
    _refuse_doubles(taxonomy, "number", lambda c: [c.number], lambda number: number)
    _refuse_doubles(taxonomy, "name", lambda c: [c.name], key_of)
    _refuse_doubles(taxonomy, "synonyms", lambda c: c.names, key_of)
    domain_of = _domains_of_branches(taxonomy)
    ids = [category.id for category in taxonomy]
    for category in taxonomy:
        _check_place(taxonomy, category, domain_of)
        for other in category.look_alikes:
            if other not in ids or other == category.id:
                is_itself = other == category.id
                what = "is the category itself" if is_itself else "is no category"
                mend = "take it out" if is_itself else _near(other, ids)
                raise _fault(taxonomy, category, "look_alikes", f"{other!r} {what}", mend)
    return taxonomy


def _near(word: str, words: Iterable[str]) -> str:
    """Return a hint to the nearest of many words, without listing all of them."""
    return nearest(word, words).split("? (", 1)[0] + "?"


def _fault(taxonomy: Taxonomy, category: Category, field: str, what: str, mend: str) -> InputError:
    return InputError(what, f"{taxonomy.where}, category {category.id!r}, field '{field}'", mend)


def _refuse_doubles(
    taxonomy: Taxonomy,
    field: str,
    values: Callable[[Category], Iterable[T]],
    key: Callable[[T], Any],
) -> None:
    """Raise InputError where two categories share a value, as far as `key` tells values apart."""
    met: dict[Any, Category] = {}
    for category in taxonomy:
        for value in values(category):
            other = met.setdefault(key(value), category)
            if other is not category:
                raise _fault(
                    taxonomy,
                    category,
                    field,
                    f"{value!r} is also that of category {other.id!r}",
                    "give each its own",
                )


def _domains_of_branches(taxonomy: Taxonomy) -> dict[str, str]:
    """Return each branch's domain (a domain's is itself); InputError for loose ones and circles."""
    domains = {domain.name: domain.name for domain in taxonomy.domains}
    parents = {branch.name: branch.parent for branch in taxonomy.branches}
    for kind, nodes in (("domain", taxonomy.domains), ("branch", taxonomy.branches)):
        names = [node.name for node in nodes]
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice is not None:
            user = next((c.id for c in taxonomy if twice in {c.branch, c.domain}), None)
            raise InputError(
                f"{kind} {twice!r} is there twice",
                taxonomy.where + (f", category {user!r}, field '{kind}'" if user else ""),
                "give each a name of its own, also in different domains",
            )
    if both := sorted(set(domains) & set(parents)):
        raise InputError(f"{both[0]!r} is domain and branch", taxonomy.where, "rename one")
    for branch in parents:
        domains[branch] = _top(taxonomy, branch, parents)
    return domains


def _top(taxonomy: Taxonomy, branch: str, parents: Mapping[str, str]) -> str:
    place = f"{taxonomy.where}, branch {branch!r}, field 'parent'"
    path = [branch]
    while (parent := parents.get(path[-1])) is not None:
        if parent in path:
            raise InputError(
                f"the branches go in a circle: {' > '.join([*path, parent])}", place, "cut it"
            )
        path.append(parent)
    if path[-1] not in {domain.name for domain in taxonomy.domains}:
        names = [domain.name for domain in taxonomy.domains] + list(parents)
        raise InputError(f"{path[-1]!r} is no domain or branch", place, _near(path[-1], names))
    return path[-1]


def _check_place(taxonomy: Taxonomy, category: Category, domain_of: Mapping[str, str]) -> None:
    for field, name in (("domain", category.domain), ("branch", category.branch)):
        if name not in domain_of:
            what = f"{name!r} is not declared"
            raise _fault(taxonomy, category, field, what, _near(name, domain_of))
    if domain_of[category.branch] != category.domain:
        what = f"{category.branch!r} is a branch of {domain_of[category.branch]!r}"
        raise _fault(taxonomy, category, "branch", what, f"not of {category.domain!r}")
