# The image: the binary, the shared libraries that it needs, and a configuration without any domain. It
# has no shell, no package manager, and no user that could write anywhere. Nothing depends on the
# architecture: docker buildx build --platform linux/amd64,linux/arm64 .
#
#   docker build --pull -t aasa --build-arg VERSION="$(git describe --tags)" \
#     --build-arg REVISION="$(git rev-parse HEAD)" --build-arg DATE="$(git log -1 --format=%cI)" \
#     --build-arg SOURCE=https://github.com/OWNER/aasa .
#   docker run --rm --read-only -p 8080:8080 -p 8443:8443 -v "$PWD/Config:/etc/aasa:ro" \
#     -v aasa-state:/var/lib/aasa aasa
#
# Podman keeps the health check only with podman build --format docker.
#
# Tests/Tools/Operations/container.py runs these instructions without an engine, and then runs the result.

FROM swift:6.3-bookworm AS build
# What the image has of Debian is upgraded too.
RUN apt-get update && apt-get install -y --no-install-recommends \
  ca-certificates libc6 libssl-dev libssl3 zlib1g zlib1g-dev
WORKDIR /source
# A change of a test, or of a document, compiles nothing again.
ENV AASA_WITHOUT_TESTS=1
COPY Package.swift Package.resolved ./
COPY Sources Sources
COPY Config/packaging Config/packaging
# What `aasa version --verbose` says. An archive that git made knows it already.
ARG REVISION=unknown
ARG DATE=unknown
RUN REVISION="$REVISION" DATE="$DATE" Config/packaging/compile > /program \
  && Config/packaging/image-root "$(cat /program)" /image \
  && mkdir -p /image-state

FROM scratch
ARG VERSION=unknown
ARG REVISION=unknown
ARG DATE=unknown
ARG SOURCE=unknown
LABEL org.opencontainers.image.title="aasa" \
  org.opencontainers.image.description="Serves Apple App Site Association files" \
  org.opencontainers.image.version="$VERSION" \
  org.opencontainers.image.revision="$REVISION" \
  org.opencontainers.image.created="$DATE" \
  org.opencontainers.image.source="$SOURCE" \
  org.opencontainers.image.licenses="NOASSERTION" \
  org.opencontainers.image.base.name="scratch"
COPY --from=build /image /
COPY Config/server.json /etc/aasa/
# Where automatic certificates are kept, and what must survive a restart: a volume,
# -v aasa-state:/var/lib/aasa, is given the owner of this folder. There is not a VOLUME here, because
# each container would have a new one of its own, and would ask for all certificates again. Without -v
# the server refuses to ask for any.
COPY --from=build --chown=65532:65532 /image-state/ /var/lib/aasa/
ENV AASA_ACME_STATE=/var/lib/aasa AASA_STATE=/var/lib/aasa
# Both logs as JSON, with one object on each line.
ENV AASA_LOG_FORMAT=json
USER 65532:65532
EXPOSE 8080 8443
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["/aasa", "healthcheck"]
ENTRYPOINT ["/aasa"]
CMD ["serve", "--config", "/etc/aasa/server.json"]
