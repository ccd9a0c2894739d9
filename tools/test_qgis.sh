#!/bin/sh
# Run the plugin's tests in another Debian's QGIS: trixie (3.40) or forky (3.44), in a chroot that is kept.
# Usage: tools/test_qgis.sh SUITE [TESTS...]     OVEARTH_CHROOTS: where the chroots are kept (build/chroots)
set -eu

suite=$1
shift
here=$PWD
root=${OVEARTH_CHROOTS:-$here/build/chroots}/$suite
apt_options=
[ "$suite" = forky ] && apt_options="-o Acquire::Check-Valid-Until=false"

[ "$(id -u)" = 0 ] || { echo "error: a chroot needs root, $suite, run it as root" >&2; exit 2; }
command -v debootstrap >/dev/null || { echo "error: debootstrap is missing, apt-get install debootstrap" >&2; exit 2; }

run() { chroot "$root" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 \
    DEBIAN_FRONTEND=noninteractive QT_QPA_PLATFORM=offscreen "$@"; }

mounted() { grep -q " $1 " /proc/mounts; }
if [ ! -e "$root/ovearth-ready" ]; then
    mkdir -p "$root"
    if [ ! -x "$root/usr/bin/apt-get" ]; then
        echo "making the chroot $root"
        scripts=/usr/share/debootstrap/scripts
        [ -e "$scripts/$suite" ] || ln -s sid "$scripts/$suite"
        debootstrap --variant=minbase "$suite" "$root" >"$root.log" 2>&1
    fi
    mounted "$root/proc" || mount -t proc proc "$root/proc"
    echo "installing QGIS into it"
    # shellcheck disable=SC2086
    { run apt-get $apt_options update -qq &&
        run apt-get $apt_options install -y -qq --no-install-recommends \
            qgis python3-qgis python3-venv ca-certificates; } >>"$root.log" 2>&1 </dev/null
    # A host may trust certificates that the chroot doesn't know; apt would overwrite them.
    cp /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/ca-certificates.crt"
    for settings in /etc/pip.conf "$HOME/.config/pip/pip.conf" "$HOME/.pip/pip.conf"; do
        [ ! -e "$settings" ] || cp "$settings" "$root/etc/pip.conf"
    done
    cp /etc/resolv.conf "$root/etc/resolv.conf" 2>/dev/null || true
    touch "$root/ovearth-ready"
fi
mounted "$root/proc" || mount -t proc proc "$root/proc"

# Copies go in, with the sample made by the headless environment here: the checkout is never mounted.
inside=$root/ovearth
rm -rf "$inside/build" "$inside/tests" "$inside/sample"
mkdir -p "$inside/build"
cp -r build/ovearth build/ovearth.zip "$inside/build/"
cp -r tests "$inside/tests"
cp pyproject.toml "$inside/"
"${OVEARTH_CLI:-.venv/bin/ovearth}" demo "$inside/sample"

if [ ! -e "$inside/.venv/ready" ]; then
    run /usr/bin/python3 -m venv --clear --system-site-packages /ovearth/.venv
    # shellcheck disable=SC2016
    run sh -c '/ovearth/.venv/bin/python -m pip install --quiet --disable-pip-version-check \
        "numpy==$(/usr/bin/python3 -c "import numpy; print(numpy.__version__)")" \
        "attrs>=23" "pytest>=8" "pytest-qgis>=5" "hypothesis>=6.100"'
    touch "$inside/.venv/ready"
fi
rm -rf "$inside/.qgis-settings"
echo "== tests/plugin in $suite, $(run /usr/bin/python3 -c 'from qgis.core import Qgis; print("QGIS", Qgis.QGIS_VERSION)')"
run OVEARTH_SAMPLE=/ovearth/sample sh -c 'cd /ovearth && exec .venv/bin/pytest -v "$@"' sh "${@:-tests/plugin}"
