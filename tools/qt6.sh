#!/bin/sh
# Import the packed plugin's modules under PyQt6, in an environment of its own; skip where it can't be had.
set -eu

if ! .venv-qt6/bin/python -c 'import PyQt6.QtWidgets, numpy, pyproj' 2>/dev/null; then
    python=$(sh tools/python.sh)
    "$python" -m venv --clear .venv-qt6 &&
        .venv-qt6/bin/python -m pip install --quiet --disable-pip-version-check PyQt6 numpy pyproj || true
fi
if ! reason=$(.venv-qt6/bin/python -c 'import PyQt6.QtWidgets, numpy, pyproj' 2>&1); then
    echo "import under PyQt6 SKIPPED: $(echo "$reason" | tail -1)"
    exit 0
fi
QT_QPA_PLATFORM=offscreen .venv-qt6/bin/python tools/import_under_qt6.py build
