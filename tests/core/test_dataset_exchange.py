"""A dataset that people drew goes out and comes back as the same file, whatever they drew."""

import json

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from ovearth_core.benchmark import Truth, read_benchmark
from ovearth_core.dataset import CategoryRow, Dataset, QueryRow, TargetRow
from ovearth_core.dataset.exchange.benchmark_in import import_benchmark
from ovearth_core.dataset.exchange.exporting import export_dataset
from ovearth_core.geometry import Runs

from .datasets import CATEGORIES, FIELD, TANK, image_row, made

STATES = ("draft", "submitted", "returned", "approved", "rejected")


@st.composite
def shapes(draw):
    """Polygons of any place and size, some with a hole, some of several parts, some tiny."""
    parts = []
    for _ in range(draw(st.integers(1, 2))):
        x, y = draw(st.floats(-3, 90)), draw(st.floats(-3, 70))
        size = draw(st.floats(0.01, 40))
        outer = np.array([[x, y], [x + size, y], [x + size, y + size / 2], [x, y + size]])
        rings = [outer]
        if draw(st.booleans()):
            rings.append(outer.mean(axis=0) + (outer - outer.mean(axis=0)) / 3)
        parts.append(tuple(rings))
    return tuple(parts)


drawn = st.fixed_dictionaries(
    {
        "shape": shapes(),
        "category": st.sampled_from([TANK, FIELD]),
        "is_crowd": st.booleans(),
        "bbox": st.none() | st.tuples(*[st.floats(0, 50)] * 4),
        "obb": st.none() | st.just((1.0, 1.0, 9.5, 1.0, 9.5, 9.0, 1.0, 9.0)),
        "extra": st.dictionaries(st.text(max_size=3), st.none() | st.integers(), max_size=2),
    }
)


@settings(max_examples=25, deadline=None)
@given(st.lists(drawn, max_size=5), st.sampled_from(STATES), st.text(min_size=1))
def test_what_people_drew_goes_out_and_comes_back(tmp_path_factory, objects, state, text):
    folder = tmp_path_factory.mktemp("drawn")
    dataset, image = made(folder)
    with dataset.writing("anna", "annotator") as edit:
        for one in objects:
            row = dict(one)
            edit.add_instance(image.id, row.pop("category"), row.pop("shape"), **row)
        for target in list(edit.targets()):
            edit.add(QueryRow(f"q{target.id}", target.id, "referring", "positive", text))
            edit.set_state(target.id, state)
    outs = []
    for number in range(3):
        outs.append(folder / f"{number}.json")
        export_dataset(dataset, outs[-1], "benchmark", STATES)
        import_benchmark(folder / f"again{number}", outs[-1])
        dataset = Dataset.open(folder / f"again{number}")
    assert outs[0].read_bytes() == outs[1].read_bytes() == outs[2].read_bytes()

    benchmark = read_benchmark(outs[0])
    truth = Truth(benchmark)
    for target in benchmark.targets:
        name = {row.id: row for row in CATEGORIES}[target.category_id].id
        masks = [
            Runs.from_polygons(
                [{"type": "Polygon", "coordinates": [ring.tolist() for ring in polygon]}],
                image.height, image.width,
            )
            for one in objects if one["category"] == name for polygon in one["shape"]
        ]  # fmt: skip
        assert truth.mask(target.id) == Runs.union(masks)
    for annotation in json.loads(outs[0].read_text())["annotations"]:
        assert {"segmentation", "geometry", "area"} <= annotation.keys()


def test_slugs_come_back_also_those_that_names_do_not_give(tmp_path):
    rows = [CategoryRow(1, "a", "Alpha"), CategoryRow(2, "alpha", "alpha"), CategoryRow(3, "x", "X",
            definition="says what it is", extra={"colour": "red"})]  # fmt: skip
    dataset = Dataset.create(tmp_path / "one", rows)
    export_dataset(dataset, tmp_path / "one.json", "benchmark")
    import_benchmark(tmp_path / "two", tmp_path / "one.json")
    with Dataset.open(tmp_path / "two").reading() as view:
        assert list(view.categories()) == rows


def test_a_second_annotation_of_a_target_never_goes_out_beside_the_first(tmp_path):
    dataset, image = made(tmp_path)
    with dataset.writing("anna") as edit:
        first = edit.add(TargetRow(None, image.id, TANK, state="approved"))
        edit.add(TargetRow(None, image.id, TANK, state="approved", rival_of=first.id))
        edit.add(image_row("images/b.tif"))
    report = export_dataset(dataset, tmp_path / "out.json", "benchmark")
    assert report.left_out == {
        "second annotations of other targets": 1,
        "images without a target that goes out": 1,
    }
    assert [target.id for target in read_benchmark(tmp_path / "out.json").targets] == [first.id]
