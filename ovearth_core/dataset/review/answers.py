"""The three questions that a manager answers about a target."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace

from ..rows import ReviewRow

# Field of the log: how the answers yes and no are said.
QUESTIONS = {
    "right_category": ("right category", "wrong category"),
    "good_boundary": ("good boundary", "bad boundary"),
    "nothing_missed": ("nothing missed", "something missed"),
}


@dataclass(frozen=True)
class Answers:
    """Whether the category is right, the boundary good, no instance missed; None: not answered."""

    right_category: bool | None = None
    good_boundary: bool | None = None
    nothing_missed: bool | None = None

    @property
    def open(self) -> tuple[str, ...]:
        """The fields of questions that are not answered."""
        return tuple(name for name, answer in self.by_field().items() if answer is None)

    @property
    def failed(self) -> tuple[str, ...]:
        """The fields of questions answered with no."""
        return tuple(name for name, answer in self.by_field().items() if answer is False)

    @property
    def given(self) -> bool:
        """Whether any question is answered."""
        return len(self.open) < len(QUESTIONS)

    def by_field(self) -> dict[str, bool | None]:
        """Return the answers under the names of the log's columns."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def put_into(self, line: ReviewRow) -> ReviewRow:
        """Return a line of the log with these answers in it."""
        return replace(
            line,
            right_category=self.right_category,
            good_boundary=self.good_boundary,
            nothing_missed=self.nothing_missed,
        )

    def said(self) -> str:
        """Return the given answers in words: "right category, bad boundary"."""
        return ", ".join(
            QUESTIONS[name][0 if answer else 1]
            for name, answer in self.by_field().items()
            if answer is not None
        )


ALL_GOOD = Answers(True, True, True)
