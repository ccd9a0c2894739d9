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
rm -rf "$inside/build" "$inside/tests" "$inside/sample" "$inside/shared" "$inside/model" \
    "$inside/docs" "$inside/resources"
mkdir -p "$inside/build"
cp -r build/ovearth build/ovearth.zip "$inside/build/"
cp -r tests docs resources "$inside/"
cp pyproject.toml "$inside/"
command_line=${OVEARTH_CLI:-.venv/bin/ovearth}
"$command_line" demo "$inside/sample"
# The small model of click-to-mask is made by a package that only the headless environment has.
mkdir "$inside/model"
PYTHONPATH=. "$(dirname "$command_line")/python" tests/plugin/make_model.py "$inside/model"
shared=${OVEARTH_SHARED:-../shared}
if [ -d "$shared/data/osm" ]; then
    mkdir -p "$inside/shared/data"
    cp -r "$shared/data/osm" "$inside/shared/data/"
fi

# What tests need, and what features need that QGIS doesn't bring; the stamp says what is in there.
needs="attrs>=23 pytest>=8 pytest-qgis>=5 hypothesis>=6.100"
features="osmium>=4 onnxruntime scipy"
if [ "$(cat "$inside/.venv/ready" 2>/dev/null)" != "$needs $features" ]; then
    run /usr/bin/python3 -m venv --clear --system-site-packages /ovearth/.venv
    pip="/ovearth/.venv/bin/python -m pip install --quiet --disable-pip-version-check --only-binary :all:"
    numpy="numpy==$(run /usr/bin/python3 -c "import numpy; print(numpy.__version__)")"
    # shellcheck disable=SC2086
    run $pip "$numpy" $needs
    for feature in $features; do
        run $pip "$numpy" "$feature" || echo "$suite: no $feature, tests that need it are skipped" >&2
    done
    echo "$needs $features" >"$inside/.venv/ready"
fi
rm -rf "$inside/.qgis-settings"
echo "== tests/plugin in $suite, $(run /usr/bin/python3 -c 'from qgis.core import Qgis; print("QGIS", Qgis.QGIS_VERSION)')"
run OVEARTH_SAMPLE=/ovearth/sample OVEARTH_SHARED=/ovearth/shared OVEARTH_MODEL=/ovearth/model \
    sh -c 'cd /ovearth && exec .venv/bin/pytest -v "$@"' sh "${@:-tests/plugin}"
