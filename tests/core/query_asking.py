"""The commands of queries, asked of a model on loopback."""

import pytest

from ovearth_core.cli.main import main


@pytest.fixture(autouse=True)
def no_environment(tmp_path, monkeypatch):
    """No key, and a cache of the test's own."""
    for name in ("OPENAI_API_KEY", "OVEARTH_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("OVEARTH_CACHE", str(tmp_path / "cache"))


def _run(stage, dataset, peer, *options):
    return main(["queries", stage, str(dataset.folder), "--base-url", peer.url,
                 "--model", "seer", *map(str, options)])  # fmt: skip


def generate(dataset, peer, *options):
    return _run("generate", dataset, peer, *options)


def verify(dataset, peer, *options):
    return _run("verify", dataset, peer, *options)
