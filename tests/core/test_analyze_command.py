"""`ovearth analyze` from files to files: formats, options, and one line for every fault."""

import csv
import io
import json
import xml.dom.minidom
from pathlib import Path

import numpy as np
import pytest
from PIL import Image as Picture
from shapely.geometry import box, mapping

from ovearth_core.analysis.attributes import read_attributes
from ovearth_core.analysis.loading import load_evaluated
from ovearth_core.cli.main import main
from ovearth_core.errors import InputError
from ovearth_core.report.analyses import ANALYSES
from ovearth_core.report.table_files import tables_text
from ovearth_core.sample import write_sample

from . import making

NAMES = tuple(ANALYSES)


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    """The sample's benchmark and runs, and their per-query files, as texts of paths."""
    folder = tmp_path_factory.mktemp("demo")
    sample = write_sample(folder)
    paths = [str(path) for path in (sample.benchmark, *sample.runs)]
    assert main(["score", *paths, "--per-query", str(folder / "q")]) == 0
    return paths[0], paths[1:], sorted(map(str, (folder / "q").iterdir()))


@pytest.fixture(scope="module")
def evaluated(demo):
    return load_evaluated(Path(demo[0]), [Path(path) for path in demo[2]])


def analyze(name, *arguments):
    return main(["analyze", name, *map(str, arguments)])


def document(tmp_path, name, *arguments):
    out = tmp_path / "out.json"
    assert analyze(name, *arguments, "--json", out) == 0
    return json.loads(out.read_text(), parse_constant=pytest.fail)


@pytest.mark.parametrize("name", ["aggregation", "stability", "slices"])
def test_runs_and_per_query_files_give_the_same_bytes(demo, tmp_path, name, capsys):
    benchmark, runs, per_query = demo
    said = []
    for folder, files in (("a", runs), ("b", per_query)):
        outputs = {"--json": "x.json", "--table": "x.csv", "--figure": "x.svg"}
        options = [
            part for key, file in outputs.items() for part in (key, tmp_path / folder / file)
        ]
        assert analyze(name, benchmark, *files, *options) == 0
        said.append(capsys.readouterr())
    assert said[0] == said[1]
    for file in ("x.json", "x.csv", "x.svg"):
        assert (tmp_path / "a" / file).read_bytes() == (tmp_path / "b" / file).read_bytes()


@pytest.mark.parametrize("name", NAMES)
def test_figures_hold_something_in_every_format(evaluated, name):
    analysis = ANALYSES[name]
    document = analysis.document(evaluated)
    with Picture.open(io.BytesIO(analysis.figure(document, "png"))) as picture:
        pixels = np.asarray(picture.convert("L"))
    assert pixels.shape[0] > 300
    assert (pixels < 128).mean() > 0.002
    drawn = xml.dom.minidom.parseString(analysis.figure(document, "svg"))
    assert drawn.documentElement.tagName == "svg"
    # Text stays text: it can be searched, and is small.
    assert drawn.getElementsByTagName("text")
    if name == "stability":
        assert analysis.figure(document, "pdf").startswith(b"%PDF")


@pytest.mark.parametrize("name", NAMES)
def test_tables_are_written_in_every_format(evaluated, name):
    analysis = ANALYSES[name]
    tables = list(analysis.tables(analysis.document(evaluated)))
    for ending in (".txt", ".md", ".tex", ".csv", ".json"):
        written = tables_text(tables, Path(f"t{ending}"))
        assert written.strip()
        assert "nan" not in written.lower()


def test_stability_has_the_keys_of_the_format(demo, tmp_path):
    benchmark, runs, _ = demo
    found = document(tmp_path, "stability", benchmark, *runs, "--seed", 5, "--subsets", 20)
    assert (found["seed"], found["subsets"]) == (5, 20)
    assert list(found["sizes"]) == ["5"]
    assert found["full_ranking"] == ["careful", "hasty"]


def test_attributes_of_a_file_add_to_the_header_and_win(demo, tmp_path):
    benchmark, runs, _ = demo
    path = tmp_path / "models.csv"
    path.write_text("model,family,interface,eo_specific\nhasty,Quick,ovs,no\nother,,,\n")
    found = document(tmp_path, "composition", benchmark, *runs, "--attributes", path)
    ranking = {run["model"]: run for run in found["modalities"]["mask"]["vocabulary"]["ranking"]}
    assert ranking["hasty"]["interface"] == "ovs"
    assert ranking["hasty"]["eo_specific"] == "general"
    assert ranking["careful"]["interface"] == "mllm"


def test_an_area_narrows_analyses_and_divides_slices(demo, tmp_path):
    benchmark, runs, _ = demo
    images = json.loads(Path(benchmark).read_text())["images"]
    image = next(each for each in images if each["crs"])
    a, _, x, _, e, y = image["transform"]
    place = box(x, y + e * image["height"], x + a * image["width"], y)
    shape = {
        "type": "FeatureCollection",
        "crs": {"type": "name", "properties": {"name": image["crs"]}},
        "features": [{"type": "Feature", "properties": {}, "geometry": mapping(place)}],
    }
    area = tmp_path / "area.geojson"
    area.write_text(json.dumps(shape))
    whole = document(tmp_path, "aggregation", benchmark, *runs)
    part = document(tmp_path, "aggregation", benchmark, *runs, "--area", area)
    counts = [found["tasks"]["vocabulary"]["queries"] for found in (part, whole)]
    assert 0 < counts[0] < counts[1]
    slices = document(tmp_path, "slices", benchmark, *runs, "--area", area, "--by", "domain")
    assert list(slices["slices"]) == ["domain", "area"]
    inside = slices["slices"]["area"]["mask"]["vocabulary"][0]
    assert (inside["name"], inside["queries"]) == ("inside", counts[0])


def test_a_table_in_a_csv_has_the_numbers_of_the_json(demo, tmp_path):
    benchmark, runs, _ = demo
    path = tmp_path / "t.csv"
    found = document(tmp_path, "presence", benchmark, *runs, "--table", path)
    with path.open() as file:
        rows = list(csv.DictReader(file))
    assert [float(row["mcc"]) for row in rows] == [run["mcc"] for run in found["runs"]]


def test_what_is_left_out_is_said_on_standard_error(demo, capsys):
    benchmark, runs, _ = demo
    assert analyze("stability", benchmark, *runs) == 0
    said = capsys.readouterr()
    assert "K = 10, 20, 50, 100, 150 left out: 9 categories" in said.err
    assert "median ρ" in said.out


class TestFaults:
    @pytest.fixture
    def refuse(self, demo, tmp_path, capsys):
        """Analyse what must be refused; return the one line that says why."""

        def refuse(name, *files, options=()):
            out = tmp_path / "out"
            outputs = [
                "--json",
                out / "a.json",
                "--table",
                out / "a.tex",
                "--figure",
                out / "a.png",
            ]
            code = analyze(name, *files, *outputs, *options)
            said = capsys.readouterr()
            assert (code, said.out) == (2, "")
            assert said.err.startswith("error: ")
            assert said.err.count("\n") == 1
            assert not out.exists()
            return said.err

        return refuse

    def test_runs_of_different_benchmarks(self, demo, tmp_path, refuse):
        other = making.write_benchmark(tmp_path)
        run = making.write_run(tmp_path, making.GOOD)
        assert "answers another benchmark" in refuse("aggregation", demo[0], demo[1][0], run)
        assert "of another benchmark" in refuse("aggregation", other, run, *demo[2])

    @pytest.mark.parametrize("name", ["stability", "significance"])
    def test_fewer_than_two_runs(self, demo, name, refuse):
        assert "fewer than two runs" in refuse(name, demo[0], demo[1][0])

    def test_two_runs_of_one_model(self, demo, refuse):
        assert "have the model name 'careful'" in refuse(
            "presence", demo[0], demo[1][0], demo[2][0]
        )

    def test_a_run_that_is_cut_off(self, demo, tmp_path, refuse):
        cut = tmp_path / "cut.jsonl"
        cut.write_bytes(Path(demo[2][0]).read_bytes()[:-40])
        assert "cut.jsonl" in refuse("slices", demo[0], cut)

    @pytest.mark.parametrize("option", ["--figure", "--table"])
    def test_an_ending_that_says_nothing(self, demo, tmp_path, option, capsys):
        assert analyze("presence", demo[0], *demo[1], option, tmp_path / "a.doc") == 2
        said = capsys.readouterr()
        assert said.err.startswith("error: no ")
        assert not list(tmp_path.iterdir())

    def test_an_area_elsewhere(self, demo, tmp_path, refuse):
        area = tmp_path / "area.geojson"
        feature = {
            "type": "Feature",
            "properties": {},
            "geometry": mapping(box(-60, -60, -59, -59)),
        }
        area.write_text(json.dumps({"type": "FeatureCollection", "features": [feature]}))
        said = refuse("aggregation", demo[0], *demo[1], options=["--area", area])
        assert "no image touches the area" in said

    def test_an_output_over_an_input(self, demo, refuse):
        said = refuse("presence", demo[0], *demo[1], options=["--json", demo[1][0]])
        assert "output would replace" in said

    def test_an_unknown_grouping(self, demo, refuse):
        said = refuse("slices", demo[0], *demo[1], options=["--by", "continents"])
        assert "did you mean 'continent'" in said


BAD_ATTRIBUTES = {
    "another word": ('{"a": {"interface": "sam"}}', "'sam'"),
    "another key": ('{"a": {"interfaces": "ovs"}}', "did you mean 'interface'"),
    "no object": ('{"a": 3}', "expected a JSON object"),
    "no flag": ('{"a": {"mllm": "yes"}}', "write true or false"),
    "a model twice": ('[{"model": "a"}, {"model": "a"}]', "occurs twice"),
    "a key twice": ('{"a": {}, "a": {}}', "occurs twice"),
    "cut off": ('{"a": {"mllm": tr', "not JSON"),
    "no column of models": ("name,family\na,b\n", "no column 'model'"),
    "a long line": ("model,family\na,b,c\n", "more cells than headings"),
    "no model in a line": ("model,family\n,b\n", "'model' is missing"),
    "a word that is no flag": ("model,mllm\na,perhaps\n", "write true or false"),
    "half a quote": ('model,family\n"a,b\n', "not CSV"),
}


@pytest.mark.parametrize("name", BAD_ATTRIBUTES)
def test_attributes_that_can_not_be_understood_are_refused_with_their_place(tmp_path, name):
    content, said = BAD_ATTRIBUTES[name]
    path = tmp_path / "models"
    path.write_text(content)
    with pytest.raises(InputError, match=said) as caught:
        read_attributes(path)
    assert str(path) in str(caught.value)


def test_attributes_are_the_same_as_json_list_and_csv(tmp_path):
    contents = (
        '{"a": {"mllm": true, "family": "F"}, "b": {"eo_specific": false}}',
        '[{"model": "a", "mllm": true, "family": "F"}, {"model": "b", "eo_specific": false}]',
        "\ufeffmodel,mllm,family,eo_specific\na,Yes,F,\nb,,,no\n",
    )
    found = []
    for number, content in enumerate(contents):
        path = tmp_path / str(number)
        path.write_text(content, encoding="utf-8")
        found.append(read_attributes(path))
    assert found[0] == {"a": {"mllm": True, "family": "F"}, "b": {"eo_specific": False}}
    assert found[1] == found[2] == found[0]
