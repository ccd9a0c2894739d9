"""The plugin speaks QGIS's language where it has a file for it, and leaves nothing behind."""

import importlib
import struct

import pytest
from qgis.core import QgsApplication, QgsSettings
from qgis.PyQt.QtCore import QCoreApplication

BUTTON = "OVEarth: show or hide its dock"
TEXTS = {
    ("ScoreAlgorithm", "Score predictions"): "Vorhersagen bewerten",
    ("OVEarthWords", "missed"): "übersehen",
    ("DockButton", BUTTON): "OVEarth: Fenster zeigen oder verbergen",
}
_MAGIC = bytes.fromhex("3cb86418caef9c95cd211cbf60a1bddd")


def elf_hash(text):
    found = 0
    for byte in text:
        found = (found << 4) + byte
        high = found & 0xF0000000
        found = (found ^ (high >> 24)) & ~high & 0xFFFFFFFF
    return found or 1


def write_qm(path, texts):
    """Write Qt's binary file of translations: a table of hashes, and the messages."""
    messages, hashes = b"", []
    for (context, source), translation in texts.items():
        hashes.append((elf_hash(source.encode()), len(messages)))
        for tag, part in ((3, translation.encode("utf-16-be")), (6, source.encode()),
                          (7, context.encode())):  # fmt: skip
            messages += struct.pack(">BI", tag, len(part)) + part
        messages += b"\x01"
    table = b"".join(struct.pack(">II", *pair) for pair in sorted(hashes))
    sections = ((0x42, table), (0x69, messages))
    path.write_bytes(
        _MAGIC + b"".join(struct.pack(">BI", tag, len(part)) + part for tag, part in sections)
    )


@pytest.fixture
def files(package, tmp_path, monkeypatch):
    """The folder of translations, with one into German."""
    module = importlib.import_module("ovearth.ovearth_plugin.translation")
    monkeypatch.setattr(module, "FOLDER", tmp_path)
    write_qm(tmp_path / "ovearth_de.qm", TEXTS)
    return tmp_path


@pytest.fixture
def language(qgis_app):
    """Chooses QGIS's language, as its options do."""
    settings = QgsSettings()
    before = {key: settings.value(key) for key in ("locale/overrideFlag", "locale/userLocale")}

    def choose(name):
        settings.setValue("locale/overrideFlag", True)
        settings.setValue("locale/userLocale", name)

    yield choose
    for key, value in before.items():
        settings.remove(key) if value is None else settings.setValue(key, value)


def spoken():
    return {key: QCoreApplication.translate(*key) for key in TEXTS}


ENGLISH = {key: key[1] for key in TEXTS}


@pytest.mark.parametrize("name", ["de", "de_AT"])
def test_it_speaks_the_chosen_language_and_no_more_after_unloading(
    package, files, language, qgis_iface, qgis_processing, name
):
    language(name)
    for _ in range(2):
        plugin = package.classFactory(qgis_iface)
        plugin.initGui()
        algorithm = QgsApplication.processingRegistry().algorithmById("ovearth:score")
        assert algorithm.displayName() == "Vorhersagen bewerten"
        assert plugin.dock_button.action.toolTip() == TEXTS["DockButton", BUTTON]
        assert spoken() == TEXTS
        plugin.unload()
        assert spoken() == ENGLISH
        plugin.unload()


def test_without_a_file_for_the_language_it_speaks_english(
    package, files, language, qgis_iface, qgis_processing
):
    language("fr")
    plugin = package.classFactory(qgis_iface)
    plugin.initGui()
    assert spoken() == ENGLISH
    plugin.unload()


def test_a_damaged_file_keeps_nothing_from_working(
    package, files, language, qgis_iface, qgis_processing
):
    language("de")
    (files / "ovearth_de.qm").write_bytes(b"no translation")
    plugin = package.classFactory(qgis_iface)
    plugin.initGui()
    assert spoken() == ENGLISH
    plugin.unload()
