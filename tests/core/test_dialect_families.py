"""Whoever runs a model of the paper finds its dialect by the model's name."""

import re

import pytest

from ovearth_core.cli.main import main
from ovearth_core.errors import UsageError
from ovearth_core.predictions.dialects import dialect_names, find_dialect

from .shared import CHECKOUT

# The models of the paper, as its authors spell them.
SPOKEN = {
    "dense": "CLIP, MaskCLIP, CAT-Seg, ClearCLIP, ProxyCLIP, CASS, GEM, SCLIP, GSNet, Pi-Seg,"
    " SegEarth-OV, SkySense-O",
    "sam3": "SAM 3, SAM3-Agent, SegEarth-OV3",
    "seg-token": "LISA, Sa2VA, UniPixel, SAMTok, X2SAM, SELF1E, ALToLLM, GeoPixel, RemoteSAM,"
    " SegEarth-R1, SegEarth-R2, UniGeoSeg",
    "text4seg": "Text4Seg",
    "grounding-dino": "GroundingDINO",
    "xyxy": "YOLO-World, LAE-DINO, SLIP-RS",
    "obb-angle": "OpenRSD",
    "obb-corners": "OpenRSD",
    "rex-omni": "Rex-Omni",
    "locate-anything": "LocateAnything",
    "qwen2.5-vl": "Qwen2.5-VL",
    "qwen3-vl": "Qwen3-VL",
    "gemini": "Gemini",
    "deepseek-vl2": "DeepSeek-VL2",
    "paligemma": "PaliGemma",
    "florence-2": "Florence-2",
    "coco": "COCO results",
    "dota": "DOTA results",
    "ultralytics": "Ultralytics YOLO",
    "labelme": "LabelMe",
    "csv": "CSV with pixel or WKT columns",
    "map": "any program that makes maps",
}
PAIRS = [(dialect, name) for dialect, names in SPOKEN.items() for name in names.split(", ")]
ROWS = dict(
    re.findall(
        r"^\| (.+?) \| (.+?) \|$",
        (CHECKOUT / "docs" / "dialects.md").read_text(encoding="utf-8"),
        re.MULTILINE,
    )
)


def test_no_dialect_is_left_out():
    assert list(SPOKEN) == dialect_names()


@pytest.mark.parametrize(("dialect", "name"), PAIRS)
def test_the_page_lists_it(dialect, name):
    rows = [row for family, row in ROWS.items() if re.split("[,:]", family)[0] == name]
    assert len(rows) == 1
    assert f"[`{dialect}`](#" in rows[0]
    assert any(family.startswith(name) for family in find_dialect(dialect).families)


@pytest.mark.parametrize(
    ("said", "dialects"),
    [("LISA", "seg-token"), ("sam 3", "sam3"), ("openrsd", "obb-angle or obb-corners"),
     ("SegEarthOV", "dense"), ("Qwen2.5-VL with SAM", "qwen2.5-vl"), ("yolo-world", "xyxy")],
)  # fmt: skip
def test_a_models_name_in_the_place_of_a_dialects_tells_the_dialect(said, dialects, capsys):
    with pytest.raises(UsageError, match=f"{re.escape(said)} speaks {dialects}"):
        find_dialect(said)
    asked = ["convert", "a.jsonl", "--benchmark", "b.json", "--out", "c.jsonl"]
    assert main([*asked, "--from", said]) == 2
    told = capsys.readouterr().err
    assert told == f"error: unknown dialect '{said}', --from, {said} speaks {dialects}\n"


def test_any_other_word_lists_them_all():
    with pytest.raises(UsageError) as fault:
        find_dialect("chatgpt")
    assert all(name in str(fault.value) for name in dialect_names())
