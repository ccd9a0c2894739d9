"""`ovearth convert` and `ovearth score --from`: one dialect in, the same scores out."""

import json
import sys

import pytest

from ovearth_core.cli.main import main
from ovearth_core.errors import UsageError
from ovearth_core.inspection.inspected import inspect_benchmark, inspect_run
from ovearth_core.predictions import read_predictions
from ovearth_core.predictions.dialects import dialect_names, find_dialect
from ovearth_core.predictions.dialects.dialect import KINDS
from ovearth_core.report.page.making import make_report
from ovearth_core.report.page.wanted import Wanted

from . import dialect_scene as scene
from . import making
from .placed_images import write_image
from .sam_models import spec

CUT_OFF = "<box><0><0><500><500></box><box><1><1"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    making.write_benchmark(tmp_path, scene.document())
    return tmp_path


def error_of(capsys):
    told = capsys.readouterr().err
    assert told.startswith("error: ")
    assert told.count("\n") == 1
    return told


def scores_of(capsys, *arguments):
    assert main(["score", "benchmark.json", *arguments, "--json", "scores.json"]) == 0
    capsys.readouterr()
    with open("scores.json") as file:  # noqa: PTH123 - a file of this test
        (run,) = json.load(file)["runs"]
    return {key: run[key] for key in ("hbb", "obb", "segmentation", "presence") if key in run}


class TestEveryDialect:
    @pytest.mark.parametrize("name", dialect_names())
    def test_it_says_who_speaks_it_what_it_reads_and_where_that_is_published(self, name):
        dialect = find_dialect(name)
        assert dialect.name == name
        assert dialect.families
        assert dialect.kind in KINDS
        assert len(dialect.reads) > 30
        assert dialect.source.startswith("https://") == dialect.is_verified

    @pytest.mark.parametrize("name", scene.texts())
    def test_a_converted_run_scores_as_its_source_does(self, folder, capsys, name):
        scene.write(folder, scene.texts()[name], "answers.jsonl")
        asked = ["answers.jsonl", "--from", name]
        assert main(["convert", *asked, "--benchmark", "benchmark.json", "--out", "run.jsonl"]) == 0
        assert "run.jsonl: 2 answers" in capsys.readouterr().out
        assert scores_of(capsys, "run.jsonl") == scores_of(capsys, *asked)
        header, first, _ = map(json.loads, (folder / "run.jsonl").read_text().splitlines())
        assert header["model"] == "answers"
        assert header["dialect"] == name
        assert first["labels"] == (["oil tanks"] * 2 if name == "rex-omni" else first["labels"])
        assert read_predictions(folder / "run.jsonl").header.model == "answers"

    def test_processes_change_no_number(self, folder, capsys):
        scene.write(folder, scene.texts()["gemini"], "answers.jsonl")
        asked = ["answers.jsonl", "--from", "gemini"]
        assert scores_of(capsys, *asked) == scores_of(capsys, *asked, "--jobs", "2")


class TestLenient:
    def test_strict_is_one_line_and_nothing_written(self, folder, capsys):
        scene.write(folder, [{"query_id": "v1", "text": CUT_OFF}], "a.jsonl")
        asked = ["convert", "a.jsonl", "--from", "locate-anything", "--benchmark", "benchmark.json"]
        assert main([*asked, "--out", "run.jsonl"]) == 2
        told = error_of(capsys)
        assert "a.jsonl line 1, query v1, character 28" in told
        assert "--lenient" in told
        assert sorted(path.name for path in folder.iterdir()) == ["a.jsonl", "benchmark.json"]

    def test_lenient_keeps_whole_boxes_and_says_how_many_it_left_out(self, folder, capsys):
        scene.write(folder, [{"query_id": "v1", "text": CUT_OFF}], "a.jsonl")
        asked = ["a.jsonl", "--from", "locate-anything", "--lenient"]
        where = ["--benchmark", "benchmark.json", "--out", "run.jsonl"]
        assert main(["convert", *asked, *where]) == 0
        told = capsys.readouterr()
        assert told.err == "a.jsonl: left out 1 broken or cut-off boxes\n"
        assert json.loads((folder / "run.jsonl").read_text().splitlines()[1])["hbb"] == [
            [0, 0, 512, 512]
        ]
        assert main(["score", "benchmark.json", *asked, "--json", "scores.json"]) == 0
        assert capsys.readouterr().err == "a.jsonl: left out 1 broken or cut-off boxes\n"
        (run,) = json.loads((folder / "scores.json").read_text())["runs"]
        assert run["left_out"] == {"broken or cut-off boxes": 1}


class TestQueries:
    def test_a_mapping_file_says_whose_an_answer_is(self, folder, capsys):
        text = scene.texts()["gemini"][0]["text"]
        scene.write(folder, [{"query_id": "chat-17", "text": text}], "a.jsonl")
        (folder / "map.csv").write_text("output,query_id\nchat-17,v1\n")
        asked = ["a.jsonl", "--from", "gemini"]
        assert main(["score", "benchmark.json", *asked]) == 2
        assert "unknown query id 'chat-17'" in error_of(capsys)
        assert scores_of(capsys, *asked, "--mapping", "map.csv")["hbb"]["vocabulary"]["tp_50"] == 2

    def test_unknown_and_doubled_queries_are_refused(self, folder, capsys):
        answer = {"query_id": "v1", "text": "[]"}
        asked = ["a.jsonl", "--from", "gemini", "--benchmark", "benchmark.json", "--out", "b.jsonl"]
        scene.write(folder, [answer, answer], "a.jsonl")
        assert main(["convert", *asked]) == 2
        assert "answered twice, a.jsonl line 1 and line 2" in error_of(capsys)
        scene.write(folder, [{**answer, "query_id": "vv"}], "a.jsonl")
        assert main(["convert", *asked]) == 2
        assert "unknown query id 'vv', a.jsonl line 1" in error_of(capsys)
        assert not (folder / "b.jsonl").exists()

    def test_blind_requests_go_through_their_key(self, folder, capsys):
        assert main(["requests", "benchmark.json", "--out", "r.jsonl", "--key", "k.json"]) == 0
        asked = [json.loads(line) for line in (folder / "r.jsonl").read_text().splitlines()]
        by_text = {request["text"]: request["request_id"] for request in asked}
        text = scene.texts()["gemini"][0]["text"]
        records = [{"query_id": by_text["oil tanks"], "text": text}]
        scene.write(folder, records, "a.jsonl")
        run = ["a.jsonl", "--from", "gemini", "--key", "k.json"]
        wanted = scores_of(capsys, *run)
        assert wanted["hbb"]["vocabulary"]["mi_f1_50_95"] == 1.0
        where = ["--benchmark", "benchmark.json", "--out", "b.jsonl"]
        assert main(["convert", *run, *where]) == 0
        assert scores_of(capsys, "b.jsonl", "--key", "k.json") == wanted

    def test_a_header_of_its_own_is_kept(self, folder, capsys):
        header = {"model": "mine", "tasks": ["vocabulary"], "interface": "mllm", "seed": 3}
        scene.write(folder, [header, *scene.texts()["gemini"]], "a.jsonl")
        where = ["--benchmark", "benchmark.json", "--out", "b.jsonl"]
        assert main(["convert", "a.jsonl", "--from", "gemini", *where]) == 0
        written = json.loads((folder / "b.jsonl").read_text().splitlines()[0])
        assert (written["model"], written["interface"], written["seed"]) == ("mine", "mllm", 3)
        assert written["tasks"] == ["vocabulary"]
        scene.write(folder, [{"coordinates": "map"}, *scene.texts()["gemini"]], "a.jsonl")
        capsys.readouterr()
        assert main(["convert", "a.jsonl", "--from", "gemini", *where]) == 2
        assert "map coordinates" in error_of(capsys)


class TestBadUse:
    @pytest.mark.parametrize(
        ("arguments", "why"),
        [
            (["--from", "qwen"], "unknown dialect 'qwen', --from, did you mean 'qwen3-vl'?"),
            (["--from", "gemini", "--threshold", "0.5"], "means nothing to gemini, --threshold"),
            (["--from", "coco", "--resize", "bilinear"], "'bilinear', --resize, did you mean"),
            (["--from", "obb-angle"], "obb-angle needs a value, --angle, say it: le90, le135, oc"),
            (["--from", "obb-angle", "--angle", "le91"], "unknown 'le91', --angle"),
            (["--from", "gemini", "--mapping", "none.json"], "no such file, none.json"),
            (["--from", "gemini", "--modality", "box"], "unknown 'box', --modality"),
            (["--from", "map", "--duplicates", "2"], "--duplicates"),
            (["--lenient"], "means nothing without a dialect, --lenient"),
            ([], "nothing to convert"),
        ],
    )
    def test_it_is_one_line(self, folder, capsys, arguments, why):
        scene.write(folder, scene.texts()["gemini"], "a.jsonl")
        where = ["--benchmark", "benchmark.json", "--out", "b.jsonl"]
        assert main(["convert", "a.jsonl", *arguments, *where]) == 2
        assert why in error_of(capsys)
        assert not (folder / "b.jsonl").exists()

    def test_no_output_replaces_what_is_read(self, folder, capsys):
        scene.write(folder, scene.texts()["gemini"], "a.jsonl")
        (folder / "map.json").write_text("{}")
        asked = ["convert", "a.jsonl", "--from", "gemini", "--mapping", "map.json"]
        for out in ("a.jsonl", "map.json", "benchmark.json"):
            assert main([*asked, "--benchmark", "benchmark.json", "--out", out]) == 2
            assert "would replace what is read" in error_of(capsys)

    @pytest.mark.parametrize(
        ("content", "why"),
        [
            ('{"a": "v1", "a": "n1"}', "occurs twice"),
            ('{"a": {"b": 1}}', "'a' is mapped to an object"),
            ("[1]", "no JSON object"),
            ("a,b,c\n", "3 columns"),
            ('{"a": ', "not JSON"),
        ],
    )
    def test_a_malformed_mapping_is_named(self, folder, capsys, content, why):
        scene.write(folder, scene.texts()["gemini"], "a.jsonl")
        (folder / "map").write_text(content)
        asked = ["score", "benchmark.json", "a.jsonl", "--from", "gemini", "--mapping", "map"]
        assert main(asked) == 2
        assert why in error_of(capsys)


class TestYourOwn:
    """A package of a user's adds a dialect by an entry point."""

    PACKAGE = """
import re
from ovearth_core.predictions.dialects import text_dialect
from ovearth_core.predictions.dialects.grid import Grid
from ovearth_core.predictions.dialects.items import BOX, Item

def scan(text):
    for match in re.finditer(r"at (\\d+) (\\d+) (\\d+) (\\d+)", text):
        yield Item(BOX, match.start(), tuple(map(float, match.groups())))

DIALECT = text_dialect("plain", ("ours",), scan, Grid(highest=1024, per=1024),
                       "at x0 y0 x1 y1, of 1024", "https://example.org/plain")
"""

    def install(self, folder, monkeypatch, *points):
        """Put a package where pip would: its code, and its metadata beside it."""
        site = folder / "site"
        info = site / "plain_dialect-1.dist-info"
        info.mkdir(parents=True)
        (site / "plain_dialect.py").write_text(self.PACKAGE)
        (info / "METADATA").write_text("Metadata-Version: 2.1\nName: plain-dialect\nVersion: 1\n")
        listed = "\n".join(f"{name} = plain_dialect:{thing}" for name, thing in points)
        (info / "entry_points.txt").write_text(f"[ovearth.dialects]\n{listed}\n")
        monkeypatch.setattr(sys, "path", [str(site), *sys.path])

    def test_it_is_read_by_its_name(self, folder, monkeypatch, capsys):
        points = (("plain", "DIALECT"), ("broken", "NONE"), ("other", "scan"))
        self.install(folder, monkeypatch, *points)
        assert dialect_names()[-3:] == ["broken", "other", "plain"]
        text = "at 128 256 512 768 and at 640 128 896 384"
        records = [{"query_id": "v1", "text": text}, {"query_id": "n1", "text": "no"}]
        scene.write(folder, records, "a.jsonl")
        scores = scores_of(capsys, "a.jsonl", "--from", "plain")
        assert scores["hbb"]["vocabulary"]["mi_f1_50_95"] == 1.0
        assert main(["score", "benchmark.json", "a.jsonl", "--from", "broken"]) == 2
        assert "the dialect 'broken' can't be loaded" in error_of(capsys)
        assert main(["score", "benchmark.json", "a.jsonl", "--from", "other"]) == 2
        assert "'other' is no Dialect" in error_of(capsys)

    def test_one_of_a_name_that_is_taken_is_refused(self, folder, monkeypatch):
        self.install(folder, monkeypatch, ("gemini", "DIALECT"))
        with pytest.raises(UsageError, match="two dialects 'gemini'"):
            find_dialect("gemini")


class TestMasksOfBoxes:
    def test_boxes_of_any_dialect_become_masks_and_what_was_said_stays(self, folder, capsys):
        write_image(folder / "images" / "1.tif", scene.SIDE, scene.SIDE)
        (folder / "model").mkdir()
        records = [{**record, "seconds": 2} for record in scene.texts()["gemini"]]
        scene.write(folder, records, "a.jsonl")
        asked = ["convert", "a.jsonl", "--from", "gemini", "--benchmark", "benchmark.json"]
        masks = ["--masks-from-boxes", spec(folder / "model", "sam")]
        assert main([*asked, "--out", "a.jsonl", *masks]) == 2
        assert "would replace what is read" in error_of(capsys)
        assert main([*asked, "--out", "b.jsonl", *masks]) == 0
        assert "2 masks of 2 boxes" in capsys.readouterr().out
        scores = scores_of(capsys, "b.jsonl")
        assert scores["segmentation"]["vocabulary"]["ma_iou"] > 0.98
        assert scores["hbb"] == scores_of(capsys, "a.jsonl", "--from", "gemini")["hbb"]
        header, first, _ = map(json.loads, (folder / "b.jsonl").read_text().splitlines())
        assert header["dialect"] == "gemini"
        assert first["labels"] == ["tank", "tank"]
        assert first["attributes"] == {"seconds": 2}


def test_a_report_on_such_a_run_says_how_to_make_it_again(folder):
    scene.write(folder, scene.texts()["gemini"], "a.jsonl")
    benchmark, source = folder / "benchmark.json", folder / "a.jsonl"
    run = inspect_run(inspect_benchmark(benchmark), source, dialect="gemini")
    make_report(Wanted(benchmark, [source], folder / "report"), [run.scores])
    page = (folder / "report" / "index.html").read_text(encoding="utf-8")
    assert "convert a.jsonl first: ovearth convert --from gemini" in page


def test_inspect_shows_a_run_in_its_dialect(folder):
    scene.write(folder, scene.texts()["gemini"], "a.jsonl")
    run = inspect_run(inspect_benchmark(folder / "benchmark.json"), "a.jsonl", dialect="gemini")
    assert run.document["hbb"]["vocabulary"]["mi_f1_50_95"] == 1.0
    assert len(run.answers.get("v1").hbb) == 2
