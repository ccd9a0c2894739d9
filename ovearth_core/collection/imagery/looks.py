"""Pictures known again, since they stand in for those that aren't there."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass, field

from .fetcher import Fetched

# Pictures that a source has seen, to know again one that stands for many.
_MOST_REMEMBERED = 4096


@dataclass
class Looks:
    """Knows pictures of several colours again that came from different addresses.

    No two places look alike to the bit: such a picture says "no data here". A picture of one
    grey (white, black) is no picture of the ground either; one of another colour may be the sea.
    """

    keep_blank: bool = False
    _seen: OrderedDict[bytes, set[str]] = field(default_factory=OrderedDict)
    _known: set[str] = field(default_factory=set)

    def learn(self, digests: Iterable[str]) -> None:
        """Know these from now on; short digests."""
        self._known.update(digests)

    def see(self, digest: bytes, url: str) -> None:
        """Take note of a picture."""
        places = self._seen.setdefault(digest, set())
        if len(places) < 2:
            places.add(url)
        self._seen.move_to_end(digest)
        while len(self._seen) > _MOST_REMEMBERED:
            self._seen.popitem(last=False)

    def is_placeholder(self, fetched: Fetched) -> bool:
        """Whether a picture stands in for one that isn't there."""
        if self.keep_blank:
            return False
        if fetched.color is not None:
            return len(set(fetched.color)) == 1
        return len(self._seen.get(fetched.digest, ())) > 1 or short(fetched.digest) in self._known


def short(digest: bytes) -> str:
    """Return enough of a digest to tell pictures apart."""
    return digest[:8].hex()
