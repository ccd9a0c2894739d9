#!/bin/sh
# Bring Chromium (by apt, as root), in which the report's page is tested. Never fails: the tests
# that need it say that it isn't there.
set -u

for name in chromium chromium-browser google-chrome google-chrome-stable; do
    command -v "$name" >/dev/null && exit 0
done
mkdir -p build
if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
    echo "Chromium isn't installed, and only root can, by apt: the report's page isn't tested in it"
    exit 0
fi
echo "installing Chromium by apt"
export DEBIAN_FRONTEND=noninteractive
{ apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium fonts-dejavu-core; } \
    </dev/null >build/apt-chromium.log 2>&1 || echo "it could not be installed: see build/apt-chromium.log"
