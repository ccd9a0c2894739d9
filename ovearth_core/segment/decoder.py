"""The prompt encoder and mask decoder of a SAM or SAM 2 export."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError, UsageError
from .fit import Fit
from .guidance import HOW_TO_GET
from .onnx_file import OnnxFile, Tensor, listed
from .prompt import Prompt

# What exports call their inputs and outputs: segment-anything's own, samexporter's and those of
# onnxruntime's tools for SAM 2, and transformers' (input_…, pred_masks).
_INPUTS = {
    "points": ("point_coords", "input_points", "points"),
    "labels": ("point_labels", "input_labels", "labels"),
    "boxes": ("input_boxes", "boxes"),
    "mask": ("mask_input", "input_masks"),
    "has_mask": ("has_mask_input", "has_input_masks"),
    "size": ("orig_im_size", "original_image_size", "original_size"),
}
_OUTPUTS = {
    # The first that is there: what is left at the decoder's own size is resampled here, since
    # segment-anything's masks are frozen to the proportions of the image at the export.
    "masks": ("low_res_masks", "low_res_logits", "pred_masks", "masks"),
    "scores": ("iou_predictions", "iou_scores", "scores", "iou_preds"),
}
_TOP_LEFT, _BOTTOM_RIGHT, _NO_POINT = 2, 3, -1
# Logits a pixel of the model's frame.
_MASK_STEP = 4
_LARGEST_LOGITS = 1 << 28

Arrays = Mapping[str, NDArray[Any]]


class Decoder:
    """Makes masks of embeddings and prompts. Raises InputError where the file is no decoder."""

    def __init__(self, file: OnnxFile) -> None:
        self.file = file
        self._roles = _roles(file.inputs, _INPUTS)
        if not is_decoder(file):
            raise InputError(
                f"not a SAM decoder: has inputs {listed(file.inputs)}, not points and labels",
                str(file.path),
                HOW_TO_GET,
            )
        outputs = _roles(file.outputs, _OUTPUTS)
        if len(outputs) < len(_OUTPUTS):
            raise InputError(
                f"not a SAM decoder: has outputs {listed(file.outputs)}, not masks and scores",
                str(file.path),
                HOW_TO_GET,
            )
        self._masks, self._scores = outputs["masks"].name, outputs["scores"].name
        taken = {tensor.name for tensor in self._roles.values()}
        self.embeddings = {
            name: tensor for name, tensor in file.inputs.items() if name not in taken
        }

    @property
    def is_sam2(self) -> bool:
        """Whether it wants features at several resolutions, as SAM 2 does."""
        return sum("position" not in name.lower() for name in self.embeddings) > 1

    @property
    def side(self) -> int | None:
        """The side of the model's frame as its mask input tells it, None where it doesn't."""
        mask = self._roles.get("mask")
        size = mask.shape[-1] if mask is not None and mask.rank else None
        return None if size is None else size * _MASK_STEP

    def sources(self, outputs: Mapping[str, Tensor]) -> dict[str, str]:
        """Return of each embedding wanted the encoder's output that it is.

        By its name, else by its shape among those left. InputError where that names not one.
        """
        found = {name: name for name in self.embeddings if name in outputs}
        for name, tensor in self.embeddings.items():
            if name in found:
                continue
            left = [output for output in outputs.values() if output.name not in found.values()]
            alike = [output for output in left if _are_alike(tensor, output)]
            if len(alike) != 1:
                raise InputError(
                    f"the decoder wants {name!r}, the encoder gives {listed(outputs)}",
                    str(self.file.path),
                    "take encoder and decoder of the same export",
                )
            found[name] = alike[0].name
        return found

    def decode(
        self, embeddings: Arrays, prompt: Prompt, fit: Fit
    ) -> tuple[NDArray[np.bool_], NDArray[np.float64]]:
        """Return masks (K, H, W) and scores (K,) in the model's order, all of them."""
        feed = {**embeddings, **dict(self._prompt_feed(prompt, fit)), **dict(self._other_feed(fit))}
        wanted = {
            name: np.ascontiguousarray(array, dtype=self.file.inputs[name].dtype)
            for name, array in feed.items()
        }
        outputs = self.file.run(wanted)
        masks = self._foreground(outputs[self._masks], fit)
        scores = np.asarray(outputs[self._scores], np.float64).reshape(-1)
        if len(scores) != len(masks):
            raise self._wrong(f"{len(masks)} masks with {len(scores)} scores")
        return masks, np.nan_to_num(scores, nan=0.0)

    def _prompt_feed(self, prompt: Prompt, fit: Fit) -> Iterator[tuple[str, NDArray[Any]]]:
        points, labels = fit.to_model(prompt.points), prompt.labels
        if prompt.box is not None:
            corners = fit.to_model(prompt.box.reshape(2, 2))
            points = np.concatenate([corners, points])
            labels = np.concatenate([[_TOP_LEFT, _BOTTOM_RIGHT], labels])
        point_input, label_input = self._roles["points"], self._roles["labels"]
        missing = self._missing_points(len(points), point_input, prompt)
        points = np.concatenate([points, np.zeros((missing, 2))])
        labels = np.concatenate([labels, np.full(missing, _NO_POINT)])
        yield point_input.name, points.reshape((1,) * (point_input.rank - 2) + points.shape)
        yield label_input.name, labels.reshape((1,) * (label_input.rank - 1) + labels.shape)

    def _missing_points(self, given: int, tensor: Tensor, prompt: Prompt) -> int:
        """Return how many points that are none follow; an export may take one number only."""
        padding = int(self._needs_padding(prompt))
        fixed = tensor.shape[-2]
        if fixed is None:
            return padding
        if given > fixed:
            raise UsageError(
                f"{given} points, a box counted as two, but this export takes {fixed} only",
                str(self.file.path),
                "point at less, or take an export with any number of points",
            )
        return fixed - given

    def _needs_padding(self, prompt: Prompt) -> bool:
        """Whether a point that is none follows: the model was trained so, and doesn't add it.

        SAM's decoder leaves it to the caller where there is no box; SAM 2's adds it; transformers'
        adds it where the export has no input for boxes.
        """
        if "boxes" in self._roles:
            return True
        by_transformers = self._roles["points"].rank == 4
        return not self.is_sam2 and not by_transformers and prompt.box is None

    def _other_feed(self, fit: Fit) -> Iterator[tuple[str, NDArray[Any]]]:
        """Yield what has to be there, too: no earlier mask, no box of its own, the image's size."""
        if "boxes" in self._roles:
            boxes = self._roles["boxes"]
            yield boxes.name, np.zeros((1,) * (boxes.rank - 2) + (0, 4))
        if "mask" in self._roles:
            mask = self._roles["mask"]
            height, width = (
                given or side // _MASK_STEP
                for given, side in zip(
                    mask.shape[-2:], (fit.frame_height, fit.frame_width), strict=True
                )
            )
            yield mask.name, np.zeros((1,) * (mask.rank - 2) + (height, width))
        if "has_mask" in self._roles:
            has_mask = self._roles["has_mask"]
            yield has_mask.name, np.zeros((1,) * has_mask.rank)
        if "size" in self._roles:
            size = self._roles["size"]
            yield (
                size.name,
                np.array([fit.height, fit.width]).reshape((1,) * (size.rank - 1) + (2,)),
            )

    def _foreground(self, found: NDArray[Any], fit: Fit) -> NDArray[np.bool_]:
        if found.ndim < 2 or not found.size or found.size > _LARGEST_LOGITS:
            raise self._wrong(f"masks of shape {list(found.shape)}")
        stack = found.reshape(-1, *found.shape[-2:])
        if stack.dtype == np.bool_:
            stack = np.where(stack, np.float32(1.0), np.float32(-1.0))
        if stack.shape[-2:] == (fit.height, fit.width) and "size" in self._roles:
            return np.asarray(stack > 0.0)
        return np.stack([fit.foreground(logits.astype(np.float32)) for logits in stack])

    def _wrong(self, what: str) -> InputError:
        return InputError(f"not a SAM decoder: it gives {what}", str(self.file.path), HOW_TO_GET)


def is_decoder(file: OnnxFile) -> bool:
    """Whether a model takes points and labels."""
    roles = _roles(file.inputs, _INPUTS)
    return "points" in roles and "labels" in roles


def _roles(
    tensors: Mapping[str, Tensor], names: Mapping[str, tuple[str, ...]]
) -> dict[str, Tensor]:
    return {
        role: next(tensors[name] for name in known if name in tensors)
        for role, known in names.items()
        if any(name in tensors for name in known)
    }


def _are_alike(a: Tensor, b: Tensor) -> bool:
    """Whether two tensors may be the same: no size that both tell differs."""
    return a.rank == b.rank and all(
        one is None or other is None or one == other
        for one, other in zip(a.shape, b.shape, strict=True)
    )
