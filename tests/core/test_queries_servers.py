"""What servers of many makes really send: read right, said right, and nothing goes to strangers."""

import json

import pytest

from .language_peer import KEY, chat, fails, generated, language_peer, says
from .query_asking import generate, no_environment  # noqa: F401 - a fixture
from .query_scenes import dataset_of, texts
from .test_queries_misbehaving import quick, the_error  # noqa: F401 - a fixture

pytest.importorskip("openai", reason="needs pip install 'ovearth[queries]'")


def reply(asked):
    return json.dumps(generated(asked))


def wrapped(words):
    """Answer as asked, with words about the JSON."""
    return lambda handler, asked: handler.say(
        200, chat(words.replace("{}", reply(asked)))
    )  # fmt: skip


def body(document, status=200, **headers):
    return lambda handler, asked: handler.say(status, document, **headers)


WORDS = [
    "Sure! Here it is:\n```json\n{}\n```\nLet me know if you need more.",
    'Here you go: {} I hope that {"helps"}.',
    '<think>The {tank}, maybe {"target": 1}…</think>\n{}',
    "\ufeff{}",
]


@pytest.mark.parametrize("words", WORDS)
def test_words_about_the_json_are_no_reason_to_pay_twice(tmp_path, words):
    dataset = dataset_of(tmp_path, 1)
    with language_peer() as peer:
        peer.tricks = [wrapped(words)]
        assert generate(dataset, peer) == 0
        assert len(peer.asked) == 1
    assert len(texts(dataset)) == 6


def test_of_a_draft_and_an_answer_about_the_target_the_last_counts(tmp_path):
    def drafts(handler, asked):
        draft = json.dumps({**generated(asked), "phrases": ["a draft"]})
        handler.say(200, chat(f"<think>{draft}</think> {reply(asked)}"))

    dataset = dataset_of(tmp_path, 1)
    with language_peer() as peer:
        peer.tricks = [drafts]
        assert generate(dataset, peer) == 0
    assert "a draft" not in {t.text for t in texts(dataset)}


def test_json_about_another_target_among_words_is_not_taken(tmp_path):
    def of_another(handler, asked):
        other = json.dumps({**generated(asked), "target": "T-0000000000"})
        handler.say(200, chat(f"As asked: {other}."))

    dataset = dataset_of(tmp_path, 1)
    with language_peer() as peer:
        peer.tricks = [of_another]
        assert generate(dataset, peer) == 0
        assert len(peer.asked) == 2


def test_a_reply_in_parts_is_read_without_the_thinking(tmp_path):
    def parts(handler, asked):
        handler.say(200, chat([
            {"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]},
            {"type": "text", "text": reply(asked)},
        ]))  # fmt: skip

    dataset = dataset_of(tmp_path, 1)
    with language_peer() as peer:
        peer.tricks = [parts]
        assert generate(dataset, peer) == 0
        assert len(peer.asked) == 1


UPSTREAM = {"error": {"code": 502, "message": "upstream"}, "finish_reason": "error",
            "message": {"role": "assistant", "content": ""}}  # fmt: skip


@pytest.mark.parametrize("document", [
    {"error": {"code": 429, "message": "Rate limited upstream"}},
    {"choices": [UPSTREAM]},
    {"object": "error", "message": "overloaded", "code": 503},
])  # fmt: skip
def test_a_fault_that_a_gateway_reports_with_status_200_is_asked_again(tmp_path, document, quick):  # noqa: F811
    dataset = dataset_of(tmp_path, 1)
    with language_peer() as peer:
        peer.tricks = [body(document)]
        assert generate(dataset, peer) == 0
        assert len(peer.asked) == 2
    assert len(texts(dataset)) == 6


SAID = [
    (body({"error": "Unexpected endpoint or method. Returning 200 anyway"}),
     "the answer is an error (Unexpected endpoint or method. Returning 200 anyway)"),
    (body({"error": {"code": 404, "message": "no such model"}}), "no model 'seer'"),
    (body(b"<html><title>Log in</title></html>"), "a page for people came instead"),
    (fails(402, "Insufficient credits"), "the account has no money left"),
    (fails(403, "Country, region, or territory not supported"), "it forbids this"),
    (fails(403, "Invalid credentials"), "it wants another key"),
    (fails(400, "This model's maximum context length is 4096 tokens. Please reduce the length"),
     "the request is too long for the model"),
    (fails(422, "image_url.detail: extra fields not permitted"), "doesn't take a field"),
    (body({"error": "no model 'seer', pull it first"}, 404), "pull it first"),
]  # fmt: skip


@pytest.mark.parametrize(("trick", "line"), SAID, ids=[line[:30] for _, line in SAID])
def test_what_servers_refuse_with_is_said_once_and_in_their_words(tmp_path, trick, line, capsys):
    dataset = dataset_of(tmp_path, 1)
    with language_peer() as peer:
        peer.tricks = [trick]
        assert generate(dataset, peer) == 2
        assert len(peer.asked) == 1
    assert line in the_error(capsys)


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_carries_neither_key_nor_pictures_elsewhere(
    tmp_path, status, capsys, monkeypatch
):
    monkeypatch.setenv("OVEARTH_API_KEY", KEY)
    dataset = dataset_of(tmp_path, 1)
    with language_peer() as stranger, language_peer(KEY) as peer:
        peer.tricks = [body(b"", status, Location=stranger.url + "/chat/completions")]
        assert generate(dataset, peer) == 2
        assert stranger.raw == []
        line = the_error(capsys)
        assert f"moved to {stranger.url}" in line
        assert "--base-url" in line


def test_what_is_for_openai_is_not_told_to_others(tmp_path, monkeypatch):
    monkeypatch.setenv("OPENAI_ORG_ID", "org-secret")
    monkeypatch.setenv("OPENAI_PROJECT_ID", "proj-secret")
    with language_peer() as peer:
        assert generate(dataset_of(tmp_path, 1), peer) == 0
        assert "secret" not in str(peer.headers)


@pytest.mark.parametrize("headers", [{"Retry_After": "0.7"}, {"Retry_After_Ms": "700"}])
def test_fractions_of_seconds_are_waited_for(tmp_path, headers, quick, monkeypatch):  # noqa: F811
    from ovearth_core.queries.language_server import LanguageServer

    asked_to_wait = []
    hush = LanguageServer._hush

    def listening(self, seconds):
        asked_to_wait.append(seconds)
        hush(self, seconds)

    monkeypatch.setattr(LanguageServer, "_hush", listening)
    with language_peer() as peer:
        peer.tricks = [fails(429, "slow down", **headers)]
        assert generate(dataset_of(tmp_path, 1), peer) == 0
    assert asked_to_wait == [pytest.approx(0.7)]


def test_answers_without_a_count_are_told_apart(tmp_path, capsys):
    def uncounted(handler, asked):
        document = chat(reply(asked))
        del document["usage"]
        handler.say(200, document)

    dataset = dataset_of(tmp_path, 2)
    with language_peer() as peer:
        peer.tricks = [uncounted]
        assert generate(dataset, peer, "--at-once", 1) == 0
    assert "1,000 tokens in, 100 out (the server doesn't say for 1 request)" in (
        capsys.readouterr().out
    )


def test_a_second_refusal_ends_it(tmp_path):
    dataset = dataset_of(tmp_path, 1)
    with language_peer() as peer:
        peer.tricks = [says("no"), says(None, refusal="I won't")]
        assert generate(dataset, peer) == 1
        assert len(peer.asked) == 2


def test_a_model_that_thinks_until_it_is_cut_off_is_not_paid_to_do_so_again(tmp_path, capsys):
    dataset = dataset_of(tmp_path, 1)
    with language_peer() as peer:
        peer.tricks = [says(None, finish="length", reasoning_content="First of all")]
        assert generate(dataset, peer) == 1
        assert len(peer.asked) == 1
    assert "needs room for that (--max-answer-tokens" in capsys.readouterr().err
