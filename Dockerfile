# The image: the binary, the shared libraries that it needs, and the example configuration. It has no
# shell, no package manager, and no user that could write anywhere. Nothing depends on the
# architecture: docker buildx build --platform linux/amd64,linux/arm64 .
#
#   docker build -t aasa --build-arg VERSION="$(git describe --tags)" \
#     --build-arg REVISION="$(git rev-parse HEAD)" --build-arg DATE="$(git log -1 --format=%cI)" .
#   docker run --rm --read-only -p 8080:8080 -p 8443:8443 -v "$PWD/Config:/etc/aasa:ro" aasa
#
# Tests/Tools/Operations/container.py runs these instructions without an engine, and then runs the result.

FROM swift:6.3-bookworm AS build
RUN apt-get update && apt-get install -y --no-install-recommends ca-certificates libssl-dev zlib1g-dev
WORKDIR /source
COPY Package.swift Package.resolved ./
COPY Sources Sources
# Package.swift names the test targets, so their folders must exist.
COPY Tests Tests
# What `aasa version --verbose` says. An archive that git made knows it already.
ARG REVISION=unknown
ARG DATE=unknown
RUN [ "$REVISION" = unknown ] || echo "$REVISION $DATE" > Sources/aasa/Revision
# What nothing calls is left out; the rest of the options make a smaller file of the same code. No
# part of the program unwinds its stack, so the index for that is not needed.
RUN mkdir /image-libraries && ln -s "$(clang -print-file-name=libstdc++.a)" /image-libraries/ \
  && swift build -c release --static-swift-stdlib --force-resolved-versions --product aasa \
    -Xswiftc -Xfrontend -Xswiftc -function-sections -Xswiftc -L/image-libraries \
    -Xswiftc -Xclang-linker -Xswiftc -static-libgcc -Xswiftc -use-ld=lld \
    -Xlinker --no-export-dynamic -Xlinker --no-eh-frame-hdr \
    -Xlinker -z -Xlinker pack-relative-relocs \
  && strip .build/release/aasa
# The libraries that the binary loads, at the paths where the loader searches for them, and root
# certificates, which show whether a certificate's chain is complete.
RUN mkdir -p /image/etc/ssl/certs /image/etc/aasa /image/usr/lib/ssl \
  && cp .build/release/aasa /image/aasa \
  && ldd /image/aasa | grep -oE '/[^ ]+' | xargs -I{} cp --parents -L {} /image \
  && cp -L /etc/ssl/certs/ca-certificates.crt /image/etc/ssl/certs/ \
  && ln -s /etc/ssl/certs/ca-certificates.crt /image/usr/lib/ssl/cert.pem \
  && mkdir -p /image-state/aasa \
  && echo 'aasa:x:65532:65532::/:/aasa' > /image/etc/passwd

FROM scratch
ARG VERSION=unknown
ARG REVISION=unknown
LABEL org.opencontainers.image.title="aasa" \
  org.opencontainers.image.description="Serves Apple App Site Association files" \
  org.opencontainers.image.version="$VERSION" \
  org.opencontainers.image.revision="$REVISION"
COPY --from=build /image /
COPY Config/server.json /etc/aasa/
COPY Config/domains /etc/aasa/domains
COPY Config/certificates /etc/aasa/certificates
# Where automatic certificates are kept: a volume, -v aasa-state:/var/lib/aasa, is given the owner of
# this folder. There is not a VOLUME here, because each container would have a new one of its own,
# and would ask for all certificates again. Without -v the server refuses to ask for any.
COPY --from=build --chown=65532:65532 /image-state/ /var/lib/
ENV AASA_ACME_STATE=/var/lib/aasa
# Both logs as JSON, with one object on each line.
ENV AASA_LOG_FORMAT=json
USER 65532:65532
EXPOSE 8080 8443
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["/aasa", "healthcheck"]
ENTRYPOINT ["/aasa"]
CMD ["serve", "--config", "/etc/aasa/server.json"]
