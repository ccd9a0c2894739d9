"""Texts that people see can be translated, and are gathered in one file."""

import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

REPOSITORY = Path(__file__).parents[2]
TOOL = REPOSITORY / "tools/translations.py"


def messages(path):
    return {
        (context.findtext("name"), message.findtext("source"))
        for context in ElementTree.parse(path).iter("context")
        for message in context.iter("message")
    }


@pytest.mark.skipif(not TOOL.exists(), reason="the tools of the checkout are not here")
def test_the_file_of_texts_is_up_to_date(tmp_path):
    (tmp_path / "ovearth_plugin").symlink_to(REPOSITORY / "ovearth_plugin")
    done = subprocess.run([sys.executable, TOOL], check=False, capture_output=True, text=True,
                          timeout=60, cwd=tmp_path)  # fmt: skip
    assert done.returncode == 0, done.stderr
    written = tmp_path / "resources/i18n/ovearth.ts"
    assert messages(written) == messages(REPOSITORY / "resources/i18n/ovearth.ts")


def test_texts_are_in_it_in_the_context_that_qt_asks_for(build):
    texts = messages(build / "ovearth/resources/i18n/ovearth.ts")
    assert ("ScoreAlgorithm", "Score predictions") in texts
    assert ("OVEarthAlgorithm", "Benchmark") in texts
    assert ("OVEarthWords", "missed") in texts
    assert ("InspectLayers", "missed") in texts
    assert "" not in {context for context, _ in texts}
