"""Open-vocabulary Earth observation without a screen; never imports QGIS or Qt.

Importing this package loads nothing heavy: each room imports what it needs when it is used.
"""

from .version import VERSION

__version__ = VERSION
