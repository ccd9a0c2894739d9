"""What is said where a model is missing: none ships with this program."""

HOW_TO_GET = "docs/click-to-mask.md says where to get a SAM or SAM 2 encoder.onnx and decoder.onnx"
