"""The overlap with other datasets: every class decided, counts that add up, proposals."""

import json

import pytest

from ovearth_core.cli.main import main
from ovearth_core.errors import InputError
from ovearth_core.resources import resource
from ovearth_core.taxonomy import load
from ovearth_core.taxonomy.alignment import (
    check_alignments,
    load_alignments,
    overlap_document,
    read_alignments,
    reverse_outcomes,
)
from ovearth_core.taxonomy.class_list import read_class_list
from ovearth_core.taxonomy.proposal import propose

from .shared import DATA, needs_shared

EIGHT = (
    *("DOTA-v2.0", "DIOR", "FAIR1M", "NWPU VHR-10"),
    *("xView", "LoveDA", "ISPRS Potsdam", "ISPRS Vaihingen"),
)


@needs_shared
def test_every_class_of_the_eight_datasets_has_a_decision():
    lists = json.loads((DATA / "classes" / "eo_dataset_classes.json").read_text())
    compared = {a.dataset: a for a in load_alignments() if a.compared}
    assert sorted(compared) == sorted(EIGHT)
    for name, alignment in compared.items():
        assert [c.name for c in alignment.classes] == lists[name]["classes"]
        for decision in alignment.classes:
            assert decision.matches or decision.why or decision.excluded, decision


def test_the_denominators_leave_out_catch_alls_only():
    excluded = {a.dataset: [c.name for c in a.classes if c.excluded] for a in load_alignments()}
    assert excluded["FAIR1M"] == ["other-ship", "other-vehicle", "other-airplane"]
    assert excluded["xView"] == []
    assert excluded["LoveDA"] == ["background"]
    assert excluded["ISPRS Potsdam"] == ["Clutter/background"]
    counts = {a.dataset: a.count()["countable"] for a in load_alignments() if a.compared}
    assert (counts["FAIR1M"], counts["xView"]) == (34, 60)


def test_counts_of_both_directions_add_up():
    taxonomy, alignments = load(), [a for a in load_alignments() if a.compared]
    document = overlap_document(taxonomy, alignments)
    assert sum(document["categories"]["counts"].values()) == 172
    for dataset in document["datasets"]:
        kinds = ("exact", "broader", "narrower", "unmatched", "excluded")
        assert sum(dataset[kind] for kind in kinds) == len(dataset["classes"])
        assert dataset["matched"] + dataset["unmatched"] == dataset["countable"]


def test_the_order_of_datasets_changes_no_outcome():
    taxonomy, alignments = load(), load_alignments()
    assert reverse_outcomes(taxonomy, alignments) == reverse_outcomes(taxonomy, alignments[::-1])


def test_an_exact_match_of_the_eight_is_with_one_category_by_its_name_or_explained():
    for alignment in (a for a in load_alignments() if a.compared):
        for decision in alignment.classes:
            exact = [match.category for match in decision.matches if match.kind == "exact"]
            assert len(exact) <= 1
            if exact:
                category = load()[exact[0]]
                assert load().known(decision.name) is category or decision.why, decision


def test_a_match_with_an_unknown_category_is_refused(tmp_path):
    path = tmp_path / "a.json"
    classes = [{"class": "plane", "matches": [{"category": "aeroplain", "kind": "exact"}]}]
    path.write_text(json.dumps({"datasets": [{"name": "Mine", "classes": classes}]}))
    with pytest.raises(InputError, match=r"'Mine', class 'plane', did you mean 'airplane'\?"):
        check_alignments(read_alignments(path), load(), str(path))


@pytest.mark.parametrize(
    ("document", "said"),
    [
        ({}, "no 'datasets'"),
        ({"datasets": [{"name": "A", "classes": [{"class": "a"}, {"class": "a"}]}]}, "twice"),
        (
            {
                "datasets": [
                    {
                        "name": "A",
                        "classes": [
                            {
                                "class": "a",
                                "excluded": "yes",
                                "matches": [{"category": "airplane", "kind": "exact"}],
                            }
                        ],
                    }
                ]
            },
            "is excluded and has matches",
        ),
        ({"datasets": [{"name": "A", "classes": [{"class": "a", "matches": 3}]}]}, "'matches'"),
    ],
)
def test_an_alignment_file_that_counts_nothing_or_twice_is_refused(tmp_path, document, said):
    path = tmp_path / "a.json"
    path.write_text(json.dumps(document))
    with pytest.raises(InputError, match=said):
        read_alignments(path)


def test_one_file_is_not_written_twice(tmp_path, capsys):
    same = str(tmp_path / "same.svg")
    assert main(["taxonomy", "overlap", "--figure", same, "--json", same]) == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", ["mountain", "windmill", "steelworks", "void deck", "tank"])
def test_what_is_doubtful_or_decided_otherwise_is_not_called_sure(name):
    (proposal,) = propose(load(), [name], load_alignments())
    assert proposal.state == "unsure"


@pytest.mark.parametrize("name", ["no data", "Background", "other ship", "Clutter/background"])
def test_catch_alls_are_left_out(name):
    (proposal,) = propose(load(), [name], load_alignments())
    assert (proposal.state, proposal.matches) == ("sure", ())


def test_the_command_prints_both_directions_and_draws_them(tmp_path, capsys):
    out, figure = tmp_path / "o.json", tmp_path / "o.png"
    arguments = ["taxonomy", "overlap", "--json", str(out), "--figure", str(figure)]
    assert main(arguments) == 0
    printed = capsys.readouterr().out
    for name in EIGHT:
        assert name in printed
    assert "of 172 categories:" in printed
    assert figure.read_bytes().startswith(b"\x89PNG")
    assert len(json.loads(out.read_text())["datasets"]) == 8


def test_an_own_class_list_gets_proposals_and_the_unsure_stay_open(tmp_path, capsys):
    classes = tmp_path / "classes.txt"
    classes.write_text("Aeroplanes\nStorageTank\nred sailboat\nother-ship\nqwxyz\n# no class\n")
    out = tmp_path / "p.json"
    arguments = ["taxonomy", "overlap", "--classes", str(classes), "--json", str(out)]
    assert main(arguments) == 0
    assert "5 classes, 2 left open for a person" in capsys.readouterr().out
    found = {c["class"]: c for c in json.loads(out.read_text())["classes"]}
    assert found["Aeroplanes"]["matches"] == [{"category": "airplane", "kind": "exact"}]
    assert found["StorageTank"]["matches"] == [{"category": "storage-tank", "kind": "exact"}]
    assert found["red sailboat"]["state"] == "unsure"
    assert found["other-ship"]["matches"] == []
    assert found["other-ship"]["state"] == "sure"
    assert found["qwxyz"]["state"] == "unsure"


@needs_shared
@pytest.mark.parametrize("name", EIGHT)
def test_proposals_for_the_eight_never_contradict_what_people_decided_when_blind_to_it(name):
    """Blind: the alignment of the dataset itself is kept from the proposer."""
    alignments = load_alignments()
    own = next(a for a in alignments if a.dataset == name)
    proposals = propose(load(), [c.name for c in own.classes])
    for proposal, decision in zip(proposals, own.classes, strict=True):
        if proposal.state == "sure" and proposal.matches:
            # The kind may differ where people found the class doubtful: "Tree" as land cover.
            doubtful = bool(decision.why)
            decided = {(m.category, doubtful or m.kind) for m in decision.matches}
            proposed = {(m.category, doubtful or m.kind) for m in proposal.matches}
            assert proposed & decided, (proposal, decision)


@pytest.mark.parametrize(
    ("content", "names"),
    [
        ("car\n\n# a comment\nbus # too\ncar\n", ["car", "bus"]),
        ('["car", "bus"]', ["car", "bus"]),
        ("C#-port\n", ["C#-port"]),
        ('{"categories": [{"id": 0, "name": "car"}]}', ["car"]),
        ('{"names": {"0": "car", "1": "bus"}}', ["car", "bus"]),
        ('[{"name": "car"}]', ["car"]),
    ],
)
def test_class_lists_of_every_usual_kind_are_read(tmp_path, content, names):
    path = tmp_path / "list"
    path.write_text(content)
    assert read_class_list(path) == names


@pytest.mark.parametrize(
    "content", ["", "# nothing\n", "[1]", "{}", '{"names": 3}', '["a"', b"\xff\xfe", '[""]']
)
def test_a_list_without_names_is_refused_in_one_line(tmp_path, capsys, content):
    path = tmp_path / "list"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    assert main(["taxonomy", "overlap", "--classes", str(path)]) == 2
    printed = capsys.readouterr()
    assert printed.err.startswith("error: ")
    assert printed.err.count("\n") == 1
    assert str(path) in printed.err


def test_the_alignments_name_their_making():
    assert "by hand" in json.loads(resource("taxonomy/alignments.json").read_text())["about"]
