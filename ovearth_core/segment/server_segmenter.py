"""A model behind HTTP, by a small protocol of our own: docs/click-to-mask.md.

POST address/image {"png": base64} gives {"image": id}; POST address/predict {"image": id,
"points": [[x, y], …], "labels": [1, 0, …], "box": [4] or null} gives {"masks": [RLE, …],
"scores": [number, …]}. Status 404 of /predict: the server has forgotten the image, which is sent
again, once.
"""

from __future__ import annotations

import json
import math
import os
from base64 import b64encode
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..collection.exchange import Answer, Exchange, Politeness, Request, check_url, shown_url
from ..collection.service_errors import (
    BusyError,
    CutOffError,
    LargeAnswerError,
    RefusedError,
    ServiceError,
    SlowAnswerError,
    UnreachableError,
    UnreadableAnswerError,
)
from ..entry import describe
from ..errors import GeometryError, UsageError
from ..geometry import Runs
from .embeddings import Kept, content_key
from .png import png_bytes
from .prompt import Prompt
from .segmenter import Masks, Pixels, Scores, checked_pixels, no_image

KEY_VARIABLE = "OVEARTH_SEGMENT_KEY"

_PATIENCE = Politeness(
    attempts=3,
    first_wait_s=1.0,
    longest_wait_s=20.0,
    silence_s=120.0,
    answer_s=180.0,
    most_bytes=64 << 20,
)
# For the first question of all, which a person waits for.
_TRIAL = Politeness(attempts=1, silence_s=20.0, answer_s=30.0, most_bytes=1 << 20)
_TRIAL_PX = 64
_LARGEST_SIDE = 8192
_MOST_MASKS = 16
_LONGEST_ID = 200
_KEPT_IMAGES = 32
_MENDS: tuple[tuple[type[ServiceError], str], ...] = (
    (UnreachableError, "start the server, or check the address, the network and the proxy"),
    (SlowAnswerError, "try again, or use a faster server or a smaller image"),
    (BusyError, "try again later"),
    (CutOffError, "try again later"),
    (LargeAnswerError, "check that it is a server of masks: docs/click-to-mask.md"),
    (RefusedError, f"check the address, and the key in {KEY_VARIABLE} that it may need"),
)
_PROTOCOL = "it has to speak the protocol of docs/click-to-mask.md"


class _ForgottenError(RefusedError):
    """The server has no image of that name any more."""


class ServerSegmenter:
    """A `Segmenter` at an address. Raises UsageError for what is no address, ServiceError.

    The key, where the server wants one, is read from OVEARTH_SEGMENT_KEY for each request, sent as
    a bearer token, and never kept or shown.
    """

    def __init__(self, address: str, patience: Politeness = _PATIENCE) -> None:
        self._address = checked_address(address)
        self._patience = patience
        self._exchange = Exchange(patience)
        self.name = shown_url(self._address)
        self._ids: Kept[str] = Kept(_KEPT_IMAGES)
        self._pixels: Pixels | None = None
        self._key = ""

    def set_image(self, pixels: Pixels) -> None:
        """Take the image (H, W, 3), and send it where the server hasn't had it."""
        pixels = checked_pixels(pixels)
        if max(pixels.shape[:2]) > _LARGEST_SIDE:
            raise UsageError(
                f"an image of {pixels.shape[1]} x {pixels.shape[0]} pixels is too large to send",
                self.name,
                f"give at most {_LARGEST_SIDE} a side",
            )
        self._pixels, self._key = pixels, content_key(pixels)
        self._image_id()

    def predict(
        self, points: ArrayLike, labels: ArrayLike, box: ArrayLike | None = None
    ) -> tuple[Masks, Scores]:
        """Return masks (K, H, W) and scores (K,), the best first; see `Segmenter`."""
        prompt = Prompt.checked(points, labels, box)
        if self._pixels is None:
            raise no_image()
        try:
            answer = self._ask("predict", self._question(prompt))
        except _ForgottenError:
            self._ids.drop(self._key)
            answer = self._ask("predict", self._question(prompt))
        return self._read(answer, self._pixels.shape[0], self._pixels.shape[1])

    def close(self) -> None:
        """Close the connections."""
        self._exchange.close()

    def _question(self, prompt: Prompt) -> dict[str, Any]:
        return {
            "image": self._image_id(),
            "points": prompt.points.tolist(),
            "labels": prompt.labels.tolist(),
            "box": None if prompt.box is None else prompt.box.tolist(),
        }

    def _image_id(self) -> str:
        found = self._ids.get(self._key)
        if found is not None or self._pixels is None:
            return found or ""
        answer = self._ask("image", {"png": b64encode(png_bytes(self._pixels)).decode()})
        name = answer.get("image")
        if not isinstance(name, str) or not 0 < len(name) <= _LONGEST_ID:
            raise self._unreadable(f"'image' is {describe(name)}", "image")
        self._ids.put(self._key, name)
        return name

    def _ask(self, action: str, document: dict[str, Any]) -> dict[str, Any]:
        request = Request(f"{self._address}/{action}", headers=_headers(), document=document)
        try:
            return self._exchange.ask(request, lambda answer: self._object(answer, action))
        except UnreadableAnswerError:
            raise
        except ServiceError as fault:
            if action == "predict" and "status 404" in fault.what:
                raise _ForgottenError(fault.what, fault.where, _PROTOCOL) from None
            mend = next((words for kind, words in _MENDS if isinstance(fault, kind)), _PROTOCOL)
            raise type(fault)(fault.what, fault.where, mend) from None

    def _object(self, answer: Answer, action: str) -> dict[str, Any]:
        try:
            found = json.loads(answer.body)
        except (ValueError, RecursionError):
            raise self._unreadable("no JSON", action) from None
        if not isinstance(found, dict):
            raise self._unreadable(f"{describe(found)}, no object", action)
        return found

    def _read(self, answer: dict[str, Any], height: int, width: int) -> tuple[Masks, Scores]:
        masks, scores = answer.get("masks"), answer.get("scores")
        if not isinstance(masks, list) or not isinstance(scores, list):
            raise self._unreadable("'masks' and 'scores' are no lists", "predict")
        if not 0 < len(masks) <= _MOST_MASKS or len(masks) != len(scores):
            raise self._unreadable(f"{len(masks)} masks with {len(scores)} scores", "predict")
        if not all(type(score) in (int, float) and math.isfinite(score) for score in scores):
            raise self._unreadable("a score is no number", "predict")
        order = np.argsort(-np.array(scores, np.float64), kind="stable")
        found = np.stack([self._mask(masks[place], height, width) for place in order])
        return found, np.array(scores, np.float64)[order]

    def _mask(self, rle: Any, height: int, width: int) -> Masks:
        if not isinstance(rle, dict) or rle.get("size") != [height, width]:
            raise self._unreadable("a mask is no RLE of the image's size", "predict")
        try:
            return Runs.from_rle(rle).to_array()
        except GeometryError as fault:
            raise self._unreadable(f"a mask that is none ({fault.what})", "predict") from None

    def _unreadable(self, what: str, action: str) -> UnreadableAnswerError:
        return UnreadableAnswerError(f"the answer is {what}", f"{self.name}/{action}", _PROTOCOL)


def try_server(address: str) -> None:
    """Send a small grey image, once: ServiceError where nobody takes it."""
    server = ServerSegmenter(address, _TRIAL)
    try:
        server.set_image(np.full((_TRIAL_PX, _TRIAL_PX, 3), 128, np.uint8))
    finally:
        server.close()


def checked_address(address: str) -> str:
    """Return a server's address; UsageError where it is none, or has a secret in it."""
    try:
        found = check_url(address.strip()).rstrip("/")
    except UsageError as fault:
        raise UsageError(fault.what, "model", fault.mend) from None
    if shown_url(found) != found:
        raise UsageError(
            "a model's address with a user, a key or a query in it",
            shown_url(found),
            f"write https://host/path, and put the key into {KEY_VARIABLE}",
        )
    return found


def _headers() -> dict[str, str]:
    key = os.environ.get(KEY_VARIABLE, "").strip()
    if not key:
        return {}
    if not (key.isascii() and key.isprintable()):
        raise UsageError("the key has characters that no header holds", KEY_VARIABLE, "mend it")
    return {"Authorization": f"Bearer {key}"}
