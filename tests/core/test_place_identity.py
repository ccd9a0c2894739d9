"""Which places are the same: what and where they are decides, not a file's numbers."""

import json

from hypothesis import given
from hypothesis import strategies as st

from ovearth_core.cli.main import main
from ovearth_core.collection.identity import identity, is_worldwide, worldwide_reference
from ovearth_core.collection.patches import Place, read_places
from ovearth_core.collection.pois import SourceChoice, Wishes, area_of, open_source, search
from ovearth_core.collection.pois.candidates import Candidates
from ovearth_core.collection.pois.into_dataset import add_candidates, known_places, search_into
from ovearth_core.taxonomy import load

from .patch_jobs import FRAME, dataset_at, imagery, images, run

SCHOOL = load().find("school")
WHERE = area_of(14.9, 49.9, 15.1, 50.1)
NEAR = [(300, 300), (700, 300), (1100, 300), (300, 800)]


def table(path, pixels, ids=None, names=None, order=None):
    """A CSV of schools at pixels of FRAME."""
    lines = [
        f"{ids[i] if ids else i},{lon!r},{lat!r},{names[i] if names else f'n{i}'},school"
        for i, (lon, lat) in enumerate(FRAME.pixel_to_lonlat(pixels).tolist())
    ]
    if order:
        lines = [lines[i] for i in order]
    path.parent.mkdir(exist_ok=True)
    path.write_text("\n".join(["id,lon,lat,name,category", *lines]) + "\n")
    return path


def found(dataset, path, **wishes):
    source = open_source(SourceChoice(str(path)))
    choice = search(source, [SCHOOL], WHERE, Wishes(**wishes), known_places(dataset)).choice
    add_candidates(dataset, choice, [SCHOOL])
    return choice


def places_of(dataset):
    with dataset.reading() as view:
        return {poi.id: poi for poi in view.pois()}


class TestSearch:
    def test_another_file_of_the_same_name_and_numbers_has_other_places(self, tmp_path):
        dataset = dataset_at(tmp_path, [])
        first = table(tmp_path / "a" / "places.csv", NEAR[:2])
        second = table(tmp_path / "b" / "places.csv", NEAR[2:])
        assert len(found(dataset, first).chosen) == 2
        choice = found(dataset, second)
        assert (len(choice.chosen), choice.counts) == (2, {})

    def test_what_somebody_adds_during_the_search_is_not_added_twice(self, tmp_path):
        dataset = dataset_at(tmp_path, [])
        path = table(tmp_path / "a" / "places.csv", NEAR)
        others = []

        def somebody_else(*_):
            if not others:
                others.append(found(dataset, path, limit=1).chosen)

        source, wishes = open_source(SourceChoice(str(path))), Wishes(limit=3)
        result = search_into(dataset, source, [SCHOOL], WHERE, wishes, progress=somebody_else)
        assert len(others[0]) == 1
        assert len(result.choice.chosen) == 2
        assert result.choice.counts["in the dataset already"] == 1
        assert len(places_of(dataset)) == 3

    def test_what_a_person_moved_is_not_found_again_where_it_was(self, tmp_path):
        dataset = dataset_at(tmp_path, [])
        path = table(tmp_path / "a" / "places.csv", NEAR[:1])
        found(dataset, path)
        ((number, place),) = places_of(dataset).items()
        Candidates(dataset).move(number, place.lon + 0.001, place.lat)
        assert found(dataset, path).counts == {"in the dataset already": 1}
        assert len(places_of(dataset)) == 1

    def test_one_file_may_give_one_number_twice(self, tmp_path):
        dataset = dataset_at(tmp_path, [])
        choice = found(dataset, table(tmp_path / "places.csv", NEAR, ids=[1, 1, 1, 1]))
        assert len(choice.chosen) == 4
        assert len({poi.id for poi in choice.chosen}) == 4

    def test_renamed_and_sorted_anew_it_has_the_same_places_and_the_same_sample(self, tmp_path):
        dataset = dataset_at(tmp_path, [])
        first = table(tmp_path / "a.csv", NEAR)
        other = table(tmp_path / "b.csv", NEAR, ids=[9, 8, 7, 6], order=[2, 0, 3, 1])
        samples = [
            [
                (poi.lon, poi.lat)
                for poi in search(
                    open_source(SourceChoice(str(path))), [SCHOOL], WHERE, Wishes(limit=2)
                ).choice.chosen
            ]
            for path in (first, other)
        ]
        assert samples[0] == samples[1]
        assert len(found(dataset, first).chosen) == 4
        choice = found(dataset, other)
        assert choice.counts == {"in the dataset already": 4}
        assert {drop.detail for drop in choice.dropped} == {"the same object"}


class TestPatches:
    def test_a_second_file_with_the_same_numbers_is_cut_too(self, tmp_path):
        dataset = dataset_at(tmp_path, [])
        path = imagery(tmp_path)
        run(dataset, path, places=read_places(table(tmp_path / "a.csv", NEAR[:2])))
        report = run(dataset, path, places=read_places(table(tmp_path / "b.csv", NEAR[2:])))
        assert (report.already, len(report.fetched)) == (0, 2)

    def test_each_patch_hangs_on_the_place_that_it_shows(self, tmp_path):
        dataset = dataset_at(tmp_path, [])
        places = table(tmp_path / "a.csv", NEAR, ids=[1, 1, 1, 1])
        assert len(run(dataset, imagery(tmp_path), places=read_places(places)).fetched) == 4
        pois = places_of(dataset)
        assert len(pois) == 4
        for image in images(dataset):
            x, y = FRAME.lonlat_to_pixel([[pois[image.poi_id].lon, pois[image.poi_id].lat]])[0]
            inside = image.frame().lonlat_to_pixel(FRAME.pixel_to_lonlat([[x, y]]))[0]
            assert abs(inside - 64).max() < 1.0

    def test_the_same_places_from_another_file_are_there_already(self, tmp_path):
        dataset = dataset_at(tmp_path, [])
        path = imagery(tmp_path)
        first = table(tmp_path / "a.csv", NEAR)
        run(dataset, path, places=read_places(first))
        other = table(tmp_path / "b.csv", NEAR, ids=[9, 8, 7, 6], order=[2, 0, 3, 1])
        (tmp_path / "c.geojson").write_text(
            json.dumps({
                "type": "FeatureCollection",
                "features": [
                    {"type": "Feature", "properties": {"name": p.name, "category": p.category},
                     "geometry": {"type": "Point", "coordinates": [p.lon, p.lat]}}
                    for p in read_places(first)
                ],
            })
        )  # fmt: skip
        for again in (other, tmp_path / "c.geojson"):
            report = run(dataset, path, places=read_places(again))
            assert (report.already, len(report.fetched)) == (4, 0)
        assert len(places_of(dataset)) == 4

    def test_equal_rows_are_listed_as_duplicates(self, tmp_path):
        dataset = dataset_at(tmp_path, [])
        rows = table(tmp_path / "a.csv", [NEAR[0]] * 3 + NEAR[1:2], names=["n"] * 4)
        report = run(dataset, imagery(tmp_path), places=read_places(rows))
        assert len(report.fetched) == 2
        assert [entry["reason"] for entry in report.refused] == ["duplicate"] * 2
        assert [entry["reference"] for entry in report.refused] == ["1", "2"]


def test_what_holds_worldwide_is_told_from_a_files_numbers():
    gers = "5f3c6ab2-1c1d-4d53-9a41-0f1de0a8f001"
    overture = {"id": gers, "version": 1, "sources": []}
    for columns, reference in [
        ({"reference": "osm:way/12"}, "osm:way/12"), ({"@id": "way/12"}, "osm:way/12"),
        ({"full_id": "w12"}, "osm:way/12"), ({"id": "node/5"}, "osm:node/5"),
        ({"osm_type": "relation", "osm_id": 7}, "osm:relation/7"), (overture, f"gers:{gers}"),
        ({"id": "n5"}, None), ({"id": 5}, None), ({"fid": 5}, None), ({"osm_id": "5"}, None),
        ({"id": gers}, None), ({"uuid": gers}, None), ({"reference": "places:1"}, None),
    ]:  # fmt: skip
        assert worldwide_reference(columns) == reference
        assert reference is None or is_worldwide(reference)


@given(
    st.floats(-180, 179.999), st.floats(-90, 90), st.integers(-1, 1), st.text(max_size=5),
    st.integers(0, 99),
)  # fmt: skip
def test_neither_numbers_nor_turns_of_the_world_make_another_place(lon, lat, turn, name, number):
    lon, lat = round(lon, 6), round(lat, 6)
    one = identity(None, lon, lat, name)
    assert identity(f"file:{number}", lon + 360.0 * turn, lat, name) == one
    assert identity(None, lon, lat, name + "x") != one
    here = Place(lon, lat, name=name, category="school", reference=str(number))
    assert here.key == Place(lon, lat, name=name, category="school").key
    assert here.key != Place(lon, lat, name=name, category="church").key


def test_the_command_finds_both_of_two_files(tmp_path, capsys):
    dataset = dataset_at(tmp_path, [])
    for name, pixels in (("a", NEAR[:2]), ("b", NEAR[2:])):
        path = table(tmp_path / name / "places.csv", pixels)
        box = ["--bbox", "14.9", "49.9", "15.1", "50.1"]
        arguments = ["--category", "school", *box, "--source", str(path)]
        assert main(["pois", "search", *arguments, "--dataset", str(dataset.folder)]) == 0
        assert "2 places" in capsys.readouterr().out
    assert len(places_of(dataset)) == 4
