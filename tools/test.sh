#!/bin/sh
# Run both test suites, the second even when the first fails; fail if either did.
set -u

failed=0
# -v takes back the -q of pyproject.toml, so that each suite closes with pytest's usual line.
echo "== tests/core, without QGIS"
.venv/bin/python -m pytest -v -n 2 tests/core || failed=1

if [ -e build/no-qgis ]; then
    echo "plugin tests SKIPPED: $(cat build/no-qgis)"
    exit $failed
fi

echo "== tests/plugin, in $(/usr/bin/python3 -c 'from qgis.core import Qgis; print("QGIS", Qgis.QGIS_VERSION)')"
# pytest-qgis keeps a QGIS profile here: each run starts with a new one.
rm -rf .qgis-settings
# Not `python -m pytest`: that would put this folder, with its own ovearth_core, on sys.path.
OVEARTH_CLI="$PWD/.venv/bin/ovearth" QT_QPA_PLATFORM=offscreen \
    .venv-qgis/bin/pytest -v tests/plugin || failed=1
exit $failed
