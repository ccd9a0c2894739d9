#!/bin/sh
# Bring QGIS (by apt, as root) and the environment .venv-qgis of the plugin tests.
# Never fails for want of QGIS: the reason is left in build/no-qgis, and tools/test.sh prints it last.
set -eu

python=/usr/bin/python3 # QGIS's packages belong to the system's Python, whatever is first on PATH
mkdir -p build
rm -f build/no-qgis

has_qgis() {
    QT_QPA_PLATFORM=offscreen "$python" -c 'import qgis.core' 2>/dev/null
}

give_up() {
    echo "$1" >build/no-qgis
    exit 0
}

# A person without network still gets the other tests; continuous integration must not pass so.
apt_failed() {
    [ -z "${CI:-}" ] || { tail -5 build/apt.log >&2; exit 1; }
    give_up "apt could not install QGIS: see build/apt.log"
}

if ! has_qgis; then
    command -v apt-get >/dev/null || give_up "QGIS isn't installed, and there is no apt to install it"
    [ "$(id -u)" = 0 ] || give_up "QGIS isn't installed, and only root can: apt-get install qgis python3-qgis"
    echo "installing QGIS by apt (about two minutes)"
    export DEBIAN_FRONTEND=noninteractive
    { apt-get update -qq && apt-get install -y -qq --no-install-recommends qgis python3-qgis xvfb; } \
        </dev/null >build/apt.log 2>&1 || apt_failed
    has_qgis || give_up "QGIS is installed, but $python can't import qgis.core"
fi
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 10))' ||
    give_up "QGIS runs on a Python older than 3.10"

[ .venv-qgis/ready -nt tools/install_qgis.sh ] && .venv-qgis/bin/python -c 'import qgis.core' 2>/dev/null &&
    exit 0
echo "making .venv-qgis"
sh tools/need_venv.sh "$python"
"$python" -m venv --clear --system-site-packages .venv-qgis
# QGIS's own NumPy stays: the system's GDAL and pyproj are built against it.
numpy=$("$python" -c 'import numpy; print("numpy==" + numpy.__version__)')
# attrs and osmium anew: those of Debian 12 are too old.
.venv-qgis/bin/python -m pip install --quiet --disable-pip-version-check \
    "$numpy" 'attrs>=23' 'pytest>=8' 'pytest-qgis>=5' 'hypothesis>=6.100' 'osmium>=4' 'onnxruntime>=1.17'
touch .venv-qgis/ready
