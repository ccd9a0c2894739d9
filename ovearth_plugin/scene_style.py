"""How a query's shapes look: three colours that colour-blind people can tell apart."""

from __future__ import annotations

from qgis.core import QgsCategorizedSymbolRenderer, QgsFillSymbol, QgsRendererCategory
from qgis.PyQt.QtCore import QCoreApplication

# Under each line a wider one that sets it off from any image: dark for the light colour.
_CASINGS = {"matched": "255,255,255,190", "spurious": "0,0,0,190", "missed": "255,255,255,190"}
_LINE_MM, _CASING_MM, _TRUTH_MM = 0.6, 1.0, 0.25
_FILL_ALPHA = 110


def scene_renderer(is_filled: bool) -> QgsCategorizedSymbolRenderer:
    """Return the renderer for areas (filled) or for boxes."""
    from ..ovearth_core.overlay.colours import COLOURS

    names = {
        "truth": QCoreApplication.translate("InspectLayers", "truth"),
        "matched": QCoreApplication.translate("InspectLayers", "matched"),
        "spurious": QCoreApplication.translate("InspectLayers", "spurious"),
        "missed": QCoreApplication.translate("InspectLayers", "missed"),
    }
    categories = [QgsRendererCategory("truth", _truth_symbol(), names["truth"])]
    for outcome, rgb in COLOURS.items():
        colour = ",".join(map(str, rgb))
        # Missed is dashed too: a print in grey still tells it apart.
        line = "dash" if outcome == "missed" else "solid"
        symbol = _area(colour, line) if is_filled else _box(colour, line, _CASINGS[outcome])
        categories.append(QgsRendererCategory(outcome, symbol, names[outcome]))
    return QgsCategorizedSymbolRenderer("outcome", categories)


def _area(colour: str, line: str) -> QgsFillSymbol:
    return QgsFillSymbol.createSimple(
        {
            "color": f"{colour},{_FILL_ALPHA}",
            "outline_color": f"{colour},255",
            "outline_width": "0.3",
            "outline_style": line,
        }
    )


def _box(colour: str, line: str, casing: str) -> QgsFillSymbol:
    symbol = QgsFillSymbol.createSimple(
        {"style": "no", "outline_color": casing, "outline_width": str(_CASING_MM)}
    )
    upper = QgsFillSymbol.createSimple(
        {
            "style": "no",
            "outline_color": f"{colour},255",
            "outline_width": str(_LINE_MM),
            "outline_style": line,
        }
    )
    symbol.appendSymbolLayer(upper.symbolLayer(0).clone())
    return symbol


def _truth_symbol() -> QgsFillSymbol:
    # A shade under the white: it is seen on snow and in the legend too.
    symbol = QgsFillSymbol.createSimple(
        {"style": "no", "outline_color": "0,0,0,150", "outline_width": str(2 * _TRUTH_MM)}
    )
    upper = QgsFillSymbol.createSimple(
        {
            "style": "no",
            "outline_color": "255,255,255,220",
            "outline_width": str(_TRUTH_MM),
            "joinstyle": "miter",
        }
    )
    symbol.appendSymbolLayer(upper.symbolLayer(0).clone())
    return symbol
