"""What a person points at: points inside and outside of a thing, and a box around it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import UsageError

INSIDE, OUTSIDE = 1, 0

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Prompt:
    """points (N, 2): x, y in continuous pixels; labels (N,): 1 inside, 0 outside; box: (4,).

    The box is xmin, ymin, xmax, ymax in continuous pixels, or None. There is a point or a box.
    """

    points: Floats
    labels: Ints
    box: Floats | None

    @classmethod
    def checked(cls, points: ArrayLike, labels: ArrayLike, box: ArrayLike | None = None) -> Prompt:
        """Return the prompt; UsageError for what is none."""
        at = np.asarray(points, np.float64)
        at = at.reshape(-1, 2) if at.size == 0 else at
        kinds = np.asarray(labels)
        kinds = kinds.reshape(-1) if kinds.size == 0 else kinds
        if at.ndim != 2 or at.shape[1] != 2 or kinds.shape != (len(at),):
            raise _refused(
                f"points of shape {at.shape} with labels of shape {kinds.shape}",
                "give points (N, 2) and as many labels (N,)",
            )
        if not np.isin(kinds, (INSIDE, OUTSIDE)).all():
            raise _refused("a label that is neither 1 nor 0", "give 1 for inside, 0 for outside")
        frame = None if box is None else _box(box)
        if not len(at) and frame is None:
            raise _refused("neither a point nor a box", "give one of them")
        if not np.isfinite(at).all():
            raise _refused("a point that is not finite", "give pixel coordinates")
        return cls(at, kinds.astype(np.int64), frame)

    @property
    def is_ambiguous(self) -> bool:
        """Whether it may mean a thing, its part or its whole: one point only."""
        return self.box is None and len(self.points) == 1

    def goes_on_in(self, other: Prompt) -> bool:
        """Whether another prompt is about the same thing: it has a point or the box of this one."""
        if self.box is not None and other.box is not None and (self.box == other.box).all():
            return True
        return bool((self.points[:, None] == other.points[None]).all(axis=2).any())

    @property
    def extent(self) -> Floats:
        """The envelope (4,) of all that is pointed at, in pixels."""
        corners = (
            self.points if self.box is None else np.vstack([self.points, self.box.reshape(2, 2)])
        )
        return np.concatenate([corners.min(axis=0), corners.max(axis=0)])


def _box(box: ArrayLike) -> Floats:
    found = np.asarray(box, np.float64)
    if found.shape != (4,) or not np.isfinite(found).all():
        raise _refused("a box that is not four numbers", "give xmin, ymin, xmax, ymax")
    if found[2] <= found[0] or found[3] <= found[1]:
        raise _refused("a box without area", "give xmin < xmax and ymin < ymax")
    return found


def _refused(what: str, mend: str) -> UsageError:
    return UsageError(what, "prompt", mend)
