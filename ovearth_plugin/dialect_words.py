"""The dialects' names as people know them, and those of their options."""

from __future__ import annotations

from qgis.PyQt.QtCore import QCoreApplication

# In the core's order; a test holds the two together.
DIALECTS = (
    *("dense", "sam3", "seg-token", "text4seg", "grounding-dino", "xyxy", "obb-angle"),
    *("obb-corners", "rex-omni", "locate-anything", "qwen2.5-vl", "qwen3-vl", "gemini"),
    *("deepseek-vl2", "paligemma", "florence-2", "coco", "dota", "ultralytics", "labelme"),
    *("csv", "map"),
)
ANGLES = ("le90", "le135", "oc")
ANGLE_UNITS = ("radians", "degrees")
# Names of people's own programs and formats, which no language translates.
_NAMES = {
    "sam3": "SAM 3, SAM3-Agent, SegEarth-OV3",
    "text4seg": "Text4Seg",
    "rex-omni": "Rex-Omni",
    "locate-anything": "LocateAnything",
    "qwen2.5-vl": "Qwen2.5-VL",
    "qwen3-vl": "Qwen3-VL",
    "gemini": "Gemini",
    "deepseek-vl2": "DeepSeek-VL2",
    "paligemma": "PaliGemma",
    "florence-2": "Florence-2",
    "ultralytics": "Ultralytics YOLO",
    "labelme": "LabelMe",
}


def dialect_title(name: str) -> str:
    """Return what a dialect is called in a list; its own name where a package brings it."""
    return _NAMES.get(name) or _titles().get(name, name)


def option_title(name: str) -> str:
    """Return what an option of the core's DialectOptions is called beside its control."""
    return _options()[name]


def angle_title(name: str) -> str:
    """Return an angle's convention with its range."""
    tr = QCoreApplication.translate
    return {
        "le90": tr("OVEarthDialects", "le90: -90° to 90°"),
        "le135": tr("OVEarthDialects", "le135: -45° to 135°"),
        "oc": tr("OVEarthDialects", "oc: 0° to 90°, as OpenCV"),
        "radians": tr("OVEarthDialects", "radians"),
        "degrees": tr("OVEarthDialects", "degrees"),
    }[name]


def _titles() -> dict[str, str]:
    tr = QCoreApplication.translate
    return {
        "dense": tr("OVEarthDialects", "Dense maps (CLIP, CAT-Seg, SegEarth-OV, SkySense-O …)"),
        "seg-token": tr("OVEarthDialects", "[SEG] tokens and masks (LISA, GeoPixel, UniGeoSeg …)"),
        "grounding-dino": tr("OVEarthDialects", "GroundingDINO (centre and size, 0 to 1)"),
        "xyxy": tr("OVEarthDialects", "Pixel corners (YOLO-World, LAE-DINO, SLIP-RS …)"),
        "obb-angle": tr("OVEarthDialects", "Oriented boxes by angle (OpenRSD, mmrotate)"),
        "obb-corners": tr("OVEarthDialects", "Oriented boxes by corners (OpenRSD)"),
        "coco": tr("OVEarthDialects", "COCO results"),
        "dota": tr("OVEarthDialects", "DOTA results, Task 1 and Task 2"),
        "csv": tr("OVEarthDialects", "CSV with pixel or WKT columns"),
        "map": tr("OVEarthDialects", "Map product (vector file, GeoTIFFs)"),
    }


def _options() -> dict[str, str]:
    tr = QCoreApplication.translate
    return {
        "input_size": tr("OVEarthDialects", "Size that the model saw"),
        "resize": tr("OVEarthDialects", "Masks of another size"),
        "classes": tr("OVEarthDialects", "Class list"),
        "threshold": tr("OVEarthDialects", "Least score of foreground"),
        "angle": tr("OVEarthDialects", "Angles"),
        "angle_unit": tr("OVEarthDialects", "Unit of angles"),
        "duplicates": tr("OVEarthDialects", "Boxes are one from IoU"),
        "modality": tr("OVEarthDialects", "Shapes are"),
        "mapping": tr("OVEarthDialects", "Mapping file"),
        "lenient": tr("OVEarthDialects", "Keep what is whole"),
    }


def option_tip(name: str) -> str:
    """Return what an option does, in a sentence or two."""
    tr = QCoreApplication.translate
    return {
        "input_size": tr(
            "OVEarthDialects",
            "Width and height, in pixels, of the images as the model saw them, where its answers "
            "don't say input_size",
        ),
        "resize": tr(
            "OVEarthDialects",
            "Masks of another size than their image are refused, or brought to it: each pixel "
            "takes what its centre lies in",
        ),
        "classes": tr(
            "OVEarthDialects", "A text file of class names, one a line; the first is class 0"
        ),
        "threshold": tr("OVEarthDialects", "Foreground is what scores at least this"),
        "angle": tr(
            "OVEarthDialects",
            "In which convention the angles are: no answer tells, and another one turns boxes",
        ),
        "angle_unit": tr("OVEarthDialects", "Radians unless chosen"),
        "duplicates": tr(
            "OVEarthDialects",
            "Where patches overlapped: from which IoU on two boxes are one; 0.5 unless given, 0 "
            "keeps all",
        ),
        "modality": tr(
            "OVEarthDialects", "What shapes are that may be several things; all of them unless said"
        ),
        "mapping": tr(
            "OVEarthDialects",
            "JSON or CSV that says to which query an output belongs, or to which category a class",
        ),
        "lenient": tr(
            "OVEarthDialects",
            "What is malformed or cut off is left out and counted; else it is an error",
        ),
    }[name]
