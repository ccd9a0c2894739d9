<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1">
<context>
    <name>CheckDatasetAlgorithm</name>
    <message>
        <location filename="../../ovearth_plugin/processing/check_dataset.py"/>
        <source>Check dataset</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/processing/check_dataset.py"/>
        <source>Dataset (dataset.gpkg) or benchmark</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/processing/check_dataset.py"/>
        <source>Datasets and benchmarks (*.gpkg *.json *.json.gz);;All files (*)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/processing/check_dataset.py"/>
        <source>Findings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/processing/check_dataset.py"/>
        <source>JSON (*.json)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/processing/check_dataset.py"/>
        <source>Looks for everything that would spoil a benchmark: in a dataset (its dataset.gpkg, or its folder) or in a benchmark file. The findings are those of the command ovearth check; each says what is wrong, where, and how to mend it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/processing/check_dataset.py"/>
        <source>Number of findings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/processing/check_dataset.py"/>
        <source>Places of the findings</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>DeriveBoxesAlgorithm</name>
    <message>
        <location filename="../../ovearth_plugin/processing/derive_boxes.py"/>
        <source>Derive boxes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/processing/derive_boxes.py"/>
        <source>Derives the horizontal box and the smallest oriented box of every polygon, with width, length, direction and area on the ground. Horizontal means along the axes of the frame: of the layer&#x27;s CRS (map), of east and north on the ground at each object (ground), or of an image&#x27;s pixels (pixel; choose the image).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/processing/derive_boxes.py"/>
        <source>Frame</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/processing/derive_boxes.py"/>
        <source>Ground</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/processing/derive_boxes.py"/>
        <source>Horizontal boxes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/processing/derive_boxes.py"/>
        <source>Image (for the frame pixel)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/processing/derive_boxes.py"/>
        <source>Map</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/processing/derive_boxes.py"/>
        <source>Oriented boxes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/processing/derive_boxes.py"/>
        <source>Pixel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/processing/derive_boxes.py"/>
        <source>Polygons</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/processing/derive_boxes.py"/>
        <source>{} feature(s) without a usable polygon were left out</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ExportBenchmarkAlgorithm</name>
    <message>
        <location filename="../../ovearth_plugin/processing/export_benchmark.py"/>
        <source>Approved</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/processing/export_benchmark.py"/>
        <source>Benchmark</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/processing/export_benchmark.py"/>
        <source>Benchmark (*.json)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/processing/export_benchmark.py"/>
        <source>Dataset (*.gpkg);;All files (*)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/processing/export_benchmark.py"/>
        <source>Dataset (dataset.gpkg)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/processing/export_benchmark.py"/>
        <source>Draft</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/processing/export_benchmark.py"/>
        <source>Export benchmark</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/processing/export_benchmark.py"/>
        <source>Rejected</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/processing/export_benchmark.py"/>
        <source>Returned</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/processing/export_benchmark.py"/>
        <source>Submitted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/processing/export_benchmark.py"/>
        <source>Targets in these states</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/processing/export_benchmark.py"/>
        <source>Version to release</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/processing/export_benchmark.py"/>
        <source>Writes the approved targets of a dataset (its dataset.gpkg, or its folder) as one benchmark file, against which predictions are scored. A version freezes it as a release.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>OVEarthAlgorithm</name>
    <message>
        <location filename="../../ovearth_plugin/processing/algorithm.py"/>
        <source>Benchmark</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/processing/algorithm.py"/>
        <source>Benchmark (*.json *.json.gz);;All files (*)</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>OVEarthDependencies</name>
    <message>
        <location filename="../../ovearth_plugin/dependencies.py"/>
        <source>Click-to-mask</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/dependencies.py"/>
        <source>Collecting places and imagery</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/dependencies.py"/>
        <source>Drawing figures</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/dependencies.py"/>
        <source>In a terminal</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/dependencies.py"/>
        <source>In the OSGeo4W Shell</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/dependencies.py"/>
        <source>Reading and writing GeoParquet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/dependencies.py"/>
        <source>Scoring faster</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/dependencies.py"/>
        <source>Writing queries by a model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/dependencies.py"/>
        <source>{feature} needs {names}. {where}: {line}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>OVEarthMessages</name>
    <message>
        <location filename="../../ovearth_plugin/messages.py"/>
        <source>Details</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>OVEarthTasks</name>
    <message>
        <location filename="../../ovearth_plugin/tasks.py"/>
        <source>A file can&#x27;t be used: {}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/tasks.py"/>
        <source>A package is missing: {}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/tasks.py"/>
        <source>Something unexpected went wrong ({}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/tasks.py"/>
        <source>There is not enough memory for this.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>OverlayPredictionsAlgorithm</name>
    <message>
        <location filename="../../ovearth_plugin/processing/overlay_predictions.py"/>
        <source>Add the layers to the project</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/processing/overlay_predictions.py"/>
        <source>Draws what a run matched, missed and made up, in map coordinates (EPSG:4326), with the IoU and the score of each box: a GeoPackage with the layers mask, hbb and obb, those that the run has. Boxes match from the IoU threshold on.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/processing/overlay_predictions.py"/>
        <source>GeoPackage (*.gpkg)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/processing/overlay_predictions.py"/>
        <source>Horizontal boxes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/processing/overlay_predictions.py"/>
        <source>IoU threshold</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/processing/overlay_predictions.py"/>
        <source>Masks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/processing/overlay_predictions.py"/>
        <source>Oriented boxes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/processing/overlay_predictions.py"/>
        <source>Overlay</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/processing/overlay_predictions.py"/>
        <source>Overlay predictions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/processing/overlay_predictions.py"/>
        <source>Predictions</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ScoreAlgorithm</name>
    <message>
        <location filename="../../ovearth_plugin/processing/score.py"/>
        <source>CSV (*.csv)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/processing/score.py"/>
        <source>Drop boxes with a lower score than</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/processing/score.py"/>
        <source>Horizontal boxes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/processing/score.py"/>
        <source>JSON (*.json)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/processing/score.py"/>
        <source>Masks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/processing/score.py"/>
        <source>Oriented boxes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/processing/score.py"/>
        <source>Predictions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/processing/score.py"/>
        <source>Score only (all that the runs attempt unless chosen)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/processing/score.py"/>
        <source>Score predictions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/processing/score.py"/>
        <source>Scores</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/processing/score.py"/>
        <source>Scores as a table</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/processing/score.py"/>
        <source>Scores one or more prediction files against a benchmark: segmentation, horizontal and oriented boxes, and presence. The scores are written as JSON, the same as those of the command ovearth score.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
</TS>
