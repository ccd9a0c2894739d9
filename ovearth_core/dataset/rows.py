"""What a dataset holds, a row at a time: plain values, ids None until a row is stored."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..errors import OVEarthError
from ..frame import ImageFrame, Transform
from .blob import Polygons
from .shapes import as_polygons, geojson_of

STATES = ("draft", "submitted", "returned", "approved", "rejected")
# Of targets that are still drawn on.
OPEN_STATES = ("draft", "returned")
POI_STATES = ("candidate", "accepted", "rejected")
QUERY_STAGES = ("generate", "verify")
QUERY_STATES = ("proposed", "accepted", "removed")
ORIGINS = ("drawn", "click-to-mask", "imported", "run")
TASKS = ("vocabulary", "referring", "reasoning")
POLARITIES = ("positive", "negative")
# What a verifying model says of a text, among its flags; other flags are kinds of findings.
VERDICTS = ("present", "corrected")
ANSWERS = ("yes", "no", "unsure")
DECISIONS = ("accept", "edit", "remove")
BOX_KINDS = ("hbb", "obb")
BOX_FRAMES = ("pixel", "map", "ground")

Json = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class CategoryRow:
    """One kind of object; `id` is its number in the taxonomy, `slug` its name without spaces."""

    id: int
    slug: str
    name: str
    domain: str | None = None
    branch: str | None = None
    instanceable: bool = True
    definition: str | None = None
    extra: Json = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ImageRow:
    """One image: its size in pixels, and where it lies.

    file_name: relative to the dataset's folder. transform: a, b, c, d, e, f from pixels to `crs`.
    operation: the PROJ string from `crs` to EPSG:4326 by which all its geometry is kept. gsd_m:
    metres of true ground per pixel. sha256: of the file, None while it isn't at hand.
    """

    id: int | None
    file_name: str
    width: int
    height: int
    crs: str
    transform: Transform
    operation: str
    gsd_m: float | None = None
    source: str | None = None
    license: str | None = None
    attribution: str | None = None
    date_captured: str | None = None
    location_group: str | None = None
    continent: str | None = None
    sha256: str | None = None
    poi_id: int | None = None
    extra: Json = field(default_factory=dict)

    def frame(self) -> ImageFrame:
        """Return the image's frame; FrameError names the image when there can be none."""
        try:
            return ImageFrame(self.crs, self.transform, self.width, self.height, self.operation)
        except OVEarthError as fault:
            raise fault.at(f"image {self.id} ({self.file_name})") from None


@dataclass(frozen=True, slots=True)
class PoiRow:
    """A place of interest: a candidate for a patch, in EPSG:4326 degrees."""

    id: int | None
    lon: float
    lat: float
    category_id: int | None = None
    name: str | None = None
    state: str = "candidate"
    source: str | None = None
    source_id: str | None = None
    tags: Json = field(default_factory=dict)
    created_by: str | None = None
    created_at: str | None = None
    changed_by: str | None = None
    changed_at: str | None = None
    extra: Json = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class TargetRow:
    """One image plus one category region.

    segmentation: the target's own mask as RLE, None for the union of its instances. rival_of: the
    target that this is a second annotation of. changed_*: who made the last change, in which
    role, when and why; the log takes them from here when the state changes.
    """

    id: int | None
    image_id: int
    category_id: int
    state: str = "draft"
    segmentation: Json | None = None
    annotator: str | None = None
    rival_of: int | None = None
    created_by: str | None = None
    created_at: str | None = None
    changed_by: str | None = None
    changed_role: str | None = None
    changed_at: str | None = None
    changed_why: str | None = None
    extra: Json = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class InstanceRow:
    """One object of a target, or one area of it where its category has no instances.

    polygons: in pixels, closed rings, the outer one first; None where there are only given boxes
    or an RLE. is_multi: whether they are a multipolygon though they may be one. segmentation: COCO
    polygons or RLE exactly as imported, forgotten when the polygon changes. bbox: x, y, width,
    height and obb: four corners, flat, in pixels, where given. changes: how often the polygon was
    changed. image_id and category_id are the target's: read only.
    """

    id: int | None
    target_id: int
    polygons: Polygons | None = None
    is_multi: bool = False
    is_crowd: bool = False
    segmentation: Any = None
    bbox: tuple[float, ...] | None = None
    obb: tuple[float, ...] | None = None
    origin: str = "drawn"
    origin_note: str | None = None
    changes: int = 0
    created_by: str | None = None
    created_at: str | None = None
    changed_by: str | None = None
    changed_at: str | None = None
    extra: Json = field(default_factory=dict)
    image_id: int | None = None
    category_id: int | None = None

    def geojson(self) -> dict[str, Any] | None:
        """Return the polygons as a GeoJSON geometry in pixels, None where there are none."""
        if self.polygons is None:
            return None
        return geojson_of(self.polygons, is_multi=self.is_multi)


@dataclass(frozen=True, slots=True)
class QueryRow:
    """One text asked of one target. original_text: as first written, where a person changed it.

    flags: what checks and the verifying model found. model, prompt: the language model that wrote
    it, and the name and version of what it was asked by ("generate/1"). correction: what the
    verifying model would have in its place, which it never takes. verified_*: which model looked
    at it, by which prompt, when, and its reason. `number` is its row, None until stored.
    """

    id: str
    target_id: int
    task: str
    polarity: str
    text: str
    original_text: str | None = None
    state: str = "accepted"
    origin: str | None = None
    flags: tuple[str, ...] = ()
    created_by: str | None = None
    created_at: str | None = None
    changed_by: str | None = None
    changed_at: str | None = None
    extra: Json = field(default_factory=dict)
    number: int | None = None
    model: str | None = None
    prompt: str | None = None
    correction: str | None = None
    verified_model: str | None = None
    verified_prompt: str | None = None
    verified_at: str | None = None
    verified_why: str | None = None


@dataclass(frozen=True, slots=True)
class QueryRunRow:
    """A language model was asked about a target: once for each time that it came to an end.

    stage: of QUERY_STAGES. state: "done", or "failed" with its `fault` in words. requests,
    tokens_in, tokens_out: what it took, those answered from the cache left out.
    """

    id: int | None
    target_id: int
    stage: str
    state: str
    model: str
    prompt: str
    at: str
    requests: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    fault: str | None = None
    extra: Json = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class JudgementRow:
    """What one reviewer says of one text; never changed.

    text: the one that was judged. decision: of DECISIONS, new_text: what an edit puts in its place.
    answer: of ANSWERS, to the question that its kind is asked. is_final: it decides alone. origin:
    by what it came in.
    """

    id: int | None
    query_id: str
    target_id: int
    text: str
    decision: str
    answer: str | None = None
    new_text: str | None = None
    reason: str | None = None
    is_final: bool = False
    who: str | None = None
    at: str | None = None
    origin: str | None = None
    extra: Json = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ReviewRow:
    """One line of the log: a change of state, written by the file itself, or a remark.

    lon, lat: the place that a comment is pinned to, EPSG:4326. right_category, good_boundary,
    nothing_missed: a manager's answers.
    """

    id: int | None
    target_id: int
    action: str = "comment"
    at: str | None = None
    who: str | None = None
    role: str | None = None
    from_state: str | None = None
    to_state: str | None = None
    comment: str | None = None
    lon: float | None = None
    lat: float | None = None
    right_category: bool | None = None
    good_boundary: bool | None = None
    nothing_missed: bool | None = None
    query_id: str | None = None
    extra: Json = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class BoxRow:
    """A box derived from an instance. corners: flat x, y of four corners in pixels.

    frame: in which the box is upright or smallest. Lengths in metres of true ground, azimuth of
    the length in degrees clockwise from true north, in [0, 180).
    """

    id: int | None
    kind: str
    instance_id: int
    corners: tuple[float, ...]
    frame: str = "pixel"
    width_m: float | None = None
    length_m: float | None = None
    azimuth_deg: float | None = None
    area_m2: float | None = None
    target_id: int | None = None
    image_id: int | None = None
    category_id: int | None = None

    def polygons(self) -> Polygons:
        """Return the box as the only polygon in pixels, its ring closed."""
        return as_polygons(np.reshape(self.corners, (4, 2)))[0]


@dataclass(frozen=True, slots=True)
class BoxBasis:
    """What an instance's boxes hang on: its fields, and those of its target."""

    changes: int
    is_crowd: bool
    bbox: tuple[float, ...] | None
    obb: tuple[float, ...] | None
    state: str
    rival_of: int | None
