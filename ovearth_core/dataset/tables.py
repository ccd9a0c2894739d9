"""The tables of a dataset, as GeoPackage 1.3 wants them; what guards them is in `triggers`.

Every table can be edited by QGIS alone: what must hold is said by the file itself. Ids are never
used twice (AUTOINCREMENT), so that the log's lines keep their meaning when a target is removed.
"""

from __future__ import annotations

from dataclasses import dataclass

# 2: default styles and a project for QGIS. 3: other triggers only. 4: what language models wrote.
# 5: what reviewers say of texts.
VERSION = 5

_NOW = "(strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))"


@dataclass(frozen=True)
class Layer:
    """One table that people see: its name, what it is, and its kind of geometry, if any."""

    table: str
    title: str
    description: str
    geometry: str | None = None


LAYERS = (
    Layer("images", "Images", "Footprints of the images, and where each lies", "POLYGON"),
    Layer("instances", "Instances", "Objects and areas, drawn on the images", "MULTIPOLYGON"),
    Layer("pois", "Places of interest", "Candidates for new images", "POINT"),
    Layer("hbb", "Horizontal boxes", "Derived from approved instances", "POLYGON"),
    Layer("obb", "Oriented boxes", "Derived from approved instances", "POLYGON"),
    Layer("targets", "Targets", "One image and one category region each"),
    Layer("queries", "Queries", "Texts asked of the targets"),
    Layer("reviews", "Reviews", "The log: it can only be added to"),
    Layer("categories", "Categories", "The kinds of objects and areas"),
)

SPECIFICATION_TABLES = """
CREATE TABLE gpkg_spatial_ref_sys (
    srs_name TEXT NOT NULL, srs_id INTEGER NOT NULL PRIMARY KEY, organization TEXT NOT NULL,
    organization_coordsys_id INTEGER NOT NULL, definition TEXT NOT NULL, description TEXT
);
CREATE TABLE gpkg_contents (
    table_name TEXT NOT NULL PRIMARY KEY, data_type TEXT NOT NULL, identifier TEXT UNIQUE,
    description TEXT DEFAULT '',
    last_change DATETIME NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ','now')),
    min_x DOUBLE, min_y DOUBLE, max_x DOUBLE, max_y DOUBLE, srs_id INTEGER,
    CONSTRAINT fk_gc_r_srs_id FOREIGN KEY (srs_id) REFERENCES gpkg_spatial_ref_sys(srs_id)
);
CREATE TABLE gpkg_geometry_columns (
    table_name TEXT NOT NULL, column_name TEXT NOT NULL, geometry_type_name TEXT NOT NULL,
    srs_id INTEGER NOT NULL, z TINYINT NOT NULL, m TINYINT NOT NULL,
    CONSTRAINT pk_geom_cols PRIMARY KEY (table_name, column_name),
    CONSTRAINT uk_gc_table_name UNIQUE (table_name),
    CONSTRAINT fk_gc_tn FOREIGN KEY (table_name) REFERENCES gpkg_contents(table_name),
    CONSTRAINT fk_gc_srs FOREIGN KEY (srs_id) REFERENCES gpkg_spatial_ref_sys (srs_id)
);
CREATE TABLE gpkg_extensions (
    table_name TEXT, column_name TEXT, extension_name TEXT NOT NULL, definition TEXT NOT NULL,
    scope TEXT NOT NULL,
    CONSTRAINT ge_tce UNIQUE (table_name, column_name, extension_name)
);
"""

# What a language model had to do with a text, beside it: which wrote it, by which prompt, and what
# the one that verified it says. The log of asking lets a job that was killed go on.
MODEL_COLUMNS = """
ALTER TABLE queries ADD COLUMN model TEXT;
ALTER TABLE queries ADD COLUMN prompt TEXT;
ALTER TABLE queries ADD COLUMN correction TEXT;
ALTER TABLE queries ADD COLUMN verified_model TEXT;
ALTER TABLE queries ADD COLUMN verified_prompt TEXT;
ALTER TABLE queries ADD COLUMN verified_at DATETIME;
ALTER TABLE queries ADD COLUMN verified_why TEXT;
CREATE TABLE query_runs (
    id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
    target_id INTEGER NOT NULL REFERENCES targets(id) ON DELETE CASCADE,
    stage TEXT NOT NULL CHECK (stage IN ('generate', 'verify')),
    state TEXT NOT NULL CHECK (state IN ('done', 'failed')),
    model TEXT NOT NULL, prompt TEXT NOT NULL, at DATETIME NOT NULL,
    requests INTEGER NOT NULL DEFAULT 0, tokens_in INTEGER NOT NULL DEFAULT 0,
    tokens_out INTEGER NOT NULL DEFAULT 0, fault TEXT, extra TEXT
);
CREATE INDEX query_runs_of_target ON query_runs (target_id, stage);
"""

# What each reviewer says of a text: `text` is the one that was judged, whatever became of it.
# Only ever added to.
JUDGEMENT_TABLE = f"""
CREATE TABLE query_judgements (
    id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL CHECK (id > 0),
    at DATETIME NOT NULL DEFAULT {_NOW}, who TEXT NOT NULL, query_id TEXT NOT NULL,
    target_id INTEGER NOT NULL, text TEXT NOT NULL,
    answer TEXT CHECK (answer IN ('yes', 'no', 'unsure')),
    decision TEXT NOT NULL CHECK (decision IN ('accept', 'edit', 'remove')),
    new_text TEXT, reason TEXT, final BOOLEAN NOT NULL DEFAULT 0, origin TEXT, extra TEXT,
    CHECK ((decision = 'edit') = (new_text IS NOT NULL))
);
CREATE INDEX query_judgements_of_query ON query_judgements (query_id);
"""

_FIRST_TABLES = f"""
CREATE TABLE ovearth_dataset (key TEXT NOT NULL PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE categories (
    id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
    slug TEXT NOT NULL UNIQUE, name TEXT NOT NULL, domain TEXT, branch TEXT,
    instanceable BOOLEAN NOT NULL DEFAULT 1, definition TEXT, extra TEXT
);
CREATE TABLE pois (
    id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, geom POINT,
    category_id INTEGER REFERENCES categories(id), name TEXT,
    state TEXT NOT NULL DEFAULT 'candidate' CHECK (state IN ('candidate', 'accepted', 'rejected')),
    source TEXT, source_id TEXT, tags TEXT, created_by TEXT, created_at DATETIME DEFAULT {_NOW},
    changed_by TEXT, changed_at DATETIME, extra TEXT
);
CREATE TABLE images (
    id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, geom POLYGON,
    file_name TEXT NOT NULL UNIQUE, width INTEGER NOT NULL, height INTEGER NOT NULL,
    crs TEXT NOT NULL, transform TEXT NOT NULL, operation TEXT NOT NULL, gsd REAL,
    source TEXT, license TEXT, attribution TEXT, date_captured TEXT, location_group TEXT,
    continent TEXT, sha256 TEXT, poi_id INTEGER REFERENCES pois(id) ON DELETE SET NULL, extra TEXT
);
CREATE TABLE targets (
    id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
    image_id INTEGER NOT NULL REFERENCES images(id),
    category_id INTEGER NOT NULL REFERENCES categories(id),
    state TEXT NOT NULL DEFAULT 'draft'
        CHECK (state IN ('draft', 'submitted', 'returned', 'approved', 'rejected')),
    segmentation TEXT, annotator TEXT,
    rival_of INTEGER REFERENCES targets(id) ON DELETE SET NULL,
    created_by TEXT, created_at DATETIME DEFAULT {_NOW},
    changed_by TEXT, changed_role TEXT, changed_at DATETIME, changed_why TEXT, label TEXT,
    extra TEXT
);
CREATE INDEX targets_of_image ON targets (image_id, category_id);
CREATE INDEX targets_in_state ON targets (state);
CREATE INDEX targets_of_rival ON targets (rival_of);
CREATE TABLE instances (
    id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, geom MULTIPOLYGON,
    target_id INTEGER NOT NULL REFERENCES targets(id), iscrowd BOOLEAN NOT NULL DEFAULT 0,
    origin TEXT NOT NULL DEFAULT 'drawn'
        CHECK (origin IN ('drawn', 'click-to-mask', 'imported', 'run')),
    origin_note TEXT, changes INTEGER NOT NULL DEFAULT 0,
    created_by TEXT, created_at DATETIME DEFAULT {_NOW}, changed_by TEXT, changed_at DATETIME,
    bbox TEXT, obb TEXT, segmentation TEXT, pixels BLOB, extra TEXT
);
CREATE INDEX instances_of_target ON instances (target_id);
CREATE TABLE queries (
    number INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
    id TEXT UNIQUE,
    target_id INTEGER NOT NULL REFERENCES targets(id),
    task TEXT NOT NULL DEFAULT 'vocabulary'
        CHECK (task IN ('vocabulary', 'referring', 'reasoning')),
    polarity TEXT NOT NULL DEFAULT 'positive' CHECK (polarity IN ('positive', 'negative')),
    text TEXT NOT NULL, original_text TEXT,
    state TEXT NOT NULL DEFAULT 'accepted' CHECK (state IN ('proposed', 'accepted', 'removed')),
    origin TEXT, flags TEXT, created_by TEXT, created_at DATETIME DEFAULT {_NOW},
    changed_by TEXT, changed_at DATETIME, extra TEXT
);
CREATE INDEX queries_of_target ON queries (target_id);
CREATE TABLE reviews (
    id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL CHECK (id > 0),
    at DATETIME NOT NULL DEFAULT {_NOW}, who TEXT, role TEXT, target_id INTEGER NOT NULL,
    action TEXT NOT NULL DEFAULT 'comment', from_state TEXT, to_state TEXT, comment TEXT,
    lon REAL, lat REAL, right_category BOOLEAN, good_boundary BOOLEAN, nothing_missed BOOLEAN,
    query_id TEXT, extra TEXT
);
CREATE INDEX reviews_of_target ON reviews (target_id);
CREATE TABLE hbb (
    id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, geom POLYGON,
    instance_id INTEGER NOT NULL REFERENCES instances(id) ON DELETE CASCADE,
    frame TEXT NOT NULL CHECK (frame IN ('pixel', 'map', 'ground')), corners TEXT NOT NULL,
    width_m REAL, length_m REAL, azimuth_deg REAL, area_m2 REAL, UNIQUE (instance_id, frame)
);
CREATE TABLE obb (
    id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, geom POLYGON,
    instance_id INTEGER NOT NULL REFERENCES instances(id) ON DELETE CASCADE,
    frame TEXT NOT NULL CHECK (frame IN ('pixel', 'map', 'ground')), corners TEXT NOT NULL,
    width_m REAL, length_m REAL, azimuth_deg REAL, area_m2 REAL, UNIQUE (instance_id, frame)
);
"""

DATASET_TABLES = _FIRST_TABLES + MODEL_COLUMNS + JUDGEMENT_TABLE

SPATIAL_REFERENCES = (
    (
        "Undefined Cartesian SRS", -1, "NONE", -1, "undefined",
        "undefined Cartesian coordinate reference system",
    ),
    (
        "Undefined geographic SRS", 0, "NONE", 0, "undefined",
        "undefined geographic coordinate reference system",
    ),
    (
        "WGS 84 geodetic", 4326, "EPSG", 4326,
        ('GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563,'
        'AUTHORITY["EPSG","7030"]],AUTHORITY["EPSG","6326"]],PRIMEM["Greenwich",0,'
        'AUTHORITY["EPSG","8901"]],UNIT["degree",0.0174532925199433,AUTHORITY["EPSG","9122"]],'
        'AXIS["Latitude",NORTH],AXIS["Longitude",EAST],AUTHORITY["EPSG","4326"]]'),
        "longitude/latitude coordinates in decimal degrees on the WGS 84 spheroid",
    ),
)  # fmt: skip
