"""The gallery as it stands on the page: of the best runs, as many pictures as it can bear."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ...analysis.evaluated import Evaluated
from ...analysis.scores import main_score
from ...benchmark import MODALITIES, TASKS
from ...errors import one_line
from ..gallery.picture import Gallery, Picture
from .sections import data_uri
from .shown_table import shortened

MOST_RUNS = 8
_MOST_BYTES = 2_000_000
_NEEDS_PREDICTIONS = (
    "Pictures need the runs' predictions: name those, instead of per-query files, to get them"
)


@dataclass(frozen=True)
class ShownPicture:
    """A picture with its words."""

    uri: str
    text: str
    score: str
    about: str


@dataclass(frozen=True)
class RunGallery:
    """The best and the worst answers of a model."""

    model: str
    best: tuple[ShownPicture, ...]
    worst: tuple[ShownPicture, ...]


@dataclass(frozen=True)
class GallerySection:
    """The galleries of some runs, and what is lacking."""

    runs: tuple[RunGallery, ...]
    notes: tuple[str, ...]


def best_runs_first(evaluated: Evaluated) -> list[str]:
    """Return the models' names by what they attempt, masks first, then by their scores there."""
    places = [(modality, task) for modality in MODALITIES for task in TASKS]

    def order(model: str) -> tuple[int, float, str]:
        run = by_name[model]
        for place, (modality, task) in enumerate(places):
            rows = evaluated.asked(task, modality)
            if run.attempts(task, modality) and len(rows):
                return place, -(main_score(run, rows, modality) or 0.0), model
        return len(places), 0.0, model

    by_name = {run.model: run for run in evaluated.runs}
    return sorted(by_name, key=order)


def gallery_section(models: Sequence[str], galleries: Mapping[str, Gallery]) -> GallerySection:
    """Return what the page shows of galleries by model; `models`: all, the best first."""
    shown: list[RunGallery] = []
    notes: list[str] = []
    room = _MOST_BYTES
    for model in models:
        gallery = galleries.get(model)
        if gallery is None or not gallery.pictures:
            continue
        if len(shown) == MOST_RUNS or gallery.byte_count > room:
            break
        room -= gallery.byte_count
        shown.append(_run_gallery(model, gallery))
    notes += _told(galleries)
    best = models[:MOST_RUNS]
    lacking = [model for model in best if model not in galleries]
    if lacking:
        of_all = f"{len(lacking)} of the best {len(best)} runs have none"
        notes.insert(0, f"{_NEEDS_PREDICTIONS} ({of_all}).")
    left = sum(bool(gallery.pictures) for gallery in galleries.values()) - len(shown)
    if left > 0:
        notes.insert(0, f"Of the best {len(shown)} runs only; {left} more have pictures.")
    return GallerySection(tuple(shown), tuple(notes))


def _told(galleries: Mapping[str, Gallery]) -> list[str]:
    """Return the galleries' own notes, with the model where it is only one's."""
    models: dict[str, list[str]] = {}
    for model, gallery in galleries.items():
        for note in gallery.notes:
            models.setdefault(one_line(note), []).append(shortened(model, 60))
    return [
        f"{of[0]}: {note}" if len(of) == 1 < len(galleries) else note for note, of in models.items()
    ]


def _run_gallery(model: str, gallery: Gallery) -> RunGallery:
    best = tuple(_shown(picture) for picture in gallery.pictures if picture.is_best)
    worst = tuple(_shown(picture) for picture in gallery.pictures if not picture.is_best)
    return RunGallery(shortened(model), best, worst)


def _shown(picture: Picture) -> ShownPicture:
    part = "part of " if picture.is_part else ""
    polarity = f" {picture.polarity}" if picture.polarity == "negative" else ""
    about = (
        f"{picture.task}{polarity} query {picture.query_id}, {picture.category},"
        f" {part}{picture.image}"
    )
    return ShownPicture(
        data_uri(picture.jpeg, "jpeg"),
        shortened(picture.text),
        shortened(f"{picture.kind} – {picture.score}"),
        shortened(about),
    )
