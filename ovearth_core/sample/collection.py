"""Images collected about the sample's things: places from a vector file, patches of a picture."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

from ..atomic import write_text
from ..collection.imagery import ImagerySpec
from ..collection.patches import (
    PatchJob,
    PatchShape,
    Report,
    dataset_places,
    extract_patches,
    plan_patches,
)
from ..collection.pois import SourceChoice, Wishes, area_of, open_source, search
from ..collection.pois.into_dataset import add_candidates
from ..dataset import Dataset
from ..dataset.store import FILE_NAME
from ..taxonomy import load
from .scene import PLACE, SUMMER, things
from .write import Sample

FOLDER = "collected"
PLACES = "places.geojson"
_WHO = "ovearth demo"
# What OpenStreetMap would say of the sample's things.
_TAGS = {
    "storage tank": {"man_made": "storage_tank"},
    "swimming pool": {"leisure": "swimming_pool"},
    "helipad": {"aeroway": "helipad"},
}
_CATEGORIES = ("storage-tank", "swimming-pool", "helipad")
_IMAGE = "works-summer.tif"
_SHAPE = PatchShape(size_px=96, gsd_m=0.4)
_LEAST_SPACING_M = 12.0


def collect(sample: Sample) -> tuple[Dataset, Report]:
    """Search the sample's things for places, and cut patches of an image about them.

    Makes `places.geojson` and the dataset `collected` in the sample's folder; what is there
    already is left as it is, and the rest done.
    """
    source = sample.folder / PLACES
    write_text(source, _places())
    folder = sample.folder / FOLDER
    dataset = (
        Dataset.open(folder) if (folder / FILE_NAME).exists() else _with_places(folder, source)
    )
    job = PatchJob(ImagerySpec(str(sample.folder / "images" / _IMAGE), license="CC0-1.0"), _SHAPE)
    plan = plan_patches(dataset, dataset_places(dataset), job)
    return dataset, extract_patches(dataset, plan, job, who=_WHO)


def summary(dataset: Dataset, report: Report) -> str:
    """Say in one line what was collected, and what was refused."""
    with dataset.reading() as view:
        counts = view.counts()
    refused = Counter(entry["reason"] for entry in report.refused)
    reasons = ", ".join(f"{count} {reason}" for reason, count in sorted(refused.items()))
    return (
        f"Collected: {counts['pois']} places, {counts['images']} patches of"
        f" {_SHAPE.size_px} pixels at {_SHAPE.gsd_m} m; refused: {reasons or 'none'}"
    )


def _places() -> str:
    """Return the things as GeoJSON, with tags as OpenStreetMap has them."""
    shown = [thing for thing in things() if thing.category in _TAGS and SUMMER in thing.seasons]
    features = []
    for number, thing in enumerate(shown, start=1):
        ring = PLACE.to_lonlat(thing.rings[0]).round(8).tolist()
        features.append(
            {
                "type": "Feature",
                "id": f"sample/{number}",
                "properties": {"tags": _TAGS[str(thing.category)]},
                "geometry": {"type": "Polygon", "coordinates": [[*ring, ring[0]]]},
            }
        )
    return json.dumps({"type": "FeatureCollection", "features": features}, indent=1) + "\n"


def _with_places(folder: Path, source: Path) -> Dataset:
    taxonomy = load()
    wanted = [taxonomy[name] for name in _CATEGORIES]
    # The whole made-up place, a few hundred metres wide.
    west, south, east, north = 7.9, 47.1, 8.1, 47.3
    found = search(
        open_source(SourceChoice(str(source))),
        wanted,
        area_of(west, south, east, north),
        Wishes(min_spacing_m=_LEAST_SPACING_M),
    )
    dataset = Dataset.create(folder, [])
    add_candidates(dataset, found.choice, wanted, _WHO)
    return dataset
