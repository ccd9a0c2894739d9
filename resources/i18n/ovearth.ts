<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1">
<context>
    <name>AreaChoice</name>
    <message>
        <location filename="../../ovearth_plugin/collect/area_choice.py"/>
        <source>Drag a rectangle on the map</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/collect/area_choice.py"/>
        <source>Draw</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/collect/area_choice.py"/>
        <source>Drawn on the map</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/collect/area_choice.py"/>
        <source>Extent of a layer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/collect/area_choice.py"/>
        <source>What the map shows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/collect/area_choice.py"/>
        <source>choose one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/collect/area_choice.py"/>
        <source>no area is drawn</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/collect/area_choice.py"/>
        <source>no layer is chosen</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/collect/area_choice.py"/>
        <source>press Draw, and drag a rectangle on the map</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/collect/area_choice.py"/>
        <source>set the project&#x27;s or the layer&#x27;s CRS</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/collect/area_choice.py"/>
        <source>the area has no CRS</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>BoxesRow</name>
    <message>
        <location filename="../../ovearth_plugin/review/boxes_row.py"/>
        <source>Boxes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/boxes_row.py"/>
        <source>Boxes: {} derived, {} brought in step, {} removed, {} kept</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/boxes_row.py"/>
        <source>Derive horizontal and oriented boxes of approved targets with instances</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/boxes_row.py"/>
        <source>Deriving boxes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/boxes_row.py"/>
        <source>In what boxes are upright or smallest</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>CategoryField</name>
    <message>
        <location filename="../../ovearth_plugin/review/category_field.py"/>
        <source>Category: type its name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/category_field.py"/>
        <source>No category is called so; these nearly are. Down chooses one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/category_field.py"/>
        <source>No category of the dataset is called so.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/category_field.py"/>
        <source>Not to be mixed up with: {}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/category_field.py"/>
        <source>Reading the categories</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/category_field.py"/>
        <source>Which of these? Down chooses one, Return takes it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/category_field.py"/>
        <source>Without instances: draw it as areas.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>CategoryTree</name>
    <message>
        <location filename="../../ovearth_plugin/collect/category_tree.py"/>
        <source>Category</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/collect/category_tree.py"/>
        <source>How many targets are wanted: double-click to write a number</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/collect/category_tree.py"/>
        <source>Search categories: a name, synonym or tag</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/collect/category_tree.py"/>
        <source>There</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/collect/category_tree.py"/>
        <source>Wanted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/collect/category_tree.py"/>
        <source>Wanted is a whole number up to {}, not {!r}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/collect/category_tree.py"/>
        <source>{} targets, {} places accepted, {} undecided</source>
        <translation type="unfinished"></translation>
    </message>
</context>
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
    <name>ClickModel</name>
    <message>
        <location filename="../../ovearth_plugin/review/click_model.py"/>
        <source>Opening the model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/click_model.py"/>
        <source>The model is ready: click on a thing.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ClickToMask</name>
    <message>
        <location filename="../../ovearth_plugin/review/click_to_mask.py"/>
        <source>Asking the model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/click_to_mask.py"/>
        <source>Saving the mask</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/click_to_mask.py"/>
        <source>The model finds nothing there.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/click_to_mask.py"/>
        <source>The model is still being opened.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/click_to_mask.py"/>
        <source>This place can&#x27;t be found on the image.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/click_to_mask.py"/>
        <source>What is it? Type its category, then take the mask.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>CollectPanel</name>
    <message>
        <location filename="../../ovearth_plugin/collect/panel.py"/>
        <source>Patches</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/collect/panel.py"/>
        <source>Places</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Committer</name>
    <message>
        <location filename="../../ovearth_plugin/review/committer.py"/>
        <source>Another program is writing to the dataset. What you drew is kept, and saved as soon as it lets go.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/committer.py"/>
        <source>Go to an image of the queue first, then draw on it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/committer.py"/>
        <source>Logging</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/committer.py"/>
        <source>QGIS doesn&#x27;t say why.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/committer.py"/>
        <source>Saving the polygon</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/committer.py"/>
        <source>The polygon drawn last wasn&#x27;t saved. It is kept until QGIS is closed: go to its image again, and it is drawn there.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/committer.py"/>
        <source>What you changed last wasn&#x27;t saved.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/committer.py"/>
        <source>What you drew can&#x27;t be saved; it is still on the map.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/committer.py"/>
        <source>What you drew is not saved yet: choose its category, or take it back.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>DatasetLayers</name>
    <message>
        <location filename="../../ovearth_plugin/dataset_layers.py"/>
        <source>OVEarth dataset</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/dataset_layers.py"/>
        <source>Tables</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>DatasetRow</name>
    <message>
        <location filename="../../ovearth_plugin/collect/dataset_row.py"/>
        <source>Make a dataset in this folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/collect/dataset_row.py"/>
        <source>Make a new dataset in a folder, with all categories</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/collect/dataset_row.py"/>
        <source>New…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/collect/dataset_row.py"/>
        <source>No dataset is open.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/collect/dataset_row.py"/>
        <source>Open dataset…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/collect/dataset_row.py"/>
        <source>Open the folder of a dataset</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/collect/dataset_row.py"/>
        <source>{} (read only)</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>DecisionBox</name>
    <message>
        <location filename="../../ovearth_plugin/review/decision_box.py"/>
        <source>All three questions answered with yes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/decision_box.py"/>
        <source>Approve</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/decision_box.py"/>
        <source>Approve what I drew myself; the log says so</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/decision_box.py"/>
        <source>Choose</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/decision_box.py"/>
        <source>Comment</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/decision_box.py"/>
        <source>Not to be used, with a comment or a no</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/decision_box.py"/>
        <source>Of several annotations of the same, this one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/decision_box.py"/>
        <source>Only log the comment</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/decision_box.py"/>
        <source>Pin</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/decision_box.py"/>
        <source>Reject</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/decision_box.py"/>
        <source>Return it with a comment, or a no</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/decision_box.py"/>
        <source>Send back</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/decision_box.py"/>
        <source>Then click the place on the map that the comment is about</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/decision_box.py"/>
        <source>There is no other manager</source>
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
    <message>
        <location filename="../../ovearth_plugin/processing/derive_boxes.py"/>
        <source>{} has no polygons to derive boxes of: choose a layer of polygons</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Desk</name>
    <message>
        <location filename="../../ovearth_plugin/review/desk.py"/>
        <source>Not done, for the dataset is closed: {}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/desk.py"/>
        <source>{} waits: another program is writing to the dataset.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/desk.py"/>
        <source>{}: not done, for another program holds the dataset. Try again.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>DialectForm</name>
    <message>
        <location filename="../../ovearth_plugin/inspect/dialect_form.py"/>
        <source>First choose: {}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/dialect_form.py"/>
        <source>OVEarth run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/dialect_form.py"/>
        <source>What the predictions are written in: OVEarth&#x27;s own, or a model family&#x27;s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/dialect_form.py"/>
        <source>{} ({}). Reads {}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Digitising</name>
    <message>
        <location filename="../../ovearth_plugin/review/digitising.py"/>
        <source>Another program holds the dataset: try again later.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/digitising.py"/>
        <source>Choose QGIS&#x27;s own tool to add a polygon.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/digitising.py"/>
        <source>QGIS can&#x27;t edit the layer of instances.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/digitising.py"/>
        <source>The polygon that wasn&#x27;t saved is drawn again. U takes it back.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>DockButton</name>
    <message>
        <location filename="../../ovearth_plugin/dock_button.py"/>
        <source>OVEarth: show or hide its dock</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>DrawingBox</name>
    <message>
        <location filename="../../ovearth_plugin/review/drawing_box.py"/>
        <source>A new target</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/drawing_box.py"/>
        <source>Annotate it too</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/drawing_box.py"/>
        <source>Choose the model for masks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/drawing_box.py"/>
        <source>Click to mask</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/drawing_box.py"/>
        <source>Draw</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/drawing_box.py"/>
        <source>Draw a polygon with QGIS&#x27;s own tool</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/drawing_box.py"/>
        <source>Draw the same thing without looking at this</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/drawing_box.py"/>
        <source>Hand the target in</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/drawing_box.py"/>
        <source>Left click: inside. Right click, or Shift: outside. Drag: a box. Return takes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/drawing_box.py"/>
        <source>Model…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/drawing_box.py"/>
        <source>Not saved yet.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/drawing_box.py"/>
        <source>Not saved yet: what is it? Type its category.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/drawing_box.py"/>
        <source>Submit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/drawing_box.py"/>
        <source>Take</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/drawing_box.py"/>
        <source>Take back what I drew last</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/drawing_box.py"/>
        <source>Take it back before a manager has looked at it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/drawing_box.py"/>
        <source>Take the mask as a polygon</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/drawing_box.py"/>
        <source>Undo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/drawing_box.py"/>
        <source>Withdraw</source>
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
        <source>The release is the folder {}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/processing/export_benchmark.py"/>
        <source>Version to release</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/processing/export_benchmark.py"/>
        <source>Writes the approved targets of a dataset (its dataset.gpkg, or its folder) as one benchmark file, against which predictions are scored. With a version it is frozen as a release: a new folder beside, named as the file without its ending, that holds benchmark.json, the images and their checksums. The output is that benchmark.json.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Exporter</name>
    <message>
        <location filename="../../ovearth_plugin/inspect/export.py"/>
        <source>Write {}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/export.py"/>
        <source>Written: {}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ExtractPatchesAlgorithm</name>
    <message>
        <location filename="../../ovearth_plugin/processing/extract_patches.py"/>
        <source>Attribution</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/processing/extract_patches.py"/>
        <source>Cuts georeferenced patches about places out of any raster layer, and takes them into the dataset of a folder, which is made where there is none. Running it again goes on where it stopped. What is refused stands with its reason in patches-report.json.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/processing/extract_patches.py"/>
        <source>Date of the imagery</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/processing/extract_patches.py"/>
        <source>Extract patches</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/processing/extract_patches.py"/>
        <source>Folder of the dataset</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/processing/extract_patches.py"/>
        <source>Imagery</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/processing/extract_patches.py"/>
        <source>Licence of the imagery</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/processing/extract_patches.py"/>
        <source>Metres of true ground a pixel (empty: the imagery&#x27;s own)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/processing/extract_patches.py"/>
        <source>Patches made</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/processing/extract_patches.py"/>
        <source>Patches refused</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/processing/extract_patches.py"/>
        <source>Patches that failed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/processing/extract_patches.py"/>
        <source>Pixels a side</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/processing/extract_patches.py"/>
        <source>Places</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>FilterBar</name>
    <message>
        <location filename="../../ovearth_plugin/inspect/filter_bar.py"/>
        <source>All categories</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/filter_bar.py"/>
        <source>All domains</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/filter_bar.py"/>
        <source>All outcomes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/filter_bar.py"/>
        <source>All sizes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/filter_bar.py"/>
        <source>All tasks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/filter_bar.py"/>
        <source>B better than A</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/filter_bar.py"/>
        <source>By the target&#x27;s pixels: small below 32², medium below 96², large above</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/filter_bar.py"/>
        <source>Only queries at which run B is better than run A</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/filter_bar.py"/>
        <source>Only queries of one category</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/filter_bar.py"/>
        <source>Only queries of one task: how the model was asked</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/filter_bar.py"/>
        <source>Only queries that run A got wrong in one way, or right</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/filter_bar.py"/>
        <source>Only queries whose category is of one domain</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/filter_bar.py"/>
        <source>Order by IoU (masks) or F1 (boxes), the most wrong ones first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/filter_bar.py"/>
        <source>Worst first</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>HistoryView</name>
    <message>
        <location filename="../../ovearth_plugin/review/history_view.py"/>
        <source>As</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/history_view.py"/>
        <source>Comment</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/history_view.py"/>
        <source>What</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/history_view.py"/>
        <source>When</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/history_view.py"/>
        <source>Who</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ImageryForm</name>
    <message>
        <location filename="../../ovearth_plugin/collect/imagery_form.py"/>
        <source> m a pixel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/collect/imagery_form.py"/>
        <source>A raster layer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/collect/imagery_form.py"/>
        <source>An address (STAC, XYZ, WMS, file)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/collect/imagery_form.py"/>
        <source>Attribution</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/collect/imagery_form.py"/>
        <source>Date</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/collect/imagery_form.py"/>
        <source>Fineness</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/collect/imagery_form.py"/>
        <source>Imagery</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/collect/imagery_form.py"/>
        <source>Licence, if known</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/collect/imagery_form.py"/>
        <source>Metres of true ground a pixel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/collect/imagery_form.py"/>
        <source>Size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/collect/imagery_form.py"/>
        <source>Terms</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/collect/imagery_form.py"/>
        <source>Under which the pixels may be handed on: CC-BY-4.0</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/collect/imagery_form.py"/>
        <source>When it was taken: 2021-05-03</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/collect/imagery_form.py"/>
        <source>add a raster layer to the project, and choose it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/collect/imagery_form.py"/>
        <source>as usual for the category</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/collect/imagery_form.py"/>
        <source>metres</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/collect/imagery_form.py"/>
        <source>no imagery is chosen</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/collect/imagery_form.py"/>
        <source>pixels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/collect/imagery_form.py"/>
        <source>the imagery&#x27;s own</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/collect/imagery_form.py"/>
        <source>write its address</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>InspectLayers</name>
    <message>
        <location filename="../../ovearth_plugin/layers.py"/>
        <source>OVEarth Inspect</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/scene_style.py"/>
        <source>matched</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/scene_style.py"/>
        <source>missed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/scene_style.py"/>
        <source>spurious</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/scene_style.py"/>
        <source>truth</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>InspectPanel</name>
    <message>
        <location filename="../../ovearth_plugin/inspect/panel.py"/>
        <source>A alone</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/panel.py"/>
        <source>A and B side by side</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/panel.py"/>
        <source>Choose the folder that the images are in now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/panel.py"/>
        <source>Go to image</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/panel.py"/>
        <source>How run B is shown beside run A</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/panel.py"/>
        <source>It isn&#x27;t in the folder {} either: {}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/panel.py"/>
        <source>Look elsewhere…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/panel.py"/>
        <source>Queries</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/panel.py"/>
        <source>Returned</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/panel.py"/>
        <source>Returned ({})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/panel.py"/>
        <source>Returned ({}, unsaved)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/panel.py"/>
        <source>Scores</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/panel.py"/>
        <source>Show the whole image of the selected query</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/panel.py"/>
        <source>Swipe from A to B</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/panel.py"/>
        <source>Use “Look elsewhere…” in the panel. {}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/panel.py"/>
        <source>Where are the images?</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>IntoReview</name>
    <message>
        <location filename="../../ovearth_plugin/inspect/into_review.py"/>
        <source>Open the benchmark&#x27;s dataset in Review first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/into_review.py"/>
        <source>Returning the target</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/into_review.py"/>
        <source>Run A predicts nothing there.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/into_review.py"/>
        <source>Taking the polygon</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/into_review.py"/>
        <source>The polygon is in the target&#x27;s draft, in Review.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/into_review.py"/>
        <source>The target is returned, and waits in Review.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/into_review.py"/>
        <source>Your comment is in the target&#x27;s log; a manager can return it in Review.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>KeysDialog</name>
    <message>
        <location filename="../../ovearth_plugin/keys_dialog.py"/>
        <source>Keys</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>LayerImagery</name>
    <message>
        <location filename="../../ovearth_plugin/collect/layer_imagery.py"/>
        <source>QGIS gives no pictures of this layer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/collect/layer_imagery.py"/>
        <source>add it, and try again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/collect/layer_imagery.py"/>
        <source>export it as GeoTIFF, and take that</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/collect/layer_imagery.py"/>
        <source>mend its source</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/collect/layer_imagery.py"/>
        <source>no picture came ({})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/collect/layer_imagery.py"/>
        <source>no reason is given</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/collect/layer_imagery.py"/>
        <source>set it in the layer&#x27;s properties</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/collect/layer_imagery.py"/>
        <source>set the layer&#x27;s CRS back, or mend the file (gdal_edit -a_srs)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/collect/layer_imagery.py"/>
        <source>the layer can&#x27;t be read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/collect/layer_imagery.py"/>
        <source>the layer has no CRS</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/collect/layer_imagery.py"/>
        <source>the layer is not in the project</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/collect/layer_imagery.py"/>
        <source>the layer was given the CRS {}, its file says {}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/collect/layer_imagery.py"/>
        <source>try again later</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>LitPolygons</name>
    <message>
        <location filename="../../ovearth_plugin/review_layers.py"/>
        <source>elsewhere</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review_layers.py"/>
        <source>other targets of the image</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review_layers.py"/>
        <source>this target</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Loader</name>
    <message>
        <location filename="../../ovearth_plugin/inspect/loader.py"/>
        <source>A run that is already in the list was left out.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/loader.py"/>
        <source>Open {}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/loader.py"/>
        <source>Score {}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/loader.py"/>
        <source>{}: left out, or to be looked at: {}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>MapSample</name>
    <message>
        <location filename="../../ovearth_plugin/review/map_sample.py"/>
        <source>Placing the image</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/map_sample.py"/>
        <source>QGIS can&#x27;t read the image {}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/map_sample.py"/>
        <source>The image can&#x27;t be shown in the project&#x27;s CRS: choose {} for the project.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/map_sample.py"/>
        <source>The image {} is not in the dataset&#x27;s folder: put it back there.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/map_sample.py"/>
        <source>This image can&#x27;t be shown in the project&#x27;s CRS; it is shown in its own.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>MapScene</name>
    <message>
        <location filename="../../ovearth_plugin/inspect/map_scene.py"/>
        <source>A layer of Inspect was removed; selecting a query brings it back.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/map_scene.py"/>
        <source>Draw query</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/map_scene.py"/>
        <source>QGIS can&#x27;t read the image {}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/map_scene.py"/>
        <source>The image can&#x27;t be shown in the project&#x27;s CRS: choose {} for the project.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/map_scene.py"/>
        <source>The image {} is not there.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/map_scene.py"/>
        <source>{path} is not the image {name}: {why}.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ModelRow</name>
    <message>
        <location filename="../../ovearth_plugin/review/click_model.py"/>
        <source>Click-to-mask needs a SAM or SAM 2 model: its encoder.onnx and decoder.onnx, or the address of a server. None comes with OVEarth: {}where to get one{}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/click_model.py"/>
        <source>Files…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/click_model.py"/>
        <source>Folder, encoder.onnx,decoder.onnx or http://…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/click_model.py"/>
        <source>ONNX (*.onnx)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/click_model.py"/>
        <source>The model&#x27;s two ONNX files</source>
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
    <message>
        <location filename="../../ovearth_plugin/processing/dialect_parameters.py"/>
        <source>Bring masks of another size to their image&#x27;s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/processing/dialect_parameters.py"/>
        <source>Height of the images as the model saw them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/processing/dialect_parameters.py"/>
        <source>Width of the images as the model saw them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/processing/dialect_parameters.py"/>
        <source>Written in</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/processing/algorithm.py"/>
        <source>{} must be a number, and is “{}”: give one such as 0.5</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/processing/dialect_parameters.py"/>
        <source>{}: left out {} {}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>OVEarthCoreWords</name>
    <message>
        <location filename="../../ovearth_plugin/core_words.py"/>
        <source> (Boxes in Review does)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/core_words.py"/>
        <source>Check dataset in the Processing toolbox</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/core_words.py"/>
        <source>an Overpass server or a file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/core_words.py"/>
        <source>choose another area</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/core_words.py"/>
        <source>choose the role</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/core_words.py"/>
        <source>choose what it is written in</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/core_words.py"/>
        <source>cut it in several goes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/core_words.py"/>
        <source>export it first: Export benchmark in the Processing toolbox</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/core_words.py"/>
        <source>have masks of another size brought to their image&#x27;s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/core_words.py"/>
        <source>larger pixels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/core_words.py"/>
        <source>make it anew on the command line: score, option per-query</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/core_words.py"/>
        <source>make one: New… in Collect</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/core_words.py"/>
        <source>name a server that is open</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/core_words.py"/>
        <source>name another server</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/core_words.py"/>
        <source>or take such records out of the run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/core_words.py"/>
        <source>out of the run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/core_words.py"/>
        <source>run {}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/core_words.py"/>
        <source>score without a least score</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/core_words.py"/>
        <source>see Addresses in the help of Collect</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/core_words.py"/>
        <source>take the frame pixel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/core_words.py"/>
        <source>the IoU from which on boxes are one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/core_words.py"/>
        <source>the area</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/core_words.py"/>
        <source>the class list</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/core_words.py"/>
        <source>the command line&#x27;s option {}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/core_words.py"/>
        <source>the command line&#x27;s {}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/core_words.py"/>
        <source>the comment</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/core_words.py"/>
        <source>the convention of angles</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/core_words.py"/>
        <source>the date</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/core_words.py"/>
        <source>the file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/core_words.py"/>
        <source>the frame</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/core_words.py"/>
        <source>the help page Click-to-mask</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/core_words.py"/>
        <source>the imagery</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/core_words.py"/>
        <source>the least score</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/core_words.py"/>
        <source>the licence</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/core_words.py"/>
        <source>the limit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/core_words.py"/>
        <source>the mapping file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/core_words.py"/>
        <source>the modality</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/core_words.py"/>
        <source>the release</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/core_words.py"/>
        <source>the role</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/core_words.py"/>
        <source>the rule for masks of another size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/core_words.py"/>
        <source>the seed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/core_words.py"/>
        <source>the server&#x27;s address</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/core_words.py"/>
        <source>the size in metres</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/core_words.py"/>
        <source>the size in pixels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/core_words.py"/>
        <source>the size of a pixel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/core_words.py"/>
        <source>the size that the model saw</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/core_words.py"/>
        <source>the source</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/core_words.py"/>
        <source>the spacing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/core_words.py"/>
        <source>the threshold</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/core_words.py"/>
        <source>the unit of angles</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/core_words.py"/>
        <source>tick “Keep what is whole”</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/core_words.py"/>
        <source>what it is written in</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/core_words.py"/>
        <source>where there is none, use the command line&#x27;s option alone</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/core_words.py"/>
        <source>write a comment</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/core_words.py"/>
        <source>write the licence</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/core_words.py"/>
        <source>write your name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/core_words.py"/>
        <source>your name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/core_words.py"/>
        <source>{} lists all</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>OVEarthDependencies</name>
    <message>
        <location filename="../../ovearth_plugin/dependencies.py"/>
        <source>A package is missing: {}</source>
        <translation type="unfinished"></translation>
    </message>
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
    <name>OVEarthDialects</name>
    <message>
        <location filename="../../ovearth_plugin/dialect_words.py"/>
        <source>A text file of class names, one a line; the first is class 0</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/dialect_fields.py"/>
        <source>All files (*)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/dialect_words.py"/>
        <source>Angles</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/dialect_words.py"/>
        <source>Boxes are one from IoU</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/dialect_words.py"/>
        <source>COCO results</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/dialect_words.py"/>
        <source>CSV with pixel or WKT columns</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/dialect_words.py"/>
        <source>Class list</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/dialect_words.py"/>
        <source>DOTA results, Task 1 and Task 2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/dialect_words.py"/>
        <source>Dense maps (CLIP, CAT-Seg, SegEarth-OV, SkySense-O …)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/dialect_words.py"/>
        <source>Foreground is what scores at least this</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/dialect_words.py"/>
        <source>GroundingDINO (centre and size, 0 to 1)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/dialect_words.py"/>
        <source>In which convention the angles are: no answer tells, and another one turns boxes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/dialect_words.py"/>
        <source>JSON or CSV that says to which query an output belongs, or to which category a class</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/dialect_words.py"/>
        <source>Keep what is whole</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/dialect_words.py"/>
        <source>Least score of foreground</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/dialect_words.py"/>
        <source>Map product (vector file, GeoTIFFs)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/dialect_words.py"/>
        <source>Mapping file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/dialect_words.py"/>
        <source>Masks of another size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/dialect_words.py"/>
        <source>Masks of another size than their image are refused, or brought to it: each pixel takes what its centre lies in</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/dialect_words.py"/>
        <source>Oriented boxes by angle (OpenRSD, mmrotate)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/dialect_words.py"/>
        <source>Oriented boxes by corners (OpenRSD)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/dialect_words.py"/>
        <source>Pixel corners (YOLO-World, LAE-DINO, SLIP-RS …)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/dialect_words.py"/>
        <source>Radians unless chosen</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/dialect_words.py"/>
        <source>Shapes are</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/dialect_words.py"/>
        <source>Size that the model saw</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/dialect_words.py"/>
        <source>Unit of angles</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/dialect_words.py"/>
        <source>What is malformed or cut off is left out and counted; else it is an error</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/dialect_words.py"/>
        <source>What shapes are that may be several things; all of them unless said</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/dialect_words.py"/>
        <source>Where patches overlapped: from which IoU on two boxes are one; 0.5 unless given, 0 keeps all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/dialect_words.py"/>
        <source>Width and height, in pixels, of the images as the model saw them, where its answers don&#x27;t say input_size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/dialect_words.py"/>
        <source>[SEG] tokens and masks (LISA, GeoPixel, UniGeoSeg …)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/dialect_fields.py"/>
        <source>all that they may be</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/dialect_fields.py"/>
        <source>bring to the image&#x27;s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/dialect_fields.py"/>
        <source>choose</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/dialect_words.py"/>
        <source>degrees</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/dialect_words.py"/>
        <source>le135: -45° to 135°</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/dialect_words.py"/>
        <source>le90: -90° to 90°</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/dialect_words.py"/>
        <source>oc: 0° to 90°, as OpenCV</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/dialect_words.py"/>
        <source>radians</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/dialect_fields.py"/>
        <source>refuse</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>OVEarthDock</name>
    <message>
        <location filename="../../ovearth_plugin/dock.py"/>
        <source>Collect</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/dock.py"/>
        <source>Inspect</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/dock.py"/>
        <source>Review</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>OVEarthKeys</name>
    <message>
        <location filename="../../ovearth_plugin/keys.py"/>
        <source>{key} is the key of “{owner}” already: choose another one.</source>
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
    <name>OVEarthReview</name>
    <message>
        <location filename="../../ovearth_plugin/review/verdict_words.py"/>
        <source>, to the question: {}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/words.py"/>
        <source>Good boundary?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/verdict_words.py"/>
        <source>Judgements of earlier texts, or taken back: {}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/words.py"/>
        <source>Map coordinates</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/words.py"/>
        <source>Metres on the ground</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/words.py"/>
        <source>Nothing missed?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/words.py"/>
        <source>Pixels of the image</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/words.py"/>
        <source>Right category?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/flag_words.py"/>
        <source>a kind of what is on the image</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/flag_words.py"/>
        <source>a negative of this task</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/words.py"/>
        <source>accept</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/words.py"/>
        <source>accepted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/words.py"/>
        <source>annotator</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/words.py"/>
        <source>approved</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/verdict_words.py"/>
        <source>better: {}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/words.py"/>
        <source>draft</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/words.py"/>
        <source>edit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/flag_words.py"/>
        <source>fits another target too</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/flag_words.py"/>
        <source>is on the image</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/flag_words.py"/>
        <source>long</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/words.py"/>
        <source>manager</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/flag_words.py"/>
        <source>names its category</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/words.py"/>
        <source>no</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/flag_words.py"/>
        <source>no text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/flag_words.py"/>
        <source>not English</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/flag_words.py"/>
        <source>not near</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/words.py"/>
        <source>nothing drawn</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/flag_words.py"/>
        <source>one of several</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/flag_words.py"/>
        <source>only a part</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/flag_words.py"/>
        <source>positive and negative</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/words.py"/>
        <source>proposed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/words.py"/>
        <source>rejected</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/words.py"/>
        <source>remove</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/words.py"/>
        <source>removed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/words.py"/>
        <source>returned</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/flag_words.py"/>
        <source>said twice</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/flag_words.py"/>
        <source>seen on the image</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/flag_words.py"/>
        <source>short</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/words.py"/>
        <source>submitted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/flag_words.py"/>
        <source>the same as on another image</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/words.py"/>
        <source>unsure</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/flag_words.py"/>
        <source>written otherwise by the model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/flag_words.py"/>
        <source>wrong direction</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/words.py"/>
        <source>yes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/verdict_words.py"/>
        <source>{} (no majority)</source>
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
    <name>OVEarthWords</name>
    <message>
        <location filename="../../ovearth_plugin/inspect/words.py"/>
        <source>2TP / (2TP + FP + FN) of the query</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/words.py"/>
        <source>By how much B&#x27;s F1 is better than A&#x27;s: matched boxes count, not how well they match</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/words.py"/>
        <source>By how much B&#x27;s IoU is better than A&#x27;s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/words.py"/>
        <source>By the target&#x27;s pixels: small below 32², medium below 96², large above</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/words.py"/>
        <source>Category</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/words.py"/>
        <source>Domain</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/words.py"/>
        <source>Error</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/words.py"/>
        <source>F1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/words.py"/>
        <source>F1: B − A</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/words.py"/>
        <source>FN</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/words.py"/>
        <source>FP</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/words.py"/>
        <source>False negatives: missed boxes at the threshold</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/words.py"/>
        <source>False negatives: pixels in the truth only</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/words.py"/>
        <source>False positives: pixels in the prediction only</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/words.py"/>
        <source>False positives: spurious boxes at the threshold</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/words.py"/>
        <source>Horizontal boxes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/words.py"/>
        <source>How it was asked: by name, by a description, by a question</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/words.py"/>
        <source>Intersection of prediction and truth over their union, in pixels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/words.py"/>
        <source>IoU</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/words.py"/>
        <source>IoU of B</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/words.py"/>
        <source>IoU: B − A</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/words.py"/>
        <source>Masks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/words.py"/>
        <source>Mean over the true boxes, of the best predicted one for each</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/words.py"/>
        <source>Oriented boxes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/words.py"/>
        <source>Polarity</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/words.py"/>
        <source>Positive: it is in the image. Negative: it is not</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/words.py"/>
        <source>Present</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/words.py"/>
        <source>Query</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/words.py"/>
        <source>Size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/words.py"/>
        <source>TP</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/words.py"/>
        <source>Task</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/words.py"/>
        <source>Text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/words.py"/>
        <source>The IoU of run B</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/words.py"/>
        <source>The domain of the target&#x27;s category</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/words.py"/>
        <source>The query&#x27;s id in the benchmark</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/words.py"/>
        <source>The target&#x27;s category</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/words.py"/>
        <source>True positives: matched boxes at the threshold</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/words.py"/>
        <source>True positives: pixels in prediction and truth</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/words.py"/>
        <source>What kind of mistake it is at the threshold, if any</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/words.py"/>
        <source>What the model was asked</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/words.py"/>
        <source>Whether the run says that there is something</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/words.py"/>
        <source>badly placed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/words.py"/>
        <source>good</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/words.py"/>
        <source>hallucinated</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/words.py"/>
        <source>large</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/words.py"/>
        <source>matched</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/words.py"/>
        <source>medium</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/words.py"/>
        <source>missed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/words.py"/>
        <source>negative</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/words.py"/>
        <source>positive</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/words.py"/>
        <source>reasoning</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/words.py"/>
        <source>referring</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/words.py"/>
        <source>small</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/words.py"/>
        <source>spurious</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/words.py"/>
        <source>vocabulary</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>OpenDataset</name>
    <message>
        <location filename="../../ovearth_plugin/open_dataset.py"/>
        <source>A dataset is being opened already.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/open_dataset.py"/>
        <source>Making the dataset</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/open_dataset.py"/>
        <source>Open a dataset first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/open_dataset.py"/>
        <source>Opening the dataset</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/open_dataset.py"/>
        <source>The dataset in {} can be looked at, not changed: you have no right to write there.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/open_dataset.py"/>
        <source>The dataset is no longer in {}: open its folder where it is now.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/open_dataset.py"/>
        <source>This dataset is open already: {}</source>
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
        <source>Draws what a run matched, missed and made up, in map coordinates (EPSG:4326), with the IoU and the score of each box: a GeoPackage with the layers mask, hbb and obb, those that the run has. Boxes match from the IoU threshold on. Predictions are OVEarth&#x27;s own unless “Written in” names what a model&#x27;s family gives.</source>
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
    <name>PatchLayers</name>
    <message>
        <location filename="../../ovearth_plugin/patch_layers.py"/>
        <source>OVEarth patches</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>PatchPanel</name>
    <message>
        <location filename="../../ovearth_plugin/collect/patch_panel.py"/>
        <source>Cancel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/collect/patch_panel.py"/>
        <source>Cut</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/collect/patch_panel.py"/>
        <source>Cut patches</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/collect/patch_panel.py"/>
        <source>Cut the patches; running it again goes on where it stopped</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/collect/patch_panel.py"/>
        <source>Estimate</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/collect/patch_panel.py"/>
        <source>Estimate the patches</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/collect/patch_panel.py"/>
        <source>Extract</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/collect/patch_panel.py"/>
        <source>Looking at the imagery…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/collect/patch_panel.py"/>
        <source>Say how many patches, pixels and megabytes it would be</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/collect/patch_panel.py"/>
        <source>Stop; what was cut is kept</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/collect/patch_panel.py"/>
        <source>Stopped; what was cut is kept.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/collect/patch_panel.py"/>
        <source>accepted places</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/collect/patch_panel.py"/>
        <source>all but rejected places</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/collect/patch_panel.py"/>
        <source>{} are there already.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>PatchResults</name>
    <message>
        <location filename="../../ovearth_plugin/collect/patch_results.py"/>
        <source>Double-click a patch to show it on the map</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>PinTool</name>
    <message>
        <location filename="../../ovearth_plugin/review/pin_tool.py"/>
        <source>This place can&#x27;t be found on the image.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>PlaceSource</name>
    <message>
        <location filename="../../ovearth_plugin/collect/place_source.py"/>
        <source>A file (OpenStreetMap, GeoPackage, …)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/collect/place_source.py"/>
        <source>A vector layer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/collect/place_source.py"/>
        <source>Address (empty: the public server)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/collect/place_source.py"/>
        <source>Choose a file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/collect/place_source.py"/>
        <source>File with places</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/collect/place_source.py"/>
        <source>Nominatim server</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/collect/place_source.py"/>
        <source>Overpass server</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/collect/place_source.py"/>
        <source>Path</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/collect/place_source.py"/>
        <source>Places (*.osm *.pbf *.gpkg *.shp *.fgb *.geojson *.json *.csv *.parquet);;All files (*)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/collect/place_source.py"/>
        <source>choose one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/collect/place_source.py"/>
        <source>no file is chosen</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/collect/place_source.py"/>
        <source>no layer is chosen</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ProblemMarks</name>
    <message>
        <location filename="../../ovearth_plugin/review/problem_marks.py"/>
        <source>Looking for problems</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>QueryList</name>
    <message>
        <location filename="../../ovearth_plugin/inspect/query_list.py"/>
        <source>A and B have neither masks nor boxes in common: choose another B.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/query_list.py"/>
        <source>Open a benchmark, and add a run to look at.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/query_list.py"/>
        <source>The queries of run A&#x27;s tasks; a click shows one on the map</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/query_list.py"/>
        <source>{} of {} queries</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>QueryModel</name>
    <message>
        <location filename="../../ovearth_plugin/inspect/query_model.py"/>
        <source>no</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/query_model.py"/>
        <source>yes</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>QueryTable</name>
    <message>
        <location filename="../../ovearth_plugin/review/query_table.py"/>
        <source>Accept</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/query_table.py"/>
        <source>Ask the selected texts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/query_table.py"/>
        <source>Ask the selected texts no more; they are kept</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/query_table.py"/>
        <source>Found by checks and the model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/query_table.py"/>
        <source>Of {} texts decided, people changed {} and removed {}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/query_table.py"/>
        <source>Polarity</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/query_table.py"/>
        <source>Put what the verifying model would write in place of the selected texts; the first text is kept beside it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/query_table.py"/>
        <source>Remove</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/query_table.py"/>
        <source>Reviewers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/query_table.py"/>
        <source>State</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/query_table.py"/>
        <source>Take correction</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/query_table.py"/>
        <source>Task</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/query_table.py"/>
        <source>Text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/query_table.py"/>
        <source>Was: {}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Questions</name>
    <message>
        <location filename="../../ovearth_plugin/review/questions.py"/>
        <source>{} Yes, no, or not answered</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>QueueModel</name>
    <message>
        <location filename="../../ovearth_plugin/review/queue_model.py"/>
        <source>Annotator</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/queue_model.py"/>
        <source>Category</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/queue_model.py"/>
        <source>Image</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/queue_model.py"/>
        <source>State</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/queue_model.py"/>
        <source>Target</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>QueueView</name>
    <message>
        <location filename="../../ovearth_plugin/review/queue_view.py"/>
        <source>All states</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/queue_view.py"/>
        <source>Annotator</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/queue_view.py"/>
        <source>Category</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/queue_view.py"/>
        <source>Go to the next that needs me</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/queue_view.py"/>
        <source>Image</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/queue_view.py"/>
        <source>Next</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/queue_view.py"/>
        <source>Open a dataset.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/queue_view.py"/>
        <source>{} of {} wait for me</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ResultModel</name>
    <message>
        <location filename="../../ovearth_plugin/collect/patch_results.py"/>
        <source>Detail</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/collect/patch_results.py"/>
        <source>Place</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/collect/patch_results.py"/>
        <source>Result</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/collect/patch_results.py"/>
        <source>blank</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/collect/patch_results.py"/>
        <source>duplicate</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/collect/patch_results.py"/>
        <source>failed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/collect/patch_results.py"/>
        <source>forbidden</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/collect/patch_results.py"/>
        <source>no data</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/collect/patch_results.py"/>
        <source>outside</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/collect/patch_results.py"/>
        <source>patch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/collect/patch_results.py"/>
        <source>placeholder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/collect/patch_results.py"/>
        <source>too coarse</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ReturnForm</name>
    <message>
        <location filename="../../ovearth_plugin/inspect/return_form.py"/>
        <source>Pin</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/return_form.py"/>
        <source>Return the target</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/return_form.py"/>
        <source>Send the query&#x27;s target back to review; without its dataset, into a list</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/return_form.py"/>
        <source>Take as draft</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/return_form.py"/>
        <source>That is outside the image: click a place on it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/return_form.py"/>
        <source>Then click a polygon of run A: it is drawn on the target, as a draft</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/return_form.py"/>
        <source>Then click the place on the map that the comment is about</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/return_form.py"/>
        <source>This place can&#x27;t be found on the image.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/return_form.py"/>
        <source>What a reviewer is told, kept until it is sent; Enter returns the target</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/return_form.py"/>
        <source>What is wrong with the truth?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/return_form.py"/>
        <source>Write what is wrong with the truth first.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ReturnedList</name>
    <message>
        <location filename="../../ovearth_plugin/inspect/returned_list.py"/>
        <source>Category</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/returned_list.py"/>
        <source>Comment</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/returned_list.py"/>
        <source>Image</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/returned_list.py"/>
        <source>JSON (*.json)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/returned_list.py"/>
        <source>Keep in another file…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/returned_list.py"/>
        <source>Keep the list in</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/returned_list.py"/>
        <source>Kept in {}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/returned_list.py"/>
        <source>Not saved: {} can&#x27;t be written. Keep it in another file; until then it waits in QGIS&#x27;s profile.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/returned_list.py"/>
        <source>Remove from the list</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/returned_list.py"/>
        <source>Save the list in a file of your choice from now on; a list there stays</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/returned_list.py"/>
        <source>Take the marked target out of the list and its file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/returned_list.py"/>
        <source>Targets to look at again; a double click goes to the query</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/returned_list.py"/>
        <source>The image that the target is on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/returned_list.py"/>
        <source>What a reviewer is told</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/returned_list.py"/>
        <source>What the target is one of</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/returned_list.py"/>
        <source>When</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/returned_list.py"/>
        <source>When it was returned, UTC</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ReturnedTargets</name>
    <message>
        <location filename="../../ovearth_plugin/inspect/returned_targets.py"/>
        <source>The list says that of this target already.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/returned_targets.py"/>
        <source>The returned list&#x27;s file is gone: {}. A new one is begun.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/returned_targets.py"/>
        <source>This target is in the list {} times, each with its comment.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/returned_targets.py"/>
        <source>What isn&#x27;t saved of the last list comes back with its benchmark.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/returned_targets.py"/>
        <source>{} of the returned list can&#x27;t be read, and stays in its file as it is.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ReviewPanel</name>
    <message>
        <location filename="../../ovearth_plugin/review/panel.py"/>
        <source>Decide</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/panel.py"/>
        <source>Draw</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/panel.py"/>
        <source>Go to image</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/panel.py"/>
        <source>History</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/panel.py"/>
        <source>No sample: click a line above, or go to the next.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/panel.py"/>
        <source>Queries</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/panel.py"/>
        <source>Show the whole image</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/panel.py"/>
        <source>target {}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ReviewState</name>
    <message>
        <location filename="../../ovearth_plugin/review/state.py"/>
        <source>Nothing else in the queue waits for you.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/state.py"/>
        <source>Reading the queue</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/state.py"/>
        <source>Reading the sample</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>RunList</name>
    <message>
        <location filename="../../ovearth_plugin/inspect/run_list.py"/>
        <source>A</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/run_list.py"/>
        <source>A folder of the files that a model gave</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/run_list.py"/>
        <source>A second run to compare run A with</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/run_list.py"/>
        <source>Add a folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/run_list.py"/>
        <source>Add a folder of masks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/run_list.py"/>
        <source>Add folder…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/run_list.py"/>
        <source>Add masks…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/run_list.py"/>
        <source>Add runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/run_list.py"/>
        <source>Add runs…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/run_list.py"/>
        <source>All files (*)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/run_list.py"/>
        <source>B</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/run_list.py"/>
        <source>Benchmark (*.json *.json.gz);;All files (*)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/run_list.py"/>
        <source>Cancel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/run_list.py"/>
        <source>Files with the answers of a model, as it gave them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/run_list.py"/>
        <source>Give up what is being read and scored</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/run_list.py"/>
        <source>Help</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/run_list.py"/>
        <source>No benchmark</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/run_list.py"/>
        <source>Open a benchmark</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/run_list.py"/>
        <source>Open benchmark…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/run_list.py"/>
        <source>Predictions (*.jsonl *.jsonl.gz *.gpkg *.geojson *.fgb *.shp *.parquet *.csv);;All files (*)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/run_list.py"/>
        <source>Predictions: JSON Lines, vector files; one that has changed is read again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/run_list.py"/>
        <source>Predictions: a folder of PNG or GeoTIFF masks, each named by its query</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/run_list.py"/>
        <source>Remove A</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/run_list.py"/>
        <source>Take run A out of the list; its file stays</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/run_list.py"/>
        <source>The benchmark whose queries the runs answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/run_list.py"/>
        <source>The run that is shown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/run_list.py"/>
        <source>none</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/run_list.py"/>
        <source>{}: {} images, {} targets, {} queries</source>
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
        <source>Scores one or more prediction files against a benchmark: segmentation, horizontal and oriented boxes, and presence. The scores are written as JSON, the same as those of the command ovearth score. Predictions are OVEarth&#x27;s own unless “Written in” names what a model&#x27;s family gives.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ScoreView</name>
    <message>
        <location filename="../../ovearth_plugin/inspect/score_view.py"/>
        <source>All of run A on the map: matched, spurious and missed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/score_view.py"/>
        <source>CSV (*.csv)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/score_view.py"/>
        <source>Click a bar to see its queries</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/score_view.py"/>
        <source>Folder for the report</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/score_view.py"/>
        <source>GeoPackage (*.gpkg)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/score_view.py"/>
        <source>IoU by category, worst first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/score_view.py"/>
        <source>IoU by size (side of the target, pixels)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/score_view.py"/>
        <source>Metrics in percent, MCC from -1 to 1; the best in bold.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/score_view.py"/>
        <source>Overlay to GeoPackage…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/score_view.py"/>
        <source>Report…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/score_view.py"/>
        <source>Scores to CSV…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/score_view.py"/>
        <source>TP, FP and FN are pixels for masks, boxes at the threshold for boxes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/score_view.py"/>
        <source>Table to CSV…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/score_view.py"/>
        <source>The mark on a bar is run B</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/score_view.py"/>
        <source>The paper&#x27;s tables of all runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/score_view.py"/>
        <source>The scores of all runs; they don&#x27;t depend on the slider</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/score_view.py"/>
        <source>The table of queries, filtered and ordered as it is</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/score_view.py"/>
        <source>Write an HTML page with all scores, analyses and pictures into a folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/score_view.py"/>
        <source>model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/score_view.py"/>
        <source>task</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/score_view.py"/>
        <source>{} at IoU ≥ {}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>SearchForm</name>
    <message>
        <location filename="../../ovearth_plugin/collect/search_form.py"/>
        <source>Another seed draws another sample</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/collect/search_form.py"/>
        <source>Area</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/collect/search_form.py"/>
        <source>Cancel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/collect/search_form.py"/>
        <source>Drop places outside of the imagery chosen below</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/collect/search_form.py"/>
        <source>Limit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/collect/search_form.py"/>
        <source>Only where the imagery is</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/collect/search_form.py"/>
        <source>OpenStreetMap has no tags for {}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/collect/search_form.py"/>
        <source>Places of each category; what the dataset has counts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/collect/search_form.py"/>
        <source>Search</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/collect/search_form.py"/>
        <source>Search for places</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/collect/search_form.py"/>
        <source>Search the area for places of {} ticked categories</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/collect/search_form.py"/>
        <source>Searching…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/collect/search_form.py"/>
        <source>Seed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/collect/search_form.py"/>
        <source>Source</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/collect/search_form.py"/>
        <source>Spacing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/collect/search_form.py"/>
        <source>Tick categories in the tree first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/collect/search_form.py"/>
        <source>True metres between any two places</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/collect/search_form.py"/>
        <source>all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/collect/search_form.py"/>
        <source>{} found, {} new candidates</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>SearchPoisAlgorithm</name>
    <message>
        <location filename="../../ovearth_plugin/processing/search_pois.py"/>
        <source>Address of the server</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/processing/search_pois.py"/>
        <source>Area</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/processing/search_pois.py"/>
        <source>Categories, separated by commas: fuel station, school</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/processing/search_pois.py"/>
        <source>Dataset that they become candidates of</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/processing/search_pois.py"/>
        <source>Finds places of categories in an area: in an OpenStreetMap or vector file, on an Overpass or Nominatim server, or in a layer. The same seed chooses the same places. With a dataset they become its candidates, and what it has already isn&#x27;t found again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/processing/search_pois.py"/>
        <source>Give either a source or a layer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/processing/search_pois.py"/>
        <source>Metres between any two places</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/processing/search_pois.py"/>
        <source>Or a layer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/processing/search_pois.py"/>
        <source>Places</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/processing/search_pois.py"/>
        <source>Places chosen</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/processing/search_pois.py"/>
        <source>Places found</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/processing/search_pois.py"/>
        <source>Places of each category (empty: all)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/processing/search_pois.py"/>
        <source>Search places of interest</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/processing/search_pois.py"/>
        <source>Seed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/processing/search_pois.py"/>
        <source>Source: overpass, nominatim, or the path of a file</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>SplitPolygons</name>
    <message>
        <location filename="../../ovearth_plugin/review/split_polygons.py"/>
        <source>Reading the polygons</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Stepper</name>
    <message>
        <location filename="../../ovearth_plugin/collect/stepper.py"/>
        <source>Accept</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/collect/stepper.py"/>
        <source>Change the keys of these buttons</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/collect/stepper.py"/>
        <source>Go to the next undecided place</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/collect/stepper.py"/>
        <source>Keys…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/collect/stepper.py"/>
        <source>Next</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/collect/stepper.py"/>
        <source>No undecided place is left: search for some above.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/collect/stepper.py"/>
        <source>Reject</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/collect/stepper.py"/>
        <source>The project&#x27;s CRS doesn&#x27;t reach this place: choose another one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/collect/stepper.py"/>
        <source>Undo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/collect/stepper.py"/>
        <source>accepted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/collect/stepper.py"/>
        <source>rejected</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/collect/stepper.py"/>
        <source>undecided</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/collect/stepper.py"/>
        <source>{candidate} undecided, {accepted} accepted, {rejected} rejected</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Steps</name>
    <message>
        <location filename="../../ovearth_plugin/review/steps.py"/>
        <source>Writing the step</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Threshold</name>
    <message>
        <location filename="../../ovearth_plugin/inspect/threshold.py"/>
        <source>IoU ≥</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/threshold.py"/>
        <source>The least IoU at which a box is matched, and a mask well placed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/inspect/threshold.py"/>
        <source>What of the runs is looked at</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>TransactionNotice</name>
    <message>
        <location filename="../../ovearth_plugin/review/transaction_notice.py"/>
        <source>Nothing can be drawn with automatic transaction groups: switch them off.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/transaction_notice.py"/>
        <source>Stop editing all layers first, then switch the transaction groups off.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/transaction_notice.py"/>
        <source>Switch them off</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/transaction_notice.py"/>
        <source>This project has automatic transaction groups. While you edit, they would hold the dataset&#x27;s file: nothing could be saved, by you or by others.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>UndoRecord</name>
    <message>
        <location filename="../../ovearth_plugin/review/undo_record.py"/>
        <source>There is nothing of yours to undo.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/undo_record.py"/>
        <source>Undoing</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>VectorLayerPlaces</name>
    <message>
        <location filename="../../ovearth_plugin/collect/vector_layer_places.py"/>
        <source>set it in the layer&#x27;s properties</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/collect/vector_layer_places.py"/>
        <source>the layer has no CRS</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>WhoBar</name>
    <message>
        <location filename="../../ovearth_plugin/review/who_bar.py"/>
        <source>How Review is used</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/who_bar.py"/>
        <source>I am</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../ovearth_plugin/review/who_bar.py"/>
        <source>Signs every step in the log; it is no password</source>
        <translation type="unfinished"></translation>
    </message>
</context>
</TS>
