"""The QGIS side of OVEarth: a face on ovearth_core, without logic of its own."""
