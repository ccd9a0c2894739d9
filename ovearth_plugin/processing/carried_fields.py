"""The fields of a source as any file can hold them."""

from __future__ import annotations

import json

from qgis.core import QgsFeature, QgsFields

from ..compat import is_nested_field, text_field


class CarriedFields:
    """Lists and maps, which most formats refuse, go along as JSON text; all else as it is."""

    def __init__(self, source: QgsFields) -> None:
        self._nested = [place for place in range(source.count()) if is_nested_field(source[place])]
        self.fields = QgsFields()
        for place in range(source.count()):
            field = source[place]
            self.fields.append(text_field(field.name()) if place in self._nested else field)

    def values(self, feature: QgsFeature) -> list:
        """Return a feature's attributes for these fields."""
        values = feature.attributes()
        for place in self._nested:
            if isinstance(values[place], (dict, list, tuple)):
                values[place] = json.dumps(values[place], ensure_ascii=False, default=str)
        return values
