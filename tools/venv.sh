#!/bin/sh
# Make the headless environment .venv if it isn't there, and install this checkout into it.
# Usage: tools/venv.sh REQUIREMENT   ('.' or '.[test,lint,fast]')
set -eu

if ! .venv/bin/python -c 'import pip' 2>/dev/null; then
    python=$(sh tools/python.sh)
    sh tools/need_venv.sh "$python"
    # --clear: a half-made environment, or one whose Python is gone, is made anew.
    "$python" -m venv --clear .venv
fi
echo "installing $1 into .venv"
.venv/bin/python -m pip install --quiet --disable-pip-version-check --editable "$1"
