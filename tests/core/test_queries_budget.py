"""A cap on what is spent, and on the length of an answer: kept to, and gone on from."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ovearth_core.cli.main import main
from ovearth_core.errors import UsageError
from ovearth_core.queries.budget import Caps, Spending
from ovearth_core.queries.estimate import Prices

from .language_peer import chat, fails, generated, language_peer, sleeps
from .query_asking import generate, no_environment  # noqa: F401 - a fixture
from .query_scenes import dataset_of, runs, texts
from .test_queries_misbehaving import quick, the_error  # noqa: F401 - a fixture

pytest.importorskip("openai", reason="needs pip install 'ovearth[queries]'")


def counts(tokens_in, tokens_out=100):
    def trick(handler, asked):
        document = chat(json.dumps(generated(asked)))
        document["usage"] = {"prompt_tokens": tokens_in, "completion_tokens": tokens_out}
        handler.say(200, document)

    return trick


def spent(dataset):
    return sum(run.tokens_in + run.tokens_out for run in runs(dataset))


@pytest.mark.parametrize("at_once", [1, 4])
@pytest.mark.parametrize("cap", [4_000, 20_000, 60_000, 100_000])
@pytest.mark.parametrize("tokens_in", [800, 9_000])
def test_a_job_never_spends_more_than_its_cap(tmp_path, at_once, cap, tokens_in, capsys):
    dataset = dataset_of(tmp_path, 12)
    with language_peer() as peer:
        peer.tricks = [counts(tokens_in)] * 99
        code = generate(dataset, peer, "--at-once", at_once, "--max-total-tokens", cap,
                        "--max-answer-tokens", 200)  # fmt: skip
        asked = len(peer.asked)
    printed = capsys.readouterr().err
    if asked > 1:
        # How this server counts can be known only once it has counted.
        assert spent(dataset) <= cap
    if asked < 12:
        assert code == 1
        assert f"stopped before the cap of {cap:,} tokens" in printed
        assert f"{12 - asked} target" in printed
        # It stops for want of room for one more, not long before.
        assert not asked or spent(dataset) + max(tokens_in, 3_200) + 200 > cap
    else:
        assert code == 0


def test_run_again_a_capped_job_goes_on_and_asks_nothing_twice(tmp_path):
    dataset = dataset_of(tmp_path, 5)
    codes = []
    with language_peer() as peer:
        for _ in range(9):
            codes.append(generate(dataset, peer, "--max-total-tokens", 9_000))
            if codes[-1] == 0:
                break
        assert len(peer.asked) == 5
    assert len(codes) > 1
    assert codes == [1] * (len(codes) - 1) + [0]
    assert len(texts(dataset)) == 30


def test_what_is_in_the_cache_costs_nothing_of_a_cap(tmp_path):
    with language_peer() as peer:
        one = dataset_of(tmp_path / "one", 3)
        two = dataset_of(tmp_path / "two", 3)
        assert generate(one, peer) == 0
        assert generate(two, peer, "--max-total-tokens", 1) == 0
        assert len(peer.asked) == 3


def test_a_cap_in_money_is_kept_by_the_prices(tmp_path, capsys):
    dataset = dataset_of(tmp_path, 8)
    with language_peer() as peer:
        peer.tricks = [counts(3_000, 100)] * 8
        assert generate(dataset, peer, "--price-in", 10, "--price-out", 100, "--max-cost", 0.25,
                        "--max-answer-tokens", 100) == 1  # fmt: skip
        assert 2 <= len(peer.asked) <= 6
        paid = len(peer.asked) * (3_000 * 10 + 100 * 100) / 1e6
    assert paid <= 0.25
    printed = capsys.readouterr().err
    assert "more than the cap of 0.25 in money: not all will be asked" in printed
    assert "stopped before the cap of 0.25 in money" in printed


def test_an_answer_that_never_came_may_have_been_paid_for(tmp_path, quick):  # noqa: F811
    dataset = dataset_of(tmp_path, 3)
    with language_peer() as peer:
        peer.tricks = [sleeps(1)] * 4
        code = generate(dataset, peer, "--at-once", 1, "--timeout", 0.3, "--max-total-tokens",
                        7_000, "--max-answer-tokens", 100)  # fmt: skip
    assert code == 1
    assert len(texts(dataset)) == 6


@pytest.mark.parametrize(("options", "line"), [
    (["--max-cost", 5], "a cap on the cost without prices"),
    (["--max-total-tokens", 0], "a cap of 0"),
    (["--max-cost", "nan", "--price-in", 1, "--price-out", 1], "a cap of nan"),
    (["--price-in", -1], "a price of -1"),
    (["--max-answer-tokens", 3], "answers of 3 tokens"),
])  # fmt: skip
def test_a_cap_that_makes_no_sense_is_said_in_one_line(tmp_path, options, line, capsys):
    with language_peer() as peer:
        assert generate(dataset_of(tmp_path, 1), peer, *options) == 2
        assert peer.raw == []
    assert line in the_error(capsys)


# The length of an answer


def test_an_answers_length_is_limited_where_it_is_asked_for(tmp_path):
    with language_peer() as peer:
        dataset = dataset_of(tmp_path, 1)
        assert generate(dataset, peer, "--max-answer-tokens", 900) == 0
        assert peer.asked[0].body["max_tokens"] == 900
        assert generate(dataset_of(tmp_path / "two", 2), peer) == 0
        assert "max_tokens" not in peer.asked[-1].body


ONLY = ("Unsupported parameter: 'max_tokens' is not supported with this model."
        " Use 'max_completion_tokens' instead.")  # fmt: skip


def test_a_model_that_knows_only_the_newer_field_is_asked_by_that(tmp_path):
    with language_peer() as peer:
        peer.tricks = [fails(400, ONLY)]
        assert generate(dataset_of(tmp_path, 2), peer, "--at-once", 1,
                        "--max-answer-tokens", 900) == 0  # fmt: skip
        limits = [(a.body.get("max_tokens"), a.body.get("max_completion_tokens"))
                  for a in peer.asked]  # fmt: skip
    assert limits == [(900, None), (None, 900), (None, 900)]


def test_a_server_that_takes_no_limit_is_not_asked_without_one(tmp_path, capsys):
    with language_peer() as peer:
        peer.tricks = [fails(400, ONLY), fails(422, "extra field max_completion_tokens")]
        assert generate(dataset_of(tmp_path, 1), peer, "--max-answer-tokens", 900) == 2
        assert len(peer.asked) == 2
    assert "leave out --max-answer-tokens" in the_error(capsys)


def test_requests_that_are_only_written_have_the_limit_too(tmp_path):
    dataset, out = dataset_of(tmp_path, 1), tmp_path / "requests.jsonl"
    assert main(["queries", "generate", str(dataset.folder), "--dry-run", str(out),
                 "--max-answer-tokens", "900"]) == 0  # fmt: skip
    assert json.loads(out.read_text())["body"]["max_completion_tokens"] == 900


# Laws

amounts = st.integers(0, 10**9)


@given(amounts, amounts, amounts, amounts, st.integers(1, 10**9))
def test_less_is_allowed_where_more_is(a, b, more_in, more_out, cap):
    caps = Caps(Prices(2.0, 8.0), cap / 1e3, cap)
    less, more = Spending(a, b), Spending(a + more_in, b + more_out)
    assert caps.allow(less) or not caps.allow(more)
    assert (less + more) - more == less


def test_no_cap_allows_everything():
    caps = Caps(Prices())
    assert not caps.is_set
    assert caps.allow(Spending(10**12, 10**12))
    with pytest.raises(UsageError):
        Caps(Prices(1.0, None), cost=1.0)
