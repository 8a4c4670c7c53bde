# The base image by its digest, which decides; the tag says which one that was. It is the digest that
# others have recorded for this tag, and no registry was asked when it was written here: compare it,
# or renew both, with `docker buildx imagetools inspect python:3.13.15-slim-trixie`.
FROM python:3.13.15-slim-trixie@sha256:7c61056e61ac89e852de05f3dc6fa51a6dd2181797bceed46aa725dd7cb2cd3b AS build
WORKDIR /build
COPY requirements.lock requirements-build.lock ./
RUN python -m venv /opt/exactdp
RUN /opt/exactdp/bin/pip install --no-cache-dir --disable-pip-version-check --require-hashes -r requirements.lock
RUN python -m venv /opt/build
RUN /opt/build/bin/pip install --no-cache-dir --disable-pip-version-check --require-hashes -r requirements-build.lock
COPY LICENSE README.md hatch_build.py pyproject.toml ./
COPY exactdp exactdp
COPY ledgers ledgers
RUN /opt/build/bin/pip wheel --no-cache-dir --disable-pip-version-check --no-deps --no-build-isolation --wheel-dir wheels .
RUN /opt/exactdp/bin/pip install --no-cache-dir --disable-pip-version-check --no-deps --no-index wheels/*.whl

FROM python:3.13.15-slim-trixie@sha256:7c61056e61ac89e852de05f3dc6fa51a6dd2181797bceed46aa725dd7cb2cd3b
RUN useradd --system --no-create-home --shell /usr/sbin/nologin exactdp
COPY --from=build /opt/exactdp /opt/exactdp
USER exactdp
WORKDIR /work
ENTRYPOINT ["/opt/exactdp/bin/exactdp"]
CMD ["--help"]
