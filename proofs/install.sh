#!/bin/sh
# Install what `make -C proofs` needs, on Debian 12 or later; run as root.
#
# coq and libcoq-mathcomp-*: the proofs. libcoq-elpi: their audit. ocaml-nox, ocaml-findlib, libzarith-ocaml-dev: the checker.
# js-of-ocaml: the same checker for browsers.
set -eu

packages="coq
    libcoq-mathcomp-algebra
    libcoq-mathcomp-algebra-tactics
    libcoq-mathcomp-zify
    libcoq-mathcomp-analysis
    libcoq-coquelicot
    libcoq-elpi
    ocaml-nox
    ocaml-findlib
    libzarith-ocaml-dev
    js-of-ocaml
    make"

# shellcheck disable=SC2086
if ! dpkg --status $packages >/dev/null 2>&1; then
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $packages
fi
coqc --version
