"""The pictures on the pages: there, small, described, those of QGIS as the script takes them."""

import importlib
import re

import pytest
from PIL import Image

from .shared import CHECKOUT

PAGES = [CHECKOUT / "README.md", *sorted((CHECKOUT / "docs").glob("*.md"))]
PICTURE = re.compile(r"!\[(.*?)\]\((\S+?)\)")
SHOWN = [
    (words, (page.parent / path).resolve())
    for page in PAGES
    for words, path in PICTURE.findall(page.read_text(encoding="utf-8"))
]
MOST_BYTES = 155_000


@pytest.fixture
def screenshots(monkeypatch):
    """The script that takes the pictures of QGIS."""
    monkeypatch.syspath_prepend(str(CHECKOUT / "tools"))
    return importlib.import_module("screenshots")


def test_every_picture_of_a_page_is_there_and_small_and_has_words_for_who_cannot_see_it():
    assert len(SHOWN) > 8
    for words, path in SHOWN:
        assert path.stat().st_size <= MOST_BYTES, path
        assert len(words.split()) > 5, path


def test_no_picture_lies_there_unshown():
    files = {path.resolve() for path in (CHECKOUT / "docs/images").iterdir()}
    assert files == {path for _, path in SHOWN}


def test_the_script_takes_every_picture_of_its_list_as_large_as_it_says(screenshots):
    shown = {path for _, path in SHOWN}
    for picture in screenshots.PICTURES:
        path = CHECKOUT / "docs/images" / picture.file
        assert path in shown
        with Image.open(path) as image:
            assert image.size == picture.size, path


def test_a_small_mark_keeps_its_colour_in_a_picture_of_few_colours(monkeypatch):
    monkeypatch.syspath_prepend(str(CHECKOUT / "tools"))
    few_colours = importlib.import_module("few_colours")
    whole = Image.effect_noise((300, 200), 60).convert("RGB")
    mark = (0, 158, 115)
    whole.paste(mark, (10, 10, 15, 15))
    few = few_colours.in_few_colours(whole, 64)
    assert len(few.getcolors()) <= 64
    kept = few.convert("RGB").getpixel((12, 12))
    assert max(abs(one - other) for one, other in zip(kept, mark, strict=True)) <= 2
