#!/bin/sh
# Pin every dependency with its hashes: requirements.lock (to use exactdp) and
# requirements-dev.lock (to work on it). Needs uv; see CONTRIBUTING.md.
#
#     sh tools/renew_locks.sh [--upgrade]
#
# One lock serves every platform and every Python from 3.11 on (--universal). No index address,
# no path of the machine on which it was made, and nothing found elsewhere than in the index.
# Extras are kept: what is pinned without one that something asks for, pip 23 takes in its newest
# release, which has no hash here.
set -eu
cd "$(dirname "$0")/.."
unset PIP_FIND_LINKS UV_FIND_LINKS

compile() {
    output=$1
    shift
    uv pip compile pyproject.toml --quiet --universal --python-version 3.11 --generate-hashes \
        --no-strip-extras --no-header --no-annotate --no-emit-index-url --output-file "$output" "$@"
}

compile requirements-dev.lock --extra dev "$@"
compile requirements.lock --constraints requirements-dev.lock
