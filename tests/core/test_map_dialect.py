"""Map products without query ids: objects and classes of a scene, cut to each image."""

import json
import warnings

import fiona
import numpy as np
import pytest
import rasterio
from pyproj import Transformer
from rasterio.transform import Affine
from rasterio.warp import Resampling, calculate_default_transform, reproject
from shapely.geometry import Polygon, box, mapping

from ovearth_core.errors import InputError
from ovearth_core.geometry import Runs, quad_iou
from ovearth_core.predictions.dialects import DialectOptions, open_dialect
from ovearth_core.predictions.dialects.duplicates import kept_of
from ovearth_core.scoring import evaluate

from . import dialect_scene as scene
from . import making

SIDE = scene.SIDE
FRAME = {"crs": "EPSG:32632", "transform": [0.5, 0, 500000, 0, -0.5, 5000000]}


def write_vector(path, features, crs="EPSG:32632", columns=("class", "score", "height")):
    """Write features ({column: value}, polygon) in the image's CRS, carried to another one."""
    types = {"score": "float", "height": "int"}
    schema = {
        "geometry": "Polygon",
        "properties": {name: types.get(name, "str") for name in columns},
    }
    driver = {".gpkg": "GPKG", ".geojson": "GeoJSON", ".shp": "ESRI Shapefile"}[path.suffix]
    with fiona.open(path, "w", driver=driver, crs=crs, schema=schema) as out:
        for fields, polygon in features:
            geometry = mapping(polygon)
            if crs != "EPSG:32632":
                carry = Transformer.from_crs("EPSG:32632", crs, always_xy=True).transform
                points = np.column_stack(carry(*np.array(polygon.exterior.coords).T))
                geometry = mapping(Polygon(points))
            whole = {name: fields.get(name) for name in columns}
            out.write({"geometry": geometry, "properties": whole})
    return path


def on_map(points):
    """Pixels of image 1 as map coordinates."""
    a, _, c, _, e, f = FRAME["transform"]
    return [(a * x + c, e * y + f) for x, y in points]


def tank(number, **fields):
    x0, y0, x1, y1 = scene.BOXES[number]
    ring = on_map([(x0, y0), (x1, y0), (x1, y1), (x0, y1)])
    return {"class": "oil tank", "score": 0.5, "height": 7, **fields}, Polygon(ring)


def scores_of(tmp_path, source, **options):
    benchmark = scene.benchmark(tmp_path)
    run = open_dialect(source, "map", benchmark, DialectOptions(**options))
    return evaluate(benchmark, run).to_dict(), run


class TestObjects:
    @pytest.mark.parametrize("crs", ["EPSG:32632", "EPSG:25832", "EPSG:3857", "EPSG:4326"])
    def test_the_scene_scores_as_the_truth_does_in_any_crs(self, tmp_path, crs):
        source = write_vector(tmp_path / "tanks.gpkg", [tank(0), tank(1)], crs)
        scores, run = scores_of(tmp_path, source)
        assert scores["modalities"] == ["mask", "hbb", "obb"]
        assert scores["segmentation"]["vocabulary"]["ma_iou"] == 1.0
        for kind in ("hbb", "obb"):
            assert scores[kind]["vocabulary"]["mi_f1_50_95"] == 1.0
            assert scores["presence"][kind]["mcc"] == 1.0
        (found,) = run.answers()
        assert list(found.scores) == [0.5, 0.5]
        assert found.attributes == {"objects": [{"height": 7}, {"height": 7}]}

    def test_a_file_named_after_its_class_needs_no_column(self, tmp_path):
        source = write_vector(tmp_path / "storage_tanks.shp", [tank(0), tank(1)], columns=("id",))
        scores, _ = scores_of(tmp_path, source, modality="obb")
        assert scores["modalities"] == ["obb"]
        assert scores["obb"]["vocabulary"]["mi_f1_50_95"] == 1.0

    def test_features_may_name_their_queries_and_kinds(self, tmp_path):
        columns = ("query_id", "kind", "score")
        features = [
            ({"query_id": "v1", "kind": kind, "score": 0.5}, tank(number)[1])
            for kind in ("mask", "hbb", "obb")
            for number in (0, 1)
        ]
        source = write_vector(tmp_path / "out.gpkg", features, columns=columns)
        scores, _ = scores_of(tmp_path, source)
        assert scores["segmentation"]["vocabulary"]["ma_iou"] == 1.0
        assert scores["obb"]["vocabulary"]["mi_f1_50_95"] == 1.0

    def test_what_lies_in_no_image_is_left_out_and_counted(self, tmp_path):
        far = Polygon([(0, 0), (9, 0), (9, 9), (0, 9)])
        features = [tank(0), tank(1), ({"class": "storage tank"}, far)]
        source = write_vector(tmp_path / "tanks.gpkg", features)
        scores, _ = scores_of(tmp_path, source)
        assert scores["left_out"] == {"features outside of every image": 1}
        assert scores["hbb"]["vocabulary"]["fp_50"] == 0

    def test_an_object_at_the_edge_is_cut_there(self, tmp_path):
        ring = on_map([(-50, 100), (60, 100), (60, 200), (-50, 200)])
        source = write_vector(tmp_path / "t.gpkg", [({"class": "storage tank"}, Polygon(ring))])
        run = open_dialect(source, "map", scene.benchmark(tmp_path))
        (found,) = run.answers()
        frame = scene.benchmark(tmp_path).images[0].frame()
        quad = frame.map_to_pixel(found.obb[0])
        assert np.allclose([quad.min(axis=0), quad.max(axis=0)], [[0, 100], [60, 200]], atol=1e-6)
        corners = frame.map_to_pixel(found.hbb.reshape(2, 2))
        assert np.allclose(np.sort(corners, axis=0), [[0, 100], [60, 200]], atol=1e-6)

    def test_an_object_over_two_images_is_in_both(self, tmp_path):
        document = scene.document()
        beside = {**FRAME, "transform": [0.5, 0, 500512, 0, -0.5, 5000000]}
        document["images"].append(making.image(2, SIDE, SIDE, **beside))
        document["targets"].append({"id": 2, "image_id": 2, "category_id": 1})
        document["annotations"].append(
            making.annotation(9, 2, making.square(0, 100, 60), image_id=2)
        )
        document["queries"].append({**making.query("v2", 2), "text": "tanks"})
        ring = on_map([(980, 100), (1084, 100), (1084, 160), (980, 160)])
        source = write_vector(tmp_path / "t.gpkg", [({"class": "storage tank"}, Polygon(ring))])
        benchmark = making.read(tmp_path, document)
        found = {answer.query_id: answer for answer in open_dialect(source, "map", benchmark)}
        assert set(found) == {"v1", "v2"}
        scores = evaluate(benchmark, open_dialect(source, "map", benchmark)).to_dict()
        assert scores["hbb"]["vocabulary"]["tp_50"] == 1

    def test_by_phrase_too(self, tmp_path):
        document = scene.document()
        document["queries"].append({**making.query("f1", 1, "referring"), "text": "the west one"})
        features = [({"phrase": "the west one"}, tank(0)[1])]
        source = write_vector(tmp_path / "t.gpkg", features, columns=("phrase",))
        run = open_dialect(source, "map", making.read(tmp_path, document))
        assert [found.query_id for found in run.answers()] == ["f1"]

    def test_a_datasets_own_file_and_a_file_without_a_crs_are_refused(self, tmp_path):
        from ovearth_core.dataset import Dataset

        with pytest.raises(InputError, match="CRS"):
            bare = write_vector(tmp_path / "bare.shp", [tank(0)])
            bare.with_suffix(".prj").unlink()
            open_dialect(bare, "map", scene.benchmark(tmp_path))
        Dataset.create(tmp_path / "made")
        with pytest.raises(InputError, match="a dataset of OVEarth"):
            open_dialect(tmp_path / "made" / "dataset.gpkg", "map", scene.benchmark(tmp_path))


class TestDuplicates:
    def test_the_better_of_two_is_kept_where_patches_overlap(self, tmp_path):
        x0, y0, x1, y1 = scene.BOXES[0]
        shifted = on_map([(x0 + 4, y0), (x1 + 4, y0), (x1 + 4, y1), (x0 + 4, y1)])
        worse = {"class": "storage tank", "score": 0.4, "height": 1}
        features = [(worse, Polygon(shifted)), tank(0), tank(1)]
        source = write_vector(tmp_path / "tanks.gpkg", features)
        scores, run = scores_of(tmp_path, source)
        assert scores["left_out"] == {"duplicates where patches overlap": 1}
        assert scores["obb"]["vocabulary"]["mi_f1_50_95"] == 1.0
        (found,) = run.answers()
        assert list(found.scores) == [0.5, 0.5]
        scores, _ = scores_of(tmp_path, source, duplicates=0)
        assert scores["obb"]["vocabulary"]["fp_50"] == 1

    def test_long_things_side_by_side_at_an_angle_stay_two(self):
        """Their envelopes are nearly the same; the quadrilaterals don't even touch."""
        along = np.array([[0, 0], [400, 400], [390, 410], [-10, 10]], float)
        beside = along + np.array([30, -30])
        quads = np.array([along, beside])
        boxes = [box(*q.min(axis=0), *q.max(axis=0)) for q in quads]
        assert boxes[0].intersection(boxes[1]).area / boxes[0].union(boxes[1]).area > 0.5
        assert kept_of(quads, [0.9, 0.8], 0.5) == [0, 1]

    def test_what_is_kept_is_what_a_plain_loop_keeps(self):
        random = np.random.default_rng(5)
        for _ in range(30):
            corner = random.uniform(0, 60, (40, 1, 2))
            size = random.uniform(10, 30, (40, 1, 2))
            unit = np.array([[[0, 0], [1, 0], [1, 1], [0, 1]]])
            quads = corner + unit * size
            scores = random.choice([None, 0.1, 0.5, 0.5, 0.9], 40).tolist()
            iou = quad_iou(quads, quads)
            kept: list[int] = []
            for k in sorted(range(40), key=lambda k: (-(scores[k] or -1), k)):
                if all(iou[k, other] < 0.3 for other in kept):
                    kept.append(k)
            assert kept_of(quads, scores, 0.3) == sorted(kept)


def write_raster(path, pixels, crs="EPSG:32632", transform=None, nodata=None):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with rasterio.open(
            path, "w", driver="GTiff", height=pixels.shape[0], width=pixels.shape[1], count=1,
            dtype=pixels.dtype, crs=crs, transform=transform or Affine(*FRAME["transform"]),
            nodata=nodata,
        ) as out:  # fmt: skip
            out.write(pixels, 1)
    return path


class TestRasters:
    def test_a_mask_on_the_images_grid_is_taken_pixel_for_pixel(self, tmp_path):
        source = write_raster(tmp_path / "storage tank.tif", scene.pixels().astype(np.uint8))
        scores, _ = scores_of(tmp_path, source)
        assert scores["segmentation"]["vocabulary"]["ma_iou"] == 1.0

    @pytest.mark.parametrize("crs", ["EPSG:32632", "EPSG:4326", "EPSG:3857", "EPSG:32633"])
    def test_a_finer_grid_in_any_crs_is_cut_as_rasterio_cuts_it(self, tmp_path, crs):
        """The judge warps back with the nearest cell; both may differ at single edge pixels."""
        place = Affine(*FRAME["transform"])
        bounds = rasterio.transform.array_bounds(SIDE, SIDE, place)
        to, width, height = calculate_default_transform(
            "EPSG:32632", crs, SIDE, SIDE, *bounds, dst_width=2600, dst_height=2500
        )
        cells = np.zeros((height, width), np.uint8)
        reproject(
            scene.pixels().astype(np.uint8), cells, src_transform=place, src_crs="EPSG:32632",
            dst_transform=to, dst_crs=crs, resampling=Resampling.nearest,
        )  # fmt: skip
        folder = tmp_path / "maps"
        folder.mkdir()
        write_raster(folder / "v1.tif", cells, crs, to)
        run = open_dialect(folder, "map", scene.benchmark(tmp_path))
        (found,) = run.answers()
        ours = Runs.from_rle(found.mask).to_array()
        judged = np.zeros((SIDE, SIDE), np.uint8)
        reproject(
            cells, judged, src_transform=to, src_crs=crs, dst_transform=place,
            dst_crs="EPSG:32632", resampling=Resampling.nearest, tolerance=0.001,
        )  # fmt: skip
        assert (ours != judged.astype(bool)).mean() < 1e-4
        assert (ours & scene.pixels()).sum() / (ours | scene.pixels()).sum() > 0.99

    def test_classes_of_a_scene_go_to_the_images_and_queries_that_ask(self, tmp_path):
        (tmp_path / "classes.txt").write_text("background\nstorage tank\ngreenhouse\n")
        # A scene larger than the image, 2 pixels more to the left and above.
        whole = np.zeros((SIDE + 10, SIDE + 10), np.uint8)
        whole[2 : SIDE + 2, 2 : SIDE + 2][scene.pixels()] = 1
        place = Affine(0.5, 0, 500000 - 1, 0, -0.5, 5000000 + 1)
        source = write_raster(tmp_path / "landcover.tif", whole, transform=place)
        scores, _ = scores_of(tmp_path, source, classes=tmp_path / "classes.txt")
        assert scores["segmentation"]["vocabulary"]["ma_iou"] == 1.0
        assert scores["presence"]["mask"] == {"tp": 1, "fp": 0, "tn": 1, "fn": 0, "mcc": 1.0}

    def test_nodata_and_scores_below_the_threshold_are_background(self, tmp_path):
        values = np.where(scene.pixels(), 0.8, 0.2).astype(np.float32)
        values[:10] = -9999
        source = write_raster(tmp_path / "storage tank.tif", values, nodata=-9999)
        with pytest.raises(InputError, match=r"scores.*--threshold"):
            scores_of(tmp_path, source)
        scores, _ = scores_of(tmp_path, source, threshold=0.5)
        assert scores["segmentation"]["vocabulary"]["ma_iou"] == 1.0

    def test_a_raster_without_a_place_is_refused(self, tmp_path):
        source = write_raster(tmp_path / "v1.tif", np.ones((5, 5), np.uint8), crs=None)
        with pytest.raises(InputError, match="CRS"):
            scores_of(tmp_path, source)


def test_what_is_no_map_product_is_refused(tmp_path):
    (tmp_path / "notes.txt").write_text("hello")
    with pytest.raises(InputError, match="no map product by its ending"):
        open_dialect(tmp_path / "notes.txt", "map", scene.benchmark(tmp_path))
    (tmp_path / "cut.geojson").write_text(json.dumps({"type": "FeatureCollection"})[:-3])
    with pytest.raises(InputError):
        list(open_dialect(tmp_path / "cut.geojson", "map", scene.benchmark(tmp_path)).answers())
