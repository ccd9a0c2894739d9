"""How a person uses the tab Review: by mouse and keys, on the map and in the dock."""

import numpy as np
from osgeo import gdal, osr
from qgis.core import QgsPointXY, QgsProject, QgsVectorLayerUtils
from qgis.gui import QgsAdvancedDigitizingDockWidget, QgsMapToolCapture, QgsMapToolDigitizeFeature
from qgis.PyQt.QtCore import Qt
from qgis.PyQt.QtTest import QTest

from .inspecting import LEFT, wait_until

RIGHT = Qt.MouseButton.RightButton


def idle(window):
    """Wait until nothing is being done any more, in the background or by a timer."""
    panel = window.dock.review

    def is_still():
        return (
            window.tasks.running == 0
            and not panel.desk.is_busy
            and not panel.boxes_desk.is_busy
            and not panel.committer._timer.isActive()
        )

    wait_until(is_still)
    QTest.qWait(30)
    wait_until(is_still)


def open_dataset(window, dataset):
    shared = window.dock.open_dataset
    heard = []
    shared.opened.connect(lambda: heard.append(1))
    shared.open(dataset.folder)
    wait_until(lambda: heard)
    window.dock.tabs.setCurrentWidget(window.dock.review)
    idle(window)
    return shared


def give_drawing_tool(window, package):
    """Give the window QGIS's action for new polygons, as QGIS's own window has it."""
    import importlib

    action_class = importlib.import_module("ovearth.ovearth_plugin.compat").QAction
    action = action_class("Add Polygon Feature", window)
    action.setObjectName("mActionAddFeature")
    cad = QgsAdvancedDigitizingDockWidget(window.canvas, window)
    cad.hide()
    window.drawing_tool = None

    def take_tool():
        layer = window.canvas.currentLayer()
        tool = QgsMapToolDigitizeFeature(window.canvas, cad, QgsMapToolCapture.CapturePolygon)
        tool.setLayer(layer)

        def add(feature):
            values = {}
            made = QgsVectorLayerUtils.createFeature(
                layer, feature.geometry(), values, layer.createExpressionContext()
            )
            layer.beginEditCommand("Add feature")
            layer.addFeature(made)
            layer.endEditCommand()

        tool.digitizingCompleted.connect(add)
        # This tool of QGIS's, unlike its window's own, would go on using a layer that is gone.
        layer.willBeDeleted.connect(lambda: window.canvas.unsetMapTool(tool))
        window.canvas.setMapTool(tool)
        window.drawing_tool = tool

    action.triggered.connect(take_tool)
    window.addAction(action)


def be(window, name, role="annotator"):
    who = window.dock.review.who
    who.name.setFocus()
    who.name.selectAll()
    QTest.keyClicks(who.name, name)
    QTest.keyClick(who.name, Qt.Key.Key_Return)
    if who.role.currentData() != role:
        who.role.setFocus()
        QTest.keyClick(who.role, Qt.Key.Key_Down if role == "manager" else Qt.Key.Key_Up)
        who._say()
    idle(window)


def place_of(window, x, y):
    """Return where a pixel of the sample's image is on the screen."""
    panel = window.dock.review
    frame = panel.state.sample.image.frame()
    lon, lat = frame.pixel_to_lonlat([[x, y]])[0]
    point = panel.scene.to_canvas(float(lon), float(lat))
    return window.canvas.getCoordinateTransform().transform(QgsPointXY(point)).toQPointF().toPoint()


def click_map(window, x, y, button=LEFT):
    place = place_of(window, x, y)
    viewport = window.canvas.viewport()
    QTest.mouseMove(viewport, place)
    QTest.mouseClick(viewport, button, Qt.KeyboardModifier.NoModifier, place)


def draw_polygon(window, *corners):
    """Draw with QGIS's tool: left clicks, and a right click at the end."""
    for x, y in corners:
        click_map(window, x, y)
    click_map(window, *corners[-1], RIGHT)


def type_category(window, text):
    line = window.dock.review.drawing.category.line
    line.setFocus()
    line.selectAll()
    QTest.keyClicks(line, text)
    QTest.keyClick(line, Qt.Key.Key_Return)


def project_crs(window, crs):
    QgsProject.instance().setCrs(crs)
    window.canvas.setDestinationCrs(crs)


def write_image(path, epsg, geotransform, width, height):
    """Write a grey image with a lighter square in it."""
    path.parent.mkdir(exist_ok=True)
    image = gdal.GetDriverByName("GTiff").Create(str(path), width, height, 3)
    image.SetGeoTransform(geotransform)
    reference = osr.SpatialReference()
    reference.ImportFromEPSG(epsg)
    image.SetProjection(reference.ExportToWkt())
    pixels = np.full((height, width), 90, np.uint8)
    pixels[100:250, 100:300] = 200
    for band in (1, 2, 3):
        image.GetRasterBand(band).WriteArray(pixels)
    image.FlushCache()


def press(window, key, widget=None):
    """Press a key of the tab, as with the dock active."""
    place = widget or window.dock.review.about
    window.activateWindow()
    window.dock.review.setFocus()
    QTest.keyClick(place, key)
    idle(window)


def log(dataset, target_id=None):
    with dataset.reading() as view:
        return [(row.action, row.who, row.comment) for row in view.reviews(target_id)]


def instances(dataset):
    with dataset.reading() as view:
        return list(view.instances())


def target(dataset, target_id):
    with dataset.reading() as view:
        return view.target(target_id)


def told(window, words):
    """Whether the message bar says these words."""
    return any(words in text for text in window.said())
