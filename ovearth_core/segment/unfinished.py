"""Work on many images that is kept as it is done, so that a run broken off goes on."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ..errors import OutputError

_MEND = "check the folder and its space, and run it again for the rest"


class Unfinished:
    """A file of JSON lines beside `out`: what the work is, then one line for each image done.

    key: what decides over the results; a file of other work is begun anew. A line that was cut off
    is dropped. There is no file before the first image is done. Raises OutputError.
    """

    def __init__(self, out: Path, key: dict[str, Any]) -> None:
        place = out.resolve()
        self.path = place.with_name(f".{place.name[:100]}.unfinished")
        self.done: set[int] = set()
        self._key = key
        try:
            length = self._length(json.dumps(key, sort_keys=True))
            if length:
                os.truncate(self.path, length)
            else:
                self.path.unlink(missing_ok=True)
        except OSError as fault:
            raise self._unwritable(fault) from None

    def keep(self, image_id: int, results: dict[str, Any]) -> None:
        """Keep an image's results, and wait until the disk has them."""
        try:
            if not self.done:
                self.path.parent.mkdir(parents=True, exist_ok=True)
                self._append(self._key)
            self._append({"image": image_id, **results})
        except OSError as fault:
            raise self._unwritable(fault) from None
        self.done.add(image_id)

    def results(self) -> Iterator[dict[str, Any]]:
        """Yield the results kept, one image after the other."""
        if not self.done:
            return
        with self.path.open("rb") as file:
            file.readline()
            for line in file:
                yield json.loads(line)

    def remove(self) -> None:
        """Remove the file: the work is done."""
        self.path.unlink(missing_ok=True)

    def _length(self, key: str) -> int:
        """Return how many bytes are good, and note the images done; 0 for other work or none."""
        length = 0
        if not self.path.is_file():
            return 0
        with self.path.open("rb") as file:
            for line in file:
                found = _whole_object(line)
                if found is None:
                    break
                if not length and json.dumps(found, sort_keys=True) != key:
                    return 0
                if length:
                    self.done.add(int(found["image"]))
                length += len(line)
        return length if self.done else 0

    def _append(self, document: dict[str, Any]) -> None:
        with self.path.open("ab") as file:
            file.write(json.dumps(document, ensure_ascii=False).encode() + b"\n")
            file.flush()
            os.fsync(file.fileno())

    def _unwritable(self, fault: OSError) -> OutputError:
        return OutputError(f"can't write it ({fault.strerror or fault})", str(self.path), _MEND)


def _whole_object(line: bytes) -> dict[str, Any] | None:
    if not line.endswith(b"\n"):
        return None
    try:
        found = json.loads(line)
    except ValueError:
        return None
    return found if isinstance(found, dict) else None
