"""What a model makes of images, kept for the images looked at last."""

from __future__ import annotations

from collections import OrderedDict
from hashlib import blake2b
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

KeptT = TypeVar("KeptT")

# SAM 2 makes 16 MB of an image.
MOST_KEPT = 8


class Kept(Generic[KeptT]):
    """Values by key, those used last."""

    def __init__(self, most: int = MOST_KEPT) -> None:
        self._most = most
        self._values: OrderedDict[str, KeptT] = OrderedDict()

    def get(self, key: str) -> KeptT | None:
        """Return the value of a key, None where it isn't there (any more)."""
        if key not in self._values:
            return None
        self._values.move_to_end(key)
        return self._values[key]

    def put(self, key: str, value: KeptT) -> None:
        """Keep a value, and let the one go that was used longest ago."""
        self._values[key] = value
        self._values.move_to_end(key)
        while len(self._values) > self._most:
            self._values.popitem(last=False)

    def drop(self, key: str) -> None:
        """Let a value go, where it is there."""
        self._values.pop(key, None)


def content_key(pixels: NDArray[np.uint8]) -> str:
    """Return a key that images share only if all their pixels are equal."""
    digest = blake2b(repr(pixels.shape).encode(), digest_size=20)
    digest.update(np.ascontiguousarray(pixels).data)
    return digest.hexdigest()
