"""SAM and SAM 2 exports: what they are shown, what they answer, and what is said of other files."""

import json
from pathlib import Path

import numpy as np
import onnx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image as Picture

from ovearth_core.errors import InputError, MissingPackageError, UsageError
from ovearth_core.segment import open_model
from ovearth_core.segment.embeddings import Kept
from ovearth_core.segment.encoder import Encoder
from ovearth_core.segment.fit import Fit
from ovearth_core.segment.onnx_file import OnnxFile
from ovearth_core.segment.resizing import resized

from . import sam_models
from .sam_models import EXPORTS, MEAN, OUTSIDE_RADIUS, RADIUS, SIDE, STD, spec, write_pair
from .shared import DATA, needs_shared

NARROWER = 3.0
SIZES = [(300, 500), (700, 400), (1024, 1024), (2000, 1500)]
# Of a point alone, as SAM's own code says which of four masks are meant; then the best score.
AMBIGUOUS = {"sam": 2, "sam-preprocessed": 0, "sam2-sized": 0}
CLEAR = {"sam": 0, "sam-preprocessed": 0, "sam2-sized": 0}
# Points that are none beside a point, and beside a box.
PADDING = {"sam": (1, 0), "sam-preprocessed": (1, 0), "sam2-transformers": (1, 1)}


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    folder = tmp_path_factory.mktemp("models")
    return {kind: open_model(spec(folder / kind, kind)) for kind in EXPORTS}


def picture(height, width, seed=0):
    return np.random.default_rng(seed).integers(0, 256, (height, width, 3), dtype=np.uint8)


def scale(kind, height, width):
    if kind.startswith("sam2"):
        return SIDE / width, SIDE / height
    return (SIDE / max(height, width),) * 2


def expected(kind, size, nth, inside=(), outside=(), box=None):
    """The mask that the model is known to answer, on the image's own pixels."""
    height, width = size
    sx, sy = scale(kind, height, width)
    y, x = (np.mgrid[:height, :width] + 0.5) * np.array([sy, sx]).reshape(2, 1, 1)
    depth = np.full(size, 1e4)
    if len(inside):
        depth = np.max([RADIUS - np.hypot(x - px * sx, y - py * sy) for px, py in inside], axis=0)
    for px, py in outside:
        depth = np.minimum(depth, np.hypot(x - px * sx, y - py * sy) - OUTSIDE_RADIUS)
    if box is not None:
        edges = [x - box[0] * sx, y - box[1] * sy, box[2] * sx - x, box[3] * sy - y]
        depth = np.minimum(depth, np.min(edges, axis=0))
    return depth > NARROWER * nth


def iou(a, b):
    return np.count_nonzero(a & b) / np.count_nonzero(a | b)


@pytest.mark.parametrize("kind", EXPORTS)
@pytest.mark.parametrize("size", SIZES)
class TestEveryExport:
    def test_a_point_is_answered_where_it_was_set(self, models, kind, size):
        model, (height, width) = models[kind], size
        model.set_image(picture(height, width))
        point = (0.4 * width, 0.6 * height)
        masks, scores = model.predict([point], [1])
        best = AMBIGUOUS.get(kind, 2)
        assert iou(masks[0], expected(kind, size, best, inside=[point])) > 0.997
        assert masks.shape == (len(scores), height, width)
        assert masks.dtype == bool
        bonus = 0.01 * PADDING.get(kind, (0, 0))[0]
        assert scores[0] == pytest.approx(sam_models.SCORES[best] + bonus)
        assert (np.diff(scores) <= 0).all()

    def test_a_box_is_answered_where_it_was_drawn(self, models, kind, size):
        model, (height, width) = models[kind], size
        model.set_image(picture(height, width))
        box = (0.2 * width, 0.1 * height, 0.5 * width, 0.7 * height)
        masks, scores = model.predict([], [], box)
        best = CLEAR.get(kind, 2)
        assert iou(masks[0], expected(kind, size, best, box=box)) > 0.997
        bonus = 0.01 * PADDING.get(kind, (0, 0))[1]
        assert scores[0] == pytest.approx(sam_models.SCORES[best] + bonus)

    def test_points_in_and_out_and_a_box_count_together(self, models, kind, size):
        model, (height, width) = models[kind], size
        model.set_image(picture(height, width))
        inside = [(0.4 * width, 0.5 * height), (0.45 * width, 0.55 * height)]
        outside = [(0.4 * width, 0.6 * height)]
        box = (0.38 * width, 0.4 * height, 0.6 * width, 0.7 * height)
        masks, _ = model.predict([*inside, *outside], [1, 1, 0], box)
        best = CLEAR.get(kind, 2)
        assert iou(masks[0], expected(kind, size, best, inside, outside, box)) > 0.995


def test_the_family_is_told_from_the_decoder(models):
    assert {kind: model.family for kind, model in models.items()} == {
        kind: "SAM 2" if kind.startswith("sam2") else "SAM" for kind in EXPORTS
    }
    assert models["sam2-samexporter"].name == "sam2-samexporter"


class TestWhatTheEncoderSees:
    """The embeddings are means of 16 x 16 pixels: what Pillow and plain arithmetic make of them."""

    def shown(self, folder, kind, pixels, **config):
        path, _ = write_pair(folder, kind)
        if config:
            (folder / "preprocessor_config.json").write_text(json.dumps(config))
        encoder = Encoder(OnnxFile(path))
        size = pixels.shape[:2]
        frame = encoder.frame(None)
        fit = (Fit.stretched if kind.startswith("sam2") else Fit.padded)(size, frame)
        return encoder.encode(pixels, fit)[EXPORTS[kind].embedding][0, :3]

    def judged(self, pixels, inner, mean=MEAN, std=STD):
        height, width = inner
        small = Picture.fromarray(pixels).resize((width, height), Picture.Resampling.BILINEAR)
        whole = np.zeros((SIDE, SIDE, 3))
        whole[:height, :width] = (np.asarray(small, np.float64) - mean) / std
        means = whole.reshape(64, 16, 64, 16, 3).mean(axis=(1, 3))
        return np.moveaxis(means, 2, 0)

    @needs_shared
    @pytest.mark.parametrize("kind", EXPORTS)
    def test_real_pixels_come_resized_normalised_and_padded_as_sam_wants_them(self, tmp_path, kind):
        import rasterio

        with rasterio.open(DATA / "images" / "2018_SJER_3_252000_4107000_image_477.tif") as file:
            pixels = np.ascontiguousarray(np.moveaxis(file.read([1, 2, 3]), 0, 2))[:300]
        height, width = pixels.shape[:2]
        inner = (SIDE, SIDE)
        if not kind.startswith("sam2"):
            inner = (round(SIDE * height / width), SIDE)
        assert pixels.std() > 10
        found = self.shown(tmp_path, kind, pixels)
        # Pillow rounds to whole numbers twice.
        assert np.abs(found - self.judged(pixels, inner)).max() < 0.02

    def test_a_preprocessor_config_beside_the_model_wins(self, tmp_path):
        pixels = picture(64, 64)
        halves = {"image_mean": [0.5] * 3, "image_std": [0.5] * 3}
        found = self.shown(tmp_path, "sam2-transformers", pixels, **halves)
        judged = self.judged(pixels, (SIDE, SIDE), np.full(3, 127.5), np.full(3, 127.5))
        assert np.abs(found - judged).max() < 0.02

    @pytest.mark.parametrize(
        "config", ["[", '{"image_mean": 3}', '{"image_std": [0, 1, 1]}', '{"rescale_factor": "1"}']
    )
    def test_a_faulty_config_is_refused_by_name(self, tmp_path, config):
        path, _ = write_pair(tmp_path, "sam2-transformers")
        (tmp_path / "preprocessor_config.json").write_text(config)
        with pytest.raises(InputError, match=r"preprocessor_config\.json"):
            Encoder(OnnxFile(path))


class TestEmbeddings:
    def counting(self, model):
        """Count how often the encoder runs, on the model itself."""
        calls = []
        run = model._encoder.file.run

        def counted(feed):
            calls.append(1)
            return run(feed)

        model._encoder.file.run = counted
        return calls

    def test_an_image_seen_before_is_not_encoded_again(self, tmp_path):
        model = open_model(spec(tmp_path, "sam"))
        calls = self.counting(model)
        first, second = picture(50, 60, 1), picture(50, 60, 2)
        for pixels in (first, second, first.copy(), second):
            model.set_image(pixels)
            model.predict([[10, 10]], [1])
        assert len(calls) == 2
        # The same bytes in another shape are another image.
        model.set_image(first.reshape(60, 50, 3))
        assert len(calls) == 3

    @given(st.lists(st.integers(0, 5), max_size=40), st.integers(1, 4))
    @settings(deadline=None)
    def test_those_used_last_are_kept_and_no_more(self, keys, most):
        kept, recent = Kept(most), []
        for key in map(str, keys):
            assert (kept.get(key) is not None) == (key in recent[-most:])
            kept.put(key, key)
            recent = [*(other for other in recent if other != key), key]


class TestResizing:
    @given(
        st.tuples(st.integers(1, 40), st.integers(1, 40)),
        st.tuples(st.integers(1, 60), st.integers(1, 60)),
        st.integers(0, 99),
    )
    @settings(deadline=None, max_examples=150)
    def test_agrees_with_pillow(self, before, after, seed):
        pixels = picture(*before, seed)
        judge = Picture.fromarray(pixels).resize(after[::-1], Picture.Resampling.BILINEAR)
        assert np.abs(resized(pixels, *after) - np.asarray(judge, np.float32)).max() <= 1.01

    @given(st.integers(1, 3000), st.integers(1, 3000))
    def test_the_longer_side_fills_the_frame(self, height, width):
        fit = Fit.padded((height, width), (SIDE, SIDE))
        assert max(fit.inner_height, fit.inner_width) == SIDE
        corner = fit.to_model(np.array([[width, height]], float))[0]
        assert corner == pytest.approx([fit.inner_width - 0.5, fit.inner_height - 0.5])


class TestWhatIsNoModel:
    def test_nothing_there_says_where_to_get_one(self, tmp_path):
        for text in (str(tmp_path / "sam2"), f"{tmp_path}/a.onnx,{tmp_path}/b.onnx", str(tmp_path)):
            with pytest.raises((UsageError, InputError), match=r"docs/click-to-mask\.md"):
                open_model(text)

    @pytest.mark.parametrize(
        ("content", "kind"),
        [
            (b"PK\x03\x04 and so on", "PyTorch checkpoint"),
            (b"version https://git-lfs.github.com/spec/v1\n", "pointer of Git LFS"),
            (b"<!doctype html>", "web page"),
            (b"", "empty"),
            (b"\x08\x07garbage of another kind", "not an ONNX model"),
        ],
    )
    def test_another_file_is_named_for_what_it_is(self, tmp_path, content, kind):
        encoder, decoder = write_pair(tmp_path, "sam")
        encoder.write_bytes(content)
        with pytest.raises(InputError, match=kind) as caught:
            open_model(f"{encoder},{decoder}")
        assert str(encoder) in str(caught.value)

    def test_another_onnx_model_is_told_from_a_decoder_by_its_inputs(self, tmp_path):
        encoder, decoder = write_pair(tmp_path, "sam")
        with pytest.raises(InputError, match="not a SAM decoder: has inputs images, not points"):
            open_model(f"{encoder},{encoder}")
        with pytest.raises(InputError, match="two SAM decoders, no encoder"):
            open_model(f"{decoder},{decoder}")

    def test_a_decoder_with_other_outputs_is_refused(self, tmp_path):
        encoder, decoder = write_pair(tmp_path, "sam2-samexporter")
        model = onnx.load(decoder)
        for node in model.graph.node:
            node.output[:] = ["other" if name == "masks" else name for name in node.output]
        for output in model.graph.output:
            output.name = "other" if output.name == "masks" else output.name
        onnx.save(model, decoder)
        with pytest.raises(InputError, match="has outputs iou_predictions, other, not masks"):
            open_model(f"{encoder},{decoder}")

    def test_halves_of_two_exports_are_refused(self, tmp_path):
        encoder, _ = write_pair(tmp_path, "sam")
        _, decoder = write_pair(tmp_path, "sam2-samexporter")
        with pytest.raises(InputError, match="the decoder wants 'high_res_feats_0'"):
            open_model(f"{encoder},{decoder}")

    def test_weights_in_a_file_beside_that_is_missing_are_named(self, tmp_path):
        encoder, decoder = write_pair(tmp_path, "sam")
        whole = tmp_path / "whole.onnx"
        onnx.save(
            onnx.load(encoder), whole, save_as_external_data=True, location="whole.onnx_data",
            size_threshold=0,
        )  # fmt: skip
        assert open_model(f"{whole},{decoder}").family == "SAM"
        (tmp_path / "whole.onnx_data").unlink()
        with pytest.raises(InputError, match="weights are in a file beside it that is missing"):
            open_model(f"{whole},{decoder}")

    def test_an_export_of_a_fixed_number_of_points_is_filled_up_and_takes_no_more(self, tmp_path):
        encoder, decoder = write_pair(tmp_path, "sam")
        model = onnx.load(decoder)
        for tensor in model.graph.input:
            if tensor.name in ("point_coords", "point_labels"):
                tensor.type.tensor_type.shape.dim[1].dim_value = 4
        onnx.save(model, decoder)
        found = open_model(f"{encoder},{decoder}")
        found.set_image(picture(100, 100))
        _, scores = found.predict([[50, 50]], [1])
        assert scores[0] == pytest.approx(sam_models.SCORES[2] + 0.03)
        with pytest.raises(UsageError, match=r"5 points, a box counted as two, .* takes 4 only"):
            found.predict([[50, 50]] * 3, [1] * 3, [1, 1, 99, 99])

    def test_one_file_and_three_are_refused(self, tmp_path):
        encoder, decoder = write_pair(tmp_path, "sam")
        with pytest.raises(UsageError, match="one file, but a model is two"):
            open_model(str(encoder))
        (tmp_path / "third.onnx").write_bytes(decoder.read_bytes())
        with pytest.raises(UsageError, match=r"several models \(sam.decoder.onnx, sam.encoder"):
            open_model(str(tmp_path))

    def test_a_folder_and_either_order_will_do(self, tmp_path):
        encoder, decoder = write_pair(tmp_path / "pair", "sam")
        for text in (str(tmp_path / "pair"), f"{decoder},{encoder}", f" {encoder} , {decoder}"):
            assert open_model(text).family == "SAM"

    def test_the_main_files_of_a_transformers_export_are_found(self, tmp_path):
        folder = tmp_path / "sam2.1-hiera-tiny" / "onnx"
        encoder, decoder = write_pair(folder, "sam2-transformers")
        for name in ("vision_encoder.onnx", "vision_encoder_fp16.onnx"):
            (folder / name).write_bytes(encoder.read_bytes())
        (folder / "prompt_encoder_mask_decoder.onnx").write_bytes(decoder.read_bytes())
        assert open_model(str(folder.parent)).family == "SAM 2"

    def test_without_onnxruntime_the_package_is_named(self, tmp_path, monkeypatch):
        import sys

        monkeypatch.setitem(sys.modules, "onnxruntime", None)
        with pytest.raises(MissingPackageError, match="pip install onnxruntime"):
            open_model(spec(tmp_path, "sam"))


class TestWhatIsNoPrompt:
    @pytest.mark.parametrize(
        ("points", "labels", "box", "said"),
        [
            ([], [], None, "neither a point nor a box"),
            ([[1, 2]], [], None, "labels of shape"),
            ([[1, 2]], [2], None, "neither 1 nor 0"),
            ([[1, float("nan")]], [1], None, "not finite"),
            ([], [], [1, 2, 3], "not four numbers"),
            ([], [], [5, 2, 5, 9], "without area"),
        ],
    )
    def test_is_refused_in_words(self, models, points, labels, box, said):
        model = models["sam"]
        model.set_image(picture(20, 20))
        with pytest.raises(UsageError, match=said):
            model.predict(points, labels, box)

    def test_so_is_an_image_that_is_none_and_none_at_all(self, tmp_path):
        model = open_model(spec(tmp_path, "sam"))
        with pytest.raises(UsageError, match="no image is set"):
            model.predict([[1, 1]], [1])
        for pixels in (picture(9, 9)[..., 0], picture(9, 9).astype(float), picture(0, 9)):
            with pytest.raises(UsageError, match="an image of shape"):
                model.set_image(pixels)


def test_importing_the_package_takes_neither_onnxruntime_nor_httpx():
    import subprocess
    import sys

    code = (
        "import sys, ovearth_core.segment as s; "
        "print({'onnxruntime', 'httpx', 'rasterio', 'shapely'} & set(sys.modules))"
    )
    root = Path(__file__).resolve().parents[2]
    found = subprocess.run(
        [sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True
    )
    assert found.stdout.strip() == "set()"
