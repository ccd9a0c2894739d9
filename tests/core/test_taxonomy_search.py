"""Finding categories by name, synonym or tag, typing errors forgiven."""

import pytest

from ovearth_core.cli.main import main
from ovearth_core.taxonomy import load
from ovearth_core.taxonomy.search import search


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("aeroplane", "airplane"),
        ("airplane", "airplane"),
        ("Airplan", "airplane"),
        ("AIRPLANES", "airplane"),
        ("gas station", "fuel-station"),
        ("amenity=fuel", "fuel-station"),
        ("amenity = fuel", "fuel-station"),
        ("Ａｉｒｐｌａｎｅ", "airplane"),
        ("tenis court", "tennis-court"),
        ("StorageTanks", "storage-tank"),
        ("harbour", "harbor"),
        ("groundtrackfield", "running-track"),
        ("wind_turbine", "wind-turbine"),
        ("vinyard", "vineyard"),
    ],
)
def test_the_category_that_is_meant_comes_first(text, first):
    assert search(load(), text)[0].category.id == first


def test_every_category_is_found_first_by_its_own_names():
    taxonomy = load()
    for category in taxonomy:
        for name in (category.id, *category.names):
            assert search(taxonomy, name)[0].category is category, name


def test_a_part_of_a_name_finds_all_that_have_it():
    found = {hit.category.id for hit in search(load(), "court")}
    assert found >= {"tennis-court", "basketball-court", "beach-volleyball-court"}


@pytest.mark.parametrize("text", ["", "  ", "-", "=", "a" * 201])
def test_what_cannot_be_a_name_is_not_searched_for(text, capsys):
    assert main(["taxonomy", "search", "--", text]) == 2
    printed = capsys.readouterr()
    assert "can't be a category" in printed.err
    assert printed.err.count("\n") == 1


def test_a_search_that_finds_nothing_names_the_nearest(capsys):
    assert main(["taxonomy", "search", "qqqqzzzz"]) == 2
    said = capsys.readouterr().err
    assert said.startswith("error: unknown category 'qqqqzzzz'")
    assert "nearest are" in said


def test_the_list_marks_what_cannot_be_counted(capsys):
    assert main(["taxonomy", "list", "--domain", "water infrastructure"]) == 0
    printed = capsys.readouterr().out
    assert "river" in printed
    assert "not instanceable" in printed
    assert "airport" not in printed
    assert printed.endswith("172 categories, 12 of them not instanceable\n")


def test_an_unknown_domain_is_answered_with_the_known_ones(capsys):
    assert main(["taxonomy", "list", "--domain", "watr"]) == 2
    assert "water infrastructure" in capsys.readouterr().err


def test_a_key_with_a_star_finds_all_that_have_the_key():
    found = {hit.category.id for hit in search(load(), "natural=*") if "tag" in hit.reason}
    assert found >= {"tree", "cliff", "glacier", "beach"}


@pytest.mark.parametrize("name", ["fuel-station", "petrol station"])
def test_one_category_is_shown_by_any_of_its_names(name, capsys):
    assert main(["taxonomy", "show", name]) == 0
    assert "name: fuel station\n" in capsys.readouterr().out


def test_the_overpass_query_of_a_category_is_printed_alone(capsys):
    assert main(["taxonomy", "show", "fuel-station", "--overpass"]) == 0
    printed = capsys.readouterr().out
    assert printed.startswith("[out:json]")
    assert '["amenity"="fuel"]' in printed


def test_the_overpass_query_takes_a_box(capsys):
    box = ["--bbox", "9.4", "47.0", "9.7", "47.3"]
    assert main(["taxonomy", "show", "fuel-station", "--overpass", *box]) == 0
    assert "[bbox:47.0000000,9.4000000,47.3000000,9.7000000]" in capsys.readouterr().out
