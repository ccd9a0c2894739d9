"""A release is frozen: whole or not at all, with checksums that find every later change."""

import json
import shutil
import subprocess
import sys
from dataclasses import replace

import pytest

from ovearth_core.benchmark import read_benchmark
from ovearth_core.cli.main import main
from ovearth_core.dataset import Dataset
from ovearth_core.dataset.exchange.benchmark_in import import_benchmark
from ovearth_core.dataset.exchange.beside import folder_beside
from ovearth_core.dataset.exchange.exporting import export_dataset
from ovearth_core.dataset.exchange.release import verify_release
from ovearth_core.errors import OVEarthError
from ovearth_core.raster_file import file_sha256
from ovearth_core.sample.write import write_sample

from .shared import CHECKOUT


@pytest.fixture(scope="module")
def made_once(tmp_path_factory):
    folder = tmp_path_factory.mktemp("release")
    import_benchmark(folder / "dataset", write_sample(folder / "demo").benchmark)
    return folder / "dataset"


@pytest.fixture
def dataset(made_once, tmp_path):
    shutil.copytree(made_once, tmp_path / "dataset")
    return Dataset.open(tmp_path / "dataset")


def test_a_release_carries_its_version_and_is_verified_by_anybody(dataset, tmp_path):
    report = export_dataset(dataset, tmp_path / "v1", "benchmark", release="1.2")
    assert report.notes == ("release 1.2: verify with sha256sum -c SHA256SUMS",)
    benchmark = read_benchmark(tmp_path / "v1" / "benchmark.json")
    assert benchmark.info["version"] == "1.2"
    assert all((tmp_path / "v1" / image.file_name).is_file() for image in benchmark.images)
    assert list(verify_release(tmp_path / "v1")) == []
    if shutil.which("sha256sum"):
        judge = ["sha256sum", "--check", "--strict", "--quiet", "SHA256SUMS"]
        subprocess.run(judge, cwd=tmp_path / "v1", check=True)


def test_the_same_release_has_the_same_bytes(dataset, tmp_path):
    for name in ("one", "two"):
        export_dataset(dataset, tmp_path / name, "benchmark", release="1.2")
    one, two = ((tmp_path / name / "SHA256SUMS").read_bytes() for name in ("one", "two"))
    assert one == two


def test_every_later_change_is_found(dataset, tmp_path):
    folder = tmp_path / "v1"
    export_dataset(dataset, folder, "benchmark", release="1.2")
    first, second = sorted((folder / "images").iterdir())[:2]
    first.write_bytes(first.read_bytes() + b"x")
    second.unlink()
    (folder / "notes.txt").write_text("mine")
    found = {fault.file: fault.what for fault in verify_release(folder)}
    assert found == {
        f"images/{first.name}": "was changed",
        f"images/{second.name}": "is missing",
        "notes.txt": "is not part of the release",
    }


def refused(dataset, out, release="1.2"):
    with pytest.raises(OVEarthError) as fault:
        export_dataset(dataset, out, "benchmark", release=release)
    return str(fault.value)


def test_nothing_is_released_that_is_not_whole(dataset, tmp_path):
    image = sorted((dataset.folder / "images").iterdir())[0]
    whole = image.read_bytes()
    image.write_bytes(whole + b"x")
    assert "the image has changed since it was taken in" in refused(dataset, tmp_path / "v1")
    image.unlink()
    assert f"1 image files are missing: images/{image.name}" in refused(dataset, tmp_path / "v1")
    image.write_bytes(whole)
    assert "without a version" in refused(dataset, tmp_path / "v1", " ")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["dataset"]


KILLED = """
import os, signal, sys
from ovearth_core.cli import main
from ovearth_core.dataset.exchange import release
release.file_sha256 = lambda path: os.kill(os.getpid(), signal.SIGKILL)
main.main(sys.argv[1:])
"""


@pytest.mark.parametrize("version", ["../evil", "1/2", "a b", ".", "-1", "v1\n"])
def test_what_is_no_version_is_refused(dataset, tmp_path, version):
    with pytest.raises(OVEarthError, match="is no version, --release"):
        export_dataset(dataset, tmp_path / "v1", "benchmark", release=version)


def test_the_next_release_removes_what_a_killed_one_has_left_and_nothing_else(dataset, tmp_path):
    out = tmp_path / "out" / "v1"
    told = ["export", str(dataset.folder), str(out), "--format", "benchmark", "--release", "1"]
    child = subprocess.run([sys.executable, "-c", KILLED, *told], cwd=CHECKOUT, check=False)
    assert child.returncode == -9
    (left,) = [path for path in out.parent.iterdir() if path.is_dir()]
    other = out.parent / (".v2" + left.name[3:])
    other.mkdir()
    # Another one to the same place that is still being written.
    with folder_beside(out) as filling:
        assert main(told) == 0
        assert filling.exists()
    assert {path.name for path in out.parent.iterdir()} == {"v1", other.name}


def test_an_image_whose_pixels_can_not_be_read_is_not_released(dataset, tmp_path, capsys):
    image = min((dataset.folder / "images").iterdir())
    image.write_bytes(image.read_bytes()[:-200])
    with dataset.writing() as edit:
        (row,) = (row for row in edit.images() if row.file_name.endswith(image.name))
        edit.update(replace(row, sha256=file_sha256(image)))
    command = ["export", str(dataset.folder), str(tmp_path / "v1"), "--format", "benchmark"]
    assert main([*command, "--release", "1"]) == 2
    printed = capsys.readouterr().err
    assert "can't be read" in printed or "can be read" in printed
    assert str(image) in printed
    assert not (tmp_path / "v1").exists()


def test_a_release_is_never_written_over(dataset, tmp_path, capsys):
    arguments = ["export", str(dataset.folder), str(tmp_path / "v1"), "--format", "benchmark",
                 "--release", "1.0"]  # fmt: skip
    assert main(arguments) == 0
    sums = (tmp_path / "v1" / "SHA256SUMS").read_bytes()
    assert main(arguments) == 2
    assert "releases stay frozen" in capsys.readouterr().err
    assert (tmp_path / "v1" / "SHA256SUMS").read_bytes() == sums


@pytest.mark.parametrize("line", ["", "abc  a.tif", "g" * 64 + "  a.tif", "a" * 64 + " a.tif"])
def test_checksums_that_are_none_are_refused_with_their_line(tmp_path, line):
    (tmp_path / "SHA256SUMS").write_text(f"{'a' * 64}  b\n{line}\n")
    with pytest.raises(OVEarthError, match="line 2"):
        list(verify_release(tmp_path))
    with pytest.raises(OVEarthError, match="there are no checksums"):
        list(verify_release(tmp_path / "nowhere"))


def test_a_release_read_back_is_released_again_as_it_was(dataset, tmp_path):
    export_dataset(dataset, tmp_path / "v1", "benchmark", release="1.2")
    import_benchmark(tmp_path / "again", tmp_path / "v1" / "benchmark.json")
    export_dataset(Dataset.open(tmp_path / "again"), tmp_path / "v2", "benchmark", release="1.2")
    one, two = (json.loads((tmp_path / v / "benchmark.json").read_text()) for v in ("v1", "v2"))
    assert one == two
    assert (tmp_path / "v1/SHA256SUMS").read_bytes() == (tmp_path / "v2/SHA256SUMS").read_bytes()


def test_check_holds_a_release_against_its_checksums(dataset, tmp_path, capsys):
    folder = tmp_path / "v1"
    export_dataset(dataset, folder, "benchmark", release="1.2")
    sound = main(["check", str(folder / "benchmark.json")])
    of_the_file = capsys.readouterr().out.splitlines()[:-1]
    assert main(["check", str(folder)]) == sound
    assert capsys.readouterr().out.splitlines()[:-1] == of_the_file
    image = min((folder / "images").iterdir())
    image.unlink()
    found = tmp_path / "found.json"
    assert main(["check", str(folder), "--json", str(found)]) == 1
    first, *others = json.loads(found.read_text())["problems"]
    assert (first["kind"], first["severity"]) == ("release-file", "error")
    assert first["where"] == f"file images/{image.name}"
    assert len(others) == len(of_the_file)
    (folder / "benchmark.json").unlink()
    assert main(["check", str(folder)]) == 1
    assert "file benchmark.json: is missing [release-file]" in capsys.readouterr().out


def test_other_commands_take_a_releases_folder_for_its_benchmark(dataset, tmp_path, capsys):
    folder = tmp_path / "v1"
    export_dataset(dataset, folder, "benchmark", release="1.2")
    for command in ("stats", "boxes"):
        told = []
        for place in (folder, folder / "benchmark.json"):
            assert main([command, str(place)]) == 0
            told.append(capsys.readouterr().out)
        assert told[0] == told[1]
    assert main(["check", str(folder), "--json", str(folder / "benchmark.json")]) == 2
    assert list(verify_release(folder)) == []


def test_check_of_the_benchmark_in_a_release_holds_its_files_against_their_checksums(
    dataset, tmp_path, capsys
):
    folder = tmp_path / "v1"
    export_dataset(dataset, folder, "benchmark", release="1.2")
    image = min((folder / "images").iterdir())
    image.write_bytes(image.read_bytes() + b"x")
    assert main(["check", str(folder / "benchmark.json")]) == 1
    assert f"file images/{image.name}: was changed" in capsys.readouterr().out
    sums = folder / "SHA256SUMS"
    sums.write_text(sums.read_text().replace("benchmark.json", "other.json"))
    main(["check", str(folder / "benchmark.json")])
    assert "release-file" not in capsys.readouterr().out


@pytest.mark.parametrize("what", ["image", "benchmark"])
def test_a_changed_release_is_not_imported(dataset, tmp_path, what, capsys):
    folder = tmp_path / "v1"
    export_dataset(dataset, folder, "benchmark", release="1.2")
    changed = min((folder / "images").iterdir())
    if what == "benchmark":
        changed = folder / "benchmark.json"
    changed.write_bytes(changed.read_bytes() + b"\n")
    command = ["import", str(tmp_path / "again"), str(folder / "benchmark.json")]
    assert main([*command, "--format", "benchmark"]) == 2
    told = capsys.readouterr().err
    assert told.startswith("error: ")
    assert "changed since it was released" in told
    assert changed.name in told
    assert not (tmp_path / "again").exists()
    (folder / "SHA256SUMS").unlink()
    assert main([*command, "--format", "benchmark"]) == 0


def test_a_release_without_its_images_is_imported_still(dataset, tmp_path):
    folder = tmp_path / "v1"
    export_dataset(dataset, folder, "benchmark", release="1.2")
    shutil.rmtree(folder / "images")
    import_benchmark(tmp_path / "again", folder / "benchmark.json")
