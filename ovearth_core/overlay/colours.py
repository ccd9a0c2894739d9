"""The three colours of outcomes, which people of any colour vision tell apart, and QGIS's style.

They are Okabe and Ito's blue, orange and vermilion's counterpart: see their Color Universal
Design (2008).
"""

from __future__ import annotations

from ..dataset.styles import tag, wrapped

# Red, green, blue. Matched is dark, spurious light: they differ in grey too.
COLOURS = {
    "matched": (0, 114, 178),
    "spurious": (240, 228, 66),
    "missed": (213, 94, 0),
}
_NAMES = {"matched": "Matched", "spurious": "Spurious", "missed": "Missed"}


def style(layer: str) -> str:
    """Return a layer's default style as QML: by outcome, masks filled and boxes outlined."""
    symbols = [_symbol(str(n), rgb, layer == "mask") for n, rgb in enumerate(COLOURS.values())]
    entries = [
        tag("category", value=outcome, label=_NAMES[outcome], symbol=str(n), render="true")
        for n, outcome in enumerate(COLOURS)
    ]
    return (
        "<!DOCTYPE qgis PUBLIC 'http://mrcc.com/qgis.dtd' 'SYSTEM'>"
        '<qgis version="3.22" styleCategories="Symbology">'
        '<renderer-v2 type="categorizedSymbol" attr="outcome" forceraster="0" symbollevels="0"'
        f' enableorderby="0">{wrapped("categories", entries)}{wrapped("symbols", symbols)}'
        "</renderer-v2></qgis>"
    )


def _symbol(name: str, rgb: tuple[int, int, int], is_filled: bool) -> str:
    colour = ",".join(map(str, rgb))
    values = {
        "color": f"{colour},{110 if is_filled else 30}",
        "style": "solid",
        "outline_color": f"{colour},255",
        "outline_style": "solid",
        "outline_width": "0.3" if is_filled else "0.6",
        "outline_width_unit": "MM",
        "joinstyle": "miter",
    }
    options = "".join(
        tag("Option", name=key, type="QString", value=value) for key, value in values.items()
    )
    return (
        f'<symbol name="{name}" type="fill" alpha="1" clip_to_extent="1" force_rhr="0">'
        '<layer class="SimpleFill" enabled="1" locked="0" pass="0">'
        f'<Option type="Map">{options}</Option></layer></symbol>'
    )
