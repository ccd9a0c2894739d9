"""The checksums of a release, `SHA256SUMS`, as `sha256sum -c` reads them."""

from __future__ import annotations

from pathlib import Path

from ...errors import InputError

SUMS_NAME = "SHA256SUMS"


def sums_beside(benchmark: Path) -> dict[str, str]:
    """Return the checksums of the release that a benchmark file belongs to; none without one.

    A list that doesn't name the file is some other download's. Faults as for `read_sums`.
    """
    path = benchmark.parent / SUMS_NAME
    if not path.is_file():
        return {}
    try:
        is_named = benchmark.name in path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        is_named = False
    sums = read_sums(path) if is_named else {}
    return sums if benchmark.name in sums else {}


def read_sums(path: Path) -> dict[str, str]:
    """Return the SHA-256 of each file that a list of `sha256sum` names; InputError for none."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        raise InputError("there are no checksums", str(path), "name a release's folder") from None
    except (OSError, UnicodeDecodeError) as fault:
        raise InputError(f"can't be read ({fault})", str(path), "get the release again") from None
    sums = {}
    for number, line in enumerate(lines, start=1):
        checksum, mark, name = line[:64], line[64:66], line[66:]
        is_sum = len(checksum) == 64 and not checksum.strip("0123456789abcdef")
        if not is_sum or mark not in ("  ", " *") or not name:
            raise InputError(
                "a line that is no checksum", f"{path} line {number}", "get the release again"
            )
        sums[name] = checksum
    return sums
