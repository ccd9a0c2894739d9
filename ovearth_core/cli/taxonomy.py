"""`ovearth taxonomy list|search|show|export|overlap`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from ..taxonomy import Category, Taxonomy
    from ..taxonomy.alignment import Alignment

_TAXONOMY = typer.Option(None, "--taxonomy", help="A taxonomy file of your own instead of ours.")
_MOST_SHOWN = 3
_NUMBERS = frozenset(range(1, 7))


def add_to(app: typer.Typer) -> None:
    """Add this module's commands."""
    group = typer.Typer(
        help="The categories: what they mean, and where else they are found.",
        no_args_is_help=True,
        rich_markup_mode=None,
    )
    for command in (show, search, export, overlap):
        group.command()(command)
    group.command("list")(list_)
    app.add_typer(group, name="taxonomy")


def _taxonomy(path: Path | None) -> Taxonomy:
    from ..taxonomy import load, read_taxonomy

    return load() if path is None else read_taxonomy(path)


def list_(
    domain: str | None = typer.Option(None, help="Only this domain."),
    taxonomy: Path | None = _TAXONOMY,
) -> None:
    """Print the tree of domains, branches and categories.

    Those that are not instanceable are marked.
    """
    from ..errors import UsageError
    from ..spelling import nearest
    from ..taxonomy import Category, Domain

    whole = _taxonomy(taxonomy)
    names = [node.name for node in whole.domains]
    if domain is not None and domain not in names:
        raise UsageError(f"no domain {domain!r}", "--domain", nearest(domain, names))
    shown = True
    for depth, name, node in whole.walk():
        if isinstance(node, Domain):
            shown = domain in (None, name)
        if not shown:
            continue
        mark = "" if not isinstance(node, Category) else _marks(node)
        typer.echo(f"{'  ' * depth}{name}{mark}")
    areas = sum(not category.instanceable for category in whole)
    typer.echo(f"{len(whole)} categories, {areas} of them not instanceable")


def _marks(category: Category) -> str:
    areas = "" if category.instanceable else ", not instanceable"
    return f"  ({category.number}, {category.id}{areas})"


def search(
    text: str = typer.Argument(help="A name, synonym or tag; typing errors are forgiven."),
    taxonomy: Path | None = _TAXONOMY,
) -> None:
    """Find categories by name, synonym or OpenStreetMap tag."""
    from ..report.plain_table import print_plain_table
    from ..taxonomy.search import search as find

    whole = _taxonomy(taxonomy)
    hits = find(whole, text)
    if not hits:
        whole.find(text)  # says which names are nearest
    rows = [(h.category.id, h.category.name, h.category.domain, h.reason) for h in hits]
    print_plain_table(("id", "name", "domain", "found by"), rows)


def show(
    category: str = typer.Argument(help="Id, name, synonym or number of a category."),
    overpass: bool = typer.Option(False, "--overpass", help="Print its Overpass query only."),
    bbox: tuple[float, float, float, float] | None = typer.Option(
        None,
        metavar="W S E N",
        help="Box of the query, in degrees; without it, it asks for the whole planet.",
    ),
    taxonomy: Path | None = _TAXONOMY,
) -> None:
    """Print all that is known of one category."""
    from ..taxonomy import overpass_ql
    from ..taxonomy.alignment import appearances

    whole = _taxonomy(taxonomy)
    found = whole.find(int(category) if category.isascii() and category.isdigit() else category)
    if overpass:
        typer.echo(overpass_ql(found.osm, bbox), nl=False)
        return
    places = [] if taxonomy is not None else appearances(_alignments()).get(found.id, [])
    for key, value in {**found.as_json(), "datasets": places}.items():
        typer.echo(f"{key}: {value if isinstance(value, str) else json.dumps(value)}")


def export(
    json_file: Path = typer.Option(..., "--json", help="The file to write."),
    taxonomy: Path | None = _TAXONOMY,
) -> None:
    """Write the taxonomy as JSON.

    Each category with its appearances in other datasets.
    """
    from ..atomic import write_text
    from ..taxonomy.alignment import appearances

    whole = _taxonomy(taxonomy)
    document = whole.as_json()
    places = {} if taxonomy is not None else appearances(_alignments())
    for category in document["categories"]:
        category["datasets"] = places.get(category["id"], [])
    inputs = [] if taxonomy is None else [taxonomy]
    write_text(json_file, json.dumps(document, indent=1, ensure_ascii=False) + "\n", inputs)
    typer.echo(f"{len(whole)} categories in {json_file}")


def _alignments() -> tuple[Alignment, ...]:
    from ..taxonomy.alignment import load_alignments

    return load_alignments()


def overlap(
    classes: Path | None = typer.Option(
        None, help="Propose matches for this class list: a name a line, JSON, or COCO."
    ),
    json_file: Path | None = typer.Option(None, "--json", help="Write it all as JSON."),
    figure: Path | None = typer.Option(None, help="Draw it: .png, .svg or .pdf."),
    every: bool = typer.Option(
        False, "--all", help="Every aligned dataset, not only the eight that the paper compares."
    ),
    alignments: Path | None = typer.Option(None, help="An alignment file instead of ours."),
    taxonomy: Path | None = _TAXONOMY,
) -> None:
    """Compare other datasets' classes with the categories.

    Or propose how a class list of your own matches.
    """
    from ..taxonomy.alignment import check_alignments, overlap_document, read_alignments

    whole = _taxonomy(taxonomy)
    known = _alignments() if alignments is None else read_alignments(alignments)
    if classes is not None:
        _propose(whole, classes, known, json_file, figure)
        return
    check_alignments(known, whole, str(alignments or "the alignments that come with OVEarth"))
    chosen = [alignment for alignment in known if every or alignment.compared or alignments]
    document = overlap_document(whole, chosen)
    inputs = [path for path in (taxonomy, alignments) if path]
    _write(document, json_file, inputs, figure)
    _print_overlap(document)


def _write(
    document: Any, json_file: Path | None, inputs: list[Path], figure: Path | None = None
) -> None:
    """Write both files or none."""
    from ..atomic import AtomicFiles
    from ..report.overlap_figure import overlap_figure

    with AtomicFiles(inputs) as files:
        if json_file is not None:
            files.write(json_file, json.dumps(document, indent=1, ensure_ascii=False) + "\n")
        if figure is not None:
            files.write_bytes(figure, overlap_figure(document, figure))


def _print_overlap(document: dict[str, Any]) -> None:
    from ..report.plain_table import print_plain_table

    kinds = ("exact", "broader", "narrower", "unmatched")
    rows = [
        (
            dataset["name"],
            f"{dataset['matched']}/{dataset['countable']}",
            *(str(dataset[kind]) for kind in kinds),
            str(dataset["excluded"]),
        )
        for dataset in document["datasets"]
    ]
    headings = ("dataset", "matched", *kinds, "left out")
    print_plain_table(headings, rows, _NUMBERS)
    for dataset in document["datasets"]:
        lacking = [c["class"] for c in dataset["classes"] if c["outcome"] == "unmatched"]
        if lacking:
            typer.echo(f"{dataset['name']}, unmatched: {', '.join(lacking)}")
    counts = document["categories"]["counts"]
    typer.echo(
        f"of {document['taxonomy']['size']} categories: {counts['exact']} exact or synonym,"
        f" {counts['hierarchy']} broader or narrower only, {counts['none']} in none"
    )


def _propose(
    whole: Taxonomy,
    classes: Path,
    known: tuple[Alignment, ...],
    json_file: Path | None,
    figure: Path | None,
) -> None:
    from ..errors import UsageError
    from ..report.plain_table import print_plain_table
    from ..taxonomy.class_list import read_class_list
    from ..taxonomy.proposal import UNSURE, propose

    if figure is not None:
        raise UsageError("no figure of proposals", "--figure with --classes", "leave one out")
    proposals = propose(whole, read_class_list(classes), known)
    _write({"classes": [proposal.as_json() for proposal in proposals]}, json_file, [classes])
    rows = []
    for proposal in proposals:
        matches = ", ".join(map(str, proposal.matches[:_MOST_SHOWN]))
        if len(proposal.matches) > _MOST_SHOWN:
            matches += f" and {len(proposal.matches) - _MOST_SHOWN} more"
        maybe = f" ({', '.join(proposal.candidates)})" if proposal.candidates else ""
        rows.append((proposal.name, proposal.state, matches or "–", proposal.reason + maybe))
    print_plain_table(("class", "state", "proposed", "why"), rows)
    unsure = sum(proposal.state == UNSURE for proposal in proposals)
    typer.echo(f"{len(proposals)} classes, {unsure} left open for a person")
