"""The report in a real browser: from a file, on a phone, by keys, printed, with hostile texts."""

import re

import pytest

from ovearth_core.sample import write_sample

from .browser import needs_chromium, open_browser
from .reporting import hostile_files, report

pytestmark = needs_chromium

COLUMN = """(number) => [...document.querySelector("table.sortable").tBodies].map(
  (body) => [...body.rows].filter((row) => !row.classList.contains("group"))
    .map((row) => row.cells[number].textContent))"""
FIRST_HEADINGS = "#scores table th:nth-child({}) button"


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    folder = tmp_path_factory.mktemp("sample")
    sample = write_sample(folder)
    assert report(sample.benchmark, *sample.runs, "--out", folder / "report") == 0
    return folder / "report" / "index.html"


@pytest.fixture(scope="module")
def hostile_page(tmp_path_factory):
    folder = tmp_path_factory.mktemp("hostile")
    benchmark, runs = hostile_files(folder)
    assert report(benchmark, *runs, "--out", folder / "report") == 0
    return folder / "report" / "index.html"


@pytest.fixture(scope="module")
def chromium(tmp_path_factory):
    with open_browser(tmp_path_factory.mktemp("profile")) as browser:
        yield browser


@pytest.fixture
def browser(chromium):
    chromium.errors.clear()
    chromium.asked.clear()
    prefers(chromium, "light")
    return chromium


def prefers(browser, scheme):
    features = [{"name": "prefers-color-scheme", "value": scheme}]
    browser.call("Emulation.setEmulatedMedia", media="", features=features)


def sorting(browser, heading):
    return browser.run(f"document.querySelector({heading!r}).parentNode.getAttribute('aria-sort')")


@pytest.mark.parametrize(("width", "is_phone"), [(1366, False), (768, False), (390, True)])
def test_nothing_is_asked_for_nothing_complains_and_nothing_sticks_out(
    browser, page, width, is_phone
):
    browser.open(page, width, is_phone=is_phone)
    asked = [address for address in browser.asked if not address.startswith("data:")]
    assert asked == [page.resolve().as_uri()]
    assert browser.errors == []
    assert browser.run("document.documentElement.scrollWidth <= window.innerWidth")
    browser.run("for (const image of document.images) image.loading = 'eager'")
    decoded = "Promise.all([...document.images].map((image) => image.decode())).then(() => true)"
    assert browser.run(decoded)
    assert browser.run("document.images.length") > 40


def test_a_heading_sorts_each_group_by_mouse(browser, page):
    browser.open(page)
    heading = FIRST_HEADINGS.format(5)
    assert sorting(browser, heading) == "none"
    before = browser.run(f"({COLUMN})(3)")
    browser.click(heading)
    browser.click(heading)
    assert sorting(browser, heading) == "ascending"
    model = browser.run(f"({COLUMN})(0)")
    assert model == [["hasty", "careful"], ["hasty", "careful"], ["careful"]]
    browser.click(heading)
    assert sorting(browser, heading) == "descending"
    assert browser.run(f"({COLUMN})(3)") == before
    first = (
        "[...document.querySelector('#scores table').tBodies].map((body) => body.rows[0].innerText)"
    )
    assert browser.run(first) == ["vocabulary", "referring", "reasoning"]


def test_a_heading_sorts_by_keys_and_only_one_at_a_time(browser, page):
    browser.open(page)
    first, second = FIRST_HEADINGS.format(1), FIRST_HEADINGS.format(2)
    browser.run(f"document.querySelector({first!r}).focus()")
    browser.press("Enter")
    assert sorting(browser, first) == "ascending"
    browser.press(" ")
    assert sorting(browser, first) == "descending"
    assert browser.run(f"({COLUMN})(0)")[0] == ["hasty", "careful"]
    browser.press("Tab")
    browser.press("Enter")
    assert sorting(browser, second) == "descending"
    assert sorting(browser, first) == "none"


def test_a_dash_is_last_both_ways_and_numbers_are_no_texts(browser, page):
    browser.open(page)
    browser.run(
        """
        const body = document.querySelector("table.sortable").tBodies[0];
        const model = body.rows[1];
        for (const shown of ["–", "9.50", "100.00", "-0.25"]) {
          const row = model.cloneNode(true);
          row.cells[4].textContent = shown;
          body.append(row);
        }
        """
    )
    heading = FIRST_HEADINGS.format(5)
    browser.click(heading)
    assert browser.run(f"({COLUMN})(4)")[0] == ["100.00", "80.75", "41.24", "9.50", "-0.25", "–"]
    browser.click(heading)
    assert browser.run(f"({COLUMN})(4)")[0] == ["-0.25", "9.50", "41.24", "80.75", "100.00", "–"]


def test_tables_open_one_by_one_and_all_at_once(browser, page):
    browser.open(page)
    is_open = "[...document.querySelectorAll('details')].map((one) => one.open)"
    assert not any(browser.run(is_open))
    browser.run("document.querySelector('summary').focus()")
    browser.press("Enter")
    assert browser.run(is_open)[:2] == [True, False]
    browser.click("#open-all")
    assert all(browser.run(is_open))
    assert browser.run("document.documentElement.scrollWidth <= window.innerWidth")


def test_it_reads_without_scripts(browser, page):
    browser.open(page, scripts=False)
    try:
        assert browser.run("document.querySelectorAll('th button').length") == 0
        assert browser.run("getComputedStyle(document.querySelector('#open-all')).display") != ""
        assert browser.run("document.querySelector('#open-all').offsetParent") is None
        assert "80.75" in browser.run("document.querySelector('#scores').innerText")
    finally:
        browser.call("Emulation.setScriptExecutionDisabled", value=False)


def test_it_prints_without_what_only_a_screen_has(browser, page):
    browser.open(page)
    assert browser.printed().startswith(b"%PDF")
    browser.call("Emulation.setEmulatedMedia", media="print")
    hidden = "[...document.querySelectorAll('nav, #open-all, details')]"
    assert browser.run(f"{hidden}.every((one) => one.offsetParent === null)")
    assert browser.run("document.querySelector('#scores table').offsetParent !== null")
    assert browser.run("[...document.querySelectorAll('#gallery img')].length") == 32


def test_hostile_texts_stay_texts(browser, hostile_page):
    browser.open(hostile_page)
    browser.run("for (const image of document.images) image.loading = 'eager'")
    assert browser.run("typeof hacked") == "undefined"
    assert browser.errors == []
    asked = [address for address in browser.asked if not address.startswith("data:")]
    assert asked == [hostile_page.resolve().as_uri()]
    assert "</script><script>hacked=1</script>" in browser.run("document.body.innerText")
    browser.click(FIRST_HEADINGS.format(1))
    browser.click("#open-all")
    assert browser.run("typeof hacked") == "undefined"
    assert browser.run("document.scripts.length") == 1
    assert browser.run("document.documentElement.scrollWidth <= window.innerWidth")


def test_a_script_that_got_in_would_not_run(browser, page, tmp_path):
    whole = page.read_text(encoding="utf-8")
    (tmp_path / "hacked.html").write_text(
        whole.replace(
            "<main>", "<main><script>hacked = 1</script><img src=x onerror='hacked = 2'>"
        ),
        encoding="utf-8",
    )
    browser.open(tmp_path / "hacked.html")
    assert browser.run("typeof hacked") == "undefined"
    assert any("Content Security Policy" in error for error in browser.errors)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_words_stand_out_from_their_ground(browser, page, scheme):
    prefers(browser, scheme)
    browser.open(page)
    contrast = """
    (() => {
      const light = (colour) => {
        const [r, g, b] = colour.match(/\\d+/g).map(Number).map((v) => v / 255)
          .map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
      };
      const ground = (one) => {
        const colour = getComputedStyle(one).backgroundColor;
        return colour === "rgba(0, 0, 0, 0)" ? ground(one.parentElement) : colour;
      };
      const ratio = (a, b) => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
      const texts = [...document.querySelectorAll(
        "p, td, th, a, summary, figcaption, small, dd, caption, pre")];
      return Math.min(...texts.map(
        (one) => ratio(light(getComputedStyle(one).color), light(ground(one)))));
    })()
    """
    assert browser.run(contrast) >= 7


def test_it_is_dark_where_that_is_liked_but_figures_and_paper_stay_white(browser, page):
    grounds = """["body", ".drawn img", ".figures img"].map(
      (one) => getComputedStyle(document.querySelector(one)).backgroundColor)"""
    prefers(browser, "dark")
    browser.open(page)
    body, *figures = browser.run(grounds)
    assert max(map(int, re.findall(r"\d+", body))) < 40
    assert figures == ["rgb(255, 255, 255)"] * 2
    browser.call(
        "Emulation.setEmulatedMedia", media="print",
        features=[{"name": "prefers-color-scheme", "value": "dark"}],
    )  # fmt: skip
    assert browser.run(grounds)[0] == "rgb(255, 255, 255)"
