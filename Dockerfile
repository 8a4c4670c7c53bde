FROM python:3.13-slim AS build
WORKDIR /build
COPY requirements.lock ./
RUN python -m venv /opt/exactdp
RUN /opt/exactdp/bin/pip install --no-cache-dir --disable-pip-version-check --require-hashes -r requirements.lock
COPY LICENSE README.md hatch_build.py pyproject.toml ./
COPY exactdp exactdp
RUN /opt/exactdp/bin/pip install --no-cache-dir --disable-pip-version-check --no-deps .

FROM python:3.13-slim
RUN useradd --system --no-create-home --shell /usr/sbin/nologin exactdp
COPY --from=build /opt/exactdp /opt/exactdp
USER exactdp
WORKDIR /work
ENTRYPOINT ["/opt/exactdp/bin/exactdp"]
CMD ["--help"]
