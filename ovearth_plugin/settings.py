"""What the plugin remembers from one day to the next, in QGIS's own settings."""

from __future__ import annotations

from qgis.core import QgsApplication, QgsSettings

_PREFIX = "ovearth/"
_PERSON = "person"


def stored(name: str, default: str = "") -> str:
    """Return the text that was kept under a name, `default` where there is none."""
    return str(QgsSettings().value(_PREFIX + name, default) or default)


def store(name: str, text: str) -> None:
    """Keep a text under a name; an empty one forgets it. Never a key or a password."""
    if text:
        QgsSettings().setValue(_PREFIX + name, text)
    else:
        QgsSettings().remove(_PREFIX + name)


def person() -> str:
    """Return who signs changes: the name that was given, else that of the computer's user."""
    return stored(_PERSON) or QgsApplication.userFullName() or QgsApplication.userLoginName()


def store_person(name: str) -> None:
    """Keep who signs changes."""
    store(_PERSON, name.strip())
