"""The columns of a review sheet: what they are called, and which of them people fill in."""

from __future__ import annotations

from dataclasses import dataclass

from ...dataset.rows import ANSWERS, DECISIONS


@dataclass(frozen=True)
class Column:
    """One column. choices: what can be chosen in it. width: in characters."""

    name: str
    width: float
    is_filled_in: bool = False
    choices: tuple[str, ...] = ()
    about: str = ""


ROW = Column("row id", 20, about="Names the row's text, with a checksum. Leave it as it is.")
QUERY = Column("query id", 12)
TARGET = Column("target", 10, about="In the workbook, a click leads to its larger pictures.")
IMAGE = Column("image", 16)
CATEGORY = Column("category", 14)
TASK = Column("task", 13)
POLARITY = Column("polarity", 12)
TEXT = Column("text", 44, about="Leave it as it is; another text goes into the column new text.")
FOUND = Column("found", 24, about="What checks and the verifying model found; they may be wrong.")
QUESTION = Column("question", 34)
ANSWER = Column("answer", 11, is_filled_in=True, choices=ANSWERS, about="To the question.")
DECISION = Column(
    "decision", 12, is_filled_in=True, choices=DECISIONS,
    about="Yes alone accepts. Edit needs a new text; edit and remove a reason, or the answer no.",
)  # fmt: skip
NEW_TEXT = Column("new text", 44, is_filled_in=True, about="In the text's place, with edit.")
REASON = Column("reason", 30, is_filled_in=True)

COLUMNS = (ROW, QUERY, TARGET, IMAGE, CATEGORY, TASK, POLARITY, TEXT, FOUND, QUESTION, ANSWER,
           DECISION, NEW_TEXT, REASON)  # fmt: skip
# What an import reads; the others may be left out or be in any order.
READ = (ROW, TEXT, ANSWER, DECISION, NEW_TEXT, REASON)
