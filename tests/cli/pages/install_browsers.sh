#!/bin/sh
# Install the browsers in which tests open reports, on Debian; run as root. Without them these tests
# are skipped, and say so.
set -eu

packages="chromium firefox-esr fonts-dejavu-core"

# shellcheck disable=SC2086
if ! dpkg --status $packages >/dev/null 2>&1; then
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $packages
fi
chromium --version
firefox-esr --version
