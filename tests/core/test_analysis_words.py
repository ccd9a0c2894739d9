"""What analyses say in words and show in figures, where names, ties and numbers are odd."""

import warnings

import numpy as np
import pytest

from ovearth_core.analysis.attributes import unused_attributes
from ovearth_core.analysis.composition import composition
from ovearth_core.analysis.evaluated import Evaluated
from ovearth_core.analysis.notes import few_runs, named
from ovearth_core.cli.main import main
from ovearth_core.report.analyses import ANALYSES
from ovearth_core.report.views.composition_figure import _FILLS
from ovearth_core.report.views.presence import _LETTER_WIDTH, _NAME_HEIGHT, _outermost
from ovearth_core.sample import write_sample

from .made_runs import made_run, random_runs


def flat(paper, scores, **attributes):
    """Runs with the same IoU everywhere, by name."""
    count = len(paper.queries)
    return Evaluated(
        paper,
        tuple(
            made_run(paper, name, np.full(count, score), **attributes.get(name, {}))
            for name, score in scores.items()
        ),
    )


def sentence(name, evaluated):
    return ANALYSES[name].sentence(ANALYSES[name].document(evaluated))


class TestSentences:
    def test_equal_scores_leave_stability_nothing_to_rank(self, paper):
        said = sentence("stability", flat(paper, {"a": 0.5, "b": 0.5, "c": 0.5}))
        assert said.startswith("All models score the same")
        assert "–" not in said

    def test_fewer_models_than_five_are_counted(self, paper):
        assert "of the best 3 stay the best" in sentence("stability", random_runs(paper, 3))
        assert "of the best five stay" in sentence("stability", random_runs(paper, 6))

    def test_who_is_best_together_leads_together(self, paper):
        said = sentence("composition", flat(paper, {"a": 0.5, "b": 0.5, "c": 0.2}))
        assert said.startswith("a and b, with equal scores, lead ")
        said = sentence("composition", flat(paper, dict.fromkeys("abcdef", 0.5)))
        assert said.startswith("6 models with equal scores lead ")
        assert sentence("composition", flat(paper, {"a": 0.1, "b": 0.2})).startswith("b leads ")

    def test_equal_parts_are_no_higher_ones(self, paper):
        said = sentence("instanceability", flat(paper, {"a": 0.5}))
        assert said.startswith("In 0 of 3 pairs") and said.endswith("in 3 as high.")

    def test_one_is_not_many(self, paper):
        assert "for 0 of 1 model and lower for 0" in sentence(
            "query-forms", flat(paper, {"a": 0.5})
        )
        assert few_runs(1, "correlations") == ["correlations need two runs, there is 1"]


class TestParadigms:
    def test_the_best_two_of_each_stand_against_each_other(self, paper):
        interfaces = {"a": "grounding", "b": "mllm", "c": "grounding", "d": "ovs", "e": "mllm"}
        attributes = {name: {"interface": each} for name, each in interfaces.items()}
        scores = {"a": 0.9, "b": 0.5, "c": 0.25, "d": 0.75, "e": 0.1}
        document = composition(flat(paper, scores, **attributes))
        first, second = document["modalities"]["mask"]["reasoning"]["paradigms"]
        assert (first["grounding"], first["segmentation"]) == ("a", "d")
        assert (second["grounding"], second["segmentation"]) == ("c", "b")
        assert (first["delta"], second["delta"]) == (pytest.approx(0.15), pytest.approx(-0.25))
        tables = {table.name: table for table in ANALYSES["composition"].tables(document)}
        texts = [cell.text for cell in tables["composition-paradigms"].rows[1]]
        assert texts == ["vocabulary, mask", "2", "c", "25.00", "b", "50.00", "-25.00"]
        best = [cell.is_best for cell in tables["composition-paradigms"].rows[1]]
        assert best.index(True) == 5

    def test_without_both_there_is_no_table(self, paper):
        document = composition(flat(paper, {"a": 0.5}, a={"interface": "ovs"}))
        assert document["modalities"]["mask"]["vocabulary"]["paradigms"] == []
        names = [table.name for table in ANALYSES["composition"].tables(document)]
        assert "composition-paradigms" not in names


class TestFigures:
    @pytest.mark.parametrize("name", ANALYSES)
    def test_letters_that_no_font_has_are_drawn_without_a_word(self, paper, name):
        runs = random_runs(paper, 2).runs
        odd = made_run(paper, "模型 \U00012000 $x", runs[0].iou)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            analysis = ANALYSES[name]
            document = analysis.document(Evaluated(paper, (*runs, odd)))
            assert analysis.figure(document, "png").startswith(b"\x89PNG")

    def test_variants_of_a_family_are_drawn_below_the_top_ten(self, paper):
        of = {name: {"family": "F", "variant": name} for name in ("small 2B", "large 8B")}
        evaluated = flat(paper, {"small 2B": 0.2, "large 8B": 0.6}, **of)
        analysis = ANALYSES["composition"]
        document = analysis.document(evaluated)
        drawn = analysis.figure(document, "svg").decode()
        assert "within families, mask" in drawn
        assert drawn.count("large 8B") >= 4  # in three panels, and below
        alone = analysis.document(flat(paper, {"a": 0.1, "b": 0.2}))
        assert b"within families" not in analysis.figure(alone, "svg")
        assert analysis.size(document)[1] > analysis.size(alone)[1]

    def test_the_same_numbers_give_the_same_bytes_whatever_was_done_before(self, paper):
        of = {name: {"family": "F", "variant": name} for name in "ab"}
        analysis = ANALYSES["composition"]
        document = analysis.document(flat(paper, {"a": 0.2, "b": 0.6}, **of))
        kept, drawn = [], set()
        for number in range(12):  # what is kept moves what comes next to other addresses
            kept.append([object() for _ in range(137 * number)])
            drawn.add(analysis.figure(document, "svg"))
        assert len(drawn) == 1

    def test_interfaces_stay_apart_in_grey(self):
        def lightness(colour):
            red, green, blue = (int(colour[place : place + 2], 16) for place in (1, 3, 5))
            return 0.299 * red + 0.587 * green + 0.114 * blue

        greys = sorted(map(lightness, _FILLS.values()))
        assert min(np.diff(greys)) > 35

    def test_no_name_is_drawn_over_another(self):
        rng = np.random.default_rng(0)
        points = [
            (x, y, "m" * length)
            for x, y, length in zip(
                100 * rng.random(40), rng.random(40), rng.integers(1, 32, 40), strict=True
            )
        ]
        shown = _outermost(points)
        assert len(shown) > 3
        across = max(x for x, _, _ in points) - min(x for x, _, _ in points)
        up = max(y for _, y, _ in points) - min(y for _, y, _ in points)
        for place, one in enumerate(shown):
            for other in shown[place + 1 :]:
                left, right = sorted((one, other))
                beside = left[0] + _LETTER_WIDTH * len(left[2]) * across <= right[0]
                assert beside or abs(one[1] - other[1]) >= _NAME_HEIGHT * up


class TestNotes:
    def test_a_long_name_is_cut_where_it_is_one_of_many(self):
        assert named(["x" * 200, "y"]) == f"{'x' * 59}…, y"

    def test_attributes_of_no_run_are_said(self, tmp_path, capsys):
        assert unused_attributes({"a": {}, "b": {}}, ["a"]) == [
            "attributes of what is no run here: b"
        ]
        sample = write_sample(tmp_path)
        (tmp_path / "m.csv").write_text("model,interface\ncareful,ovs\nhastey,mllm\n")
        files = [str(sample.benchmark), *map(str, sample.runs)]
        options = ["--attributes", str(tmp_path / "m.csv")]
        assert main(["analyze", "composition", *files, *options]) == 0
        assert "attributes of what is no run here: hastey\n" in capsys.readouterr().err
        assert main(["report", *files, *options, "--out", str(tmp_path / "page")]) == 0
        assert "attributes of what is no run here: hastey\n" in capsys.readouterr().err
