"""A row's id: which text it is about, and how many rows the sheet had, guarded by checksums."""

from __future__ import annotations

import re
from dataclasses import dataclass
from hashlib import sha256
from string import ascii_uppercase, digits

# Without letters and digits that are taken for each other.
_LETTERS = [letter for letter in ascii_uppercase + digits if letter not in "01ILOU"]
_LENGTH = 5
_FORM = re.compile(r"(\d{1,9})of(\d{1,9})-Q(\d{1,18})-([A-Z0-9]{5})-([A-Z0-9]{5})")


@dataclass(frozen=True)
class RowId:
    """Row `place` of `of`, from 1, about the query of a number.

    id_check: of all this and the query's own id; text_check: of the text as it stands in the cell.
    """

    place: int
    of: int
    number: int
    id_check: str
    text_check: str

    @classmethod
    def made(cls, place: int, of: int, number: int, query_id: str, text: str) -> RowId:
        """Return the id of a row about a query and its text."""
        return cls(place, of, number, _check(place, of, number, query_id), _check(text))

    @classmethod
    def read(cls, text: str) -> RowId | None:
        """Return the id that a cell holds, None where it is none."""
        found = _FORM.fullmatch(text.strip())
        if found is None:
            return None
        place, of, number, id_check, text_check = found.groups()
        return cls(int(place), int(of), int(number), id_check, text_check)

    def __str__(self) -> str:
        return f"{self.place}of{self.of}-Q{self.number}-{self.id_check}-{self.text_check}"

    def is_of(self, query_id: str) -> bool:
        """Whether it is about the query of this id, as it was given out."""
        return self.id_check == _check(self.place, self.of, self.number, query_id)

    def has(self, text: str) -> bool:
        """Whether a text is the one that the row was given out with."""
        return self.text_check == _check(text)


def _check(*parts: object) -> str:
    digest = sha256("\0".join(map(str, parts)).encode("utf-8", "surrogatepass")).digest()
    return "".join(_LETTERS[byte % len(_LETTERS)] for byte in digest[:_LENGTH])
