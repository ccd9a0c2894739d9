"""What is wrong with each target's texts, beside what `checking.texts` finds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..checking.finding import Finding
from ..dataset.rows import QueryRow
from ..errors import OVEarthError
from ..taxonomy import load
from .language import foreign
from .naming import alike, known_names
from .part_check import describes_part, names_one
from .spatial_check import wrong_claims
from .subject import Subject
from .wording import NEAR

# The fewest and the most words that such texts have.
_LENGTHS = {"vocabulary": (1, 6), "referring": (3, 40), "reasoning": (4, 50)}


def text_findings(subject: Subject, others: Sequence[Subject]) -> Iterator[Finding]:
    """Find what is wrong with a target's texts. others: the other targets on its image."""
    for query in subject.queries:
        yield from _wording(subject, query)
        if query.polarity == "negative":
            yield from _presence(subject, query, others)
        elif query.task == "referring":
            yield from _place(subject, query, others)
    yield from _alike(subject)


def _wording(subject: Subject, query: QueryRow) -> Iterator[Finding]:
    least, most = _LENGTHS[query.task]
    count = len(query.text.split())
    if count > most:
        what = f"has {count} words, more than the {most} that {query.task} texts need"
        yield finding(subject, query, "long-text", what, "shorten it")
    elif 0 < count < least:
        what = f"has {count} words: too few for a {query.task} text"
        yield finding(subject, query, "short-text", what, "say more")
    language = foreign(query.text)
    if language is not None:
        yield finding(subject, query, "language", f"is {language}, not English", "translate it")


def _presence(subject: Subject, query: QueryRow, others: Sequence[Subject]) -> Iterator[Finding]:
    text = alike(query.text)
    for other in (subject, *others):
        whose = "the target's category" if other is subject else f"target {other.target_id}'s"
        for name in _wider_names(other.category):
            if alike(name) == text:
                what = f"{query.text!r} is a negative, but is {whose} {name!r}"
                yield finding(subject, query, "negative-present", what, "remove it")
                return
        for asked in other.queries:
            if (
                asked.polarity == "positive"
                and asked.task == "vocabulary"
                and (other is not subject and alike(asked.text) == text)
            ):
                what = f"{query.text!r} is a negative, but a positive of target {other.target_id}"
                yield finding(subject, query, "negative-present", what, "remove one of them")
                return
    for other in (subject, *others):
        kind = _kind_of(query.text, other.category)
        if kind is not None:
            what = f"{query.text!r} is a negative, but a kind of {kind!r}, which is on the image"
            yield finding(subject, query, "negative-kind", what, "look whether it is there")
            return


def _wider_names(category: str) -> tuple[str, ...]:
    known = load().known(category)
    return (*known_names(category), *(() if known is None else known.broader))


def _kind_of(text: str, category: str) -> str | None:
    """Return the category's name where a text is one with words before it, or a narrower word.

    What the taxonomy knows as a category of its own is a look-alike: a water park is no park.
    """
    known, of_text = load().known(category), load().known(text)
    words = alike(text)
    if any(alike(name) == words for name in (() if known is None else known.narrower)):
        return category
    if of_text is not None and of_text != known:
        return None
    for name in known_names(category):
        wanted = alike(name)
        if len(words) > len(wanted) and words[-len(wanted) :] == wanted:
            return name
    return None


def _place(subject: Subject, query: QueryRow, others: Sequence[Subject]) -> Iterator[Finding]:
    try:
        wrong = list(wrong_claims(query.text, subject, others))
    except OVEarthError:
        # The image has no place that can be computed with: `check` says so.
        wrong = []
    for claim in wrong:
        if claim.kind == NEAR:
            what = f"{query.text!r} says {claim.words!r}, which is far away"
            yield finding(subject, query, "not-near", what, "name something nearer")
        else:
            axes = "on the ground" if claim.axes == "ground" else "on the picture"
            what = f"{query.text!r} says {claim.words!r}, but {axes} it lies elsewhere"
            yield finding(subject, query, "wrong-direction", what, "look, and mend the direction")
    part = describes_part(query.text, subject)
    if part is not None:
        what = f"{query.text!r} describes a part: {part}"
        yield finding(subject, query, "part-of-target", what, "speak of all of them")
    elif names_one(query.text, subject):
        what = f"{query.text!r} speaks of one, and {len(subject.shapes)} are outlined"
        yield finding(subject, query, "one-of-several", what, "speak of all of them")


def _alike(subject: Subject) -> Iterator[Finding]:
    """Find texts that differ in number, hyphens or small words' spelling alone."""
    seen: dict[tuple[str, str, tuple[str, ...]], QueryRow] = {}
    for query in subject.queries:
        words = alike(query.text)
        first = seen.setdefault((query.task, query.polarity, words), query)
        is_same = even(first.text) == even(query.text)
        if first is not query and not is_same and words:
            what = f"{query.text!r} says what {first.text!r} says"
            yield finding(subject, query, "doubled-text", what, "keep one of them")
    negatives = {alike(q.text): q for q in subject.queries if q.polarity == "negative"}
    for query in subject.queries:
        against = negatives.get(alike(query.text))
        if query.polarity == "negative" or against is None or query.task != "vocabulary":
            continue
        if even(against.text) != even(query.text):
            what = f"{against.text!r} is a negative, and {query.text!r} a positive"
            yield finding(subject, against, "both-polarities", what, "keep one of them")


def finding(subject: Subject, query: QueryRow, kind: str, what: str, mend: str) -> Finding:
    """Return a finding about a query."""
    note = f"target {subject.target_id}"
    return Finding(kind, "query", query.id, what, mend, subject.image.id, note=note)


def even(text: str) -> str:
    """Return a text by which those that people take for the same are the same."""
    return " ".join(text.casefold().split())
