"""One scene as every dialect would tell it: two tanks, and no greenhouse."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from ovearth_core.benchmark import Benchmark
from ovearth_core.geometry import Runs
from ovearth_core.predictions.dialects import DialectOptions, DialectRun, open_dialect

from . import making

SIDE = 1024
BOXES = np.array([[128, 256, 512, 768], [640, 128, 896, 384]], float)
PLACE = {"crs": "EPSG:32632", "transform": [0.5, 0, 500000, 0, -0.5, 5000000]}


def document() -> dict[str, Any]:
    """Queries: v1 asks for the tanks (category 1), n1 for greenhouses (2), where none is."""
    return making.benchmark(
        categories=[{"id": 1, "name": "storage tank"}, {"id": 2, "name": "greenhouse"}],
        images=[making.image(1, SIDE, SIDE, **PLACE)],
        targets=[{"id": 1, "image_id": 1, "category_id": 1}],
        annotations=[making.annotation(k, 1, [corners(box)]) for k, box in enumerate(BOXES, 1)],
        queries=[
            {**making.query("v1", 1), "text": "oil tanks"},
            {**making.query("n1", 1, polarity="negative"), "text": "greenhouses"},
        ],
    )


def benchmark(folder: Path) -> Benchmark:
    return making.read(folder, document())


def corners(box: np.ndarray) -> list[float]:
    x0, y0, x1, y1 = box.tolist()
    return [x0, y0, x1, y0, x1, y1, x0, y1]


def pixels() -> np.ndarray:
    """The true mask."""
    mask = np.zeros((SIDE, SIDE), bool)
    for x0, y0, x1, y1 in BOXES.astype(int):
        mask[y0:y1, x0:x1] = True
    return mask


def rle(box: np.ndarray) -> dict[str, Any]:
    return Runs.from_polygons([np.array(corners(box)).reshape(4, 2)], SIDE, SIDE).to_rle()


def bins(per: int, y_first: bool = False) -> list[list[int]]:
    """The boxes on a grid of `per`, rounded."""
    found = np.rint(BOXES / SIDE * per).astype(int)
    return (found[:, [1, 0, 3, 2]] if y_first else found).tolist()


def write(folder: Path, records: list[dict[str, Any]], name: str = "answers.jsonl") -> Path:
    return making.write_run(folder, *records, name=name)


def text(answer: str, absent: str, **fields: Any) -> list[dict[str, Any]]:
    return [
        {"query_id": "v1", "text": answer, **fields},
        {"query_id": "n1", "text": absent, **fields},
    ]


def texts() -> dict[str, list[dict[str, Any]]]:
    """The scene in each dialect of text."""
    angle = ["".join(f"<{n}>" for n in box) for box in bins(999)]
    thousand = ["".join(f"<{n}>" for n in box) for box in bins(1000)]
    seen = 896
    locs = ["".join(f"<loc{n:04d}>" for n in box) for box in bins(1024, y_first=True)]
    florence = ["".join(f"<loc_{n}>" for n in box) for box in bins(1000)]
    fenced = "Here they are:\n```json\n{}\n```"

    def qwen(per: int) -> str:
        return fenced.format(
            json.dumps([{"bbox_2d": box, "label": "tank"} for box in bins(per)], indent=1)
        )

    gemini = [{"box_2d": box, "label": "tank"} for box in bins(1000, y_first=True)]
    ref = "<|object_ref_start|>oil tanks<|object_ref_end|><|box_start|>{}<|box_end|><|im_end|>"
    det = f"<|ref|>tanks<|/ref|><|det|>{bins(999)}<|/det|><｜end▁of▁sentence｜>"
    boxes = "".join(f"<box>{box}</box>" for box in thousand)
    return {
        "rex-omni": text(ref.format(", ".join(angle)), ref.format("None")),
        "locate-anything": text(f"<ref>tank</ref>{boxes}", "<ref>greenhouse</ref><box>none</box>"),
        "qwen2.5-vl": text(qwen(seen), "There is none.", input_size=[seen, seen]),
        "qwen3-vl": text(qwen(1000), "```json\n[]\n```"),
        "gemini": text(fenced.format(json.dumps(gemini)), "[]"),
        "deepseek-vl2": text(det, "I see no greenhouse."),
        "paligemma": text(" ; ".join(f"{loc} tank" for loc in locs), ""),
        "florence-2": text(f"</s><s>tank{''.join(florence)}</s>", "</s><s></s>"),
    }


def patches(count: int) -> str:
    """The scene as Text4Seg's rows of `count` patches."""
    step = SIDE // count
    rows = []
    for row in pixels()[step // 2 :: step, step // 2 :: step]:
        tokens = []
        for label in row:
            name = "oil tanks" if label else "others"
            if tokens and tokens[-1][0] == name:
                tokens[-1][1] += 1
            else:
                tokens.append([name, 1])
        rows.append("| ".join(f"{name} *{n}" for name, n in tokens))
    return "<seg>" + "\n ".join(rows) + "</seg>"


def opened(folder: Path, dialect: str, records: list[dict[str, Any]], **options: Any) -> DialectRun:
    path = write(folder, records)
    return open_dialect(path, dialect, benchmark(folder), DialectOptions(**options))
