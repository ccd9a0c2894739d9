"""Drawing as steps of a review: logged, undone as new steps, refused where it is another's."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ovearth_core.checking.dataset_rows import check_dataset
from ovearth_core.checking.drawing import drawing_findings
from ovearth_core.dataset import CategoryRow, QueryRow
from ovearth_core.dataset.category_choice import category_choices, chosen_by_typing, typed
from ovearth_core.dataset.review import (
    UNTOUCHED,
    Choice,
    Drawing,
    decide,
    draw,
    drawn_since,
    edit_text,
    log_drawing,
    next_entry,
    read_sample,
    review_session,
    text_changes,
    undo_drawing,
    worklist,
)
from ovearth_core.dataset.shapes import as_polygons
from ovearth_core.errors import InputError, UsageError
from ovearth_core.taxonomy import load as load_taxonomy

from .datasets import SQUARE, TANK, made
from .reviewing import ANNA, BEN, GOOD, MIA, acted, drawn_by, lines, moved, shifted, target


@pytest.fixture
def drawn(tmp_path):
    """A dataset, its image, and a target that Anna drew."""
    dataset, image = made(tmp_path)
    return dataset, image, drawn_by(dataset, image, ANNA)


def rows(dataset):
    with dataset.reading() as view:
        return list(view.instances())


def drew(dataset, person, image, shape=SQUARE, category=TANK, **more):
    with review_session(dataset, person) as session:
        return draw(session, image.id, category, shape, **more)


def undone(dataset, person, drawing):
    with review_session(dataset, person) as session:
        undo_drawing(session, drawing)


def states(dataset):
    with dataset.reading() as view:
        return view.instance_states(range(1, 100))


class TestDrawing:
    def test_the_first_polygon_and_its_target_are_one_step_and_go_together(self, tmp_path):
        dataset, image = made(tmp_path)
        row, drawing = drew(dataset, ANNA, image)
        assert drawing.new_target == row.target_id
        assert target(dataset, row.target_id).annotator == "Anna"
        undone(dataset, ANNA, drawing)
        with dataset.reading() as view:
            assert (view.counts()["instances"], view.counts()["targets"]) == (0, 0)
        assert [line.action for line in lines(dataset)] == ["created", "drew", "undid", "removed"]

    def test_a_target_on_which_more_hangs_by_now_stays(self, tmp_path):
        dataset, image = made(tmp_path)
        row, drawing = drew(dataset, ANNA, image)
        with dataset.writing() as edit:
            edit.add(QueryRow("q", row.target_id, "vocabulary", "positive", "tank"))
        undone(dataset, ANNA, drawing)
        assert target(dataset, row.target_id).state == "draft"
        assert rows(dataset) == []

    def test_degrees_and_pixels_draw_the_same(self, drawn):
        dataset, image, target_id = drawn
        lonlat = image.frame().pixel_to_lonlat(SQUARE)
        drew(dataset, ANNA, image, lonlat, in_degrees=True, target_id=target_id)
        one, other = rows(dataset)
        assert np.abs(one.polygons[0][0] - other.polygons[0][0]).max() < 1e-6

    def test_what_is_not_ones_own_or_no_longer_drawn_is_refused_whole(self, drawn):
        dataset, image, target_id = drawn
        with pytest.raises(UsageError, match="for whoever draws it, Anna"):
            drew(dataset, BEN, image)
        with pytest.raises(UsageError, match="for an annotator"):
            drew(dataset, MIA, image)
        moved(dataset, ANNA, "submit", target_id)
        with pytest.raises(UsageError, match="return it first"):
            drew(dataset, ANNA, image)
        assert len(rows(dataset)) == 1
        with pytest.raises(UsageError, match="takes one that is draft or returned"):
            drew(dataset, ANNA, image, target_id=target_id)

    def test_undoing_is_refused_where_somebody_changed_the_polygon_since(self, drawn):
        dataset, image, target_id = drawn
        row, drawing = drew(dataset, ANNA, image, shifted(60))
        with dataset.writing("ben", "annotator") as edit:
            edit.remove_instance(row.id)
        with pytest.raises(UsageError, match="was changed since"):
            undone(dataset, ANNA, drawing)
        _, drawing = drew(dataset, ANNA, image, shifted(60))
        moved(dataset, ANNA, "submit", target_id)
        with pytest.raises(UsageError, match="it is submitted"):
            undone(dataset, ANNA, drawing)
        assert len(rows(dataset)) == 2

    def test_what_another_program_did_is_logged_with_what_was_there_before(self, drawn):
        dataset, _, target_id = drawn
        before = states(dataset)
        with dataset.writing() as edit:
            edit.remove_instance(1)
        with review_session(dataset, ANNA) as session:
            drawing = drawn_since(session.edit, before, [])
            log_drawing(session, drawing)
        last = lines(dataset, target_id)[-1]
        assert (last.action, last.who, last.comment) == ("erased", "Anna", "instance 1")
        kept = np.array(last.extra["geometry"]["coordinates"][0][0])
        assert np.array_equal(kept[:-1], before[1].geojson()["coordinates"][0][0][:-1])
        undone(dataset, ANNA, drawing)
        assert states(dataset)[1].is_drawn_like(before[1])
        assert np.array_equal(rows(dataset)[0].polygons[0][0][:4], SQUARE[:4])

    def test_an_action_that_changed_nothing_is_none(self, drawn):
        dataset, *_ = drawn
        here = states(dataset)
        assert Drawing(here, here).instance_ids == ()

    @settings(max_examples=10, deadline=None)
    @given(data=st.data())
    def test_whatever_was_done_undoing_it_all_brings_every_polygon_back(
        self, tmp_path_factory, data
    ):
        dataset, image = made(tmp_path_factory.mktemp("law"))
        drawn_by(dataset, image, ANNA)
        first = states(dataset)
        done = []
        for _ in range(data.draw(st.integers(1, 6))):
            here = sorted(states(dataset))
            kind = data.draw(st.sampled_from(["draw", "move", "erase"] if here else ["draw"]))
            shape = shifted(data.draw(st.integers(0, 40)), data.draw(st.integers(0, 40)))
            if kind == "draw":
                done.append(drew(dataset, ANNA, image, shape)[1])
                continue
            chosen = data.draw(st.sampled_from(here))
            before = states(dataset)
            with dataset.writing("Anna", "annotator") as edit:
                if kind == "erase":
                    edit.remove_instance(chosen)
                else:
                    row = edit.instance(chosen)
                    edit.update(_moved(row, shape))
            done.append(Drawing({chosen: before[chosen]}, _only(states(dataset), chosen)))
        for drawing in reversed(done):
            undone(dataset, ANNA, drawing)
        last = states(dataset)
        assert last.keys() == first.keys()
        assert all(last[key].is_drawn_like(first[key]) for key in first)


def _moved(row, shape):
    return replace(row, polygons=as_polygons(shape)[0])


def _only(found, key):
    return {key: found[key]} if key in found else {}


class TestWorklist:
    def test_targets_and_images_without_any_wait_for_whom_they_concern(self, drawn):
        dataset, image, target_id = drawn
        with dataset.writing() as edit:
            other = edit.add(replace(image, id=None, file_name="images/other.tif"))
        with dataset.reading() as view:
            mine = worklist(view, ANNA, Choice())
            bens = worklist(view, BEN, Choice())
            managers = worklist(view, MIA, Choice())
            only = worklist(view, ANNA, Choice(states=(UNTOUCHED,)))
            tanks = worklist(view, ANNA, Choice(category="storage tank"))
        assert [(e.target_id, e.state, e.needs_me) for e in mine] == [
            (target_id, "draft", True), (None, UNTOUCHED, True),
        ]  # fmt: skip
        assert [e.needs_me for e in bens] == [False, True]
        assert [e.needs_me for e in managers] == [False, False]
        assert [e.image_id for e in only] == [other.id]
        assert [e.target_id for e in tanks] == [target_id]
        assert next_entry(mine, None) is mine[0]
        assert next_entry(mine, mine[0].key) is mine[1]
        assert next_entry(mine, mine[1].key) is mine[0]
        assert next_entry(managers, None) is None

    def test_a_sample_says_what_the_person_can_do_with_it(self, drawn):
        dataset, image, target_id = drawn
        with dataset.reading() as view:
            mine = read_sample(view, ANNA, image.id, target_id)
            bens = read_sample(view, BEN, image.id, target_id)
            bare = read_sample(view, ANNA, image.id)
            with pytest.raises(InputError):
                read_sample(view, ANNA, 99)
        assert (mine.is_mine, mine.can("submit"), mine.can("approve")) == (True, True, False)
        assert (bens.is_mine, bens.can("submit")) == (False, False)
        assert (bare.target, bare.category, len(bare.targets)) == (None, None, 1)


class TestQueries:
    def test_texts_are_edited_accepted_and_removed_each_with_a_line(self, drawn):
        dataset, _, target_id = drawn
        with dataset.writing() as edit:
            for name, text in (("a", "tank"), ("b", "ship")):
                edit.add(QueryRow(name, target_id, "vocabulary", "positive", text,
                                  state="proposed", flags=("odd",)))  # fmt: skip
        with review_session(dataset, ANNA) as session:
            changed = edit_text(session, "a", " oil tank ")
            decide(session, "a", "accepted")
            decide(session, "b", "removed")
            with pytest.raises(UsageError, match="without words"):
                edit_text(session, "a", "  ")
            with pytest.raises(UsageError, match="no decision"):
                decide(session, "a", "proposed")
        assert (changed.text, changed.flags) == ("oil tank", ())
        with dataset.reading() as view:
            found = text_changes(view.queries(target_id))
            assert view.query("a").original_text == "tank"
        assert (found.changed, found.removed, found.decided) == (1, 1, 2)
        assert [(r.action, r.query_id) for r in lines(dataset, target_id)][1:] == [
            ("edit query", "a"), ("accept query", "a"), ("remove query", "b"),
        ]  # fmt: skip


class TestProblemsOfOneImage:
    def test_they_are_those_of_the_whole_check_with_their_places(self, drawn):
        dataset, image, _ = drawn
        crossing = np.array([[60.0, 60], [90, 90], [90, 60], [60, 90]])
        drew(dataset, ANNA, image, crossing)
        drew(dataset, ANNA, image, shifted(3))
        drew(dataset, ANNA, image, np.array([[70.2, 10.2], [70.3, 10.2], [70.3, 10.3]]))
        found = drawing_findings(dataset, image.id)
        assert {finding.kind for finding in found} == {"invalid", "overlap", "no-pixel"}
        assert all(finding.lonlat is not None for finding in found)
        whole = {f for f in check_dataset(dataset) if f.item == "instance"}
        assert set(found) == whole
        with pytest.raises(InputError):
            drawing_findings(dataset, 99)


class TestCategoriesByTyping:
    CHOICES = category_choices([
        CategoryRow(0, "field", "Field", instanceable=False),
        CategoryRow(7, "storage-tank", "Storage tank", "Industry", definition="A closed vessel",
                    extra={"synonyms": ["oil depot"], "look_alikes": ["silo"]}),
        CategoryRow(8, "silo", "Silo"),
        CategoryRow(9, "tank", "Tank"),
    ])  # fmt: skip

    @pytest.mark.parametrize(
        ("text", "first"),
        [("tank", "Tank"), ("stor", "Storage tank"), ("oil dep", "Storage tank"),
         ("TANKS", "Tank"), ("storage tnak", "Storage tank"), ("silo", "Silo")],
    )  # fmt: skip
    def test_the_likeliest_comes_first(self, text, first):
        assert chosen_by_typing(self.CHOICES, text)[0].row.name == first

    def test_nothing_alike_is_nothing_and_no_text_is_all(self):
        assert chosen_by_typing(self.CHOICES, "xylophone") == []
        assert len(chosen_by_typing(self.CHOICES, " ")) == 4

    WHOLE = category_choices(
        CategoryRow(one.number, one.id, one.name, one.domain) for one in load_taxonomy()
    )

    @pytest.mark.parametrize(
        ("text", "first"),
        [
            ("vehicle", "car"),
            ("tank", "storage tank"),
            ("car", "car"),
            ("fuel stat", "fuel station"),
        ],
    )
    def test_the_whole_taxonomy_is_ranked_by_whole_words_first(self, text, first):
        assert typed(self.WHOLE, text).choices[0].row.name == first

    @pytest.mark.parametrize("text", ["residential building", "resid"])
    def test_what_is_only_spelt_like_it_never_comes_before_what_is_one(self, text):
        found = typed(self.WHOLE, text)
        assert not found.is_sure
        assert found.choices[0].row.name in {
            "apartment block", "detached house", "terraced houses", "high rise building"
        }  # fmt: skip

    @pytest.mark.parametrize(
        ("text", "is_sure", "is_known"),
        [("storage tank", True, True), ("filling station", True, True), ("tank", False, True),
         ("storrage tank", False, False), ("xyzzy", False, False), ("", False, True),
         ("fuel stat", True, True)],
    )  # fmt: skip
    def test_only_a_whole_name_or_the_one_that_begins_so_is_sure(self, text, is_sure, is_known):
        found = typed(self.WHOLE, text)
        assert (found.is_sure, found.is_known) == (is_sure, is_known)

    def test_definition_and_look_alikes_come_along(self):
        tank = chosen_by_typing(self.CHOICES, "storage")[0]
        assert (tank.definition, tank.look_alikes) == ("A closed vessel", ("Silo",))


def test_whoever_cannot_wait_is_told_at_once_that_the_file_is_held(drawn):
    dataset, *_ = drawn
    with dataset.if_free() as view:
        assert view.target(1).id == 1
    with dataset.writing(), dataset.if_free() as view:
        assert view is None
    with dataset.if_free() as view:
        assert view is not None


def test_approving_what_was_drawn_by_click_counts_as_drawn(drawn):
    dataset, image, target_id = drawn
    drew(dataset, ANNA, image, shifted(50), origin="click-to-mask", origin_note="sam2")
    moved(dataset, ANNA, "submit", target_id)
    moved(dataset, MIA, "approve", target_id, GOOD)
    assert acted(dataset, MIA, "comment", target_id, type(GOOD)("fine")).who == "mia"
