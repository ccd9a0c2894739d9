"""Datasets in review, made for tests."""

import numpy as np

from ovearth_core.dataset import QueryRow
from ovearth_core.dataset.review import ALL_GOOD, Person, Said, review_session

from .datasets import SQUARE, TANK, made

ANNA, BEN = Person("Anna"), Person("ben")
MIA, ZOE = Person("mia", "manager"), Person("Zoe", "manager")
GOOD = Said(answers=ALL_GOOD)


def shifted(x, y=0.0):
    return SQUARE + np.array([x, y])


def drawn_by(dataset, image, person, category=TANK, shape=SQUARE, **more):
    """A draft with one polygon, and its id."""
    with dataset.writing(person.name, person.role) as edit:
        return edit.add_instance(image.id, category, shape, **more).target_id


def acted(dataset, person, name, *arguments):
    """One step of one person, stored."""
    with review_session(dataset, person) as session:
        return getattr(session, name)(*arguments)


def moved(dataset, person, name, target_id, said=Said()):  # noqa: B008
    return acted(dataset, person, "move", name, target_id, said)


def lines(dataset, target_id=None):
    with dataset.reading() as view:
        return list(view.reviews(target_id))


def target(dataset, target_id):
    with dataset.reading() as view:
        return view.target(target_id)


def twice_drawn(folder, second=SQUARE, category=TANK):
    """A dataset in which Anna drew SQUARE and Ben the same thing as `second`, both submitted."""
    dataset, image = made(folder)
    first = drawn_by(dataset, image, ANNA, category)
    other = acted(dataset, BEN, "open_second", first).id
    with dataset.writing("ben", "annotator") as edit:
        edit.add_instance(image.id, category, second, target_id=other)
        edit.add(QueryRow("v", first, "vocabulary", "positive", "tank"))
        edit.add(QueryRow("n", first, "vocabulary", "negative", "ship"))
    moved(dataset, ANNA, "submit", first)
    moved(dataset, BEN, "submit", other)
    return dataset, first, other
