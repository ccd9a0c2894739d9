"""Folders of masks: each file answers the query that it is named after."""

import hashlib
import json
import os
import shutil
from urllib.parse import quote

import numpy as np
import pytest
import rasterio
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ovearth_core.benchmark import Truth
from ovearth_core.cli.main import main
from ovearth_core.geometry import Runs
from ovearth_core.predictions import predictions_from, read_predictions
from ovearth_core.requests import write_requests
from ovearth_core.scoring import evaluate

from . import making
from .random_benchmarks import HEIGHT, WIDTH, random_benchmark
from .shared import DATA, needs_shared

SUFFIXES = {".png": "PNG", ".tif": "GTiff", ".tiff": "GTiff"}
PLACE = rasterio.Affine(0.5, 0, 512000, 0, -0.5, 4323000)


def write_mask(path, pixels, **profile):
    """Write a mask; a GeoTIFF is georeferenced, which must not matter."""
    is_png = path.suffix.lower() == ".png"
    placed = {} if is_png else {"crs": "EPSG:32632", "transform": PLACE}
    options = {"driver": SUFFIXES[path.suffix.lower()], "dtype": "uint8", "count": 1, **placed}
    height, width = pixels.shape
    with rasterio.open(path, "w", width=width, height=height, **{**options, **profile}) as file:
        for band in range(file.count):
            file.write(pixels.astype(np.uint8), band + 1)
    path.with_name(f"{path.name}.aux.xml").unlink(missing_ok=True)
    return path


@pytest.fixture
def masks(tmp_path):
    """A folder with one mask of every pixel, for v1."""
    folder = tmp_path / "masks"
    folder.mkdir()
    write_mask(folder / "v1.png", np.ones((80, 100)))
    return folder


pytestmark = pytest.mark.filterwarnings("ignore::rasterio.errors.NotGeoreferencedWarning")


@given(seed=st.integers(0, 10**9))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=15)
def test_masks_in_files_score_what_the_same_masks_score_as_rles(tmp_path_factory, seed):
    rng = np.random.default_rng(seed)
    folder = tmp_path_factory.mktemp("masks")
    benchmark = making.read(tmp_path_factory.mktemp("benchmark"), random_benchmark(seed))
    truth = Truth(benchmark)
    records = []
    for query in benchmark.queries:
        mask = truth.mask(query.target_id)
        pixels = np.roll(mask.to_array(), tuple(rng.integers(-3, 4, 2)), axis=(0, 1))
        assert pixels.shape == (HEIGHT, WIDTH)
        suffix = rng.choice(list(SUFFIXES))
        write_mask(folder / f"{quote(query.id, safe='')}{suffix}", pixels * rng.integers(1, 256))
        records.append({"query_id": query.id, "mask": Runs.from_array(pixels).to_rle()})
    found = evaluate(benchmark, read_predictions(folder)).to_dict()
    wanted = evaluate(benchmark, predictions_from(records)).to_dict()
    for name in ("model", "predictions_sha256"):
        del found[name], wanted[name]
    assert found == wanted


def test_ids_are_percent_decoded(masks):
    for query_id in ("a/b", "1:3", "é ü", "..", "100%", "c%2Fd", "CON"):
        write_mask(masks / f"{quote(query_id, safe='').replace('.', '%2E')}.png", np.ones((8, 8)))
    run = read_predictions(masks)
    ids = [record.query_id for record in run]
    assert set(ids) == {"a/b", "1:3", "é ü", "..", "100%", "c%2Fd", "CON", "v1"}
    files = sorted(path.name for path in masks.glob("*.png"))
    assert [record.mask["file"] for record in run] == files


def test_the_run_is_named_after_its_folder_and_has_masks_only(masks, monkeypatch):
    monkeypatch.chdir(masks)
    for name in (masks, "."):
        header = read_predictions(name).header
        assert (header.model, header.in_map, header.modalities) == ("masks", False, ("mask",))


def test_hidden_and_side_files_are_passed_over(masks):
    for name in (".DS_Store", ".hidden.png", "v1.tfw", "v1.pgw", "v1.prj", "Thumbs.db", "v1.wld"):
        (masks / name).write_text("x")
    assert [record.query_id for record in read_predictions(masks)] == ["v1"]


def test_nodata_is_background_also_in_a_side_file(masks, tmp_path):
    pixels = np.zeros((80, 100))
    pixels[10:30, 10:30], pixels[:5] = 7, 255
    write_mask(masks / "v2.tif", pixels, nodata=255)
    write_mask(masks / "f1.png", pixels)
    before = read_predictions(masks).sha256
    note = "<PAMDataset><PAMRasterBand band='1'><NoDataValue>255</NoDataValue></PAMRasterBand>"
    (masks / "f1.png.aux.xml").write_text(f"{note}</PAMDataset>")
    benchmark = making.read(tmp_path, making.benchmark())
    run = read_predictions(masks)
    assert run.sha256 != before
    scores = evaluate(benchmark, run).to_dict()["segmentation"]
    assert scores["referring"]["ma_p"] == 1.0


def test_the_checksum_is_that_of_the_list_that_sha256sum_prints(masks):
    write_mask(masks / "v2.tif", np.ones((80, 100)))
    lines = [
        f"{hashlib.sha256((masks / name).read_bytes()).hexdigest()}  {name}\n"
        for name in ("v1.png", "v2.tif")
    ]
    assert read_predictions(masks).sha256 == hashlib.sha256("".join(lines).encode()).hexdigest()


def test_blind_requests_are_answered_in_folders_too(masks, tmp_path):
    path = making.write_benchmark(tmp_path)
    write_requests(making.read(tmp_path, making.benchmark()), tmp_path / "r", tmp_path / "k")
    ids = json.loads((tmp_path / "k").read_text())["requests"]
    request = next(request for request, query in ids.items() if query == "v1")
    (masks / "v1.png").rename(masks / f"{request}.png")
    assert main(["score", str(path), str(masks), "--key", str(tmp_path / "k")]) == 0


def test_unknown_queries_are_refused_by_file_or_counted(masks, refuse, tmp_path, capsys):
    write_mask(masks / "x9.png", np.ones((80, 100)))
    path = making.write_benchmark(tmp_path)
    assert main(["score", str(path), str(masks), "--ignore-unknown"]) == 0
    assert "1 answers to unknown queries ignored" in capsys.readouterr().err
    line = refuse(run=masks)
    assert "unknown query id 'x9'" in line
    assert f"{masks} file 'x9.png'" in line


def test_an_output_replaces_no_mask(masks, tmp_path, capsys):
    path = making.write_benchmark(tmp_path)
    assert main(["score", str(path), str(masks), "--json", str(masks / "v1.png")]) == 2
    assert "would replace what is read" in capsys.readouterr().err


class TestRefused:
    def test_a_folder_without_masks(self, refuse, tmp_path):
        (tmp_path / "none").mkdir()
        assert "no mask in the folder" in refuse(run=tmp_path / "none")

    @pytest.mark.parametrize("name", ["notes.txt", "v2.jpg", "v2", "run.jsonl"])
    def test_another_file_by_name(self, masks, refuse, name):
        (masks / name).write_text("x")
        line = refuse(run=masks)
        assert "is no mask" in line
        assert name in line

    def test_a_folder_in_it_by_name(self, masks, refuse):
        (masks / "more").mkdir()
        assert f"is a folder among masks, {masks / 'more'}" in refuse(run=masks)

    def test_two_masks_of_one_query_by_name(self, masks, refuse):
        write_mask(masks / "v%31.tif", np.ones((80, 100)))
        line = refuse(run=masks)
        assert "query 'v1' has two masks" in line
        assert "'v%31.tif' and 'v1.png'" in line

    @pytest.mark.parametrize("name", ["%FF.png", b"\xff.png"])
    def test_a_name_that_is_no_utf_8(self, masks, refuse, name):
        target = bytes(masks) + b"/" + (name if isinstance(name, bytes) else name.encode())
        with open(target, "wb") as file:  # noqa: PTH123 - a path of bytes
            file.write(b"x")
        assert "no UTF-8" in refuse(run=masks)

    @pytest.mark.parametrize("name", ["1:3.png", "a\\b.png"])
    def test_a_name_that_would_be_another_path_elsewhere(self, masks, refuse, name):
        write_mask(masks / name, np.ones((80, 100)))
        assert f"name it '{quote(name[:-4], safe='')}.png'" in refuse(run=masks)

    def test_another_size_and_several_bands_with_file_and_query(self, masks, refuse):
        write_mask(masks / "v2.tif", np.ones((100, 80)))
        line = refuse(run=masks)
        assert "[100, 80]" in line
        assert "file 'v2.tif', query v2" in line
        write_mask(masks / "v2.tif", np.ones((80, 100)), count=3)
        assert "3 bands" in refuse(run=masks)

    def test_a_link_that_leaves_the_folder(self, masks, refuse):
        (masks / "v2.png").symlink_to("/etc/hostname")
        assert "leaves its folder" in refuse(run=masks)

    @pytest.mark.parametrize("suffix", SUFFIXES)
    def test_a_mask_that_is_cut_off(self, masks, refuse, suffix):
        path = write_mask(masks / f"v2{suffix}", np.ones((80, 100)))
        whole = path.read_bytes()
        for size in (len(whole) - 8, len(whole) // 2, 20, 0):
            path.write_bytes(whole[:size])
            assert f"v2{suffix}" in refuse(run=masks)

    @needs_shared
    def test_real_rasters_that_are_no_masks(self, masks, refuse):
        (masks / "v1.png").unlink()
        large = making.benchmark(images=[making.image(1, 1024, 1024)])
        for name, said in (("corrupt.tif", "3 bands"), ("RGBA.uint16.tif", "has size")):
            shutil.copy(DATA / "odd" / name, masks / "v2.tif")
            line = refuse(run=masks, benchmark=large)
            assert said in line
            assert "file 'v2.tif', query v2" in line


class TestSurprises:
    def test_nan_is_refused_unless_it_is_nodata(self, refuse, masks):
        pixels = np.full((80, 100), np.nan, dtype=np.float32)
        path = masks / "v1.tif"
        (masks / "v1.png").unlink()
        profile = {"driver": "GTiff", "dtype": "float32", "count": 1, "width": 100, "height": 80}
        with rasterio.open(path, "w", **profile) as file:
            file.write(pixels, 1)
        assert "has NaN in it" in refuse(run=masks)

    def test_what_is_no_regular_file_is_refused_and_not_waited_for(self, refuse, masks):
        os.mkfifo(masks / "v2.png")
        assert "is no regular file" in refuse(run=masks)

    def test_no_output_may_lie_among_the_masks(self, masks, tmp_path, capsys):
        benchmark = making.write_benchmark(tmp_path)
        arguments = ["score", benchmark, masks, "--per-query", masks]
        assert main(list(map(str, arguments))) == 2
        assert "lie in its folder" in capsys.readouterr().err
        assert [path.name for path in masks.iterdir()] == ["v1.png"]
