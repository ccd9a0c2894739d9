"""A QGIS project inside the file: all layers in order, named, styled, and joined by relations.

In QGIS it stands below the file in the browser, and in Project > Open From > GeoPackage. It is
kept in QGIS's own table, as the hexadecimal digits of a zipped project.
"""

from __future__ import annotations

import io
import sqlite3
import zipfile
from datetime import datetime, timezone

from .forms import Choices
from .styles import category_choices, style_elements, tag, wrapped
from .tables import LAYERS, SPATIAL_REFERENCES, Layer

PROJECT_NAME = "OVEarth"

PROJECT_TABLE = """
CREATE TABLE qgis_projects (name TEXT PRIMARY KEY, metadata BLOB, content BLOB);
"""

# The table that refers, its column, the table referred to, its column, and what to call it.
_RELATIONS = (
    ("targets", "image_id", "images", "id", "Targets of the image"),
    ("instances", "target_id", "targets", "id", "Instances of the target"),
    ("queries", "target_id", "targets", "id", "Queries of the target"),
    ("reviews", "target_id", "targets", "id", "Log of the target"),
    ("targets", "category_id", "categories", "id", "Targets of the category"),
    ("hbb", "instance_id", "instances", "id", "Horizontal boxes of the instance"),
    ("obb", "instance_id", "instances", "id", "Oriented boxes of the instance"),
    ("images", "poi_id", "pois", "id", "Images of the place"),
)
# As they lie on the map, the uppermost first.
_DRAWN = ("pois", "obb", "hbb", "instances", "images")
_PROPERTIES = (
    '<properties><Paths><Absolute type="bool">false</Absolute></Paths>'
    '<SpatialRefSys><ProjectionsEnabled type="int">1</ProjectionsEnabled></SpatialRefSys>'
    "</properties>"
)
_SAME_DATE = (1980, 1, 1, 0, 0, 0)
_TITLES = {layer.table: layer.title for layer in LAYERS}


def write_project(connection: sqlite3.Connection) -> None:
    """Put the project in, in place of the one that OVEarth put in before; others stay."""
    text = _project(category_choices(connection))
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(zipfile.ZipInfo(f"{PROJECT_NAME}.qgs", _SAME_DATE), text)
    now = datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%S")
    metadata = f'{{"last_modified_time": "{now}", "last_modified_user": "OVEarth"}}'
    connection.execute(
        "INSERT OR REPLACE INTO qgis_projects (name, metadata, content) VALUES (?, ?, ?)",
        (PROJECT_NAME, metadata.encode().hex(), packed.getvalue().hex()),
    )


def _project(categories: Choices) -> str:
    tables = [layer.table for layer in LAYERS if layer.geometry is None]
    parts = [
        "<!DOCTYPE qgis PUBLIC 'http://mrcc.com/qgis.dtd' 'SYSTEM'>",
        f'<qgis version="3.22.0" projectname="{PROJECT_NAME}">',
        "<title>OVEarth dataset</title>",
        f"<projectCrs>{_srs()}</projectCrs>",
        "<layer-tree-group>",
        *(_tree_layer(table) for table in _DRAWN),
        '<layer-tree-group name="Tables" checked="Qt::Checked" expanded="1">',
        *(_tree_layer(table) for table in tables),
        "</layer-tree-group></layer-tree-group>",
        wrapped("relations", (_relation(*relation) for relation in _RELATIONS)),
        wrapped("projectlayers", (_map_layer(layer, categories) for layer in LAYERS)),
        _PROPERTIES,
        "</qgis>",
    ]
    return "".join(parts)


def _tree_layer(table: str) -> str:
    return tag(
        "layer-tree-layer", id=_id(table), name=_TITLES[table], providerKey="ogr",
        source=_source(table), checked="Qt::Checked", expanded="0",
    )  # fmt: skip


def _map_layer(layer: Layer, categories: Choices) -> str:
    kind = {None: "No geometry", "POINT": "Point"}.get(layer.geometry, "Polygon")
    return (
        f'<maplayer type="vector" geometry="{kind}" hasScaleBasedVisibilityFlag="0">'
        f"<id>{_id(layer.table)}</id><datasource>{_source(layer.table)}</datasource>"
        f"<layername>{layer.title}</layername>"
        f"<srs>{_srs() if layer.geometry else ''}</srs>"
        '<provider encoding="UTF-8">ogr</provider>'
        f"{style_elements(layer, categories, lambda table: _TITLES[table])}</maplayer>"
    )


def _relation(child: str, column: str, parent: str, key: str, name: str) -> str:
    return (
        f'<relation id="{child}_{column}" name="{name}" referencingLayer="{_id(child)}" '
        f'referencedLayer="{_id(parent)}" strength="Association">'
        f"{tag('fieldRef', referencingField=column, referencedField=key)}</relation>"
    )


def _id(table: str) -> str:
    # QGIS makes up another one in place of any shorter than eleven letters.
    return f"ovearth_dataset_{table}"


def _source(table: str) -> str:
    return f"./dataset.gpkg|layername={table}"


def _srs() -> str:
    wkt = str(SPATIAL_REFERENCES[-1][4]).replace('"', "&quot;")
    return (
        f"<spatialrefsys><wkt>{wkt}</wkt><proj4>+proj=longlat +datum=WGS84 +no_defs</proj4>"
        "<srsid>3452</srsid><srid>4326</srid><authid>EPSG:4326</authid>"
        "<description>WGS 84</description><projectionacronym>longlat</projectionacronym>"
        "<ellipsoidacronym>EPSG:7030</ellipsoidacronym><geographicflag>true</geographicflag>"
        "</spatialrefsys>"
    )
