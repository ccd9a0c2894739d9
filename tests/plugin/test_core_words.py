"""What the core says in QGIS names controls, not options of the command line."""

import ast
import importlib
import re

import pytest

from .conftest import BUILD, REPOSITORY

CORE = BUILD / "ovearth/ovearth_core"
SOURCES = [path for path in sorted(CORE.rglob("*.py")) if "cli" not in path.relative_to(CORE).parts]
ADVICE = re.compile(r"--[a-z]|\bovearth [a-z]+\b")


def texts():
    """The core's texts that name an option or a command, docstrings left out."""
    return [text for text in constants() if ADVICE.search(text)]


def constants():
    """The core's texts, docstrings left out."""
    found = set()
    for path in SOURCES:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        found |= {
            node.value for node in ast.walk(tree)
            if isinstance(node, ast.Constant) and isinstance(node.value, str)
            and id(node) not in docstrings
        }  # fmt: skip
    return sorted(found)


@pytest.fixture
def core_words(package, qgis_app):
    return importlib.import_module("ovearth.ovearth_plugin.core_words")


def test_no_advice_of_the_core_reaches_a_person_as_an_option(core_words):
    found = texts()
    assert len(found) > 100
    assert [text for text in map(core_words.in_qgis, found) if ADVICE.search(text)] == []


def test_every_phrase_of_the_table_is_still_one_of_the_cores(core_words):
    source = "".join(path.read_text(encoding="utf-8") for path in SOURCES)
    assert [said for said, _ in core_words._phrases() if said.strip() not in source] == []


def test_nobody_is_sent_to_a_page_that_is_not_in_the_zip(core_words):
    named = [text for text in constants() if "docs/" in text]
    assert len(named) >= 4
    assert [text for text in map(core_words.in_qgis, named) if "docs/" in text] == []
    pages = REPOSITORY / "resources" / "help"
    assert not [page.name for page in pages.glob("*.html") if "docs/" in page.read_text("utf-8")]


def test_the_help_of_click_to_mask_names_what_its_page_names():
    page = (REPOSITORY / "docs" / "click-to-mask.md").read_text("utf-8")
    shown = (REPOSITORY / "resources" / "help" / "clicktomask.html").read_text("utf-8")
    addresses = set(re.findall(r"https://(?:huggingface|github)[^>\s]+", page))
    assert len(addresses) == 3
    assert addresses == set(re.findall(r'href="(https://[^"]+)"', shown))
    for link in re.findall(r'href="(\w+\.html)"', shown):
        assert (REPOSITORY / "resources" / "help" / link).exists()


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("mend the id, or score with --ignore-unknown",
         "mend the id, or take such records out of the run"),
        ("add one (mask, hbb or obb), or score with exactly one --modality",
         "add one (mask, hbb or obb)"),
        ("the box of a target, derive it anew (check --fix, or ovearth boxes)",
         "the box of a target, derive it anew (Boxes in Review does)"),
        ("make one: ovearth init", "make one: New… in Collect"),
        ("a box 200° wide, --bbox -10 20 190 30", "a box 200° wide, the area -10 20 190 30"),
        ("map it: --mapping", "map it: the mapping file"),
        ("means nothing, --input-size, name one: --from DIALECT",
         "means nothing, the size that the model saw, choose what it is written in"),
        ("an em dash -- and a rule ---- stay", "an em dash -- and a rule ---- stay"),
        ("the size, --size-of-all", "the size, the command line's option size-of-all"),
    ],
)  # fmt: skip
def test_an_option_is_told_by_the_control_that_stands_for_it(core_words, said, shown):
    assert core_words.in_qgis(said) == shown


def test_the_bar_says_what_and_how_to_mend_it_first_and_files_by_their_names(core_words):
    errors = importlib.import_module("ovearth.ovearth_core.errors")
    fault = errors.InputError("no 'images' in it", "/a folder/b/bench.json line 3", "name another")
    assert core_words.short_in_qgis(fault) == (
        "no 'images' in it, name another (bench.json line 3)"
    )
    remote = errors.InputError("status 404", "https://host/a/b.json", "check --url")
    assert core_words.short_in_qgis(remote) == (
        "status 404, check the server's address (https://host/a/b.json)"
    )
