#!/bin/sh
# Bring the servers that the full tests talk to: MapServer, QGIS Server and a PostgreSQL for
# Nominatim by apt (as root), titiler and Nominatim each in an environment of its own. Never fails:
# tests of one that lacks are skipped, and say so. The names hold for Debian 12 and 13.
set -eu

mkdir -p build
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    is_updated=
    # python3-qgis makes QGIS Server's project. PyICU, which Nominatim needs, has no wheels: the
    # last four build it.
    for package in cgi-mapserver qgis-server qgis-server-wms qgis-server-wmts python3-qgis \
        postgresql postgresql-postgis postgresql-postgis-scripts osm2pgsql \
        g++ pkg-config libicu-dev python3-dev; do
        dpkg -s "$package" >/dev/null 2>&1 && continue
        echo "installing $package by apt"
        # A machine that has never asked knows no package.
        [ "$is_updated" ] || apt-get update -qq >>build/apt-peers.log 2>&1 || :
        is_updated=yes
        DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$package" \
            </dev/null >>build/apt-peers.log 2>&1 || echo "$package could not be installed: see build/apt-peers.log"
    done
else
    echo "only root can install MapServer, QGIS Server and PostgreSQL, by apt: what is there is used"
fi

# folder, what it is imported as, packages
environment() {
    folder=$1 imported=$2
    shift 2
    "$folder/bin/python" -c "import $imported" 2>/dev/null && return
    echo "making $folder"
    { .venv/bin/python -m venv --clear "$folder" &&
        "$folder/bin/python" -m pip install --quiet --disable-pip-version-check "$@"; } ||
        echo "$* could not be installed"
}

environment .venv-titiler titiler.core,uvicorn titiler.core uvicorn
environment .venv-nominatim nominatim_db,nominatim_api,falcon,uvicorn nominatim-db nominatim-api falcon uvicorn
