"""What can go wrong, each said in one line: what, where, how to mend it."""

from __future__ import annotations

from typing import TypeVar

_LONGEST_LINE = 2000

ErrorT = TypeVar("ErrorT", bound="OVEarthError")


def one_line(text: str) -> str:
    """Return `text` on one line, control characters escaped, so that no file can forge output."""
    shown = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
    return shown if len(shown) <= _LONGEST_LINE else shown[: _LONGEST_LINE - 1] + "…"


class OVEarthError(Exception):
    """Base of all errors that a person can mend.

    what: the fault itself. where: file, line, record. mend: what to do about it.
    """

    def __init__(self, what: str, where: str = "", mend: str = "") -> None:
        super().__init__(what, where, mend)
        self.what = what
        self.where = where
        self.mend = mend

    def __str__(self) -> str:
        return one_line(", ".join(part for part in (self.what, self.where, self.mend) if part))

    def at(self: ErrorT, where: str) -> ErrorT:
        """Return the same error with its place put in front of any that it already names."""
        place = f"{where}, {self.where}" if self.where else where
        return type(self)(self.what, place, self.mend)


class UsageError(OVEarthError):
    """The command or function was asked for something that makes no sense."""


class InputError(OVEarthError, ValueError):
    """A file's content is not what it should be."""


class GeometryError(OVEarthError, ValueError):
    """A box, polygon or mask is not one."""


class TruthError(InputError):
    """The truth of a benchmark is not usable; names its own place, whichever run met it."""


class FrameError(OVEarthError, ValueError):
    """An image can't be placed where it was asked for: no CRS, no transform, no such operation."""


class MissingPackageError(OVEarthError, ImportError):
    """A feature needs a package that is not installed; mend: "pip install" and the package."""

    @property
    def requirements(self) -> tuple[str, ...]:
        """What pip would be asked for, such as `shapely>=2` or `ovearth[collect]`."""
        asked = self.mend.partition(",")[0].split()
        return tuple(word.strip("'\"") for word in asked if word not in ("pip", "install"))


class OutputError(OVEarthError, OSError):
    """A result could not be written."""


class EngineError(OVEarthError, RuntimeError):
    """The processes or the cluster that work was given to can't be reached, or are lost."""


class InterruptedWorkError(OVEarthError):
    """A person stopped the work; what was done until then is kept."""
