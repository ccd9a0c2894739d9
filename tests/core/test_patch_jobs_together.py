"""Jobs on one dataset at once, and jobs that the disk has no room for."""

import json
import shutil
import subprocess
import sys

import pytest

from ovearth_core.collection.imagery import ImagerySpec
from ovearth_core.collection.patches import (
    PatchJob,
    PatchShape,
    dataset_places,
    extract_patches,
    plan_patches,
    read_places,
)
from ovearth_core.collection.patches.plan import imagery_key
from ovearth_core.errors import OutputError, UsageError
from ovearth_core.one_at_a_time import one_at_a_time

from .patch_jobs import dataset_at, imagery, images, run
from .shared import CHECKOUT
from .test_patch_jobs import SPREAD, _table


def planned(dataset, path, places=None, size=128):
    job = PatchJob(ImagerySpec(str(path)), PatchShape(size_px=size), keep_duplicates=True)
    return plan_patches(dataset, dataset_places(dataset) if places is None else places, job), job


def test_what_another_job_made_meanwhile_counts_as_there_already(tmp_path):
    dataset = dataset_at(tmp_path, SPREAD[:3])
    path = imagery(tmp_path)
    first, second = planned(dataset, path), planned(dataset, path)
    assert extract_patches(dataset, *first).line().startswith("3 patches")
    report = extract_patches(dataset, *second)
    assert (len(report.fetched), report.already) == (0, 3)
    assert len(images(dataset)) == 3


def test_the_same_job_twice_at_once_is_refused_in_one_line_and_another_is_not(tmp_path):
    dataset = dataset_at(tmp_path, SPREAD[:2])
    plan, job = planned(dataset, imagery(tmp_path))
    lock = dataset.folder / f".patches-{imagery_key(job.spec, job.shape)}.lock"
    with one_at_a_time(lock, "running"):
        with pytest.raises(UsageError, match=r"another job is making the same patches.*wait"):
            extract_patches(dataset, plan, job)
        assert len(extract_patches(dataset, *planned(dataset, job.spec.text, size=64)).fetched) == 2
    assert len(extract_patches(dataset, plan, job).fetched) == 2
    assert not list(dataset.folder.glob("*.lock"))


def test_places_that_another_job_added_meanwhile_are_not_added_again(tmp_path):
    dataset = dataset_at(tmp_path, [])
    path = imagery(tmp_path)
    plan, job = planned(dataset, path, list(read_places(_table(tmp_path))))

    def step(done, total, report):
        if done == 1:
            run(dataset, path, places=read_places(_table(tmp_path)), size_px=64)

    extract_patches(dataset, plan, job, progress=step)
    with dataset.reading() as view:
        assert view.counts()["pois"] == 3


def test_jobs_started_together_end_well_or_say_why(tmp_path):
    dataset = dataset_at(tmp_path, SPREAD)
    path = imagery(tmp_path)
    command = [sys.executable, "-m", "ovearth_core.cli", "patches", dataset.folder,
               "--imagery", path, "--size", "100", "--gsd", "0.7", "--keep-duplicates"]  # fmt: skip
    jobs = [
        subprocess.Popen([str(c) for c in command], cwd=CHECKOUT, stderr=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    said = [job.communicate(timeout=120)[1] for job in jobs]
    codes = sorted(job.returncode for job in jobs)
    assert codes in ([0, 0], [0, 2]), said
    if codes[1] == 2:
        assert any("another job is making the same patches" in text for text in said)
    assert len(images(dataset)) == len(SPREAD)


# Files may not be larger: that stands in for a disk that is full.
_FULL = (
    "import resource, signal, sys; signal.signal(signal.SIGXFSZ, signal.SIG_IGN);"
    "most = int(sys.argv.pop(1)); resource.setrlimit(resource.RLIMIT_FSIZE, (most, most));"
    "from ovearth_core.cli.main import run; run(sys.argv[1:])"
)


def full_disk(most_bytes, *arguments):
    return subprocess.run(
        [sys.executable, "-c", _FULL, str(most_bytes), *map(str, arguments)],
        capture_output=True, text=True, cwd=CHECKOUT, check=False, timeout=120,
    )  # fmt: skip


def test_a_disk_that_fills_up_says_how_much_is_done_and_the_report_is_there(tmp_path):
    dataset = dataset_at(tmp_path, [(600, 600), (900, 600)])
    path = imagery(tmp_path)
    done = full_disk(600_000, "patches", dataset.folder, "--imagery", path, "--size", 1000,
                     "--keep-duplicates")  # fmt: skip
    assert done.returncode == 2
    last = done.stderr.strip().splitlines()[-1]
    assert last.startswith("error: can't write it (File too large), after 0 of 2 patches")
    assert last.endswith("and run it again for the rest")
    report = json.loads((dataset.folder / "patches-report.json").read_text())
    assert report["settings"]["shape"]["size_px"] == 1000
    assert report["counts"]["fetched"] == 0


@pytest.fixture
def small_disk(tmp_path):
    """A disk of its own of 2.5 MB, where this process may make one."""
    place = tmp_path / "disk"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=2500k", "tmpfs", str(place)]
    if (
        not shutil.which("mount")
        or subprocess.run(mount, capture_output=True, check=False).returncode
    ):
        pytest.skip("needs leave to mount a disk")
    yield place
    subprocess.run(["umount", "-l", str(place)], check=True)


def test_what_fits_on_a_disk_that_fills_up_is_kept(small_disk, tmp_path):
    pixels = [(x, y) for y in range(100, 1100, 100) for x in range(100, 1500, 100)]
    dataset = dataset_at(small_disk, pixels)
    plan, job = planned(dataset, imagery(tmp_path))
    with pytest.raises(OutputError, match=r"after \d+ of 140 patches.*run it again for the rest"):
        extract_patches(dataset, plan, job)
    rows = images(dataset)
    files = {file.name for file in (dataset.folder / "images").iterdir()}
    assert len(rows) > 5
    assert files == {row.file_name.split("/")[1] for row in rows}


def test_where_rows_cant_be_stored_their_files_go_too(tmp_path):
    dataset = dataset_at(tmp_path, SPREAD[:3])
    plan, job = planned(dataset, imagery(tmp_path))

    def step(done, total, report):
        if done == 3:
            dataset.path.rename(dataset.folder / "away")
            dataset.path.mkdir()

    with pytest.raises(OutputError, match=r"after 0 of 3 patches.*run it again for the rest"):
        extract_patches(dataset, plan, job, progress=step)
    dataset.path.rmdir()
    (dataset.folder / "away").rename(dataset.path)
    assert not list((dataset.folder / "images").glob("*"))
    assert json.loads((dataset.folder / "patches-report.json").read_text())["fetched"] == []
    assert len(run(dataset, job.spec.text, keep_duplicates=True).fetched) == 3
