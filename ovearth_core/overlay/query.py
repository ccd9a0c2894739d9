"""The overlay of one query at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..benchmark import Benchmark, Image, Query, Truth
from ..dataset.blob import Polygons
from ..errors import OVEarthError, TruthError
from ..geometry import Runs, intersection_area
from ..geometry.tracing import traced, without
from ..predictions import Placing, Predictions, Record
from ..scoring import Scores
from .boxes import BoxComparer, BoxComparison
from .feature import OverlayFeature, quad_polygons


class QueryOverlay:
    """Puts a run's answers over the truth, query by query, as they are scored.

    modalities: those to be shown. min_score: boxes below it are left out. Faults of a record
    leave as InputError that names its place.
    """

    def __init__(
        self,
        benchmark: Benchmark,
        run: Predictions,
        modalities: Sequence[str],
        truth: Truth | None = None,
        min_score: float | None = None,
    ) -> None:
        self.benchmark = benchmark
        self.run = run
        self.modalities = tuple(modalities)
        self.truth = truth or Truth(benchmark)
        self._placing = Placing(benchmark, run.header, run.folder)
        self._comparer = BoxComparer(self.truth, self._placing, min_score)

    @classmethod
    def of_scores(cls, scores: Scores) -> QueryOverlay:
        """Return the overlay of a run that has been scored."""
        min_score = scores.counted.get("min_score")
        return cls(
            scores.benchmark,
            scores.predictions,
            scores.modalities,
            scores.truth,
            min_score if isinstance(min_score, float) else None,
        )

    def features(
        self, query_id: str, record: Record | None, threshold: float
    ) -> Iterator[OverlayFeature]:
        """Yield what one query shows; `record` None: the run doesn't answer it."""
        yield from self.mask_features(query_id, record)
        for modality in ("hbb", "obb"):
            yield from self.box_features(query_id, record, modality, threshold)

    def mask_features(self, query_id: str, record: Record | None) -> Iterator[OverlayFeature]:
        """Yield the pixels of the query's masks that are matched, spurious and missed."""
        if "mask" not in self.modalities:
            return
        query, image = self._query(query_id)
        with _Place(self.run, record):
            predicted = self._placing.mask(image, None if record is None else record.mask)
        true = self.truth.mask(query.target_id) if query.is_positive else None
        if true is None:
            true = Runs.empty(image.height, image.width)
        union = predicted.area + true.area - (shared := intersection_area(predicted, true))
        parts = (predicted & true, without(predicted, true), without(true, predicted))
        for outcome, polygons in zip(("matched", "spurious", "missed"), traced(parts), strict=True):
            if polygons:
                yield self._feature(
                    query, image, "mask", outcome, shared / union, None,
                    tuple(tuple(rings) for rings in polygons),
                )  # fmt: skip

    def predicted(self, query_id: str, record: Record | None, modality: str) -> Iterator[Polygons]:
        """Yield what the run predicts for a query, in pixels: parts of its mask, or boxes."""
        _, image = self._query(query_id)
        if modality == "mask":
            with _Place(self.run, record):
                mask = self._placing.mask(image, None if record is None else record.mask)
            for rings in traced([mask])[0]:
                yield (tuple(rings),)
            return
        compared = self.compared_boxes(query_id, record, modality)
        if compared is not None:
            yield from map(quad_polygons, compared.predictions)

    def box_features(
        self, query_id: str, record: Record | None, modality: str, threshold: float
    ) -> Iterator[OverlayFeature]:
        """Yield the query's boxes of one modality; none where boxes are not asked of it."""
        compared = self.compared_boxes(query_id, record, modality)
        if compared is None:
            return
        query, image = self._query(query_id)
        for outcome, corners, iou, score in compared.outcomes(threshold):
            yield self._feature(query, image, modality, outcome, iou, score, quad_polygons(corners))

    def compared_boxes(
        self, query_id: str, record: Record | None, modality: str
    ) -> BoxComparison | None:
        """Return the query's boxes beside their truth, to be matched at any threshold.

        None where the run has no such boxes, or the query is positive and of an area without.
        """
        if modality not in self.modalities:
            return None
        query, image = self._query(query_id)
        has_boxes = bool(self.benchmark.has_boxes[self.benchmark.query_index[query_id]])
        if query.is_positive and not has_boxes:
            return None
        compare = self._comparer.hbb if modality == "hbb" else self._comparer.obb
        with _Place(self.run, record):
            return compare(record, image, query.target_id, has_boxes)

    def _query(self, query_id: str) -> tuple[Query, Image]:
        query = self.benchmark.queries[self.benchmark.query_index[query_id]]
        target = self.benchmark.target_by_id[query.target_id]
        return query, self.benchmark.image_by_id[target.image_id]

    def _feature(
        self,
        query: Query,
        image: Image,
        modality: str,
        outcome: str,
        iou: float,
        score: float | None,
        polygons: Polygons,
    ) -> OverlayFeature:
        target = self.benchmark.target_by_id[query.target_id]
        category = self.benchmark.category_by_id[target.category_id].name
        return OverlayFeature(query.id, image.id, category, modality, outcome, iou, score, polygons)


class _Place:
    """Adds the record's place to a fault that has none."""

    def __init__(self, run: Predictions, record: Record | None) -> None:
        self._run = run
        self._record = record

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, fault: BaseException | None, trace: object) -> None:
        if not isinstance(fault, OVEarthError) or isinstance(fault, TruthError):
            return
        if self._record is not None:
            raise fault.at(self._run.where(self._record)) from None
