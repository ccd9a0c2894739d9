"""The two stages: what is asked of a target, how a reply is read, and what of it is stored."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from typing import Any, Protocol
from uuid import uuid4

from ..dataset import Edit, QueryRow
from ..taxonomy import load
from .depiction import Picture
from .flags import CORRECTED, PRESENT, with_verdict
from .prompt import Prompt, load_prompt
from .question import Question, token_of
from .reply import Generated, Verdict, read_generated, read_verdicts
from .situation import Situation
from .subject import Subject

# Longer names than this are no names.
_LONGEST_NAME = 120
_MOST_NEIGHBOURS = 20


class Stage(Protocol):
    """One stage of the pipeline."""

    @property
    def name(self) -> str:
        """Of QUERY_STAGES."""

    @property
    def outlined(self) -> bool:
        """Whether the target is shown in red."""

    @property
    def once(self) -> bool:
        """Whether a target that is done is never asked about again."""

    @property
    def prompt(self) -> Prompt:
        """What it asks by."""

    def wants(self, subject: Subject) -> bool:
        """Whether there is anything to ask about the target."""

    def question(
        self, subject: Subject, neighbours: Collection[str], pictures: tuple[Picture, ...]
    ) -> Question:
        """Return the request. neighbours: the other categories on the image."""

    def read(self, subject: Subject, question: Question, reply: str) -> Any:
        """Return what a reply says; UnusableReplyError where it isn't what was asked."""

    def store(self, edit: Edit, subject: Subject, value: Any, model: str, at: str) -> Counts:
        """Store it, and count what was stored."""


Counts = dict[str, int]


@dataclass(frozen=True)
class Generation:
    """Stage 1: the target in red, its category; texts come back as proposals."""

    name: str = "generate"
    outlined: bool = True
    once: bool = True

    @property
    def prompt(self) -> Prompt:
        """The newest prompt."""
        return load_prompt(self.name)

    def wants(self, subject: Subject) -> bool:
        """Every target can be asked about."""
        return True

    def question(
        self, subject: Subject, neighbours: Collection[str], pictures: tuple[Picture, ...]
    ) -> Question:
        """Return the request for texts."""
        token = token_of(self.prompt, subject.target_id, pictures)
        data = {**_facts(subject), "look_alikes": look_alikes(subject.category)}
        data["other_categories_on_the_image"] = sorted(map(_name, neighbours))[:_MOST_NEIGHBOURS]
        if subject.place:
            data["place_of_interest"] = _name(subject.place)
        text = self.prompt.user_text(token, data)
        return Question(subject.target_id, self.prompt, token, text, pictures)

    def read(self, subject: Subject, question: Question, reply: str) -> Generated:
        """Return the texts of a reply."""
        return read_generated(reply, self.prompt, question.token)

    def store(self, edit: Edit, subject: Subject, value: Generated, model: str, at: str) -> Counts:
        """Store the texts as proposals, but for those that the target has or had."""
        there = {(q.task, q.polarity, _even(q.text)) for q in edit.queries(subject.target_id)}
        counts: Counts = {}
        for task, polarity, text in value.rows():
            if (task, polarity, _even(text)) in there:
                continue
            row = QueryRow(
                uuid4().hex[:16], subject.target_id, task, polarity, text, state="proposed",
                origin="language model", created_at=at or None, model=model,
                prompt=self.prompt.label,
            )  # fmt: skip
            edit.add(row)
            kind = f"{polarity} {task}"
            counts[kind] = counts.get(kind, 0) + 1
        return counts


@dataclass(frozen=True)
class Verification:
    """Stage 2: the raw image, and the texts. states: of the queries that are looked at."""

    name: str = "verify"
    outlined: bool = False
    once: bool = False
    states: tuple[str, ...] = ("proposed",)

    @property
    def prompt(self) -> Prompt:
        """The newest prompt."""
        return load_prompt(self.name)

    def wants(self, subject: Subject) -> bool:
        """Whether it has a text that nobody verified yet."""
        return any(True for _ in self._unverified(subject))

    def question(
        self, subject: Subject, neighbours: Collection[str], pictures: tuple[Picture, ...]
    ) -> Question:
        """Return the request for verdicts."""
        token = token_of(self.prompt, subject.target_id, pictures)
        negatives, referring = self._asked(subject)
        data = {
            "target": {**_facts(subject), "box_on_picture_1": _box_words(subject)},
            "negatives": [{"id": key, "text": text} for key, text in negatives.items()],
            "referring": [{"id": key, "text": text} for key, text in referring.items()],
        }
        text = self.prompt.user_text(token, data)
        return Question(subject.target_id, self.prompt, token, text, pictures)

    def read(self, subject: Subject, question: Question, reply: str) -> dict[str, Verdict]:
        """Return verdicts by the ids of the queries."""
        verdicts = read_verdicts(reply, question.token, *self._asked(subject))
        keys = {key: query.id for key, query in self._keyed(subject)}
        return {keys[key]: verdict for key, verdict in verdicts.items()}

    def store(
        self, edit: Edit, subject: Subject, value: dict[str, Verdict], model: str, at: str
    ) -> Counts:
        """Put flags and corrections beside the texts; those changed meanwhile are left alone."""
        asked = {query.id: query.text for query in self._unverified(subject)}
        counts: Counts = {}
        for query in list(edit.queries(subject.target_id)):
            verdict = value.get(query.id)
            if verdict is None or query.text != asked.get(query.id):
                continue
            word = PRESENT if verdict.is_present else CORRECTED if verdict.correction else None
            edit.update(replace(
                query, flags=with_verdict(query.flags, word), correction=verdict.correction,
                verified_model=model, verified_prompt=self.prompt.label, verified_at=at or None,
                verified_why=verdict.why or None,
            ))  # fmt: skip
            for kind in (f"verified {query.polarity}", word):
                if kind is not None:
                    counts[kind] = counts.get(kind, 0) + 1
        return counts

    def _unverified(self, subject: Subject) -> Iterator[QueryRow]:
        for query in subject.queries:
            is_kind = query.task == "referring" or query.polarity == "negative"
            if is_kind and query.state in self.states and query.verified_at is None:
                yield query

    def _keyed(self, subject: Subject) -> Iterator[tuple[str, QueryRow]]:
        for number, query in enumerate(self._unverified(subject), 1):
            yield f"{'n' if query.polarity == 'negative' else 'r'}{number}", query

    def _asked(self, subject: Subject) -> tuple[dict[str, str], dict[str, str]]:
        texts = [(key, query.text) for key, query in self._keyed(subject)]
        return (
            {key: text for key, text in texts if key.startswith("n")},
            {key: text for key, text in texts if key.startswith("r")},
        )


def look_alikes(category: str) -> list[str]:
    """Return the names of what the taxonomy says that a category is confused with."""
    taxonomy = load()
    known = taxonomy.known(category)
    return [] if known is None else [taxonomy[other].name for other in known.look_alikes]


def _facts(subject: Subject) -> dict[str, Any]:
    facts: dict[str, Any] = {"category": _name(subject.category)}
    if subject.is_counted:
        facts["instances_outlined"] = len(subject.shapes)
    elif subject.instanceable:
        facts["kind"] = "many instances, some of them outlined together"
    else:
        facts["kind"] = "an area or a line, whose parts are not counted"
    return facts | Situation(subject).words()


def _box_words(subject: Subject) -> str:
    width, height = subject.image.width, subject.image.height
    left, top, right, bottom = subject.extent / [width, height, width, height] * 100.0
    return (
        f"{left:.0f} to {right:.0f} % of the width from the left,"
        f" {top:.0f} to {bottom:.0f} % of the height from the top"
    )


def _name(text: str) -> str:
    """Return a name from a stranger's data on one line, no longer than names are."""
    plain = "".join(c if c.isprintable() else " " for c in text)
    return " ".join(plain.split())[:_LONGEST_NAME]


def _even(text: str) -> str:
    return " ".join(text.casefold().split())
