"""`ovearth review submit|approve|return|…`: what people do with targets."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from ..dataset.review import Pin, ReviewSession

WHO = typer.Option(None, "--who", help="Who I am; OVEARTH_USER or the login name unless given.")
ROLE = typer.Option(
    None, "--role", help="annotator or manager; OVEARTH_ROLE or annotator unless given."
)
_DATASET = typer.Argument(help="The dataset's folder, or its dataset.gpkg.")
_TARGET = typer.Argument(help="Id of a target.")
_TARGETS = typer.Argument(help="Ids of targets: all of them change, or none.")
_COMMENT = typer.Option(None, "--comment", help="Why, or what to mend.")
_PIXEL = typer.Option(None, "--pixel", metavar="X Y", help="The place meant, in pixels.")
_LONLAT = typer.Option(None, "--lonlat", metavar="LON LAT", help="The place meant, in degrees.")

_SIMPLE = {
    "submit": "Hand in what I drew.",
    "withdraw": "Take back what I handed in, to draw on.",
}
_JUDGED = {
    "approve": "Approve: all three questions must be answered with yes.",
    "return": "Send back, with what to mend.",
    "reject": "Leave out for good, with the reason.",
    "choose": "Take this one of several annotations, reject the others.",
}


def add_to(group: typer.Typer) -> None:
    """Add this module's commands."""
    for name, about in _SIMPLE.items():
        group.command(name, help=about)(_simple(name))
    for name, about in _JUDGED.items():
        group.command(name, help=about)(_judged(name))
    for command in (comment, category, assign, second):
        group.command()(command)


def _simple(name: str) -> Callable[..., None]:
    def command(
        dataset: Path = _DATASET,
        targets: list[int] = _TARGETS,
        comment: str | None = _COMMENT,
        who: str | None = WHO,
        role: str | None = ROLE,
    ) -> None:
        from ..dataset.review import Said

        with _session(dataset, who, role) as session:
            for target in dict.fromkeys(targets):
                session.move(name, target, Said(comment))

    return command


def _judged(name: str) -> Callable[..., None]:
    def command(
        dataset: Path = _DATASET,
        targets: list[int] = _TARGETS,
        right_category: bool | None = typer.Option(
            None, "--right-category/--wrong-category", help="Is the category right?"
        ),
        good_boundary: bool | None = typer.Option(
            None, "--good-boundary/--bad-boundary", help="Is the boundary good?"
        ),
        nothing_missed: bool | None = typer.Option(
            None, "--nothing-missed/--something-missed", help="Is every instance there?"
        ),
        comment: str | None = _COMMENT,
        pixel: tuple[float, float] | None = _PIXEL,
        lonlat: tuple[float, float] | None = _LONLAT,
        alone: bool = typer.Option(
            False, "--alone", help="I drew it myself, and there is nobody else to ask."
        ),
        who: str | None = WHO,
        role: str | None = ROLE,
    ) -> None:
        from ..dataset.review import Answers, Said

        answers = Answers(right_category, good_boundary, nothing_missed)
        said = Said(comment, answers, _pin(pixel, lonlat), alone)
        with _session(dataset, who, role) as session:
            for target in dict.fromkeys(targets):
                session.move(name, target, said)

    return command


def comment(
    dataset: Path = _DATASET,
    target: int = _TARGET,
    text: str = typer.Argument(help="What there is to say."),
    pixel: tuple[float, float] | None = _PIXEL,
    lonlat: tuple[float, float] | None = _LONLAT,
    query: str | None = typer.Option(None, help="Id of the query that is meant."),
    who: str | None = WHO,
    role: str | None = ROLE,
) -> None:
    """Say something about a target, in any state.

    Pinned to a place, or about a query.
    """
    from ..dataset.review import Said

    with _session(dataset, who, role) as session:
        session.comment(target, Said(text, pin=_pin(pixel, lonlat)), query)


def category(
    dataset: Path = _DATASET,
    targets: list[int] = _TARGETS,
    to: str = typer.Option(..., help="Id, name or synonym of a category."),
    who: str | None = WHO,
    role: str | None = ROLE,
) -> None:
    """Correct the category of targets."""
    from ..dataset import Dataset
    from ..dataset.categories import find_category

    # Before the transaction: the taxonomy may have to be read.
    with Dataset.open(dataset).reading() as view:
        category_id = find_category(view, to).id
    with _session(dataset, who, role) as session:
        for target in dict.fromkeys(targets):
            session.recategorise(target, category_id)


def assign(
    dataset: Path = _DATASET,
    targets: list[int] = _TARGETS,
    to: str = typer.Option(..., help="Name of the annotator who goes on with them."),
    who: str | None = WHO,
    role: str | None = ROLE,
) -> None:
    """Hand targets that are drawn on to another annotator."""
    with _session(dataset, who, role) as session:
        for target in dict.fromkeys(targets):
            session.assign(target, to)


def second(
    dataset: Path = _DATASET,
    targets: list[int] = _TARGETS,
    who: str | None = WHO,
    role: str | None = ROLE,
) -> None:
    """Begin second annotations of targets.

    To be drawn without looking at the first.
    """
    with _session(dataset, who, role) as session:
        for target in dict.fromkeys(targets):
            session.open_second(target)


@contextmanager
def _session(dataset: Path, who: str | None, role: str | None) -> Iterator[ReviewSession]:
    """Review in one transaction; once it is stored, print what became of the targets."""
    from ..dataset import Dataset
    from ..dataset.review import person_of, review_session
    from ..report.plain_table import print_plain_table

    person = person_of(who, role)
    opened = Dataset.open(dataset)
    with review_session(opened, person) as session:
        yield session
        changed = [session.edit.target(target_id) for target_id in session.touched]
        names = {row.id: row.name for row in session.edit.categories()}
    rows = [(str(t.id), t.state, names[t.category_id], t.annotator or "–") for t in changed]
    print_plain_table(("target", "state", "category", "annotator"), rows, frozenset({0}))


def _pin(pixel: tuple[float, float] | None, lonlat: tuple[float, float] | None) -> Pin | None:
    from ..dataset.review import Pin
    from ..errors import UsageError

    if pixel is not None and lonlat is not None:
        raise UsageError("two places", "--pixel and --lonlat", "give one of them")
    if lonlat is not None:
        return Pin(*lonlat, in_degrees=True)
    return None if pixel is None else Pin(*pixel)
