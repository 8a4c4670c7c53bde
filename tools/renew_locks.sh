#!/bin/sh
# Pin every dependency with its hashes: requirements.lock (to use exactdp), requirements-build.lock
# (to build it) and requirements-dev.lock (to work on it). Needs uv; see CONTRIBUTING.md.
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
    source=$1 output=$2
    shift 2
    uv pip compile "$source" --quiet --universal --python-version 3.11 --generate-hashes \
        --no-strip-extras --no-header --no-annotate --no-emit-index-url --output-file "$output" "$@"
}

build_requires() {
    python3 -c 'import tomllib
with open("pyproject.toml", "rb") as file:
    print("\n".join(tomllib.load(file)["build-system"]["requires"]))'
}

compile pyproject.toml requirements-dev.lock --extra dev "$@"
compile pyproject.toml requirements.lock --constraints requirements-dev.lock
build_requires | compile - requirements-build.lock --constraints requirements-dev.lock
