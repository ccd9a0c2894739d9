"""`ovearth queries sheet`: texts judged by people, in a spreadsheet."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from ..dataset import Dataset

_DATASET = typer.Argument(help="The dataset's folder, or its dataset.gpkg.")


def sheet(
    dataset: Path = _DATASET,
    export: Path | None = typer.Option(
        None, "--export", metavar="FILE", help="Write the texts to judge: .xlsx (pictures) or .csv."
    ),
    import_file: Path | None = typer.Option(
        None, "--import", metavar="FILE", help="Take in what a reviewer filled in."
    ),
    stats: bool = typer.Option(
        False, "--stats", help="Say what people changed, and how far reviewers agree."
    ),
    by: str | None = typer.Option(
        None,
        "--by",
        metavar="NAME",
        help="Who filled it in; OVEARTH_USER or the login name unless given.",
    ),
    needed: int = typer.Option(
        1, help="With --import: reviewers that a text needs before what they say takes effect."
    ),
    final: bool = typer.Option(
        False, "--final", help="With --import: this sheet decides, whatever others say."
    ),
    target: list[int] | None = typer.Option(
        None, help="With --export: only this target, by id; repeat for several."
    ),
    state: list[str] | None = typer.Option(
        None, help="With --export: only targets in this state; all but rejected unless given."
    ),
    contested: bool = typer.Option(
        False, "--contested", help="With --export: only texts that reviewers don't agree about."
    ),
    side: int = typer.Option(512, help="The most pixels of a large picture's longer side."),
    no_pictures: bool = typer.Option(False, "--no-pictures", help="Write no pictures."),
    json_file: Path | None = typer.Option(
        None, "--json", help="With --stats: write the numbers as JSON."
    ),
) -> None:
    """Have texts judged in a spreadsheet.

    For people without QGIS: a sheet goes out, comes back, and is counted. Each reviewer gets the
    same export and answers, accepts, edits or removes. A majority decides; every judgement is kept,
    and so is the first text.
    """
    from ..dataset import Dataset
    from ..errors import UsageError

    if sum((export is not None, import_file is not None, stats)) != 1:
        raise UsageError(
            "what to do with the sheet?", "queries sheet", "give one of --export, --import, --stats"
        )
    if needed < 1:
        raise UsageError(f"{needed} reviewers", "--needed", "give 1 or more")
    opened = Dataset.open(dataset)
    if export is not None:
        _export(opened, export, target or [], state or [], contested, None if no_pictures else side)
    elif import_file is not None:
        _import(opened, import_file, by, needed, final)
    else:
        _stats(opened, json_file)


def _export(
    dataset: Dataset,
    path: Path,
    targets: list[int],
    states: list[str],
    contested: bool,
    side: int | None,
) -> None:
    from ..errors import one_line
    from ..queries.selection import Selection
    from ..queries.sheet import Wanted, export_sheet, plan_export
    from .progress import counted

    wanted = Wanted(Selection(targets, states), contested, side)
    planned = plan_export(dataset, path, wanted)
    with counted("targets", planned.targets) as step:
        rows = export_sheet(dataset, path, wanted, planned, step)
    for target_id, fault in wanted.unseen:
        typer.echo(one_line(f"no picture: target {target_id}: {fault}"), err=True)
    typer.echo(f"{rows} texts of {planned.targets} targets in {path}")


def _import(dataset: Dataset, path: Path, by: str | None, needed: int, final: bool) -> None:
    from ..dataset.review import person_of
    from ..queries.sheet import check_sheet, store_sheet
    from .progress import counted

    person = person_of(by)
    checked = check_sheet(dataset, path, person, is_final=final)
    with counted("judgements", len(checked.judgements)) as step:
        found = store_sheet(dataset, checked, person, needed, step)
    if (note := found.removed_line()) is not None:
        typer.echo(note, err=True)
    typer.echo(f"{path} by {person.name}: {found.line()}")


def _stats(dataset: Dataset, json_file: Path | None) -> None:
    from ..atomic import write_text
    from ..dataset.judging import HEADINGS, human_pass
    from ..report.plain_table import print_plain_table

    with dataset.reading() as view:
        kinds = human_pass(view)
    if json_file is not None:
        document = {kind.kind.replace(" ", "_"): kind.document() for kind in kinds}
        write_text(json_file, json.dumps(document, indent=2) + "\n", [dataset.path])
    numbers = frozenset(range(1, len(HEADINGS)))
    print_plain_table(HEADINGS, [kind.cells() for kind in kinds], numbers)
