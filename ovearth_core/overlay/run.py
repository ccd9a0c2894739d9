"""The overlay of a whole run, and its file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path

import numpy as np

from ..benchmark import read_benchmark
from ..dataset.shapes import many_to_lonlat
from ..errors import FrameError, UsageError
from ..predictions import read_predictions
from ..predictions.dialects import DialectOptions, find_dialect, open_dialect
from ..scoring import Scores, evaluate
from .feature import OverlayFeature
from .query import QueryOverlay

# Called with queries done and queries in all; whatever it raises stops the work.
Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class OverlayCounts:
    """What went into a file: features by layer and outcome, images that lie nowhere, the run.

    told: what a dialect left out of it or warns of, why and how often.
    """

    features: Mapping[str, Mapping[str, int]]
    images_left_out: int
    model: str = ""
    told: Mapping[str, Mapping[str, int]] = field(default_factory=dict)

    def __str__(self) -> str:
        parts = [
            f"{layer}: " + ", ".join(f"{count} {outcome}" for outcome, count in counts.items())
            for layer, counts in self.features.items()
        ]
        if self.images_left_out:
            parts.append(f"{self.images_left_out} image(s) without a place left out")
        return "; ".join(parts)


def overlay_features(
    scores: Scores, threshold: float, progress: Progress | None = None
) -> Iterator[OverlayFeature]:
    """Yield what every query of a scored run's tasks shows, unanswered ones last."""
    check_threshold(threshold)
    overlay = QueryOverlay.of_scores(scores)
    queries = scores.benchmark.columns.queries
    waiting = queries.of_tasks(scores.tasks)
    count, done = int(np.count_nonzero(waiting)), 0
    for record in scores.predictions:
        index = scores.benchmark.query_index.get(record.query_id)
        if index is None or not waiting[index]:
            continue
        waiting[index] = False
        yield from overlay.features(record.query_id, record, threshold)
        done += 1
        if progress is not None:
            progress(done, count)
    for index in np.flatnonzero(waiting & queries.is_positive).tolist():
        yield from overlay.features(queries.ids[index], None, threshold)
    if progress is not None:
        progress(count, count)


def overlay_files(
    benchmark: Path,
    predictions: Path,
    threshold: float,
    out: Path,
    progress: Progress | None = None,
    dialect: str | None = None,
    dialect_options: DialectOptions | None = None,
) -> OverlayCounts:
    """Score a run, and write its overlay as a GeoPackage; raises as the readers and `evaluate` do.

    dialect: what it is written in, None for a run of ours; dialect_options: how to read that.
    UsageError for a threshold outside of (0, 1], for a file of another kind by its name, and where
    no image lies anywhere.
    """
    from .geopackage import OverlayFile

    check_threshold(threshold)
    if out.suffix and out.suffix.lower() != ".gpkg":
        raise UsageError(
            f"an overlay is a GeoPackage, not {out.suffix}", str(out), f"name it {out.stem}.gpkg"
        )
    options = dialect_options or DialectOptions()
    if dialect is None:
        options.refuse_without_dialect()
        run, truth = read_predictions(predictions, options.modality), read_benchmark(benchmark)
    else:
        truth = read_benchmark(benchmark)
        options.check_modality(dialect, find_dialect(dialect).options)
        run = open_dialect(predictions, dialect, truth, options)
    scores = evaluate(truth, run)
    counts: dict[str, Counter[str]] = {name: Counter() for name in scores.modalities}
    frames = {image.id: image.frame() for image in scores.benchmark.images}
    placed = {
        image_id: frame
        for image_id, frame in frames.items()
        if frame.crs is not None and frame.transform is not None
    }
    if not placed:
        raise FrameError(
            "no image has a CRS and a transform", str(benchmark), "georeference the images"
        )
    with OverlayFile(out, scores.modalities, [benchmark, predictions, *run.files]) as file:
        features = overlay_features(scores, threshold, progress)
        for query_id, shown in groupby(features, lambda feature: feature.query_id):
            together = list(shown)
            frame = placed.get(together[0].image_id)
            if frame is None:
                continue
            try:
                carried = many_to_lonlat(frame, [feature.polygons for feature in together])
            except FrameError as fault:
                raise fault.at(f"{run.source}, query {query_id}") from None
            for feature, lonlat in zip(together, carried, strict=True):
                file.add(feature, lonlat)
                counts[feature.modality][feature.outcome] += 1
    return OverlayCounts(counts, len(frames) - len(placed), run.header.model, run.told)


def check_threshold(threshold: float) -> None:
    """Raise UsageError for a threshold outside of (0, 1]."""
    if not 0.0 < threshold <= 1.0:
        raise UsageError(f"the threshold {threshold:g} is no IoU", "--threshold", "give 0 to 1")
