"""Default styles inside the file, in QGIS's own table: it opens with names, colours and forms.

QGIS loads the default style of a layer from `layer_styles` by itself. The colours are those of
Okabe and Ito, which people of any colour vision tell apart. Other layers are named as QGIS names
the layers of a file called dataset.gpkg.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable
from html import escape

from .forms import FORMS, Choices, Field
from .tables import LAYERS, Layer

STYLE_NAME = "OVEarth"

STYLE_TABLE = """
CREATE TABLE layer_styles (
    id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, f_table_catalog TEXT(256),
    f_table_schema TEXT(256), f_table_name TEXT(256), f_geometry_column TEXT(256),
    styleName TEXT(30), styleQML TEXT, styleSLD TEXT, useAsDefault BOOLEAN, description TEXT,
    owner TEXT(30), ui TEXT(30), update_time DATETIME DEFAULT CURRENT_TIMESTAMP
);
"""

_ORANGE, _BLUE, _GREEN, _VERMILION, _GREY = (
    "230,159,0,255", "0,114,178,255", "0,158,115,255", "213,94,0,255", "110,110,110,255",
)  # fmt: skip
_OUTLINES = {"images": _GREY, "instances": _ORANGE, "hbb": _BLUE, "obb": _VERMILION}
_POI_COLOURS = {"candidate": _ORANGE, "accepted": _GREEN, "rejected": _GREY}
_SHOWN = {
    "images": '"file_name"', "instances": "'Instance ' || \"id\"", "pois": '"name"',
    "targets": '"label" || \' (\' || "state" || \')\'', "queries": '"text"',
    "reviews": '"action"', "categories": '"name"', "hbb": '"id"', "obb": '"id"',
}  # fmt: skip


def register_styles(connection: sqlite3.Connection) -> None:
    """Enter the table of styles into the table of contents, as QGIS does."""
    connection.execute(
        "INSERT INTO gpkg_contents (table_name, data_type, identifier, srs_id) "
        "VALUES ('layer_styles', 'attributes', 'layer_styles', 0)"
    )


def write_styles(connection: sqlite3.Connection) -> None:
    """Put the default style of every layer in, in place of the ones that OVEarth put in before.

    Styles that people saved stay; one of theirs that is the default stays the default.
    """
    categories = category_choices(connection)
    for layer in LAYERS:
        qml = _style(layer, categories)
        changed = connection.execute(
            "UPDATE layer_styles SET styleQML = ? WHERE f_table_name = ? AND styleName = ?",
            (qml, layer.table, STYLE_NAME),
        ).rowcount
        if not changed:
            _insert(connection, layer, qml)


def _insert(connection: sqlite3.Connection, layer: Layer, qml: str) -> None:
    (others,) = connection.execute(
        "SELECT count(*) FROM layer_styles WHERE f_table_name = ? AND useAsDefault", (layer.table,)
    ).fetchone()
    connection.execute(
        "INSERT INTO layer_styles (f_table_catalog, f_table_schema, f_table_name, "
        "f_geometry_column, styleName, styleQML, styleSLD, useAsDefault, description, owner, "
        "update_time) VALUES ('', '', ?, ?, ?, ?, '', ?, ?, '', "
        "strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))",
        (
            layer.table,
            "geom" if layer.geometry else "",
            STYLE_NAME,
            qml,
            int(not others),
            layer.description,
        ),
    )


def category_choices(connection: sqlite3.Connection) -> Choices:
    """Return name and number of every category, by name."""
    found = connection.execute("SELECT name, id FROM categories ORDER BY name, id")
    return tuple((name, str(number)) for name, number in found)


def _style(layer: Layer, categories: Choices) -> str:
    """Return a layer's style as QML."""
    return (
        "<!DOCTYPE qgis PUBLIC 'http://mrcc.com/qgis.dtd' 'SYSTEM'>"
        '<qgis version="3.22" styleCategories="AllStyleCategories" readOnly="0">'
        f"{style_elements(layer, categories, name_in_file)}</qgis>"
    )


def name_in_file(table: str) -> str:
    """Return what QGIS calls a layer that it loads from a file called dataset.gpkg."""
    return f"dataset — {table}"


def style_elements(layer: Layer, categories: Choices, name_of: Callable[[str], str]) -> str:
    """Return the elements of a layer's style, fit for a style or a layer of a project.

    name_of: gives the name under which another table's layer is found in the project.
    """
    fields = FORMS[layer.table]
    parts = [
        _renderer(layer),
        wrapped("fieldConfiguration", (_widget(field, categories, name_of) for field in fields)),
        wrapped("aliases", (tag("alias", field=f.name, name=f.alias) for f in fields)),
        wrapped("defaults", (
            tag("default", field=f.name, expression=f.default,
                 applyOnUpdate=str(int(f.each_change)))
            for f in fields
        )),
        "<attributetableconfig><columns>",
        *(tag("column", type="field", name=f.name, hidden=str(int(f.kind == "hidden")))
          for f in fields),
        "</columns></attributetableconfig>",
        wrapped("editable", (
            tag("field", name=f.name, editable=str(int(_is_editable(layer, f)))) for f in fields
        )),
        "<previewExpression>", escape(_SHOWN[layer.table], quote=False), "</previewExpression>",
    ]  # fmt: skip
    return "".join(parts)


def _is_editable(layer: Layer, field: Field) -> bool:
    filled_in_by_the_file = {"changes", "original_text", "label"}
    return layer.table != "reviews" and field.name not in filled_in_by_the_file


def _widget(field: Field, categories: Choices, name_of: Callable[[str], str]) -> str:
    kind, config = "TextEdit", _options(IsMultiline="false")
    if field.kind == "long":
        config = _options(IsMultiline="true")
    elif field.kind == "hidden":
        kind, config = "Hidden", _options()
    elif field.kind in {"choice", "category"}:
        kind = "ValueMap"
        config = _value_map(categories if field.kind == "category" else field.choices)
    elif field.kind == "flag":
        kind, config = "CheckBox", _options(CheckedState="1", UncheckedState="0")
    elif field.kind == "time":
        kind = "DateTime"
        config = _options(
            allow_null="true", calendar_popup="true", display_format="yyyy-MM-dd HH:mm:ss",
            field_format="yyyy-MM-dd HH:mm:ss", field_iso_format="false",
        )  # fmt: skip
    elif field.kind == "row":
        kind = "ValueRelation"
        config = _options(
            Layer="", LayerName=name_of(field.layer), LayerProviderName="ogr",
            LayerSource="", Key="id", Value=field.shown, AllowMulti="false", AllowNull="false",
            OrderByValue="true", UseCompleter="true", FilterExpression="", NofColumns="1",
        )  # fmt: skip
    return tag("field", name=field.name, configurationFlags="None")[:-2] + (
        f'><editWidget type="{kind}"><config>{config}</config></editWidget></field>'
    )


def _value_map(choices: Choices) -> str:
    entries = (
        f'<Option type="Map">{tag("Option", name=label, type="QString", value=value)}</Option>'
        for label, value in choices
    )
    return f'<Option type="Map"><Option type="List" name="map">{"".join(entries)}</Option></Option>'


def _options(**values: str) -> str:
    entries = (
        tag("Option", name=name, type="bool" if value in {"true", "false"} else "QString",
             value=value)
        for name, value in values.items()
    )  # fmt: skip
    return f'<Option type="Map">{"".join(entries)}</Option>'


def _renderer(layer: Layer) -> str:
    if layer.geometry is None:
        return '<renderer-v2 type="nullSymbol"/>'
    if layer.geometry == "POINT":
        symbols = [_marker(str(n), colour) for n, colour in enumerate(_POI_COLOURS.values())]
        entries = [
            tag("category", value=state, label=state.capitalize(), symbol=str(n), render="true")
            for n, state in enumerate(_POI_COLOURS)
        ]
        return (
            '<renderer-v2 type="categorizedSymbol" attr="state" forceraster="0" '
            'symbollevels="0" enableorderby="0">'
            f"{wrapped('categories', entries)}{wrapped('symbols', symbols)}</renderer-v2>"
        )
    symbol = _outline(_OUTLINES[layer.table], "no" if layer.table == "images" else "solid")
    return (
        '<renderer-v2 type="singleSymbol" forceraster="0" symbollevels="0" enableorderby="0">'
        f"<symbols>{symbol}</symbols></renderer-v2>"
    )


def _outline(colour: str, fill: str) -> str:
    faint = colour.rsplit(",", 1)[0] + ",40"
    options = _options(
        color=faint, style=fill, outline_color=colour, outline_style="solid",
        outline_width="0.5", outline_width_unit="MM", joinstyle="miter",
    )  # fmt: skip
    return _symbol("0", "fill", "SimpleFill", options)


def _marker(name: str, colour: str) -> str:
    options = _options(
        name="circle", color=colour, outline_color="255,255,255,255", size="3", size_unit="MM"
    )
    return _symbol(name, "marker", "SimpleMarker", options)


def _symbol(name: str, kind: str, layer_class: str, options: str) -> str:
    return (
        f'<symbol name="{name}" type="{kind}" alpha="1" clip_to_extent="1" force_rhr="0">'
        f'<layer class="{layer_class}" enabled="1" locked="0" pass="0">{options}</layer></symbol>'
    )


def wrapped(name: str, parts: Iterable[str]) -> str:
    """Return an XML element around others."""
    return f"<{name}>{''.join(parts)}</{name}>"


def tag(element: str, /, **attributes: str) -> str:
    """Return an XML element without content."""
    pairs = "".join(f' {key}="{escape(value)}"' for key, value in attributes.items())
    return f"<{element}{pairs}/>"
