"""A model behind HTTP: the protocol of docs/click-to-mask.md, and servers that don't keep to it."""

import io

import numpy as np
import pytest
from PIL import Image as Picture

from ovearth_core.collection.exchange import Politeness
from ovearth_core.collection.service_errors import (
    BusyError,
    LargeAnswerError,
    RefusedError,
    ServiceError,
    SlowAnswerError,
    UnreachableError,
    UnreadableAnswerError,
)
from ovearth_core.errors import UsageError
from ovearth_core.segment import open_model, tried_model
from ovearth_core.segment.png import png_bytes
from ovearth_core.segment.server_segmenter import KEY_VARIABLE, ServerSegmenter

from .mask_server import mask_server

QUICK = Politeness(
    attempts=2, first_wait_s=0.01, longest_wait_s=0.05, silence_s=1.0, answer_s=1.0,
    most_bytes=1 << 20,
)  # fmt: skip


def picture(height=40, width=60, seed=0):
    return np.random.default_rng(seed).integers(0, 256, (height, width, 3), dtype=np.uint8)


@pytest.fixture
def server():
    with mask_server() as served:
        yield served


@pytest.fixture
def model(server):
    found = ServerSegmenter(server.url, QUICK)
    yield found
    found.close()


class TestTheProtocol:
    def test_pixels_arrive_as_they_are_and_masks_come_back_best_first(self, server):
        model = open_model(server.url)
        model.set_image(picture())
        masks, scores = model.predict([[30.5, 20.5], [34.0, 20.0]], [1, 0], [10, 5, 50, 38])
        assert (next(iter(server.images.values())) == picture()).all()
        assert scores.tolist() == [0.75, 0.25]
        y, x = np.mgrid[:40, :60] + 0.5
        judge = (np.hypot(x - 30.5, y - 20.5) < 10) & (np.hypot(x - 34, y - 20) >= 10)
        assert (masks[0] == judge).all()
        assert not masks[1].any()
        assert server.asked[1][1]["box"] == [10, 5, 50, 38]

    def test_an_image_is_sent_once_whatever_is_asked_of_it(self, server, model):
        for seed in (1, 2, 1, 2):
            model.set_image(picture(seed=seed))
            model.predict([[5, 5]], [1])
        assert server.actions() == ["image", "predict"] * 2 + ["predict"] * 2

    def test_an_image_forgotten_is_sent_again_once(self, server, model):
        model.set_image(picture())
        server.forget()
        assert model.predict([[5, 5]], [1])[0][0].any()
        assert server.actions() == ["image", "predict", "image", "predict"]
        server.replies["predict"] = [404, 404]
        with pytest.raises(RefusedError, match="404"):
            model.predict([[5, 5]], [1])

    def test_the_key_comes_from_the_environment_and_is_shown_nowhere(self, monkeypatch):
        with mask_server(key="s3cret") as server:
            model = ServerSegmenter(server.url, QUICK)
            monkeypatch.delenv(KEY_VARIABLE, raising=False)
            with pytest.raises(RefusedError, match=KEY_VARIABLE) as caught:
                model.set_image(picture())
            monkeypatch.setenv(KEY_VARIABLE, "s3cret")
            model.set_image(picture())
            assert server.tokens[-1] == "Bearer s3cret"
            for shown in (str(caught.value), model.name, repr(vars(model))):
                assert "s3cret" not in shown
            monkeypatch.setenv(KEY_VARIABLE, "sécret\n2")
            with pytest.raises(UsageError, match="no header holds") as caught:
                model.set_image(picture(seed=3))
            assert "cret" not in str(caught.value)

    @pytest.mark.parametrize("size", [(1, 1), (3, 5), (40, 61)])
    def test_png_is_read_by_others(self, size):
        pixels = picture(*size)
        assert (np.asarray(Picture.open(io.BytesIO(png_bytes(pixels)))) == pixels).all()


class TestServersThatDont:
    @pytest.mark.parametrize(
        ("reply", "said"),
        [
            (b"<html>", "no JSON"),
            (b"[1]", "no object"),
            (b"[" * 100_000, "no JSON"),
            (b'{"masks": 3, "scores": []}', "no lists"),
            (b'{"masks": [], "scores": []}', "0 masks"),
            (lambda found: {**found, "scores": [1]}, "2 masks with 1 scores"),
            (lambda found: {**found, "scores": [1, float("nan")]}, "a score is no number"),
            (lambda found: {**found, "masks": [{"size": [60, 40], "counts": "0"}] * 2}, "size"),
            (lambda found: {**found, "masks": [{"size": [40, 60], "counts": [7]}] * 2}, "none"),
            (lambda found: {**found, "masks": [5, 6]}, "no RLE"),
        ],
    )
    def test_keep_to_it_are_told_what_they_said(self, server, model, reply, said):
        model.set_image(picture())
        server.replies["predict"] = [reply]
        with pytest.raises(UnreadableAnswerError, match=said) as caught:
            model.predict([[5, 5]], [1])
        assert "docs/click-to-mask.md" in str(caught.value)

    @pytest.mark.parametrize("reply", [b"{}", b'{"image": 5}', b'{"image": ""}'])
    def test_give_an_image_no_name_neither(self, server, model, reply):
        server.replies["image"] = [reply]
        with pytest.raises(UnreadableAnswerError, match="'image' is"):
            model.set_image(picture())

    def test_answer_too_much_are_not_read_to_the_end(self, server, model):
        model.set_image(picture())
        server.replies["predict"] = [b" " * (2 << 20)]
        with pytest.raises(LargeAnswerError):
            model.predict([[5, 5]], [1])

    def test_answer_in_time_are_given_up(self, server, model):
        model.set_image(picture())
        server.replies["predict"] = [3.0]
        with pytest.raises(SlowAnswerError, match="faster server"):
            model.predict([[5, 5]], [1])

    def test_are_busy_are_asked_again(self, server, model):
        model.set_image(picture())
        server.replies["predict"] = [503]
        assert model.predict([[5, 5]], [1])[0][0].any()
        server.replies["predict"] = [503, 503]
        with pytest.raises(BusyError, match="503"):
            model.predict([[5, 5]], [1])

    def test_run_say_so(self):
        with mask_server() as gone:
            url = gone.url
        with pytest.raises(UnreachableError, match="start the server"):
            ServerSegmenter(url, QUICK).set_image(picture())

    def test_have_an_address_are_refused(self):
        with pytest.raises(UsageError, match="no address"):
            open_model("http://")

    @pytest.mark.parametrize("secret", ["me:pass@host/sam", "host/sam?key=pass", "host/sam#pass"])
    def test_have_secrets_in_it_neither(self, secret):
        with pytest.raises(UsageError, match=KEY_VARIABLE) as caught:
            open_model(f"https://{secret}")
        assert "pass" not in str(caught.value)

    def test_take_large_images_are_not_sent_any(self, model):
        with pytest.raises(UsageError, match="too large to send"):
            model.set_image(np.zeros((1, 9000, 3), np.uint8))


def test_a_server_is_tried_once_before_it_is_said_to_be_ready(server):
    tried_model(server.url)
    assert server.actions() == ["image"]
    server.replies["image"] = [500]
    with pytest.raises(ServiceError):
        tried_model(server.url)
    assert server.actions() == ["image", "image"]
