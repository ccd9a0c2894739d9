"""Layers that another program draws, as imagery."""

from ovearth_core.collection.imagery.drawn import DrawnLayer, drawn_source
from ovearth_core.collection.imagery.source import ImagerySpec
from ovearth_core.collection.imagery.tile_level import TileLevel
from ovearth_core.frame import ImageFrame

FRAME = ImageFrame("EPSG:3857", (1.0, 0.0, 0.0, 0.0, -1.0, 0.0), 256, 256)


def test_a_drawn_layer_with_levels_knows_of_no_tile_that_was_forbidden():
    """The job asks every source that has such a word, also those whose tiles it never fetches."""
    level = TileLevel("1", FRAME, 256, 256)
    layer = DrawnLayer("roofs", "EPSG:3857", (0, -256, 256, 0), print, print, (level,))
    assert drawn_source(ImagerySpec("layer:roofs"), layer).refusal is None
