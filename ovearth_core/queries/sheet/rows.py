"""The rows of a review sheet, target by target, with the pictures of each."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field

from ...dataset import Dataset, QueryRow
from ...dataset.judging import contested_queries, question_of
from ...dataset.parts import Part
from ...errors import InputError, MissingPackageError, OVEarthError, UsageError
from ..depiction import Picture, depict
from ..image_at_hand import pixels_of
from ..selection import LIVE_QUERIES, Selection, scenes
from ..subject import Subject
from . import columns as col
from .cell_text import LONGEST, cell_of, seen
from .row_id import RowId

Progress = Callable[[], None]
Cells = dict[str, str]

MOST_ROWS = 50_000
_LONGEST_FOUND = 1000


@dataclass(frozen=True)
class SheetTarget:
    """One target of a sheet: its rows' cells by their columns' names, its pictures.

    pictures: the target outlined in red, the whole image first; none where it can't be shown.
    is_near: by row, whether the nearest picture says more about its question than the whole.
    """

    target_id: int
    category: str
    rows: list[Cells]
    is_near: list[bool]
    pictures: tuple[Picture, ...] = ()


@dataclass
class Wanted:
    """What a sheet is made of. side: of its large pictures in pixels, None for no pictures.

    unseen: filled in: targets without pictures, and why.
    """

    selection: Selection = field(default_factory=Selection)
    only_contested: bool = False
    side: int | None = None
    unseen: list[tuple[int, str]] = field(default_factory=list)


@dataclass(frozen=True)
class Planned:
    """The queries that go into a sheet, by id; how many targets they are of."""

    query_ids: frozenset[str]
    targets: int


def plan_sheet(dataset: Dataset, wanted: Wanted) -> Planned:
    """Return what goes into a sheet: the selected targets' texts that are proposed or accepted.

    Raises InputError for a target that isn't there, UsageError where there is nothing to judge, or
    too much for one sheet.
    """
    wanted.selection.check(dataset)
    with dataset.reading() as view:
        categories = {category.id for category in view.categories()}
        taken = {
            target.id
            for target in view.targets()
            if wanted.selection.takes(target) and target.category_id in categories
        }
        queries = [
            query
            for query in view.queries()
            if query.state in LIVE_QUERIES and query.target_id in taken
        ]
        if wanted.only_contested:
            queries = contested_queries(queries, view.judgements())
    if not queries:
        what = "no text is contested" if wanted.only_contested else "there are no texts to judge"
        raise UsageError(what, str(dataset.path), "choose other targets")
    if len(queries) > MOST_ROWS:
        raise UsageError(
            f"{len(queries)} texts, and a sheet takes {MOST_ROWS}", str(dataset.path),
            "choose some by --target or --state",
        )  # fmt: skip
    ids = frozenset(query.id for query in queries)
    return Planned(ids, len({query.target_id for query in queries}))


def sheet_targets(
    dataset: Dataset, wanted: Wanted, planned: Planned, progress: Progress = lambda: None
) -> Iterator[SheetTarget]:
    """Yield the targets of a plan with their rows, image by image; progress: after each.

    Raises InputError for a text that is too long for a cell.
    """
    place, total = 0, len(planned.query_ids)
    for part, subjects in scenes(dataset, wanted.selection):
        by_id = {subject.target_id: subject for subject in subjects}
        for target_id, queries in _by_target(part, planned.query_ids).items():
            rows = []
            for query in queries:
                place += 1
                rows.append(_cells(part, query, place, total))
            is_near = [q.task == "vocabulary" and q.polarity == "positive" for q in queries]
            pictures = _pictures(dataset, target_id, by_id.get(target_id), wanted)
            yield SheetTarget(target_id, _category(part, target_id), rows, is_near, pictures)
            progress()


def _by_target(part: Part, ids: Collection[str]) -> dict[int, list[QueryRow]]:
    found: dict[int, list[QueryRow]] = {}
    for query in part.queries:
        if query.id in ids:
            found.setdefault(query.target_id, []).append(query)
    return found


def _category(part: Part, target_id: int) -> str:
    target = next(target for target in part.targets if target.id == target_id)
    return part.categories[target.category_id].name


def _cells(part: Part, query: QueryRow, place: int, total: int) -> Cells:
    text = cell_of(query.text)
    if len(text) > LONGEST:
        raise InputError(
            f"a text of {len(query.text)} characters fits no cell", f"query {query.id}",
            "shorten or remove it",
        )  # fmt: skip
    correction = f"better: {query.correction}" if query.correction else None
    found = "; ".join(filter(None, (*query.flags, correction, query.verified_why)))
    row_id = RowId.made(place, total, query.number or 0, query.id, seen(query.text))
    shown = {
        col.ROW: str(row_id), col.QUERY: query.id, col.TARGET: str(query.target_id),
        col.IMAGE: part.image.file_name, col.CATEGORY: _category(part, query.target_id),
        col.TASK: query.task, col.POLARITY: query.polarity, col.TEXT: query.text,
        col.FOUND: found[:_LONGEST_FOUND],
        col.QUESTION: question_of(query.task, query.polarity).sentence,
    }  # fmt: skip
    return {column.name: cell_of(text) for column, text in shown.items()}


def _pictures(
    dataset: Dataset, target_id: int, subject: Subject | None, wanted: Wanted
) -> tuple[Picture, ...]:
    if wanted.side is None:
        return ()
    try:
        if subject is None:
            raise InputError("it has no shape that can be drawn")
        return depict(subject, pixels_of(dataset, subject), wanted.side, outlined=True)
    except (MissingPackageError, UsageError):
        raise
    except (OVEarthError, OSError, MemoryError) as fault:
        wanted.unseen.append((target_id, str(fault) or type(fault).__name__))
        return ()
