#!/bin/sh
# Print the path of a Python that OVEarth runs on (3.10 or newer), or say in one line what is missing.
# $PYTHON, if set, is the only candidate.
set -eu

new_enough() {
    "$1" -c 'import sys; sys.exit(sys.version_info < (3, 10))' 2>/dev/null
}

if [ -n "${PYTHON:-}" ]; then
    set -- "$PYTHON"
else
    set -- python3 python3.13 python3.12 python3.11 python3.10 python3.14 /usr/bin/python3
fi
for candidate; do
    if new_enough "$candidate"; then
        # The real path: a version manager's shim is no good outside its own shell.
        "$candidate" -c 'import sys; print(sys.executable)'
        exit 0
    fi
done
echo "error: no Python 3.10 or newer (tried $*): install python3, or say make PYTHON=/path/to/python" >&2
exit 1
