"""One patch, from its place to the bytes of its file: what a worker does, on any machine."""

from __future__ import annotations

import threading
from collections import OrderedDict
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from datetime import datetime, timezone
from hashlib import sha256
from pathlib import Path

import numpy as np

from ...atomic import PartFile
from ...crs import LONLAT
from ...dataset import ImageRow
from ...dhash import dhash
from ...errors import FrameError, InputError, OVEarthError
from ...frame import ImageFrame
from ...version import VERSION
from ..imagery import ImagerySpec, Pixels, Source, open_source
from ..imagery.host_gate import share_hosts
from ..imagery.server_errors import is_final
from ..imagery.source import Learner, SeenTile
from .grid import PatchShape, patch_frame
from .patch_file import patch_bytes
from .place import Place
from .placeholders import LEAST_SHARE, written
from .refusal import FAILED, OUTSIDE, Refusal, too_coarse, unfit

# Sources that a thread keeps open: a search by date gives one for each picture.
_MOST_OPEN = 8
_open = threading.local()


@dataclass(frozen=True)
class Task:
    """What is wanted of one place. Plain: it is sent to other processes and machines.

    key: what a patch of the same place, imagery and shape has again. file_name: relative to the
    dataset's folder. usual_m: the largest usual size of the place's category. folder: the
    dataset's, where the worker has the same disk: the patch is then a PartFile in it.
    placeholders: digests of tiles that are known to say "no data here". sharers: how many processes
    do tasks of the job, and share what a host is asked for at once.
    """

    key: str
    file_name: str
    place: Place
    spec: ImagerySpec
    shape: PatchShape
    usual_m: float | None = None
    most_nodata: float = 0.0
    compression: str = "zstd"
    folder: Path | None = None
    placeholders: tuple[str, ...] = ()
    sharers: int = 1

    def part(self, folder: Path) -> PartFile:
        """Return the patch's file, beside its place in a dataset's folder."""
        return PartFile(folder / self.file_name)


@dataclass(frozen=True)
class Outcome:
    """A patch, its row without id and its hash; or why there is none.

    size: bytes of the file. content: the file, empty where the worker wrote it (see Task). tiles:
    the larger ones that were looked at. is_final: whether the source will refuse all that follows
    for the same reason.
    """

    task: Task
    refusal: Refusal | None = None
    size: int = 0
    content: bytes = b""
    row: ImageRow | None = None
    look: int = 0
    tiles: tuple[SeenTile, ...] = ()
    is_final: bool = False


def extract(task: Task) -> Outcome:
    """Return a task's patch, or why there is none; a fault of the source is one of the reasons."""
    share_hosts(task.sharers)
    try:
        return _extracted(task, _source(task.spec))
    except (InputError, FrameError) as fault:
        # Another server may stand behind another picture of a search: its no is not theirs.
        final = is_final(fault) and not task.spec.is_told_by_server
        return Outcome(task, Refusal(FAILED, str(fault)), is_final=final)


def get_ready(spec: ImagerySpec) -> None:
    """Open the imagery, so that a worker has it when work comes; faults are left to `extract`."""
    with suppress(OVEarthError):
        _source(spec)


def close_sources() -> None:
    """Close what this thread has opened: files must not outlive GDAL, in a QGIS that ends."""
    kept = getattr(_open, "sources", None)
    while kept:
        kept.popitem()[1].close()


def _extracted(task: Task, source: Source) -> Outcome:
    place = task.place
    native_m = source.native_gsd_m(place.lon, place.lat)
    if native_m is None:
        return Outcome(task, Refusal(OUTSIDE, "the place is outside of the imagery"))
    coarse = too_coarse(native_m, task.shape.gsd_m)
    if coarse is not None:
        return Outcome(task, coarse)
    frame = patch_frame(place, source, task.shape, task.usual_m)
    if frame is None:
        return Outcome(task, Refusal(OUTSIDE, "the place is outside of the imagery"))
    if task.placeholders and isinstance(source, Learner):
        source.learn(task.placeholders)
    pixels = source.read(frame)
    tiles = tuple(t for t in pixels.tiles if t.share >= LEAST_SHARE or t.is_placeholder)
    refusal = unfit(pixels, task.most_nodata)
    if refusal is not None:
        return Outcome(task, refusal, tiles=tiles)
    look = dhash(np.moveaxis(pixels.values, 0, 2))
    retrieved_at = datetime.now(timezone.utc).isoformat(timespec="seconds")
    gsd_m = frame.gsd()
    content = patch_bytes(pixels, _tags(task, pixels, gsd_m, retrieved_at), task.compression)
    row = _row(task, pixels, gsd_m, retrieved_at, look)
    if seen := written(tiles):
        row = replace(row, extra={**row.extra, "tiles": seen})
    row = replace(row, sha256=sha256(content).hexdigest())
    size = len(content)
    if task.folder is not None:
        task.part(task.folder).write(content)
        content = b""
    return Outcome(task, size=size, content=content, row=row, look=look, tiles=tiles)


def _source(spec: ImagerySpec) -> Source:
    """Return the source of this thread for a spec, opened when it is first asked for."""
    kept: OrderedDict[ImagerySpec, Source] | None = getattr(_open, "sources", None)
    if kept is None:
        kept = _open.sources = OrderedDict()
    source = kept.pop(spec, None) or open_source(spec)
    kept[spec] = source
    while len(kept) > _MOST_OPEN:
        kept.popitem(last=False)[1].close()
    return source


def _tags(task: Task, pixels: Pixels, gsd_m: float | None, retrieved_at: str) -> dict[str, str]:
    place, about = task.place, pixels.about
    said: dict[str, object] = {
        "POI_ID": place.id,
        "POI_REFERENCE": place.reference,
        "POI_NAME": place.name,
        "POI_LON": place.lon,
        "POI_LAT": place.lat,
        "CATEGORY": place.category,
        "SOURCE": about.source,
        "LICENSE": about.license,
        "ATTRIBUTION": about.attribution,
        "DATE_CAPTURED": about.date_captured,
        "LOCATION_GROUP": about.location_group,
        "GSD_M": None if gsd_m is None else f"{gsd_m:.9g}",
        "RESAMPLING": "none" if pixels.is_exact else pixels.resampling,
        "RETRIEVED_AT": retrieved_at,
        "TOOL": f"ovearth {VERSION}",
    }
    return {name: str(value) for name, value in said.items() if value is not None}


def _named(spec: ImagerySpec) -> str:
    """Return what a patch keeps of its imagery: where a search found it here, only its name."""
    if spec.is_told_by_server and "://" not in spec.place():
        return f"raster:{Path(spec.place()).name}"
    return spec.published


def _row(task: Task, pixels: Pixels, gsd_m: float | None, retrieved_at: str, look: int) -> ImageRow:
    frame, about = pixels.frame, pixels.about
    if frame.crs is None or frame.transform is None:
        raise FrameError("the patch has no place", task.file_name, "give imagery with a CRS")
    operation = frame.operation_to(LONLAT).proj
    # What can't be placed on the ground is better refused now than at the first polygon.
    placed = ImageFrame(frame.crs, frame.transform, frame.width, frame.height, operation)
    placed.lonlat_to_pixel(placed.footprint(4))
    history = {
        "key": task.key,
        "category": task.place.category,
        "poi": task.place.reference,
        "imagery": _named(task.spec),
        "shape": asdict(task.shape),
        "resampling": None if pixels.is_exact else pixels.resampling,
        "retrieved_at": retrieved_at,
        "tool": f"ovearth {VERSION}",
        **({"more": about.extra} if about.extra else {}),
    }
    return ImageRow(
        None, task.file_name, frame.width, frame.height, frame.crs, frame.transform, operation,
        gsd_m=gsd_m, source=about.source, license=about.license, attribution=about.attribution,
        date_captured=about.date_captured, location_group=about.location_group,
        continent=task.place.continent, poi_id=task.place.id,
        extra={"patch": history, "dhash": f"{look:016x}"},
    )  # fmt: skip
