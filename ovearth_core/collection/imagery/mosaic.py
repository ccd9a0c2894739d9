"""Pictures fetched side by side and put together in memory."""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass, field, replace

import numpy as np

from ...daemons import DaemonPool
from .address import Address
from .fetching import EMPTY_STATUSES, Politeness, fetch
from .picture import Picture, check_packages, is_marked_empty, picture_of, set_up_thread
from .server_errors import CutOffError, ForbiddenError, NoPictureError, RefusedError
from .source import Mask, SeenTile, Values
from .tile_level import Piece
from .window import Extent

# Pictures that a source has seen, to know again one that stands for many.
_MOST_REMEMBERED = 4096
_MOST_ATTEMPTS = 2
# What some hosts say of a tile that they don't have; of a key that they don't take, too.
_FORBIDDEN = 403
# Of a source that has given no picture yet, so many are enough.
_MOST_REFUSALS = 4


@dataclass(frozen=True)
class Request:
    """A picture that is wanted, and where it goes."""

    piece: Piece
    address: Address


@dataclass(frozen=True)
class Fetched:
    """A picture, None where there is none.

    size: bytes. digest: what tells it from others. color: the only one in it, None
    where there are several. is_placeholder: the server says so. refusal: that it forbids this one.
    """

    picture: Picture | None
    size: int
    digest: bytes = b""
    color: tuple[float, ...] | None = None
    is_placeholder: bool = False
    refusal: ForbiddenError | None = None


@dataclass
class Counts:
    """What came: tiles asked for, missing ones (forbidden ones too), placeholders, and bytes."""

    tiles: int = 0
    missing: int = 0
    forbidden: int = 0
    placeholders: int = 0
    bytes: int = 0


@dataclass(frozen=True)
class Mosaic:
    """values (B,h,w) and where they hold data (h,w); what went into them.

    tiles, placeholder_share: see Pixels.
    """

    values: Values
    valid: Mask
    counts: Counts
    tiles: tuple[SeenTile, ...] = ()
    placeholder_share: float = 0.0


class OtherSizeError(Exception):
    """A tile has another size than was thought: `size`, width and height."""

    def __init__(self, size: tuple[int, int], piece: Piece, shown: str) -> None:
        super().__init__(size)
        self.size = size
        self.piece = piece
        self.shown = shown


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


class Fetcher:
    """Fetches pictures in threads of its own, and keeps the last ones; close it after use.

    refusal: that a tile is forbidden (403), as long as no picture has come: it may be the key.
    """

    def __init__(self, rules: Politeness, kept: int = 64) -> None:
        self._rules = rules
        check_packages()
        self._threads = DaemonPool(rules.per_host, "tiles", set_up_thread)
        self._kept: OrderedDict[str, Fetched] = OrderedDict()
        self._most_kept = kept
        self._lock = threading.Lock()
        self._has_pictures = False
        self.refusal: ForbiddenError | None = None

    def fetch(self, address: Address) -> Fetched:
        """Return the picture at an address; a ServerError says what came instead."""
        stop = threading.Event()
        try:
            return self._threads.submit(self._kept_or_fetched, address, stop).result()
        finally:
            stop.set()

    def _kept_or_fetched(self, address: Address, stop: threading.Event) -> Fetched:
        found = self._kept.get(address.url)
        if found is None:
            found = self._fetched(address, stop)
            with self._lock:
                self._has_pictures |= found.picture is not None
                self.refusal = None if self._has_pictures else found.refusal or self.refusal
                if found.refusal is not None:
                    return found
                self._kept[address.url] = found
                while len(self._kept) > self._most_kept:
                    self._kept.popitem(last=False)
        return found

    def each(self, requests: Sequence[Request], take: Callable[[Request, Fetched], None]) -> None:
        """Fetch side by side, and hand over in this thread what has come, in any order.

        After a fault, or Ctrl-C, no more are asked for and no pauses are waited for.
        """
        left = iter(requests)
        stop = threading.Event()
        running: dict[Future[Fetched], Request] = {}
        try:
            while True:
                while len(running) < 2 * self._rules.per_host:
                    request = next(left, None)
                    if request is None:
                        break
                    running[self._threads.submit(self._kept_or_fetched, request.address, stop)] = (
                        request
                    )
                if not running:
                    return
                for done in wait(running, return_when=FIRST_COMPLETED).done:
                    take(running.pop(done), done.result())
        finally:
            stop.set()
            for future in running:
                future.cancel()

    def close(self) -> None:
        """Let the threads end."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    def _fetched(self, address: Address, stop: threading.Event) -> Fetched:
        attempt = 0
        while True:
            attempt += 1
            try:
                arrival = fetch(address, self._rules, stop=stop)
            except ForbiddenError as fault:
                if fault.status != _FORBIDDEN:
                    raise
                return Fetched(None, 0, refusal=fault)
            if arrival.status in EMPTY_STATUSES:
                return Fetched(None, len(arrival.body))
            try:
                picture = picture_of(arrival, address.shown)
            except CutOffError:
                if attempt >= _MOST_ATTEMPTS or stop.is_set():
                    raise
                continue
            digest = hashlib.blake2b(arrival.body, digest_size=16).digest()
            color, is_empty = picture.one_color(), is_marked_empty(arrival)
            return Fetched(picture, len(arrival.body), digest, color, is_empty)


def mosaic(
    requests: Sequence[Request], extent: Extent, fetcher: Fetcher, looks: Looks, is_sure: bool
) -> Mosaic:
    """Return a window put together from pictures; what is missing, or a placeholder, isn't valid.

    is_sure: pictures of another size than wanted are an error; else OtherSizeError says their size.
    Raises RefusedError where no picture comes and a tile is forbidden.
    """
    canvas = _Canvas(extent)
    counts = Counts(len(requests))
    placed: list[tuple[Request, Fetched]] = []
    refusals: list[ForbiddenError] = []

    def take(request: Request, fetched: Fetched) -> None:
        counts.bytes += fetched.size
        if fetched.picture is None:
            counts.missing += 1
            if fetched.refusal is not None:
                refusals.append(fetched.refusal)
            if len(refusals) >= _MOST_REFUSALS and fetcher.refusal is not None:
                raise _of_place(fetcher.refusal)
            return
        _check_size(fetched.picture, request, is_sure)
        looks.see(fetched.digest, request.address.url)
        canvas.paste(fetched.picture, request)
        placed.append((request, replace(fetched, picture=None)))

    if requests and not is_sure:
        # The middle one first: the size that it has decides which ones to ask for.
        middle = requests[len(requests) // 2]
        take(middle, fetcher.fetch(middle.address))
        requests = [request for request in requests if request is not middle]
    fetcher.each(requests, take)
    counts.forbidden = len(refusals)
    if refusals and not placed:
        raise _of_place(refusals[0])
    tiles: dict[bytes, SeenTile] = {}
    left_out = 0.0
    for request, fetched in placed:
        share = canvas.share(request.piece)
        is_placeholder = fetched.is_placeholder or looks.is_placeholder(fetched)
        if is_placeholder:
            counts.placeholders += 1
            left_out += share
            canvas.erase(request.piece)
        # One colour may be the sea, which looks alike in many places.
        if fetched.color is None and not looks.keep_blank:
            share += tiles[fetched.digest].share if fetched.digest in tiles else 0.0
            address = short(hashlib.blake2b(request.address.shown.encode(), digest_size=8).digest())
            tiles[fetched.digest] = SeenTile(short(fetched.digest), address, share, is_placeholder)
    return Mosaic(*canvas.result(), counts, tuple(tiles.values()), left_out)


def _of_place(fault: ForbiddenError) -> RefusedError:
    """Return a fault that need not be the same elsewhere."""
    return RefusedError(fault.what, fault.where, fault.mend)


def short(digest: bytes) -> str:
    """Return enough of a digest to tell pictures apart."""
    return digest[:8].hex()


def _check_size(picture: Picture, request: Request, is_sure: bool) -> None:
    piece = request.piece
    if picture.size == (piece.width, piece.height):
        return
    if not is_sure:
        raise OtherSizeError(picture.size, piece, request.address.shown)
    width, height = picture.size
    raise NoPictureError(
        f"{width} × {height} pixels came, {piece.width} × {piece.height} were to be expected",
        request.address.shown,
        "check the address; a server must send one size",
    )


class _Canvas:
    """A window that pictures are put on; its bands and type are those of the first."""

    def __init__(self, extent: Extent) -> None:
        self._extent = extent
        self._values: Values | None = None
        self._valid: Mask = np.zeros(extent.size, np.bool_)

    def paste(self, picture: Picture, request: Request) -> None:
        rows, columns, inner_rows, inner_columns = self._overlap(request.piece)
        values = picture.values[:, inner_rows, inner_columns]
        if self._values is None:
            self._values = np.zeros((len(values), *self._extent.size), values.dtype)
        if values.dtype != self._values.dtype:
            raise NoPictureError(
                f"{values.dtype} came among {self._values.dtype}", request.address.shown,
                "a server must send one type",
            )  # fmt: skip
        if len(values) > len(self._values):
            self._values = np.repeat(self._values, len(values), axis=0)
        self._values[:, rows, columns] = values
        valid = True if picture.valid is None else picture.valid[inner_rows, inner_columns]
        self._valid[rows, columns] = valid

    def erase(self, piece: Piece) -> None:
        rows, columns, _, _ = self._overlap(piece)
        self._valid[rows, columns] = False

    def share(self, piece: Piece) -> float:
        """Return the part of the window that a piece fills."""
        rows, columns, _, _ = self._overlap(piece)
        height, width = self._extent.size
        inside = max(rows.stop - rows.start, 0) * max(columns.stop - columns.start, 0)
        return float(inside / (height * width))

    def result(self) -> tuple[Values, Mask]:
        values = self._values
        return np.zeros(
            (3, *self._extent.size), np.uint8
        ) if values is None else values, self._valid

    def _overlap(self, piece: Piece) -> tuple[slice, slice, slice, slice]:
        rows, inner_rows = _shared(piece.top, piece.height, self._extent.top, self._extent.bottom)
        columns, inner_columns = _shared(
            piece.left, piece.width, self._extent.left, self._extent.right
        )
        return rows, columns, inner_rows, inner_columns


def _shared(start: int, length: int, first: int, last: int) -> tuple[slice, slice]:
    """Return what of a piece lies in a window: in the window's indices, and in its own."""
    low, high = max(start, first), min(start + length, last)
    return slice(low - first, high - first), slice(low - start, high - start)
