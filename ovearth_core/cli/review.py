"""`ovearth review`: looking at what is to be reviewed, what was done, and how far people agree."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from . import review_moves

if TYPE_CHECKING:
    from ..dataset import TargetRow, View
    from ..dataset.review import Agreement, Person

DATASET = typer.Argument(help="The dataset's folder, or its dataset.gpkg.")
_JSON = typer.Option(None, "--json", help="Write it as JSON; - is standard output, alone then.")
_TARGETS = ("target", "state", "category", "image", "annotator", "rival of", "changed", "why")


def add_to(app: typer.Typer) -> None:
    """Add this module's commands."""
    group = typer.Typer(
        help="Hand targets in, approve or return them, see all that was done.",
        no_args_is_help=True,
        rich_markup_mode=None,
    )
    group.command("list")(list_)
    group.command()(show)
    review_moves.add_to(group)
    for command in (log, stats, agreement, ceiling):
        group.command()(command)
    app.add_typer(group, name="review")


def list_(
    dataset: Path = DATASET,
    state: list[str] | None = typer.Option(None, help="Only this state; repeat for several."),
    category: str | None = typer.Option(None, help="Only this category: id, name or synonym."),
    image: str | None = typer.Option(None, help="Only this image: id or file name."),
    person: str | None = typer.Option(None, help="Only what this annotator draws."),
    mine: bool = typer.Option(False, "--mine", help="Only what waits for me."),
    who: str | None = review_moves.WHO,
    role: str | None = review_moves.ROLE,
    json_file: str | None = _JSON,
) -> None:
    """List targets: id, state, category, image, annotator."""
    from ..dataset import Dataset
    from ..dataset.review import Choice, chosen_targets, person_of, states_named

    me = person_of(who, role) if mine else None
    choice = Choice(states_named(state or ()), category, image, person, me)
    opened = Dataset.open(dataset)
    with opened.reading() as view:
        targets = list(chosen_targets(view, choice))
        rows = _target_rows(view, targets)
    documents = [dict(zip(_TARGETS, row, strict=True)) for row in rows]
    if _write(json_file, documents, opened.path):
        return
    _print(_TARGETS, rows, numbers={0, 5})
    typer.echo(f"{len(rows)} targets")


def show(
    dataset: Path = DATASET,
    target: int = typer.Argument(help="Id of a target."),
    who: str | None = review_moves.WHO,
    role: str | None = review_moves.ROLE,
    json_file: str | None = _JSON,
) -> None:
    """Print all that is known of one target.

    And what I may do with it.
    """
    from ..dataset import Dataset
    from ..dataset.review import person_of
    from ..errors import one_line

    me = person_of(who, role)
    opened = Dataset.open(dataset)
    with opened.reading() as view:
        document = _target_document(view, view.target(target), me)
    if _write(json_file, document, opened.path):
        return
    lists = ("instances", "queries", "agreement", "log")
    for key, value in document.items():
        if key not in lists:
            typer.echo(f"{key}: {one_line(_text(value))}")
    for key in lists:
        rows = document[key]
        if rows:
            typer.echo(f"\n{key}")
            _print(tuple(rows[0]), [[_text(cell) for cell in row.values()] for row in rows])


def log(
    dataset: Path = DATASET,
    target: int | None = typer.Argument(None, help="Id of a target; all of them unless given."),
    json_file: str | None = _JSON,
) -> None:
    """Print everything that was ever done, oldest first.

    Nothing of it can be changed.
    """
    from ..dataset import Dataset
    from ..dataset.review import HEADINGS, history_json, history_rows
    from ..errors import InputError

    opened = Dataset.open(dataset)
    with opened.reading() as view:
        lines = list(view.reviews(target))
        if target is not None and not lines:
            raise InputError(f"there is no target {target}", str(opened.path), "see review list")
        document = history_json(view, lines) if json_file else None
    if _write(json_file, document, opened.path):
        return
    _print(HEADINGS, history_rows(lines), numbers={1})


def stats(dataset: Path = DATASET, json_file: str | None = _JSON) -> None:
    """Count what people changed, and what managers sent back.

    Texts, polygons, categories.
    """
    from ..dataset import Dataset
    from ..dataset.review import changes

    opened = Dataset.open(dataset)
    with opened.reading() as view:
        shares = changes(view)
    if _write(json_file, {share.key: share.document() for share in shares}, opened.path):
        return
    _print(("", "count", "of", "share"), [share.cells() for share in shares], numbers={1, 2, 3})


def agreement(
    dataset: Path = DATASET,
    target: int | None = typer.Argument(None, help="Only annotations of the same as this one."),
    json_file: str | None = _JSON,
) -> None:
    """Compare what different people drew of the same.

    Masks, and boxes at IoU 0.5.
    """
    from ..dataset import Dataset
    from ..dataset.review import MEASURES, agreements, mean

    opened = Dataset.open(dataset)
    found = list(agreements(opened, target))
    means = {name: mean([getattr(pair, name) for pair in found]) for name in MEASURES}
    if _write(json_file, {"pairs": [p.document() for p in found], "mean": means}, opened.path):
        return
    rows = [_agreement_cells(pair) for pair in found]
    rows.append(["mean", *[""] * 4, *map(_text, means.values())])
    headings = ("first", "second", "drawn by", "and by", "category", *MEASURES.values())
    _print(headings, rows, numbers={0, 1, 5, 6, 7})


def ceiling(
    dataset: Path = DATASET,
    out: Path = typer.Option(..., help="The run to write: JSON Lines of model 'human'."),
    benchmark: Path | None = typer.Option(
        None, help="The benchmark that was exported from the dataset; goes with --part."
    ),
    part: Path | None = typer.Option(
        None, help="Write the part of the benchmark that the run answers, to score models on too."
    ),
) -> None:
    """Write the second annotators' drawings as a run.

    It says what people score, beside models.
    """
    from ..atomic import AtomicFiles
    from ..benchmark import read_benchmark
    from ..benchmark.writer import add_benchmark
    from ..dataset import Dataset
    from ..dataset.review import answered_part, human_ceiling
    from ..errors import UsageError

    if (benchmark is None) != (part is None):
        raise UsageError("one goes with the other", "--benchmark and --part", "give both")
    opened = Dataset.open(dataset)
    found = human_ceiling(opened)
    inputs = [opened.path, *([] if benchmark is None else [benchmark])]
    with AtomicFiles(inputs) as files:
        with files.open(out) as file:
            file.writelines(json.dumps(line, ensure_ascii=False) + "\n" for line in found.lines)
        if benchmark is not None and part is not None:
            add_benchmark(files, answered_part(read_benchmark(benchmark), found), part)
    typer.echo(f"{len(found.query_ids)} answers for {found.targets} targets in {out}")
    if found.undecided or found.unfinished:
        typer.echo(
            f"left out: {found.undecided} of which none is approved, {found.unfinished} without"
            " a finished second annotation or a positive query"
        )


def _target_rows(view: View, targets: list[TargetRow]) -> list[list[Any]]:
    categories = {row.id: row.name for row in view.categories()}
    images = {row.id: row.file_name for row in view.images()}
    return [
        [
            target.id,
            target.state,
            categories[target.category_id],
            images[target.image_id],
            target.annotator,
            target.rival_of,
            target.changed_at or target.created_at,
            target.changed_why,
        ]
        for target in targets
    ]


def _target_document(view: View, target: TargetRow, me: Person) -> dict[str, Any]:
    from ..dataset.review import (
        DRAWN,
        HEADINGS,
        agreement,
        drawers,
        group_of,
        history_rows,
        pairs,
        possible,
    )

    (row,) = _target_rows(view, [target])
    group = group_of(view, target)
    return {
        **dict(zip(_TARGETS, row, strict=True)),
        "drawn by": list(drawers(view, target)),
        "annotations of the same": [str(t.id) for t in group if t.id != target.id],
        f"possible for {me.name} ({me.role})": [move.name for move in possible(view, target, me)],
        "instances": [
            {
                "id": row.id,
                "origin": row.origin,
                "drawn by": row.created_by if row.origin in DRAWN else None,
                "changes": row.changes,
                "last changed by": row.changed_by,
            }
            for row in view.instances(target.id)
        ],
        "queries": [
            {
                "id": query.id,
                "task": query.task,
                "polarity": query.polarity,
                "state": query.state,
                "text": query.text,
                "was": query.original_text,
            }
            for query in view.queries(target.id)
        ],
        "agreement": [agreement(view, *pair).document() for pair in pairs(group)],
        "log": [
            dict(zip(HEADINGS, line, strict=True)) for line in history_rows(view.reviews(target.id))
        ],
    }


def _agreement_cells(pair: Agreement) -> list[str]:
    from ..dataset.review import MEASURES

    return [
        *map(_text, (pair.first.id, pair.second.id, pair.first.annotator, pair.second.annotator)),
        "the same" if pair.same_category else "differs",
        *(_text(getattr(pair, name)) for name in MEASURES),
    ]


def _write(place: str | None, document: Any, dataset: Path) -> bool:
    """Write JSON where it was asked for; return whether that was standard output."""
    from ..atomic import write_text

    if place is None:
        return False
    text = json.dumps(document, indent=1, ensure_ascii=False) + "\n"
    if place == "-":
        typer.echo(text, nl=False)
        return True
    write_text(Path(place), text, [dataset])
    return False


def _print(headings: tuple[str, ...], rows: Any, numbers: Any = ()) -> None:
    from ..errors import one_line
    from ..report.plain_table import print_plain_table

    shown = [[one_line(_text(cell)) for cell in row] for row in rows]
    print_plain_table(headings, shown, frozenset(numbers))


def _text(cell: Any) -> str:
    if cell is None:
        return "–"
    if isinstance(cell, float):
        return f"{cell:.4f}"
    return (", ".join(map(_text, cell)) or "–") if isinstance(cell, list) else str(cell)
