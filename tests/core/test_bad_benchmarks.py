"""Bad benchmarks: one line says what, where and how to mend it; exit 2, nothing written."""

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ovearth_core.cli.main import main

from . import making
from .making import GOOD


def changed(list_name, index, **fields):
    document = making.benchmark()
    document[list_name][index].update(fields)
    return document


def without(list_name, key):
    document = making.benchmark()
    del document[list_name][0][key]
    return document


class TestBenchmark:
    def test_empty_rings_and_boxes_are_none_at_all(self, tmp_path):
        document = making.benchmark()
        document["annotations"][0].update(segmentation=[[], *making.square(10, 10, 20)], bbox=[])
        document["annotations"].append(making.annotation(9, 1, [[]], bbox=[70, 60, 5, 5]))
        path = making.write_benchmark(tmp_path, document)
        run = making.write_run(tmp_path, GOOD, {"query_id": "f1", "hbb": [[70, 60, 75, 65]]})
        assert main(["score", str(path), str(run)]) == 0

    @pytest.mark.parametrize(
        ("list_name", "key"),
        [
            ("images", "id"),
            ("images", "file_name"),
            ("images", "width"),
            ("images", "height"),
            ("categories", "name"),
            ("targets", "image_id"),
            ("targets", "category_id"),
            ("annotations", "image_id"),
            ("annotations", "target_id"),
            ("queries", "task"),
            ("queries", "polarity"),
            ("queries", "text"),
            ("queries", "target_id"),
        ],
    )
    def test_a_missing_required_key_is_named(self, refuse, list_name, key):
        line = refuse(GOOD, benchmark=without(list_name, key))
        assert f"'{key}' is missing" in line
        assert "line 1" in line

    @pytest.mark.parametrize(
        ("document", "said"),
        [
            (changed("queries", 0, task="vocabulery"), "did you mean 'vocabulary'"),
            (changed("queries", 0, polarity="postive"), "did you mean 'positive'"),
            (changed("queries", 4, polarity="negative"), "negative query of task 'referring'"),
            (changed("queries", 0, target_id=77), "names target 77, which is not in the file"),
            (changed("targets", 0, image_id=77), "names image 77"),
            (changed("targets", 0, category_id=77), "names category 77"),
            (changed("annotations", 0, target_id=77), "names target 77"),
            (changed("annotations", 0, category_id=2), "category is 2, that of its target 1 is 1"),
            (changed("images", 0, width="100"), "'width' is '100'"),
            (changed("images", 0, width=0), "at least 1"),
            (changed("images", 0, id=True), "'id' is True"),
            (changed("images", 0, transform=[1, 2, 3]), "3 where 6 numbers belong"),
            (changed("images", 0, gsd=-1), "'gsd' is -1"),
            (changed("images", 0, crs="EPSG:99999"), "image 1, look the code up"),
            (changed("images", 0, transform=[1, 2, 3, 2, 4, 6]), "singular"),
            (changed("queries", 1, id="v1"), "query id 'v1' occurs twice"),
            (changed("annotations", 1, id=1), "annotation id 1 occurs twice"),
            (changed("annotations", 0, bbox=[0, 0, -1, 5]), "negative size"),
            (changed("annotations", 0, bbox=[0, 0, "1", 5]), "'1'"),
            (changed("annotations", 0, obb=[0, 0, 9, 9, 9, 0]), "6 where 8 numbers belong"),
            (changed("annotations", 0, segmentation=[[1, 2, 3]]), "x, y pairs"),
            (changed("annotations", 0, segmentation="x"), "'segmentation' is 'x'"),
            (changed("annotations", 0, iscrowd=2), "'iscrowd' is 2"),
            (
                changed("annotations", 0, segmentation={"size": [96, 96], "counts": [9216]}),
                "size [96, 96], image 1 has [80, 100]",
            ),
            (
                changed("targets", 0, segmentation={"size": [100, 80], "counts": [8000]}),
                "size [100, 80], image 1 has [80, 100]",
            ),
            (changed("images", 0, id=2**70), "beyond 2**53"),
            (changed("images", 0, width=10**9, height=10**9), "larger than any image"),
            (changed("annotations", 0, bbox=[0, 0, 1e308, 1]), "beyond 1e+15"),
            (changed("annotations", 0, segmentation=[[1, 2, 1, 2, 1, 2]]), "1 distinct positions"),
            ({**making.benchmark(), "anotations": [{}]}, "did you mean 'annotations'"),
            (changed("images", 0, transfrom=[1, 0, 0, 0, 1, 0]), "did you mean 'transform'"),
            (changed("annotations", 0, geometri={}), "did you mean 'geometry'"),
            (changed("queries", 0, text="\ud800"), "half of a character"),
            (making.benchmark(info=[{}]), "'info' is a list"),
            (making.benchmark(info={"format": "ovearth-benchmark/2"}), "ovearth-benchmark/2"),
            (making.benchmark(info={"format": "ovearth-predictions/1"}), "ovearth-predictions/1"),
            (making.benchmark(queries=[]), "no query"),
            (making.benchmark(images={"1": {}}), "not a list"),
            (making.benchmark(queries=["v1"]), "expected a JSON object"),
            ({"queries": []}, "no 'images'"),
        ],
    )
    def test_what_is_wrong_is_named(self, refuse, document, said):
        assert said in refuse(GOOD, benchmark=document)

    def test_a_doubled_query_id_names_both_lines(self, refuse, tmp_path):
        document = changed("queries", 1, id="v1")
        line = refuse(GOOD, benchmark=document)
        assert "lines 1 and 1" in line  # all on one line in this file

    def test_an_empty_mask_is_refused_when_masks_are_scored(self, refuse):
        empty = {"size": [80, 100], "counts": [8000]}
        line = refuse(GOOD, benchmark=changed("targets", 0, segmentation=empty))
        assert "1 target has an empty mask or none (id 1)" in line
        assert "ovearth check" in line

    def test_a_faulty_truth_mask_names_its_target_not_the_record(self, refuse):
        faulty = {"size": [80, 100], "counts": [1, 2, 3]}
        assert "target 1" in refuse(GOOD, benchmark=changed("targets", 0, segmentation=faulty))

    @given(cut=st.integers(1, 5000))
    @settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
    def test_a_file_cut_off_anywhere_is_refused_with_line_and_column(self, refuse, tmp_path, cut):
        whole = json.dumps(making.benchmark(), indent=1)
        path = tmp_path / "cut.json"
        path.write_text(whole[: min(cut, len(whole) - 1)])
        run = making.write_run(tmp_path, GOOD)
        code = main(["score", str(path), str(run)])
        assert code == 2

    def test_a_list_is_no_benchmark(self, tmp_path, capsys):
        path = tmp_path / "list.json"
        path.write_text("[]")
        assert main(["check", str(path)]) == 2
        assert "not a JSON object" in capsys.readouterr().err
