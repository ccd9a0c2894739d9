"""`ovearth pois search`."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from .progress import is_shown

if TYPE_CHECKING:
    from ..collection.pois import Choice, SearchResult, SourceChoice, Wishes
    from ..collection.pois.source import Progress
    from ..dataset import Dataset
    from ..taxonomy import Category, Taxonomy

_NUMBERS = frozenset({1, 2})


def add_to(app: typer.Typer) -> None:
    """Add this module's commands."""
    group = typer.Typer(
        help="Places of interest: where things of a category are.",
        no_args_is_help=True,
        rich_markup_mode=None,
    )
    # Without a callback a group of one command would be that command.
    group.callback()(_pois)
    group.command()(search)
    app.add_typer(group, name="pois")


def _pois() -> None:
    """Places of interest: where things of a category are."""


def search(
    category: list[str] = typer.Option(
        ..., help="Id, name, synonym or number of a category; repeat for several."
    ),
    bbox: tuple[float, float, float, float] = typer.Option(
        ..., metavar="W S E N", help="Where: west, south, east, north. West > east crosses ±180."
    ),
    source: str = typer.Option(
        ...,
        help="overpass, nominatim, an OpenStreetMap file (.osm, .osm.pbf), a vector file, or"
        " GeoParquet (a file, a folder of them, or an address).",
    ),
    url: str | None = typer.Option(None, help="The server, instead of the public one."),
    limit: int | None = typer.Option(None, help="At most so many places per category."),
    min_spacing: float = typer.Option(0.0, help="Least distance of any two places, true metres."),
    seed: int = typer.Option(0, help="Another seed gives another sample."),
    wide: bool = typer.Option(False, "--wide", help="A box wider than 180° is meant."),
    out: Path | None = typer.Option(None, help="Write a .geojson, .gpkg or .csv file."),
    dataset: Path | None = typer.Option(None, help="Add them to a dataset, as candidates."),
    bbox_crs: str = typer.Option("EPSG:4326", help="The CRS of --bbox, x first."),
    balance: bool = typer.Option(False, "--balance", help="Fill the limit evenly by continent."),
    quota: list[str] | None = typer.Option(
        None, metavar="CONTINENT=N", help="At most so many there per category; repeat for several."
    ),
    mapping: Path | None = typer.Option(
        None, help="JSON that says which category a feature of a vector file is of."
    ),
    report: Path | None = typer.Option(None, help="Write what was dropped, and why, as JSON."),
    timeout: float = typer.Option(100.0, help="Seconds that a server may stay silent."),
    attempts: int = typer.Option(4, help="How often one request is tried in all."),
    cache: Path | None = typer.Option(None, help="Folder where servers' answers are kept."),
    no_cache: bool = typer.Option(False, "--no-cache", help="Ask servers anew, keep nothing."),
    taxonomy: Path | None = typer.Option(
        None, "--taxonomy", help="A taxonomy file of your own instead of ours."
    ),
    who: str | None = typer.Option(None, help="Who adds them to the dataset."),
) -> None:
    """Find places of some categories, and choose among them."""
    from ..collection.pois import SourceChoice, Wishes, area_of, open_source
    from ..collection.pois import search as find
    from ..collection.pois.asking import Asking
    from ..collection.pois.category_mapping import read_mapping
    from ..collection.pois.into_dataset import adding, check_categories, known_places

    _check_target(out, dataset)
    whole = _taxonomy(taxonomy)
    wanted = _categories(whole, category)
    area = area_of(*bbox, bbox_crs, wide=wide)
    wishes = Wishes(limit, min_spacing, seed, _quotas(quota or []), balance)
    target = None if dataset is None else _open_dataset(dataset)
    if target is not None:
        check_categories(target, wanted)
    features = None if mapping is None else read_mapping(mapping, whole)
    inputs = [path for path in (Path(source), mapping, taxonomy) if path and path.is_file()]
    _check_outputs([path for path in (out, report) if path], inputs)
    asking = Asking(_politeness(timeout, attempts), _cache(cache, no_cache))
    choice = SourceChoice(source, url, features, asking)
    place = open_source(choice)
    with _progress() as progress:
        known = [] if target is None else known_places(target)
        result = find(place, wanted, area, wishes, known, progress)
    entry = nullcontext(result) if target is None else adding(target, result, wishes, wanted, who)
    result = _write(wishes, place.name, out, report, inputs, entry)
    _show(result, wanted, choice, out or dataset)


def _check_target(out: Path | None, dataset: Path | None) -> None:
    from ..collection.pois.rows_out import check_out
    from ..errors import UsageError

    if (out is None) == (dataset is None):
        what = "no place to put them" if out is None else "two places to put them"
        raise UsageError(what, "--out and --dataset", "give one of the two")
    if out is not None:
        check_out(out)


def _check_outputs(outputs: Sequence[Path], inputs: Sequence[Path]) -> None:
    """Raise what writing would raise, before a server is asked for long."""
    from ..atomic import AtomicFiles
    from ..errors import UsageError

    files = AtomicFiles(inputs)
    for path in outputs:
        files.check(path)
    if len({path.resolve() for path in outputs}) < len(outputs):
        raise UsageError("two outputs are one file", f"--report {outputs[-1]}", "name two files")


def _taxonomy(path: Path | None) -> Taxonomy:
    from ..taxonomy import load, read_taxonomy

    return load() if path is None else read_taxonomy(path)


def _categories(taxonomy: Taxonomy, names: Sequence[str]) -> list[Category]:
    keys = (int(name) if name.isascii() and name.isdigit() else name for name in names)
    return list({found.id: found for found in map(taxonomy.find, keys)}.values())


def _quotas(texts: Sequence[str]) -> dict[str, int]:
    from ..errors import UsageError

    quotas: dict[str, int] = {}
    for text in texts:
        name, _, number = text.partition("=")
        if not (number.isascii() and number.isdigit()):
            raise UsageError(f"no quota in {text!r}", "--quota", "write Africa=10")
        continent = name.strip().title()
        if continent in quotas:
            raise UsageError(f"two quotas for {continent}", "--quota", "give one of them")
        quotas[continent] = int(number)
    return quotas


def _open_dataset(folder: Path) -> Dataset:
    from ..dataset import Dataset

    return Dataset.open(folder)


def _politeness(timeout: float, attempts: int) -> Any:
    from ..collection.exchange import Politeness
    from ..errors import UsageError

    if not 0.0 < timeout < 1e5:
        raise UsageError(f"a time-out of {timeout:g} s", "--timeout", "give seconds above 0")
    if attempts < 1:
        raise UsageError(f"{attempts} attempts", "--attempts", "give 1 or more")
    return Politeness(
        attempts, silence_s=timeout, answer_s=3.0 * timeout, connect_s=min(timeout, 15.0)
    )


def _cache(folder: Path | None, none: bool) -> Any:
    from ..collection.answer_cache import AnswerCache, default_folder
    from ..errors import UsageError

    if folder is not None and none:
        raise UsageError("a cache and none", "--cache and --no-cache", "leave one out")
    return AnswerCache(None if none else folder or default_folder())


def _write(
    wishes: Wishes,
    source: str,
    out: Path | None,
    report: Path | None,
    inputs: Sequence[Path],
    adding: AbstractContextManager[SearchResult],
) -> SearchResult:
    """Write all that was asked for, or nothing; return what is there now."""
    from ..atomic import AtomicFiles
    from ..collection.pois.rows_out import write_choice

    with AtomicFiles(inputs) as files, adding as now:
        if out is not None:
            write_choice(out, now.choice, files)
        if report is not None:
            document = now.report(source, wishes)
            files.write(report, json.dumps(document, indent=1, ensure_ascii=False) + "\n")
    return now


def _show(
    result: SearchResult, wanted: Sequence[Category], source: SourceChoice, place: Path | None
) -> None:
    from ..report.plain_table import print_plain_table

    chosen = [poi.category for poi in result.choice.chosen]
    rows = [(c.id, str(result.found[c.id]), str(chosen.count(c.id))) for c in wanted]
    print_plain_table(("category", "found", "chosen"), rows, _NUMBERS)
    typer.echo(f"{len(chosen)} places in {place}{_dropped(result.choice)}")
    lacking = [category.id for category in wanted if not category.osm]
    if lacking and source.name in ("overpass", "nominatim"):
        typer.echo(f"OpenStreetMap has no tags for {', '.join(lacking)}", err=True)


def _dropped(choice: Choice) -> str:
    counts = ", ".join(f"{count} {reason}" for reason, count in choice.counts.items())
    return f"; dropped: {counts}" if counts else ""


@contextmanager
def _progress() -> Iterator[Progress]:
    """Show what is going on, on standard error; nothing where that is no terminal."""
    from rich.console import Console
    from rich.progress import Progress as Bar
    from rich.progress import SpinnerColumn, TextColumn, TimeElapsedColumn

    from ..collection.pois.source import no_progress

    if not is_shown():
        yield no_progress
        return
    columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    with Bar(*columns, console=Console(stderr=True), transient=True) as bar:
        shown = bar.add_task("searching", total=None)

        def step(looked_at: int, found: int) -> None:
            bar.update(shown, description=f"{looked_at:,} objects, {found:,} found")

        yield step
