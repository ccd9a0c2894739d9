#!/bin/sh
# Make sure that a Python can make environments: Debian packs that apart (python3.X-venv).
# Usage: tools/need_venv.sh PYTHON
set -eu

"$1" -c 'import ensurepip, venv' 2>/dev/null && exit 0
package=$("$1" -c 'import sys; print("python%d.%d-venv" % sys.version_info[:2])')
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    echo "installing $package"
    export DEBIAN_FRONTEND=noninteractive
    apt-get update -qq >&2
    apt-get install -y -qq --no-install-recommends "$package" >/dev/null && exit 0
fi
echo "error: $1 can't make environments (no ensurepip): install $package (apt-get install $package), or say make PYTHON=/path/to/python" >&2
exit 1
