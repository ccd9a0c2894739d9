"""Pictures put together in memory."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace

from .canvas import Canvas
from .fetcher import Fetched, Fetcher, Request
from .looks import Looks, short
from .picture import Picture
from .server_errors import ForbiddenError, NoPictureError, RefusedError
from .source import Mask, SeenTile, Values
from .tile_level import Piece
from .window import Extent

# Of a source that has given no picture yet, so many are enough.
_MOST_REFUSALS = 4


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


def mosaic(
    requests: Sequence[Request], extent: Extent, fetcher: Fetcher, looks: Looks, is_sure: bool
) -> Mosaic:
    """Return a window put together from pictures; what is missing, or a placeholder, isn't valid.

    is_sure: pictures of another size than wanted are an error; else OtherSizeError says their size.
    Raises RefusedError where no picture comes and a tile is forbidden.
    """
    canvas = Canvas(extent)
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
        looks.see(fetched.digest, request.place or request.address.url)
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
            place = request.place or request.address.shown
            address = short(hashlib.blake2b(place.encode(), digest_size=8).digest())
            tiles[fetched.digest] = SeenTile(short(fetched.digest), address, share, is_placeholder)
    return Mosaic(*canvas.result(), counts, tuple(tiles.values()), left_out)


def _of_place(fault: ForbiddenError) -> RefusedError:
    """Return a fault that need not be the same elsewhere."""
    return RefusedError(fault.what, fault.where, fault.mend)


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
