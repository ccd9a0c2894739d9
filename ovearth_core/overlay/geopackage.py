"""The overlay's file: a GeoPackage in EPSG:4326 with a layer for each modality of the run."""

from __future__ import annotations

import sqlite3
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from types import TracebackType

from ..atomic import AtomicFiles
from ..dataset.blob import Polygons, polygons_blob
from ..dataset.database import prepare, run_script, said_of
from ..dataset.statements import insert
from ..dataset.styles import STYLE_TABLE, register_styles
from ..dataset.tables import SPATIAL_REFERENCES, SPECIFICATION_TABLES
from ..dataset.triggers import SPATIAL_INDEX
from .colours import style
from .feature import OverlayFeature

_APPLICATION_ID, _SPECIFICATION = 0x47504B47, 10300
_RTREE = "http://www.geopackage.org/spec120/#extension_rtree"
_TITLES = {"mask": "Masks", "hbb": "Horizontal boxes", "obb": "Oriented boxes"}
_COLUMNS = ("geom", "query_id", "category", "outcome", "iou", "score")
_TABLE = """
CREATE TABLE {t} (
    id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, geom {kind},
    query_id TEXT NOT NULL, category TEXT, outcome TEXT NOT NULL, iou REAL, score REAL
);
"""


class OverlayFile:
    """A new file that is there, whole, when the block ends well; `inputs` it never replaces."""

    def __init__(self, path: Path, layers: Sequence[str], inputs: Iterable[Path]) -> None:
        self._path = path
        self._layers = tuple(layers)
        self._files = AtomicFiles(inputs)
        self._folder = tempfile.TemporaryDirectory(prefix="ovearth-")
        self._beside = Path(self._folder.name) / "overlay.gpkg"
        self._inserts = {layer: insert(layer, _COLUMNS) for layer in self._layers}

    def __enter__(self) -> OverlayFile:
        self._connection = sqlite3.connect(self._beside, isolation_level=None)
        with said_of(self._path):
            prepare(self._connection)
            self._connection.execute("PRAGMA journal_mode = OFF")
            self._connection.execute("BEGIN")
            run_script(self._connection, SPECIFICATION_TABLES + STYLE_TABLE)
            self._register()
            for layer in self._layers:
                self._make(layer)
        return self

    def add(self, feature: OverlayFeature, lonlat: Polygons) -> None:
        """Add a feature, its polygons in EPSG:4326."""
        is_mask = feature.modality == "mask"
        with said_of(self._path):
            self._connection.execute(
                self._inserts[feature.modality],
                (
                    polygons_blob(lonlat, as_multi=is_mask),
                    feature.query_id,
                    feature.category,
                    feature.outcome,
                    feature.iou,
                    feature.score,
                ),
            )

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        try:
            if kind is None:
                self._finish()
            else:
                self._connection.close()
        finally:
            self._folder.cleanup()

    def _finish(self) -> None:
        with said_of(self._path):
            for layer in self._layers:
                self._note_extent(layer)
            self._connection.execute("COMMIT")
            self._connection.close()
        with self._files as files:
            files.write_bytes(self._path, self._beside.read_bytes())

    def _register(self) -> None:
        self._connection.execute(f"PRAGMA application_id = {_APPLICATION_ID}")
        self._connection.execute(f"PRAGMA user_version = {_SPECIFICATION}")
        self._connection.executemany(
            "INSERT INTO gpkg_spatial_ref_sys VALUES (?, ?, ?, ?, ?, ?)", SPATIAL_REFERENCES
        )
        register_styles(self._connection)

    def _make(self, layer: str) -> None:
        kind = "MULTIPOLYGON" if layer == "mask" else "POLYGON"
        run_script(self._connection, _TABLE.replace("{t}", layer).replace("{kind}", kind))
        self._connection.execute(
            "INSERT INTO gpkg_contents (table_name, data_type, identifier, description, srs_id) "
            "VALUES (?, 'features', ?, 'Matched, spurious and missed', 4326)",
            (layer, _TITLES[layer]),
        )
        self._connection.execute(
            "INSERT INTO gpkg_geometry_columns VALUES (?, 'geom', ?, 4326, 0, 0)", (layer, kind)
        )
        self._connection.execute(
            "INSERT INTO gpkg_extensions VALUES (?, 'geom', 'gpkg_rtree_index', ?, 'write-only')",
            (layer, _RTREE),
        )
        run_script(self._connection, SPATIAL_INDEX.replace("{t}", layer))
        self._connection.execute(
            "INSERT INTO layer_styles (f_table_catalog, f_table_schema, f_table_name, "
            "f_geometry_column, styleName, styleQML, styleSLD, useAsDefault, description, owner, "
            "update_time) VALUES ('', '', ?, 'geom', 'OVEarth', ?, '', 1, 'Outcome', '', "
            "strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))",
            (layer, style(layer)),
        )

    def _note_extent(self, layer: str) -> None:
        query = "SELECT min(minx), min(miny), max(maxx), max(maxy) FROM rtree_{t}_geom"
        extent = self._connection.execute(query.replace("{t}", layer)).fetchone()
        self._connection.execute(
            "UPDATE gpkg_contents SET min_x = ?, min_y = ?, max_x = ?, max_y = ?"
            " WHERE table_name = ?",
            (*extent, layer),
        )
