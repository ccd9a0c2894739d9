"""Every difference between QGIS 3.22 and 4.x that the plugin meets, and nothing else."""

from __future__ import annotations

from qgis import core
from qgis.core import Qgis, QgsField, QgsWkbTypes
from qgis.PyQt import QtCore, QtGui, QtWidgets

WARNING = Qgis.MessageLevel.Warning
INFO = Qgis.MessageLevel.Info
SUCCESS = Qgis.MessageLevel.Success

# Qt 6 moved these from QtWidgets to QtGui.
QAction = QtGui.QAction if hasattr(QtGui, "QAction") else QtWidgets.QAction
QActionGroup = QtGui.QActionGroup if hasattr(QtGui, "QActionGroup") else QtWidgets.QActionGroup
QShortcut = QtGui.QShortcut if hasattr(QtGui, "QShortcut") else QtWidgets.QShortcut

# From 3.30 on the kinds of geometry are Qgis.WkbType; the old name stays as long as 3.x.
WKB = Qgis.WkbType if hasattr(Qgis, "WkbType") else QgsWkbTypes.Type

# From 3.32 on the kinds of geometry are Qgis.GeometryType.
POLYGON_GEOMETRY = (
    Qgis.GeometryType.Polygon
    if hasattr(Qgis, "GeometryType")
    else QgsWkbTypes.GeometryType.PolygonGeometry
)

# From 3.30 on the units are Qgis.DistanceUnit.
METRES = (
    Qgis.DistanceUnit.Meters
    if hasattr(Qgis, "DistanceUnit")
    else core.QgsUnitTypes.DistanceUnit.DistanceMeters
)

UNKNOWN_GEOMETRY = (
    Qgis.GeometryType.Unknown
    if hasattr(Qgis, "GeometryType")
    else QgsWkbTypes.GeometryType.UnknownGeometry
)

# PyQt6 has no QVariant.Type; QGIS before 3.38 takes no QMetaType.
_IS_NEW = Qgis.QGIS_VERSION_INT >= 33800
# What new features of QGIS 3.44 hold where the database has a default.
_Unset = getattr(core, "QgsUnsetAttributeValue", None)


def text_field(name: str) -> QgsField:
    """Return a field of text."""
    return QgsField(name, _kind("QString", "String"))


def number_field(name: str) -> QgsField:
    """Return a field of numbers with a fraction."""
    return QgsField(name, _kind("Double", "Double"))


def whole_field(name: str) -> QgsField:
    """Return a field of whole numbers, 64 bits."""
    return QgsField(name, _kind("LongLong", "LongLong"))


def is_nested_field(field: QgsField) -> bool:
    """Whether a field holds lists or maps."""
    nested = (("QVariantMap", "Map"), ("QVariantList", "List"), ("QStringList", "StringList"))
    return field.type() in [_kind(new, old) for new, old in nested]


def _kind(new: str, old: str):
    kinds = QtCore.QMetaType.Type if _IS_NEW else QtCore.QVariant
    return getattr(kinds, new if _IS_NEW else old)


# From 3.40.7 and 3.44 on QGIS widens each tile that it draws to whole pixels of the picture, lest a
# gap be seen: what it shows is off by up to one of them (qgis/QGIS pull request 61591).
WIDENS_TILES = Qgis.QGIS_VERSION_INT >= 34007


def given(value):
    """Return a feature's attribute; None where there is none, or the database is to fill it in."""
    if _Unset is not None and isinstance(value, _Unset):
        return None
    return value or None


def has_transaction_groups(project) -> bool:
    """Whether layers of one file are edited in one transaction that holds it."""
    if hasattr(project, "transactionMode"):
        return project.transactionMode() != Qgis.TransactionMode.Disabled
    return bool(project.autoTransaction())


def watch_transaction_groups(project, slot) -> None:
    """Call `slot` when they are switched on or off; before 3.26 QGIS doesn't tell."""
    if hasattr(project, "transactionModeChanged"):
        project.transactionModeChanged.connect(slot)


def unwatch_transaction_groups(project, slot) -> None:
    """Call it no more."""
    if hasattr(project, "transactionModeChanged"):
        project.transactionModeChanged.disconnect(slot)


def switch_off_transaction_groups(project) -> bool:
    """Let layers be edited each on its own; False while one is being edited."""
    layers = project.mapLayers().values()
    if any(hasattr(layer, "isEditable") and layer.isEditable() for layer in layers):
        return False
    if hasattr(project, "setTransactionMode"):
        project.setTransactionMode(Qgis.TransactionMode.Disabled)
    else:
        project.setAutoTransaction(False)
    return not has_transaction_groups(project)


def pressed_sequence(event: QtGui.QKeyEvent) -> QtGui.QKeySequence:
    """Return what is pressed, with its modifiers, as a key sequence."""
    modifiers = event.modifiers() & ~QtCore.Qt.KeyboardModifier.KeypadModifier
    if hasattr(event, "keyCombination"):
        return QtGui.QKeySequence(QtCore.QKeyCombination(modifiers, QtCore.Qt.Key(event.key())))
    return QtGui.QKeySequence(int(modifiers) | event.key())
