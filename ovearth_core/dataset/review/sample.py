"""What a person has before him: an image, one of its targets, and all that is known of that."""

from __future__ import annotations

from dataclasses import dataclass

from ..rows import CategoryRow, ImageRow, JudgementRow, QueryRow, ReviewRow, TargetRow
from ..view import View
from .moves import Move
from .person import Person
from .rivals import group_of
from .rules import may_draw, possible


@dataclass(frozen=True)
class Sample:
    """An image and one of its targets. target, category: None where nothing is chosen on it yet.

    targets: all of the image, by id. group: annotations of the same thing, the target among them.
    moves: what the person could do with it now. is_mine: whether the person may draw on it.
    categories: of the image's targets, by id. judgements: what reviewers say of the queries.
    """

    image: ImageRow
    targets: tuple[TargetRow, ...]
    categories: dict[int, CategoryRow]
    target: TargetRow | None = None
    group: tuple[TargetRow, ...] = ()
    queries: tuple[QueryRow, ...] = ()
    history: tuple[ReviewRow, ...] = ()
    moves: tuple[Move, ...] = ()
    is_mine: bool = True
    judgements: tuple[JudgementRow, ...] = ()

    @property
    def category(self) -> CategoryRow | None:
        """The target's category."""
        return None if self.target is None else self.categories[self.target.category_id]

    def can(self, name: str) -> bool:
        """Whether the person could make a move now, given the right answers."""
        return any(move.name == name for move in self.moves)


def read_sample(view: View, person: Person, image_id: int, target_id: int | None = None) -> Sample:
    """Return what a person has before him; InputError where there is no such image or target."""
    image = view.image(image_id)
    targets = tuple(view.targets(image_id))
    categories = {
        category_id: view.category(category_id)
        for category_id in {target.category_id for target in targets}
    }
    if target_id is None:
        return Sample(image, targets, categories)
    target = view.target(target_id)
    queries = tuple(view.queries(target_id))
    return Sample(
        image,
        targets,
        categories,
        target,
        group_of(view, target),
        queries,
        tuple(view.reviews(target_id)),
        possible(view, target, person),
        may_draw(view, target, person),
        tuple(row for query in queries for row in view.judgements(query.id)),
    )
