"""Geometry of boxes, quadrilaterals, polygons and masks, in NumPy; knows nothing above it."""

from .boxes import box_iou, box_pairs, check_boxes, envelope, grouped_box_pairs
from .corners import corner_order, corner_orders
from .mask_areas import rle_areas
from .quadrilaterals import (
    check_quads,
    finite_quads,
    grouped_quad_pairs,
    quad_areas,
    quad_iou,
    quad_pairs,
)
from .rectangles import min_area_rect, min_area_rects
from .rings import Polygon, polygons_from_coco, polygons_from_geojson
from .runs import Runs, intersection_area

__all__ = [
    "Polygon",
    "Runs",
    "box_iou",
    "box_pairs",
    "check_boxes",
    "check_quads",
    "corner_order",
    "corner_orders",
    "envelope",
    "finite_quads",
    "grouped_box_pairs",
    "grouped_quad_pairs",
    "intersection_area",
    "min_area_rect",
    "min_area_rects",
    "polygons_from_coco",
    "polygons_from_geojson",
    "quad_areas",
    "quad_iou",
    "quad_pairs",
    "rle_areas",
]
