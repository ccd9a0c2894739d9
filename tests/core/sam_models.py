"""Small ONNX models with a known answer, under the names, types and sizes of published exports.

The encoder averages 16 x 16 pixels of what it sees: embeddings 0 to 2 are its red, green and blue.
The decoder answers a point inside with a disc of RADIUS about it, less a disc about each point
outside, cut by the box, all in pixels of the model's frame of 1024. Its k-th mask is narrower by
3 k; each point that is none adds 0.01 to every score.
"""

from dataclasses import dataclass

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

SIDE, CELLS, RADIUS, OUTSIDE_RADIUS = 1024, 256, 100.0, 40.0
SCORES = (0.9, 0.7, 0.95, 0.8)
FLOAT, INT32, INT64 = TensorProto.FLOAT, TensorProto.INT32, TensorProto.INT64
MEAN = np.array([123.675, 116.28, 103.53], np.float32)
STD = np.array([58.395, 57.12, 57.375], np.float32)


@dataclass(frozen=True)
class Export:
    """How an exporter writes its two files; `finer`: the names of SAM 2's finer features."""

    image: str
    image_shape: tuple
    embedding: str
    wanted: str
    finer: tuple = ()
    points: str = "point_coords"
    labels: str = "point_labels"
    label_type: int = FLOAT
    rank: int = 3
    mask: str | None = "mask_input"
    has_mask: str | None = "has_mask_input"
    size: str | None = None
    size_type: int = FLOAT
    boxes: str | None = None
    masks: str = "masks"
    low: str | None = None
    scores: str = "iou_predictions"
    count: int = 4
    positions: str | None = None


CHANNELS_FIRST = (1, 3, SIDE, SIDE)
FINER = ("high_res_feats_0", "high_res_feats_1")
FEATURES = ("image_features_0", "image_features_1")
EXPORTS = {
    # segment-anything's own decoder, with the usual export of the encoder alone.
    "sam": Export(
        "images", CHANNELS_FIRST, "embeddings", "image_embeddings",
        size="orig_im_size", low="low_res_masks",
    ),
    # samexporter, and MobileSAM's: the pixels as they are.
    "sam-preprocessed": Export(
        "input_image", ("image_height", "image_width", 3), "image_embeddings", "image_embeddings",
        size="orig_im_size", low="low_res_masks", count=1,
    ),
    "sam-transformers": Export(
        "pixel_values", ("batch_size", 3, SIDE, SIDE), "image_embeddings", "image_embeddings",
        points="input_points", labels="input_labels", label_type=INT64, rank=4, mask=None,
        has_mask=None, masks="pred_masks", scores="iou_scores", count=3,
        positions="image_positional_embeddings",
    ),
    "sam2-samexporter": Export(
        "image", CHANNELS_FIRST, "image_embed", "image_embed", FINER, count=3,
    ),
    # With the image's size, and no masks at the model's own.
    "sam2-sized": Export(
        "image", CHANNELS_FIRST, "image_embed", "image_embed", FINER,
        size="orig_im_size", size_type=INT32, count=1,
    ),
    "sam2-onnxruntime": Export(
        "image", CHANNELS_FIRST, "image_embeddings", "image_embeddings", FEATURES,
        label_type=INT32, mask="input_masks", has_mask="has_input_masks",
        size="original_image_size", size_type=INT32, low="low_res_masks", count=3,
    ),
    "sam2-transformers": Export(
        "pixel_values", ("batch_size", 3, SIDE, SIDE), "image_embeddings.2", "image_embeddings.2",
        ("image_embeddings.0", "image_embeddings.1"), points="input_points", labels="input_labels",
        label_type=INT64, rank=4, mask=None, has_mask=None, boxes="input_boxes",
        masks="pred_masks", scores="iou_scores", count=3,
    ),
}  # fmt: skip


class Graph:
    """Nodes put together one by one; each returns the name of what it gives."""

    def __init__(self):
        self.nodes, self.constants = [], []

    def constant(self, value, dtype=np.float32):
        name = f"constant_{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(np.asarray(value, dtype), name))
        return name

    def add(self, kind, *inputs, to=None, **attributes):
        name = to or f"value_{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, list(inputs), [name], **attributes))
        return name

    def save(self, path, inputs, outputs):
        graph = helper.make_graph(
            self.nodes, path.stem, [helper.make_tensor_value_info(*item) for item in inputs],
            [helper.make_tensor_value_info(*item) for item in outputs], self.constants,
        )  # fmt: skip
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
        model.ir_version = 8
        onnx.checker.check_model(model)
        onnx.save(model, path)
        return path


def write_pair(folder, kind):
    """Write both files of an export; return their paths."""
    export = EXPORTS[kind]
    folder.mkdir(parents=True, exist_ok=True)
    return (
        write_encoder(folder / f"{kind}.encoder.onnx", export),
        write_decoder(folder / f"{kind}.decoder.onnx", export),
    )


def spec(folder, kind):
    return ",".join(map(str, write_pair(folder, kind)))


def write_encoder(path, export):
    graph = Graph()
    image = export.image
    if export.image_shape[-1] == 3:
        centred = graph.add("Sub", image, graph.constant(MEAN))
        scaled = graph.add("Div", centred, graph.constant(STD))
        first = graph.add("Transpose", scaled, perm=[2, 0, 1])
        shape = graph.add("Shape", first)
        size = graph.constant([3, SIDE, SIDE], np.int64)
        lacking = graph.add("Sub", size, shape)
        pads = graph.add("Concat", graph.constant([0, 0, 0], np.int64), lacking, axis=0)
        padded = graph.add("Pad", first, pads)
        image = graph.add("Unsqueeze", padded, graph.constant([0], np.int64))
    coarse = graph.add("AveragePool", image, kernel_shape=[16, 16], strides=[16, 16])
    weights = np.zeros((256, 3, 1, 1), np.float32)
    weights[[0, 1, 2], [0, 1, 2]] = 1
    graph.add("Conv", coarse, graph.constant(weights), to=export.embedding)
    outputs = [(export.embedding, FLOAT, [1, 256, 64, 64])]
    for name, channels, step in zip(export.finer, (32, 64), (4, 8), strict=False):
        pooled = graph.add("AveragePool", image, kernel_shape=[step] * 2, strides=[step] * 2)
        weights = np.zeros((channels, 3, 1, 1), np.float32)
        weights[[0, 1, 2], [0, 1, 2]] = 1
        graph.add("Conv", pooled, graph.constant(weights), to=name)
        outputs.append((name, FLOAT, [1, channels, SIDE // step, SIDE // step]))
    if export.positions:
        graph.add("Mul", export.embedding, graph.constant(0.0), to=export.positions)
        outputs.append((export.positions, FLOAT, [1, 256, 64, 64]))
    # In no order that could be relied on.
    return graph.save(path, [(export.image, FLOAT, export.image_shape)], outputs[::-1])


def write_decoder(path, export):
    graph = Graph()
    points = export.points
    labels = "labels_as_float"
    graph.nodes.append(helper.make_node("Cast", [export.labels], [labels], to=FLOAT))
    if export.rank == 4:
        axis = graph.constant([1], np.int64)
        points = graph.add("Squeeze", points, axis)
        labels = graph.add("Squeeze", labels, axis)
    logits = _logits(graph, points, labels)
    low_shape = [1, export.count, CELLS, CELLS]
    inputs, outputs = _declared(export, low_shape)
    # Bound to the image, the finer features and all: nothing of them shows where they are right.
    seen = graph.add("ReduceMean", export.wanted, keepdims=1)
    for name in (*export.finer, *([export.positions] if export.positions else [])):
        seen = graph.add("Add", seen, graph.add("ReduceMean", name, keepdims=1))
    nothing = graph.add("Mul", seen, graph.constant(0.0))
    low = graph.add("Add", logits, nothing)
    narrower = 3.0 * np.arange(export.count, dtype=np.float32).reshape(1, -1, 1, 1)
    low = graph.add("Sub", low, graph.constant(narrower), to=export.low)
    if export.low is None and export.size is None:
        shape = [1, 1, *low_shape[1:]] if export.rank == 4 else low_shape
        graph.add("Reshape", low, graph.constant(shape, np.int64), to=export.masks)
    elif export.low is None:
        graph.nodes.append(helper.make_node("Cast", [export.size], ["rows_columns"], to=INT64))
        sizes = graph.add(
            "Concat", graph.constant([1, export.count], np.int64), "rows_columns", axis=0
        )
        resized = graph.add(
            "Resize", low, "", "", sizes, mode="linear", coordinate_transformation_mode="half_pixel"
        )
        graph.add("Identity", resized, to=export.masks)
    else:
        # As segment-anything's, frozen to another image's proportions: not to be used.
        graph.add("Mul", low, graph.constant(0.0), to=export.masks)
    none = graph.add("Equal", labels, graph.constant(-1.0))
    graph.nodes.append(helper.make_node("Cast", [none], ["none_as_float"], to=FLOAT))
    axes = graph.constant([1], np.int64)
    count = graph.add("ReduceSum", "none_as_float", axes, keepdims=1)
    bonus = graph.add("Mul", count, graph.constant(0.01))
    scores = graph.add("Add", bonus, graph.constant([SCORES[: export.count]]))
    shape = [1, 1, export.count] if export.rank == 4 else [1, export.count]
    graph.add("Reshape", scores, graph.constant(shape, np.int64), to=export.scores)
    return graph.save(path, inputs, outputs)


def _logits(graph, points, labels):
    """Add (1, 1, CELLS, CELLS): how far within the disc, the box, and out of the other discs."""
    middles = (np.arange(CELLS, dtype=np.float32) + 0.5) * (SIDE / CELLS)
    across = graph.constant(middles.reshape(1, 1, 1, -1))
    down = graph.constant(middles.reshape(1, 1, -1, 1))
    centred = graph.add("Add", points, graph.constant(0.5))
    x, y = (
        graph.add("Unsqueeze", gathered, graph.constant([3], np.int64))
        for gathered in (
            graph.add("Gather", centred, graph.constant([axis], np.int64), axis=2)
            for axis in (0, 1)
        )
    )
    dx, dy = graph.add("Sub", across, x), graph.add("Sub", down, y)
    square = graph.add("Add", graph.add("Mul", dx, dx), graph.add("Mul", dy, dy))
    distance = graph.add("Sqrt", square)
    kinds = graph.add("Unsqueeze", labels, graph.constant([2, 3], np.int64))

    def where(label, value, other):
        is_kind = graph.add("Equal", kinds, graph.constant(float(label)))
        return graph.add("Where", is_kind, value, graph.constant(other))

    inside = graph.add("Sub", graph.constant(RADIUS), distance)
    best = graph.add("ReduceMax", where(1, inside, -1e4), axes=[1], keepdims=1)
    marks = graph.add("ReduceMax", where(1, graph.constant(1.0), 0.0), axes=[1], keepdims=1)
    has_inside = graph.add("Greater", marks, graph.constant(0.5))
    best = graph.add("Where", has_inside, best, graph.constant(1e4))
    beyond = graph.add("Sub", distance, graph.constant(OUTSIDE_RADIUS))
    least = graph.add("ReduceMin", where(0, beyond, 1e4), axes=[1], keepdims=1)
    edges = [
        graph.add("Sub", across, graph.add("ReduceMax", where(2, x, -1e5), axes=[1], keepdims=1)),
        graph.add("Sub", down, graph.add("ReduceMax", where(2, y, -1e5), axes=[1], keepdims=1)),
        graph.add("Sub", graph.add("ReduceMin", where(3, x, 1e5), axes=[1], keepdims=1), across),
        graph.add("Sub", graph.add("ReduceMin", where(3, y, 1e5), axes=[1], keepdims=1), down),
    ]
    return graph.add("Min", best, least, *edges)


def _declared(export, low_shape):
    point_shape = [1, "num_points", 2]
    label_shape = [1, "num_points"]
    if export.rank == 4:
        point_shape = ["batch_size", 1, "num_points", 2]
        label_shape = ["batch_size", 1, "num_points"]
    inputs = [(export.wanted, FLOAT, [1, 256, 64, 64])]
    for name, channels, side in zip(export.finer, (32, 64), (256, 128), strict=False):
        inputs.append((name, FLOAT, [1, channels, side, side]))
    if export.positions:
        inputs.append((export.positions, FLOAT, [1, 256, 64, 64]))
    inputs += [(export.points, FLOAT, point_shape), (export.labels, export.label_type, label_shape)]
    if export.boxes:
        inputs.append((export.boxes, FLOAT, ["batch_size", "num_boxes", 4]))
    if export.mask:
        inputs.append((export.mask, FLOAT, ["num_labels", 1, CELLS, CELLS]))
        inputs.append((export.has_mask, FLOAT, [1]))
    if export.size:
        inputs.append((export.size, export.size_type, [2]))
    rank_4 = export.rank == 4
    outputs = [
        (export.scores, FLOAT, [1, 1, export.count] if rank_4 else [1, export.count]),
        (export.masks, FLOAT, [1, 1, *low_shape[1:]] if rank_4 else [1, export.count, "h", "w"]),
    ]
    if export.low:
        outputs.append((export.low, FLOAT, low_shape))
    return inputs, outputs
