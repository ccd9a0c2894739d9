"""What `ovearth patches` says: numbers with their nouns, hints that help, codes that tell."""

import pytest

from ovearth_core.cli.main import main
from ovearth_core.collection.patches.estimate import Estimate
from ovearth_core.spelling import nearest

from .loopback import serving
from .patch_jobs import dataset_at, imagery, served
from .tile_worlds import world


def said(capsys, *arguments):
    code = main(["patches", *map(str, arguments)])
    captured = capsys.readouterr()
    return code, captured.out.strip(), captured.err.strip().splitlines()


def test_one_is_one_and_little_is_not_nothing(tmp_path, capsys):
    dataset = dataset_at(tmp_path, [(800, 600)])
    path = imagery(tmp_path)
    code, out, err = said(capsys, dataset.folder, "--imagery", path, "--size", 100)
    assert (code, out) == (0, "1 patch")
    assert err[-1] == "1 patch, 0.01 megapixels, about 0.03 MB before compression"
    code, out, err = said(capsys, dataset.folder, "--imagery", path, "--size", 100)
    assert (code, out) == (0, "0 patches, 1 there already")
    assert err[-1] == "nothing is left to be made"


@pytest.mark.parametrize(
    ("pixels", "text"),
    [(16, "less than 0.01"), (123_000, "0.12"), (2_960_000, "3"), (12_345_678_900, "12,346")],
)
def test_amounts_are_said_to_two_digits_at_least(pixels, text):
    assert f", {text} megapixels," in Estimate(2, 2, pixels, 5, 5, 5, 0).line()


def test_more_requests_than_a_server_likes_are_refused_unless_meant(tmp_path, capsys):
    dataset = dataset_at(tmp_path, [(800, 600)])
    lines = [f"{lon / 20},{lat / 20},p" for lon in range(80) for lat in range(80)]
    (tmp_path / "many.csv").write_text("\n".join(["lon,lat,name", *lines]))
    arguments = ["--imagery", "", "--pois", tmp_path / "many.csv", "--size", 512, "--gsd", 2.5]
    with serving(world()) as server:
        arguments[1] = f"xyz:{server.url}/{{z}}/{{x}}/{{y}}.png#max_zoom=16"
        code, _, err = said(capsys, dataset.folder, *arguments, "--dry-run")
        assert code == 2
        assert err[-1].startswith("error: too many requests: 6,400 patches")
        assert err[-1].endswith("or lift the limit with --no-limit")
        assert said(capsys, dataset.folder, *arguments, "--dry-run", "--no-limit")[0] == 0


def test_where_not_one_could_be_cut_the_code_is_1(tmp_path, capsys):
    path = imagery(tmp_path)
    (tmp_path / "a").mkdir()
    outside = dataset_at(tmp_path / "a", [(-500, 600)])
    for _ in range(2):
        assert said(capsys, outside.folder, "--imagery", path)[:2] == (
            1, "0 patches, 1 refused (1 outside)",
        )  # fmt: skip
    assert said(capsys, outside.folder, "--imagery", path, "--dry-run")[0] == 0
    both = dataset_at(tmp_path, [(-500, 600), (800, 600)])
    arguments = [both.folder, "--imagery", path, "--size", 100]
    assert said(capsys, *arguments)[:2] == (0, "1 patch, 1 refused (1 outside)")
    assert said(capsys, *arguments)[0] == 0


def test_a_dataset_without_places_says_how_to_get_some(tmp_path, capsys):
    dataset = dataset_at(tmp_path, [])
    code, _, err = said(capsys, dataset.folder, "--imagery", imagery(tmp_path))
    assert code == 2
    assert err[-1].startswith("error: it has no places of interest")
    assert "ovearth pois search --dataset" in err[-1]
    assert "--pois" in err[-1]


def test_an_unknown_grid_is_told_the_nearest(tmp_path, capsys):
    dataset = dataset_at(tmp_path, [(800, 600)])
    _, _, err = said(capsys, dataset.folder, "--imagery", imagery(tmp_path), "--grid", "metrics")
    assert err[-1].endswith("did you mean 'metric'? (auto, own or metric)")


def test_a_raster_that_is_not_there_has_a_hint(tmp_path, capsys):
    dataset = dataset_at(tmp_path, [(800, 600)])
    with served(tmp_path) as server:
        _, _, err = said(capsys, dataset.folder, "--imagery", f"{server.address}/no.tif")
    assert err[-1].endswith("the server has no such file: check the address")
    _, _, err = said(capsys, dataset.folder, "--imagery", tmp_path / "no.tif")
    assert err[-1].endswith("check the path")


def test_of_many_right_words_only_the_nearest_are_named():
    words = [f"layer_{number}_{'x' * 100}" for number in range(500)]
    hint = nearest("layer_77", words)
    assert "layer_77_" in hint
    assert hint.endswith("and 495 more)")
    assert len(hint) < 500
