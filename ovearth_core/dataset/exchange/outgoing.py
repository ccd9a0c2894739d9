"""Which targets go out, image by image, and how many stay behind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from ..rows import STATES, CategoryRow, ImageRow, InstanceRow, TargetRow
from ..view import View
from .model import WriteOptions


@dataclass(frozen=True, slots=True)
class OutgoingImage:
    """One image with the targets that go out, and each with its instances, in id order."""

    image: ImageRow
    targets: tuple[tuple[TargetRow, tuple[InstanceRow, ...]], ...]

    def instances(self) -> Iterator[InstanceRow]:
        """Yield all instances; their category_id says which category."""
        for _, instances in self.targets:
            yield from instances


class Outgoing:
    """The part of a dataset that is written out; every format asks it, so that all agree."""

    def __init__(self, view: View, options: WriteOptions) -> None:
        self._view = view
        self._step = options.step
        self._states = frozenset(options.states)

    def takes(self, target: TargetRow) -> bool:
        """Whether a target goes out: it is in a wanted state, and no other was chosen over it.

        Of two annotations of one thing the second (`rival_of`) would count the thing twice.
        """
        return target.state in self._states and target.rival_of is None

    def categories(self) -> dict[int, CategoryRow]:
        """Return all categories by id, also those that nothing has yet."""
        return {category.id: category for category in self._view.categories()}

    def images(self) -> Iterator[OutgoingImage]:
        """Yield the images that have something to show, in id order, one in memory at a time."""
        for image in self._view.images():
            self._step()
            if image.id is None:
                continue
            targets = [t for t in self._view.targets(image_id=image.id) if self.takes(t)]
            if targets:
                found = tuple((t, tuple(self._view.instances(target_id=t.id))) for t in targets)
                yield OutgoingImage(image, found)

    def left_out(self) -> dict[str, int]:
        """Return why targets stay behind, and how many for each reason."""
        rivals, states = 0, Counter[str]()
        for target in self._view.targets():
            if target.state not in self._states:
                states[target.state] += 1
            elif not self.takes(target):
                rivals += 1
        told = {f"targets that are {state}": states[state] for state in STATES if states[state]}
        return told | ({"second annotations of other targets": rivals} if rivals else {})


def outgoing(view: View, options: WriteOptions) -> Outgoing:
    """Return what of a dataset goes out under these options."""
    return Outgoing(view, options)
