"""GeoJSON out: one feature an instance, in EPSG:4326, vertices as they are kept.

Longitudes run past 180 where an image lies across the antimeridian, as in the dataset: cut there,
the outlines would not come back to their pixels.

Source: RFC 7946.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import IO

from ...atomic import AtomicFiles
from ..shapes import geojson_of
from ..store import FILE_NAME, IMAGE_FOLDER
from ..view import View
from .model import Report, WriteOptions
from .outgoing import outgoing
from .outgoing_features import OutgoingFeature, OutgoingFeatures


def write(view: View, out: Path, options: WriteOptions) -> Report:
    """Write one FeatureCollection, a feature a line."""
    going = outgoing(view, options)
    features = OutgoingFeatures(view, going)
    inputs = [options.folder / FILE_NAME, options.folder / IMAGE_FOLDER]
    with AtomicFiles(inputs) as files, files.open(out) as file:
        write_collection(features.features(), file)
    return Report(features.counts, going.left_out() | features.left_out)


def write_collection(features: Iterable[OutgoingFeature], file: IO[str]) -> None:
    """Write features as a FeatureCollection, one by one."""
    file.write('{"type": "FeatureCollection", "features": [')
    between = "\n"
    for feature in features:
        file.write(between + _line(feature))
        between = ",\n"
    file.write("\n]}\n")


def _line(feature: OutgoingFeature) -> str:
    document = {
        "type": "Feature",
        "id": feature.attributes["instance_id"],
        "properties": {k: v for k, v in feature.attributes.items() if v is not None},
        "geometry": geojson_of(feature.polygons, is_multi=len(feature.polygons) > 1),
    }
    return json.dumps(document, ensure_ascii=False, allow_nan=False)
