"""OVEarth for QGIS. Packed as ovearth/__init__.py; plain enough for any Python 3 to read.

Nothing is imported at top, so that nothing that is missing can keep QGIS from listing the plugin.
"""


def classFactory(iface):  # noqa: N802 (QGIS calls it by this name)
    """Return the plugin, or on a Python older than 3.10 one that only says so."""
    import sys

    if sys.version_info < (3, 10):  # noqa: UP036 (QGIS 3.22 for Windows brings Python 3.9)
        return TooOld(iface, "%d.%d" % sys.version_info[:2])  # noqa: UP031 (for any Python 3)

    from .ovearth_plugin.plugin import OVEarthPlugin

    return OVEarthPlugin(iface)


class TooOld:
    """Stands in for the plugin where its own files can't even be read."""

    def __init__(self, iface, version):
        self.iface = iface
        self.message = "OVEarth needs Python 3.10 or newer; this QGIS runs on Python " + version

    def initGui(self):  # noqa: N802
        """Say it in the message bar."""
        self.iface.messageBar().pushWarning("OVEarth", self.message)

    def initProcessing(self):  # noqa: N802
        """Say it in the log: qgis_process has no message bar."""
        from qgis.core import QgsMessageLog

        QgsMessageLog.logMessage(self.message, "OVEarth")

    def unload(self):
        """Nothing was added."""
