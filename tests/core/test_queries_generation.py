"""Texts come from a model that is shown the target in red, and are kept as proposals."""

import json
import re

import pytest

from ovearth_core.cli.main import main

from .language_peer import KEY, language_peer, reds
from .query_scenes import SIZE, dataset_of, runs, scene, square, texts

pytest.importorskip("openai", reason="needs pip install 'ovearth[queries]'")


@pytest.fixture(autouse=True)
def environment(tmp_path, monkeypatch):
    for name in ("OPENAI_API_KEY", "OVEARTH_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("OVEARTH_CACHE", str(tmp_path / "cache"))


def generate(dataset, peer, *options):
    return main(["queries", "generate", str(dataset.folder), "--base-url", peer.url,
                 "--model", "seer", *map(str, options)])  # fmt: skip


def verify(dataset, peer, *options):
    return main(["queries", "verify", str(dataset.folder), "--base-url", peer.url,
                 "--model", "seer", *map(str, options)])  # fmt: skip


def test_texts_tell_where_the_red_outline_is(tmp_path, capsys):
    dataset = dataset_of(tmp_path, 9)
    with language_peer() as peer:
        assert generate(dataset, peer) == 0
    said = {t.target_id: t.text for t in texts(dataset) if t.task == "referring"}
    parts = ["upper left", "top", "upper right", "left", "middle", "right",
             "lower left", "bottom", "lower right"]  # fmt: skip
    assert said == {
        number: f"the Storage tank in the {part} of the image" for number, part in enumerate(parts, 1)
    }
    assert "9 targets: 18 negative vocabulary, 18 positive vocabulary" in capsys.readouterr().out
