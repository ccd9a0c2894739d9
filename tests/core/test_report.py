"""`ovearth report`: one page, what it keeps for the next run, and one line for every fault."""

import json
import re
import shutil
import sqlite3
import sys
from contextlib import closing
from html.parser import HTMLParser
from pathlib import Path

import pytest

from ovearth_core.cli.main import main
from ovearth_core.report.analyses import ANALYSES
from ovearth_core.report.page.naming import shown_path
from ovearth_core.sample import write_sample

from . import making
from .reporting import HOSTILE, hostile_files, many_runs, page_of, report


@pytest.fixture(scope="module")
def sample(tmp_path_factory):
    return write_sample(tmp_path_factory.mktemp("sample"))


@pytest.fixture(scope="module")
def made(sample, tmp_path_factory):
    """The folder of a report on both runs."""
    folder = tmp_path_factory.mktemp("made") / "report"
    assert report(sample.benchmark, *sample.runs, "--out", folder) == 0
    return folder


@pytest.fixture
def own(made, tmp_path):
    """The same in a folder of the test's own."""
    return Path(shutil.copytree(made, tmp_path / "report"))


@pytest.fixture
def refused(capsys):
    """Ask for a report that must be refused; return the one line that says why."""

    def refuse(*arguments):
        capsys.readouterr()
        assert report(*arguments) == 2
        printed = capsys.readouterr()
        assert printed.out == ""
        assert printed.err.startswith("error: ")
        assert printed.err.count("\n") == 1
        assert "Traceback" not in printed.err
        return printed.err

    return refuse


class Page(HTMLParser):
    """Tags with their attributes, and the text that a reader sees."""

    def __init__(self, whole):
        super().__init__()
        self.tags, self.text, self._within = [], "", []
        self.feed(whole)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        self._within.append(tag)

    def handle_endtag(self, tag):
        while self._within and self._within.pop() != tag:
            pass

    def handle_data(self, data):
        if not {"script", "style"} & set(self._within):
            self.text += data


def test_the_page_is_one_file_that_asks_for_nothing(made):
    page = Page(page_of(made))
    addresses = [
        value
        for _, attributes in page.tags
        for key, value in attributes.items()
        if key in ("src", "href", "srcset", "action", "data")
    ]
    assert all(address.startswith(("data:image/", "#")) for address in addresses)
    assert len([address for address in addresses if address.startswith("data:")]) > 40
    style = re.search(r"<style>(.*?)</style>", page_of(made), re.DOTALL)[1]
    assert "url(" not in style and "@import" not in style
    policies = [a["content"] for _, a in page.tags if "http-equiv" in a]
    assert policies and policies[0].startswith("default-src 'none';")


def test_every_section_is_there_and_links_lead_to_them(made):
    page = Page(page_of(made))
    ids = [attributes["id"] for _, attributes in page.tags if "id" in attributes]
    assert len(ids) == len(set(ids))
    assert {"scores", "analyses", "benchmark", "gallery", "repeat", *ANALYSES} <= set(ids)
    links = {a["href"][1:] for tag, a in page.tags if tag == "a"}
    assert links <= set(ids)
    assert all(a.get("alt") for tag, a in page.tags if tag == "img")


def test_the_numbers_are_those_of_score_and_analyze(made, sample, tmp_path, capsys):
    files = [str(path) for path in (sample.benchmark, *sample.runs)]
    assert main(["score", *files, "--json", str(tmp_path / "s.json")]) == 0
    document = json.loads((tmp_path / "s.json").read_text())
    text = Page(page_of(made)).text
    for run in document["runs"]:
        for scores in run["segmentation"].values():
            assert f"{100 * scores['ma_iou']:.2f}" in text
    capsys.readouterr()
    for name in ANALYSES:
        if name != "slices":  # the page leaves out the one by image
            assert main(["analyze", name, *files]) == 0
            assert capsys.readouterr().out.splitlines()[-1] in text
    checksums = [document["benchmark"]["sha256"]]
    checksums += [run["predictions_sha256"] for run in document["runs"]]
    assert all(checksum in text for checksum in checksums)


def test_the_command_on_the_page_makes_the_page_again(made, sample, tmp_path, monkeypatch):
    command = re.search(r"<pre[^>]*><code>ovearth (.*?)</code>", page_of(made))[1]
    assert str(sample.folder) not in page_of(made)
    folder = Path(shutil.copytree(sample.folder, tmp_path / "elsewhere"))
    monkeypatch.chdir(folder)
    assert main(command.split()) == 0
    assert page_of(folder / "report") == page_of(made)


def test_adding_a_run_gives_the_page_of_both_without_the_first_ones_predictions(
    made, sample, tmp_path
):
    careful = Path(shutil.copy(sample.runs[0], sample.folder / "runs" / "first.jsonl"))
    folder = tmp_path / "report"
    assert report(sample.benchmark, careful, "--out", folder) == 0
    careful.unlink()
    assert report(sample.benchmark, sample.runs[1], "--out", folder, "--add") == 0
    found = page_of(folder).replace("runs/first.jsonl", "runs/careful.jsonl")
    assert found == page_of(made)
    for name in ("per-query/careful.jsonl", "per-query/hasty.jsonl", "gallery/careful.json"):
        assert (folder / name).read_bytes() == (made / name).read_bytes()


def test_per_query_files_are_enough_but_for_the_pictures(made, own, sample, tmp_path, capsys):
    kept = sorted((made / "per-query").iterdir())
    folder = tmp_path / "out" / "report"
    assert report(sample.benchmark, *kept, "--out", folder) == 0
    assert "Pictures need the runs' predictions" in capsys.readouterr().err
    page = page_of(folder)
    assert "Pictures need the runs&#39; predictions" in page
    assert "image/jpeg" not in page

    def scores(whole):
        return re.search(r'<section id="scores">.*<section id="gallery">', whole, re.DOTALL)[0]

    assert scores(page) == scores(page_of(made))
    # Also those of the folder itself, which stay as they are.
    before = [path.read_bytes() for path in sorted((own / "per-query").iterdir())]
    assert report(sample.benchmark, *sorted((own / "per-query").iterdir()), "--out", own) == 0
    assert [path.read_bytes() for path in sorted((own / "per-query").iterdir())] == before


def test_what_a_new_report_has_no_use_for_goes_unless_someone_changed_it(own, sample):
    (own / "gallery" / "hasty.json").write_text("mine")
    (own / "per-query" / "notes.txt").write_text("mine")
    assert report(sample.benchmark, sample.runs[0], "--out", own) == 0
    left = sorted(path.relative_to(own).as_posix() for path in own.rglob("*.*"))
    assert left == [
        "gallery/careful.json", "gallery/hasty.json", "index.html", "per-query/careful.jsonl",
        "per-query/notes.txt", "report.json",
    ]  # fmt: skip


def test_what_a_killed_report_left_half_written_goes_and_nothing_else(own, sample):
    mine = [".notes.txt", ".hidden.jsonl", ".m.jsonl.0123456", "per-query/.m.JSONL.01234567"]
    left = [
        ".index.html.ab_c1234", "per-query/.hasty.jsonl.rjttm46x", "gallery/.hasty.json.aaaaaaaa",
        f"per-query/.{'x' * 100}.rjttm46x",
    ]  # fmt: skip
    for name in (*mine, *left):
        (own / name).write_text("half")
    assert report(sample.benchmark, *sample.runs, "--out", own) == 0
    assert all((own / name).exists() for name in mine)
    assert not any((own / name).exists() for name in left)


def test_a_note_stands_once_in_its_section(made):
    page = page_of(made)
    section = page[page.index('<article id="stability"') : page.index('<article id="query-forms"')]
    assert section.count("K = 10, 20, 50, 100, 150 left out") == 1


def test_attributes_and_seed_are_kept_for_the_next_run(sample, tmp_path):
    (tmp_path / "models.csv").write_text("model,family\ncareful,Slow and Steady\n")
    folder = tmp_path / "report"
    options = ["--attributes", tmp_path / "models.csv", "--seed", 7]
    assert report(sample.benchmark, sample.runs[0], "--out", folder, *options) == 0
    assert report(sample.benchmark, sample.runs[1], "--out", folder, "--add") == 0
    page = page_of(folder)
    assert "Slow and Steady" in page
    assert "--seed 7" in page


def test_one_run_alone_has_a_report_that_says_what_needs_two(sample, tmp_path):
    assert report(sample.benchmark, sample.runs[0], "--out", tmp_path / "report") == 0
    text = Page(page_of(tmp_path / "report")).text
    assert "With one run, rankings and their correlations say little." in text
    assert "Not made: fewer than two runs" in text
    assert "NaN" not in text and "None" not in text


def test_a_run_of_boxes_only_has_a_report(sample, tmp_path):
    header, *records = sample.runs[0].read_text().splitlines()
    boxes = [
        {key: value for key, value in json.loads(line).items() if key != "mask"} for line in records
    ]
    named = {**json.loads(header), "model": "boxes", "modalities": ["hbb", "obb"]}
    run = making.write_run(tmp_path, named, *boxes)
    assert report(sample.benchmark, run, sample.runs[1], "--out", tmp_path / "report") == 0
    gallery = json.loads((tmp_path / "report/gallery/boxes.json").read_text())
    assert {picture["modality"] for picture in gallery["pictures"]} == {"obb"}


def test_images_that_lack_or_are_no_images_are_told(sample, tmp_path, capsys):
    folder = Path(shutil.copytree(sample.folder, tmp_path / "copy"))
    images = sorted((folder / "images").iterdir())
    images[0].unlink()
    for path in images[1:]:
        path.write_bytes(b"II*\0nothing")
    out = tmp_path / "report"
    assert report(folder / "benchmark.json", folder / "runs/careful.jsonl", "--out", out) == 0
    said = capsys.readouterr().err
    assert "1 of 6 images are not beside the benchmark" in said
    assert "pictures left out: no image that can be read" in said
    arguments = (folder / "benchmark.json", folder / "runs/careful.jsonl")
    images[-1].unlink()
    for path in images[1:-1]:
        path.unlink()
    assert report(*arguments, "--out", out, "--images", sample.folder) == 0
    assert page_of(out).count("image/jpeg") == 16


def test_every_text_is_escaped_and_nothing_of_it_becomes_a_tag(tmp_path):
    benchmark, runs = hostile_files(tmp_path)
    folder = tmp_path / "report"
    assert report(benchmark, *runs, "--out", folder) == 0
    page = Page(page_of(folder))
    tags = [tag for tag, _ in page.tags]
    assert tags.count("script") == 1
    assert not any(key.startswith("on") for _, attributes in page.tags for key in attributes)
    assert all(a["src"].startswith("data:") for tag, a in page.tags if tag == "img")
    shown = HOSTILE.replace("\u202e", "\\u202e").replace("\x1b", "\\x1b")
    assert page.text.count(shown) > 30
    assert "49" not in re.findall(r"&(\d+)", page.text)
    assert page_of(folder).count("image/jpeg") >= 4


def test_the_page_stays_small_and_tells_what_it_left_out(sample, tmp_path):
    runs = many_runs(tmp_path, sample.benchmark, sample.runs[0], 12)
    assert report(sample.benchmark, *runs, "--out", tmp_path / "report") == 0
    whole = page_of(tmp_path / "report")
    assert len(whole) < 6_000_000
    text = Page(whole).text
    assert text.count("more rows are left out here") >= 1
    assert re.search(r"Of the best \d runs only", text)
    ranked = re.findall(r'<th scope="row">(model \d\d)</th>', whole)
    assert len(ranked) >= 12 * 9


@pytest.mark.parametrize(
    "arguments",
    [("missing.json", "run.jsonl"), ("benchmark.json", "missing.jsonl"), ("benchmark.json",)],
)
def test_what_is_not_there_is_named(sample, tmp_path, refused, monkeypatch, arguments):
    monkeypatch.chdir(tmp_path)
    making.write_benchmark(tmp_path)
    refused(*arguments, "--out", "report")
    assert not (tmp_path / "report").exists()


def test_a_fault_in_the_last_run_leaves_the_report_as_it_was(own, sample, tmp_path, refused):
    before = {path: path.read_bytes() for path in own.rglob("*") if path.is_file()}
    broken = making.write_run(tmp_path, {"model": "third"}, '{"query_id": "nobody", "mask": null}')
    said = refused(sample.benchmark, broken, "--out", own, "--add")
    assert "unknown query id 'nobody'" in said
    refused(sample.benchmark, sample.runs[0], broken, "--out", own)
    assert {path: path.read_bytes() for path in own.rglob("*") if path.is_file()} == before


def test_a_run_is_added_only_to_its_own_benchmark_and_once(own, sample, tmp_path, refused):
    other = making.write_benchmark(tmp_path)
    run = making.write_run(tmp_path, {"model": "third"}, making.GOOD)
    assert "of another benchmark" in refused(other, run, "--out", own, "--add")
    assert "careful" in refused(sample.benchmark, sample.runs[0], "--out", own, "--add")
    nowhere = tmp_path / "nowhere"
    assert "leave out --add" in refused(sample.benchmark, run, "--out", nowhere, "--add")
    assert not nowhere.exists()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda text: "{", "not JSON"),
        (lambda text: text.replace("ovearth-report/1", "ovearth-report/9"), "format is not"),
        (lambda text: text.replace('"careful.jsonl"', '"../careful.jsonl"'), "no file name"),
        (lambda text: text.replace('"runs": [', '"runs": [7, '), "expected a JSON object"),
        (lambda text: '{"format": "ovearth-report/1", "seed": 0}', "'runs' is no list"),
    ],
)
def test_a_damaged_list_is_named(own, sample, tmp_path, refused, change, said):
    path = own / "report.json"
    path.write_text(change(path.read_text()))
    run = making.write_run(tmp_path, {"model": "third"}, making.GOOD)
    assert said in refused(sample.benchmark, run, "--out", own, "--add")


@pytest.mark.parametrize("name", ["per-query/careful.jsonl", "gallery/careful.json"])
def test_a_kept_file_that_was_changed_is_not_believed(own, sample, tmp_path, refused, name):
    path = own / name
    path.write_text(path.read_text().replace("mask", "musk"))
    header, *records = sample.runs[0].read_text().splitlines()
    run = making.write_run(tmp_path, {**json.loads(header), "model": "third"}, *records)
    said = refused(sample.benchmark, run, "--out", own, "--add")
    assert "changed since the report was made" in said


def test_someone_elses_page_is_not_replaced(sample, tmp_path, refused):
    (tmp_path / "index.html").write_text("mine")
    assert "no report" in refused(sample.benchmark, sample.runs[0], "--out", tmp_path)
    assert (tmp_path / "index.html").read_text() == "mine"
    assert [path.name for path in tmp_path.iterdir()] == ["index.html"]


def test_a_report_never_lies_in_a_folder_that_is_read(sample, tmp_path, refused):
    masks = tmp_path / "masks"
    masks.mkdir()
    said = refused(sample.benchmark, masks, "--out", masks / "report")
    assert not (masks / "report").exists()
    assert said


@pytest.mark.parametrize("package", ["jinja2", "matplotlib", "PIL", "scipy"])
def test_a_missing_package_is_named_before_any_work(
    sample, tmp_path, refused, monkeypatch, package
):
    monkeypatch.setitem(sys.modules, package, None)
    said = refused(sample.benchmark, sample.runs[0], "--out", tmp_path / "report")
    assert "pip install 'ovearth[report]'" in said
    assert not (tmp_path / "report").exists()


def test_two_reports_at_once_into_one_folder_are_refused(own, sample, refused):
    with closing(sqlite3.connect(own / ".report.lock", isolation_level=None)) as held:
        held.execute("BEGIN EXCLUSIVE")
        said = refused(sample.benchmark, sample.runs[0], "--out", own)
    assert "another report is being written there" in said


@pytest.mark.parametrize(("path", "benchmark", "shown"), [
    ("runs/a.jsonl", "b/bench.json", "runs/a.jsonl"),
    ("/x/b/runs/a.jsonl", "/x/b/bench.json", "runs/a.jsonl"),
    ("/x/c/a.jsonl", "/x/b/bench.json", "../c/a.jsonl"),
    ("/x/b/bench.json", "/x/b/bench.json", "bench.json"),
])  # fmt: skip
def test_files_are_named_without_this_machines_folders(path, benchmark, shown):
    assert shown_path(Path(path), Path(benchmark)) == shown


def test_what_is_kept_tells_nothing_of_this_machine(made, sample):
    for path in made.rglob("*.*"):
        assert str(sample.folder) not in path.read_text(encoding="utf-8")
