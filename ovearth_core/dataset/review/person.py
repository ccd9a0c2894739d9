"""Who is at work, and in which role."""

from __future__ import annotations

import getpass
import os
from dataclasses import dataclass

from ...errors import UsageError
from ...spelling import nearest
from .moves import ANNOTATOR, ROLES

NAME_VARIABLE, ROLE_VARIABLE = "OVEARTH_USER", "OVEARTH_ROLE"


@dataclass(frozen=True)
class Person:
    """A person by name, as annotator or manager.

    Nobody proves who he is: names sign work in a team, they keep nobody out.
    """

    name: str
    role: str = ANNOTATOR

    def __post_init__(self) -> None:
        if not self.name.strip() or not self.name.isprintable():
            raise UsageError(f"{self.name!r} is no name", "--who", "say who you are")
        if self.role not in ROLES:
            raise UsageError(f"no role {self.role!r}", "--role", nearest(self.role, ROLES))

    def is_called(self, name: str | None) -> bool:
        """Whether a name found in the dataset is this person's, in capitals or not."""
        return name is not None and same_name(self.name, name)


def same_name(one: str, other: str) -> bool:
    """Whether two names are one person's: capitals and spaces around don't count."""
    return one.strip().casefold() == other.strip().casefold()


def person_of(name: str | None = None, role: str | None = None) -> Person:
    """Return who is at work: as told, else by OVEARTH_USER and OVEARTH_ROLE, else by the login.

    The role is annotator unless said. UsageError for a role that is none, for a name that is empty,
    as that of a variable that isn't set, or where nobody is logged in.
    """
    if name is not None and not name.strip():
        raise UsageError("an empty name", "--who", "say who you are (is a variable not set?)")
    if name is None and os.environ.get(NAME_VARIABLE, "-").strip() == "":
        raise UsageError("an empty name", NAME_VARIABLE, "say who you are, or unset it")
    found = name or os.environ.get(NAME_VARIABLE) or _login_name()
    return Person(found.strip(), role or os.environ.get(ROLE_VARIABLE) or ANNOTATOR)


def _login_name() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):
        raise UsageError(
            "nobody is logged in", NAME_VARIABLE, "say who you are with --who NAME"
        ) from None
