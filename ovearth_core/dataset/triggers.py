"""What the file itself sees to, whichever program writes: the log, and that nothing is orphaned.

Guards repeat what foreign keys say, since not every program turns those on. A trigger can't read
a temporary table, so who changes a state is told in the same row (changed_by, changed_role,
changed_at, changed_why): a change that leaves changed_at as it was is logged as unsigned, rather
than under the name of whoever came before.

Before it is inserted, SQLite shows a row without an id as one of the id -1: guards against
replacing a row leave that id out.
"""

from __future__ import annotations

from .tables import LAYERS

# Words in capitals in the scripts below, and what they stand for.
_WORDS = {
    "THE_TIME": "strftime('%Y-%m-%dT%H:%M:%fZ', 'now')",
    # What Python takes off the ends of a text; SQLite takes blanks alone.
    "SPACES": "char(" + ", ".join(str(code) for code in range(0x3001) if chr(code).isspace()) + ")",
    "UNSIGNED": "'unknown (edited without a name)'",
    # QGIS writes times as the clock on the wall says, without a zone.
    "ON_THE_WALL": "LIKE '____-__-__T__:__:__.___'",
    # What a person picks a target by in a form: QGIS offers one column of the other table.
    "LABEL_TARGETS": "UPDATE targets SET label = id || ': '"
    " || (SELECT name FROM categories WHERE id = category_id)"
    " || ' on ' || (SELECT file_name FROM images WHERE id = image_id)",
}

LOG = """
CREATE TRIGGER reviews_keep_lines BEFORE UPDATE ON reviews
BEGIN SELECT RAISE(ABORT, 'the log of reviews can only be added to'); END;
CREATE TRIGGER reviews_lose_none BEFORE DELETE ON reviews
BEGIN SELECT RAISE(ABORT, 'the log of reviews can only be added to'); END;
CREATE TRIGGER reviews_replace_none BEFORE INSERT ON reviews
WHEN EXISTS (SELECT 1 FROM reviews WHERE id = NEW.id)
BEGIN SELECT RAISE(ABORT, 'the log of reviews can only be added to'); END;
CREATE TRIGGER reviews_name_a_target BEFORE INSERT ON reviews
WHEN NEW.action <> 'removed' AND NOT EXISTS (SELECT 1 FROM targets WHERE id = NEW.target_id)
BEGIN SELECT RAISE(ABORT, 'a review must name a target that is there'); END;
CREATE TRIGGER query_judgements_stay BEFORE UPDATE ON query_judgements
BEGIN SELECT RAISE(ABORT, 'judgements can only be added to'); END;
CREATE TRIGGER query_judgements_lose_none BEFORE DELETE ON query_judgements
BEGIN SELECT RAISE(ABORT, 'judgements can only be added to'); END;
CREATE TRIGGER query_judgements_replace_none BEFORE INSERT ON query_judgements
WHEN EXISTS (SELECT 1 FROM query_judgements WHERE id = NEW.id)
BEGIN SELECT RAISE(ABORT, 'judgements can only be added to'); END;
CREATE TRIGGER query_judgements_name_a_query BEFORE INSERT ON query_judgements
WHEN NOT EXISTS (SELECT 1 FROM queries WHERE id = NEW.query_id)
BEGIN SELECT RAISE(ABORT, 'a judgement must name a query that is there'); END;

CREATE TRIGGER targets_log_new AFTER INSERT ON targets
BEGIN
    INSERT INTO reviews (target_id, action, who, role, to_state, comment)
    VALUES (NEW.id, 'created', coalesce(NEW.created_by, UNSIGNED), NEW.changed_role,
        NEW.state, NEW.changed_why);
END;
CREATE TRIGGER targets_log_state AFTER UPDATE OF state ON targets
WHEN NEW.state IS NOT OLD.state
BEGIN
    INSERT INTO reviews (target_id, action, who, role, from_state, to_state, comment)
    VALUES (NEW.id, 'state',
        CASE WHEN NEW.changed_at IS NOT OLD.changed_at AND NEW.changed_by IS NOT NULL
            THEN NEW.changed_by ELSE UNSIGNED END,
        CASE WHEN NEW.changed_at IS NOT OLD.changed_at THEN NEW.changed_role END,
        OLD.state, NEW.state,
        CASE WHEN NEW.changed_why IS NOT OLD.changed_why THEN NEW.changed_why END);
END;
CREATE TRIGGER targets_log_category AFTER UPDATE OF category_id ON targets
WHEN NEW.category_id IS NOT OLD.category_id
BEGIN
    INSERT INTO reviews (target_id, action, who, role, from_state, to_state, comment)
    VALUES (NEW.id, 'category',
        CASE WHEN NEW.changed_at IS NOT OLD.changed_at AND NEW.changed_by IS NOT NULL
            THEN NEW.changed_by ELSE UNSIGNED END,
        CASE WHEN NEW.changed_at IS NOT OLD.changed_at THEN NEW.changed_role END,
        NEW.state, NEW.state,
        'category ' || OLD.category_id || ' became ' || NEW.category_id);
END;
CREATE TRIGGER targets_log_removal AFTER DELETE ON targets
BEGIN
    INSERT INTO reviews (target_id, action, who, role, from_state, comment)
    VALUES (OLD.id, 'removed', coalesce(OLD.changed_by, UNSIGNED), OLD.changed_role,
        OLD.state, OLD.changed_why);
END;
"""

GUARDS = """
CREATE TRIGGER images_replace_none BEFORE INSERT ON images
WHEN NEW.id <> -1 AND EXISTS (SELECT 1 FROM images WHERE id = NEW.id)
BEGIN SELECT RAISE(ABORT, 'an image of this id is there already'); END;
CREATE TRIGGER images_keep_their_targets BEFORE DELETE ON images
WHEN EXISTS (SELECT 1 FROM targets WHERE image_id = OLD.id)
BEGIN SELECT RAISE(ABORT, 'targets hang on this image: remove them first'); END;
CREATE TRIGGER images_keep_their_grid BEFORE UPDATE ON images
WHEN (NEW.crs IS NOT OLD.crs OR NEW.transform IS NOT OLD.transform
        OR NEW.operation IS NOT OLD.operation
        OR NEW.width IS NOT OLD.width OR NEW.height IS NOT OLD.height)
    AND EXISTS (SELECT 1 FROM targets WHERE image_id = OLD.id)
BEGIN SELECT RAISE(ABORT, 'polygons hang on this image: its grid can''t change'); END;

CREATE TRIGGER targets_replace_none BEFORE INSERT ON targets
WHEN NEW.id <> -1 AND EXISTS (SELECT 1 FROM targets WHERE id = NEW.id)
BEGIN SELECT RAISE(ABORT, 'a target of this id is there already'); END;
CREATE TRIGGER targets_name_an_image BEFORE INSERT ON targets
WHEN NOT EXISTS (SELECT 1 FROM images WHERE id = NEW.image_id)
    OR NOT EXISTS (SELECT 1 FROM categories WHERE id = NEW.category_id)
BEGIN SELECT RAISE(ABORT, 'a target must name an image and a category that are there'); END;
CREATE TRIGGER targets_stay_on_their_image BEFORE UPDATE ON targets
WHEN NEW.image_id IS NOT OLD.image_id
    AND (EXISTS (SELECT 1 FROM instances WHERE target_id = OLD.id)
        OR NOT EXISTS (SELECT 1 FROM images WHERE id = NEW.image_id))
BEGIN SELECT RAISE(ABORT, 'instances hang on this target: it can''t change its image'); END;
CREATE TRIGGER targets_keep_what_hangs_on_them BEFORE DELETE ON targets
WHEN EXISTS (SELECT 1 FROM instances WHERE target_id = OLD.id)
    OR EXISTS (SELECT 1 FROM queries WHERE target_id = OLD.id)
BEGIN SELECT RAISE(ABORT, 'instances or queries hang on this target: remove them first'); END;
CREATE TRIGGER targets_lose_boxes AFTER UPDATE OF state, category_id ON targets
WHEN NEW.state IS NOT 'approved' OR NEW.category_id IS NOT OLD.category_id
BEGIN
    DELETE FROM hbb WHERE instance_id IN (SELECT id FROM instances WHERE target_id = NEW.id);
    DELETE FROM obb WHERE instance_id IN (SELECT id FROM instances WHERE target_id = NEW.id);
END;
CREATE TRIGGER targets_take_query_runs_along AFTER DELETE ON targets
BEGIN DELETE FROM query_runs WHERE target_id = OLD.id; END;

CREATE TRIGGER categories_replace_none BEFORE INSERT ON categories
WHEN EXISTS (SELECT 1 FROM categories WHERE id = NEW.id AND id <> -1 OR slug = NEW.slug)
BEGIN SELECT RAISE(ABORT, 'a category of this id or slug is there already'); END;
CREATE TRIGGER categories_keep_their_targets BEFORE DELETE ON categories
WHEN EXISTS (SELECT 1 FROM targets WHERE category_id = OLD.id)
BEGIN SELECT RAISE(ABORT, 'targets have this category: change them first'); END;

CREATE TRIGGER instances_replace_none BEFORE INSERT ON instances
WHEN NEW.id <> -1 AND EXISTS (SELECT 1 FROM instances WHERE id = NEW.id)
BEGIN SELECT RAISE(ABORT, 'an instance of this id is there already'); END;
CREATE TRIGGER instances_name_a_target BEFORE INSERT ON instances
WHEN NOT EXISTS (SELECT 1 FROM targets WHERE id = NEW.target_id)
BEGIN SELECT RAISE(ABORT, 'an instance must name a target that is there'); END;
CREATE TRIGGER instances_stay_on_their_image BEFORE UPDATE ON instances
WHEN NEW.target_id IS NOT OLD.target_id
    AND (SELECT image_id FROM targets WHERE id = NEW.target_id)
        IS NOT (SELECT image_id FROM targets WHERE id = OLD.target_id)
BEGIN SELECT RAISE(ABORT, 'an instance can''t move to another image'); END;
CREATE TRIGGER instances_note_changes AFTER UPDATE OF geom ON instances
WHEN NEW.geom IS NOT OLD.geom
BEGIN
    UPDATE instances SET
        pixels = CASE WHEN NEW.pixels IS NOT OLD.pixels THEN NEW.pixels END,
        segmentation =
            CASE WHEN NEW.segmentation IS NOT OLD.segmentation THEN NEW.segmentation END,
        bbox = CASE WHEN NEW.bbox IS NOT OLD.bbox THEN NEW.bbox END,
        obb = CASE WHEN NEW.obb IS NOT OLD.obb THEN NEW.obb END,
        changes = OLD.changes + 1,
        changed_at = CASE WHEN NEW.changed_at IS NOT OLD.changed_at
            THEN NEW.changed_at ELSE THE_TIME END
    WHERE id = NEW.id;
    DELETE FROM hbb WHERE instance_id = NEW.id;
    DELETE FROM obb WHERE instance_id = NEW.id;
END;
CREATE TRIGGER instances_log_given_boxes AFTER UPDATE OF geom ON instances
WHEN NEW.geom IS NOT OLD.geom
    AND (OLD.bbox IS NEW.bbox AND OLD.bbox IS NOT NULL
        OR OLD.obb IS NEW.obb AND OLD.obb IS NOT NULL)
    AND EXISTS (SELECT 1 FROM targets WHERE id = NEW.target_id)
BEGIN
    INSERT INTO reviews (target_id, action, who, comment)
    VALUES (NEW.target_id, 'box',
        CASE WHEN NEW.changed_at IS NOT OLD.changed_at AND NEW.changed_by IS NOT NULL
            THEN NEW.changed_by ELSE UNSIGNED END,
        'instance ' || NEW.id || ': the polygon changed, the given'
        || CASE WHEN OLD.bbox IS NEW.bbox AND OLD.bbox IS NOT NULL
            THEN ' bbox ' || OLD.bbox ELSE '' END
        || CASE WHEN OLD.obb IS NEW.obb AND OLD.obb IS NOT NULL
            THEN ' obb ' || OLD.obb ELSE '' END
        || ' no longer counts');
END;
CREATE TRIGGER instances_take_boxes_along BEFORE DELETE ON instances
BEGIN
    DELETE FROM hbb WHERE instance_id = OLD.id;
    DELETE FROM obb WHERE instance_id = OLD.id;
END;

CREATE TRIGGER queries_replace_none BEFORE INSERT ON queries
WHEN EXISTS (SELECT 1 FROM queries
    WHERE number = NEW.number AND number <> -1 OR id = NEW.id)
BEGIN SELECT RAISE(ABORT, 'a query of this id is there already'); END;
CREATE TRIGGER queries_get_an_id AFTER INSERT ON queries WHEN NEW.id IS NULL
BEGIN UPDATE queries SET id = lower(hex(randomblob(8))) WHERE number = NEW.number; END;
CREATE TRIGGER queries_keep_an_id BEFORE UPDATE OF id ON queries WHEN NEW.id IS NULL
BEGIN SELECT RAISE(ABORT, 'a query must have an id'); END;
CREATE TRIGGER queries_name_a_target BEFORE INSERT ON queries
WHEN NOT EXISTS (SELECT 1 FROM targets WHERE id = NEW.target_id)
BEGIN SELECT RAISE(ABORT, 'a query must name a target that is there'); END;
CREATE TRIGGER queries_keep_naming_one BEFORE UPDATE OF target_id ON queries
WHEN NOT EXISTS (SELECT 1 FROM targets WHERE id = NEW.target_id)
BEGIN SELECT RAISE(ABORT, 'a query must name a target that is there'); END;
CREATE TRIGGER queries_keep_their_origin AFTER UPDATE OF text ON queries
WHEN trim(NEW.text, SPACES) IS NOT trim(OLD.text, SPACES) AND NEW.original_text IS NULL
BEGIN
    UPDATE queries SET original_text = OLD.text WHERE number = NEW.number;
END;
"""

LABELS = """
CREATE TRIGGER targets_get_a_label AFTER INSERT ON targets
BEGIN LABEL_TARGETS WHERE id = NEW.id; END;
CREATE TRIGGER targets_get_another_label AFTER UPDATE OF category_id, image_id ON targets
WHEN NEW.category_id IS NOT OLD.category_id OR NEW.image_id IS NOT OLD.image_id
BEGIN LABEL_TARGETS WHERE id = NEW.id; END;
CREATE TRIGGER categories_name_targets AFTER UPDATE OF name ON categories
WHEN NEW.name IS NOT OLD.name
BEGIN LABEL_TARGETS WHERE category_id = NEW.id; END;
CREATE TRIGGER images_name_targets AFTER UPDATE OF file_name ON images
WHEN NEW.file_name IS NOT OLD.file_name
BEGIN LABEL_TARGETS WHERE image_id = NEW.id; END;
"""

SPATIAL_INDEX = """
CREATE VIRTUAL TABLE "rtree_{t}_geom" USING rtree(id, minx, maxx, miny, maxy);
CREATE TRIGGER "rtree_{t}_geom_insert" AFTER INSERT ON "{t}"
WHEN (NEW."geom" NOT NULL AND NOT ST_IsEmpty(NEW."geom"))
BEGIN INSERT OR REPLACE INTO "rtree_{t}_geom" VALUES (NEW."id", ST_MinX(NEW."geom"),
    ST_MaxX(NEW."geom"), ST_MinY(NEW."geom"), ST_MaxY(NEW."geom")); END;
CREATE TRIGGER "rtree_{t}_geom_update1" AFTER UPDATE OF "geom" ON "{t}"
WHEN OLD."id" = NEW."id" AND (NEW."geom" NOTNULL AND NOT ST_IsEmpty(NEW."geom"))
BEGIN INSERT OR REPLACE INTO "rtree_{t}_geom" VALUES (NEW."id", ST_MinX(NEW."geom"),
    ST_MaxX(NEW."geom"), ST_MinY(NEW."geom"), ST_MaxY(NEW."geom")); END;
CREATE TRIGGER "rtree_{t}_geom_update2" AFTER UPDATE OF "geom" ON "{t}"
WHEN OLD."id" = NEW."id" AND (NEW."geom" ISNULL OR ST_IsEmpty(NEW."geom"))
BEGIN DELETE FROM "rtree_{t}_geom" WHERE id = OLD."id"; END;
CREATE TRIGGER "rtree_{t}_geom_update3" AFTER UPDATE ON "{t}"
WHEN OLD."id" != NEW."id" AND (NEW."geom" NOTNULL AND NOT ST_IsEmpty(NEW."geom"))
BEGIN DELETE FROM "rtree_{t}_geom" WHERE id = OLD."id";
    INSERT OR REPLACE INTO "rtree_{t}_geom" VALUES (NEW."id", ST_MinX(NEW."geom"),
    ST_MaxX(NEW."geom"), ST_MinY(NEW."geom"), ST_MaxY(NEW."geom")); END;
CREATE TRIGGER "rtree_{t}_geom_update4" AFTER UPDATE ON "{t}"
WHEN OLD."id" != NEW."id" AND (NEW."geom" ISNULL OR ST_IsEmpty(NEW."geom"))
BEGIN DELETE FROM "rtree_{t}_geom" WHERE id IN (OLD."id", NEW."id"); END;
CREATE TRIGGER "rtree_{t}_geom_delete" AFTER DELETE ON "{t}"
WHEN OLD."geom" NOT NULL
BEGIN DELETE FROM "rtree_{t}_geom" WHERE id = OLD."id"; END;
"""


_UTC = """
CREATE TRIGGER {t}_made_in_utc AFTER INSERT ON {t}
WHEN NEW.created_at ON_THE_WALL OR NEW.changed_at ON_THE_WALL
BEGIN
    UPDATE {t} SET created_at = CASE WHEN created_at ON_THE_WALL THEN THE_TIME ELSE created_at END,
        changed_at = CASE WHEN changed_at ON_THE_WALL THEN THE_TIME ELSE changed_at END
    WHERE {key} = NEW.{key};
END;
CREATE TRIGGER {t}_changed_in_utc AFTER UPDATE OF changed_at ON {t} WHEN NEW.changed_at ON_THE_WALL
BEGIN UPDATE {t} SET changed_at = THE_TIME WHERE {key} = NEW.{key}; END;
"""
_SIGNED = {"targets": "id", "instances": "id", "queries": "number", "pois": "id"}

_KEEP_IDS = """
CREATE TRIGGER {t}_keep_their_ids BEFORE UPDATE ON {t} WHEN NEW.{key} IS NOT OLD.{key}
BEGIN SELECT RAISE(ABORT, 'ids of {t} never change'); END;
"""
_KEYS = {"images": "id", "targets": "id", "instances": "id", "queries": "number",
         "categories": "id"}  # fmt: skip


def all_triggers(*, spatial_indexes: bool) -> str:
    """Return the script that makes every trigger, and the spatial indexes where they lack."""
    scripts = [LOG, GUARDS, LABELS]
    if spatial_indexes:
        scripts += [SPATIAL_INDEX.replace("{t}", la.table) for la in LAYERS if la.geometry]
    scripts += [_KEEP_IDS.replace("{t}", table).replace("{key}", _KEYS[table]) for table in _KEYS]
    scripts += [_UTC.replace("{t}", table).replace("{key}", _SIGNED[table]) for table in _SIGNED]
    whole = "".join(scripts)
    for word, meaning in _WORDS.items():
        whole = whole.replace(word, meaning)
    return whole
