#!/bin/sh
# Bring the servers of imagery that the full tests talk to: MapServer and QGIS Server by apt (as
# root), titiler in an environment of its own. Never fails: tests of one that lacks are skipped,
# and say so.
set -eu

mkdir -p build
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    for package in cgi-mapserver qgis-server qgis-server-wms qgis-server-wmts; do
        dpkg -s "$package" >/dev/null 2>&1 && continue
        echo "installing $package by apt"
        DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$package" \
            </dev/null >>build/apt-peers.log 2>&1 || echo "$package could not be installed: see build/apt-peers.log"
    done
else
    echo "only root can install MapServer and QGIS Server, by apt: what is there is used"
fi

if ! .venv-titiler/bin/python -c 'import titiler.core, uvicorn' 2>/dev/null; then
    echo "making .venv-titiler"
    .venv/bin/python -m venv --clear .venv-titiler &&
        .venv-titiler/bin/python -m pip install --quiet --disable-pip-version-check titiler.core uvicorn ||
        echo "titiler could not be installed"
fi
