"""What came back, held against what was asked: a value that can be stored, or why it is none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..entry import Entry, describe
from .found_json import UnusableReplyError, object_in
from .prompt import Prompt
from .unseen import without_unseen

LONGEST_TEXT = 400
# More than this many times what was asked for is no answer to it.
_FAR_TOO_MANY = 3


@dataclass(frozen=True)
class Generated:
    """Texts of a target, as a model wrote them."""

    phrases: tuple[str, ...]
    referring: tuple[str, ...]
    reasoning: tuple[str, ...]
    negatives: tuple[str, ...]

    def rows(self) -> tuple[tuple[str, str, str], ...]:
        """Return task, polarity and text of each."""
        kinds = (
            ("vocabulary", "positive", self.phrases), ("vocabulary", "negative", self.negatives),
            ("referring", "positive", self.referring), ("reasoning", "positive", self.reasoning),
        )  # fmt: skip
        return tuple((task, polarity, text) for task, polarity, ts in kinds for text in ts)


@dataclass(frozen=True)
class Verdict:
    """What a model says of one text. correction: what it would have in its place, or None.

    is_present: of a negative, whether it is on the image after all.
    """

    why: str
    is_present: bool = False
    correction: str | None = None


def read_generated(reply: str, prompt: Prompt, token: str) -> Generated:
    """Return the texts in a reply; UnusableReplyError for what isn't as the prompt asks."""
    entry = Entry(object_in(reply, token), "reply")
    lists = {name: _texts(entry, name, *ends) for name, ends in prompt.limits.items()}
    both = {_even(text) for text in lists["phrases"]} & {_even(t) for t in lists["negatives"]}
    if both:
        raise UnusableReplyError(f"{min(both)!r} is in phrases and in negatives")
    return Generated(**lists)


def read_verdicts(
    reply: str, token: str, negatives: Mapping[str, str], referring: Mapping[str, str]
) -> dict[str, Verdict]:
    """Return verdicts by id; UnusableReplyError where an id lacks, is there twice, or is unknown.

    negatives, referring: the texts that were asked about, by the ids that they had in the request.
    """
    entry = Entry(object_in(reply, token), "reply")
    found: dict[str, Verdict] = {}
    for item in _items(entry, "negatives", negatives):
        found[item.text("id")] = Verdict(_why(item), is_present=_flag(item, "present"))
    for item in _items(entry, "referring", referring):
        text = referring[item.text("id")]
        found[item.text("id")] = Verdict(_why(item), correction=_correction(item, text))
    return found


def _correction(item: Entry, text: str) -> str | None:
    if _flag(item, "right"):
        return None
    corrected = _clean(item.fields.get("corrected"), item.where)
    if _even(corrected) == _even(text):
        raise UnusableReplyError(f"{item.where}: it is not right, but its correction is the same")
    return corrected


def _list(entry: Entry, name: str) -> list[Any]:
    found = entry.fields.get(name)
    if not isinstance(found, list):
        raise UnusableReplyError(f"{name!r} is {describe(found)}, no list")
    return found


def _texts(entry: Entry, name: str, least: int, most: int) -> tuple[str, ...]:
    texts = [_clean(text, name) for text in _list(entry, name)]
    once = tuple({_even(text): text for text in reversed(texts)}.values())[::-1]
    if not least <= len(once) <= _FAR_TOO_MANY * most:
        raise UnusableReplyError(f"{name!r} has {len(once)} texts, not {least} to {most}")
    return once


def _items(entry: Entry, name: str, wanted: Mapping[str, str]) -> Sequence[Entry]:
    items = []
    for item in _list(entry, name):
        if not isinstance(item, dict) or item.get("id") not in wanted:
            named = item.get("id") if isinstance(item, dict) else item
            raise UnusableReplyError(f"{name!r} has {describe(named)}, which nobody asked about")
        items.append(Entry(item, f"{name} {item['id']}"))
    ids = [item.text("id") for item in items]
    if sorted(ids) != sorted(wanted):
        lacking = ", ".join(sorted(set(wanted) - set(ids))) or "an id twice"
        raise UnusableReplyError(f"{name!r} must have each id once: {lacking}")
    return items


def _flag(item: Entry, key: str) -> bool:
    value = item.fields.get(key)
    if not isinstance(value, bool):
        raise UnusableReplyError(f"{item.where}: {key!r} is {describe(value)}, not true or false")
    return value


def _why(item: Entry) -> str:
    why = item.fields.get("why")
    return _plain(why)[:LONGEST_TEXT] if isinstance(why, str) else ""


def _clean(text: Any, where: str) -> str:
    if not isinstance(text, str):
        raise UnusableReplyError(f"{where!r} holds {describe(text)}, not text")
    plain = _plain(text)
    if not any(letter.isalpha() for letter in plain):
        raise UnusableReplyError(f"{where!r} holds a text without a letter")
    if len(plain) > LONGEST_TEXT:
        raise UnusableReplyError(f"{where!r} holds a text of {len(plain)} letters, too long")
    return plain


def _plain(text: str) -> str:
    seen = "".join(c if c.isprintable() else " " for c in without_unseen(text))
    return " ".join(seen.split())


def _even(text: str) -> str:
    return " ".join(text.casefold().split())
