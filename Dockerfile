# The image: the binary, the shared libraries that it needs, and the example configuration.
# No shell, no package manager, no user that could write anywhere.
#
#   docker build -t aasa .
#   docker run --rm --read-only -p 8080:8080 -p 8443:8443 -v "$PWD/Config:/etc/aasa:ro" aasa

FROM swift:6.3-bookworm AS build
RUN apt-get update && apt-get install -y --no-install-recommends ca-certificates libssl-dev zlib1g-dev
WORKDIR /source
COPY Package.swift ./
COPY Sources Sources
# Package.swift names the test targets, so their folders must be there; their files need not.
COPY Tests Tests
RUN swift build -c release --static-swift-stdlib --product aasa \
  && strip .build/release/aasa
# What the binary loads, with the paths under which the loader looks for it, and root
# certificates for judging whether a certificate's chain is complete.
RUN mkdir -p /image/etc/ssl/certs /image/etc/aasa /image/usr/lib/ssl \
  && cp .build/release/aasa /image/aasa \
  && ldd /image/aasa | grep -oE '/[^ ]+' | xargs -I{} cp --parents -L {} /image \
  && cp -L /etc/ssl/certs/ca-certificates.crt /image/etc/ssl/certs/ \
  && ln -s /etc/ssl/certs/ca-certificates.crt /image/usr/lib/ssl/cert.pem \
  && echo 'aasa:x:65532:65532::/:/aasa' > /image/etc/passwd

FROM scratch
LABEL org.opencontainers.image.title="aasa" \
  org.opencontainers.image.description="Serves Apple App Site Association files"
COPY --from=build /image /
COPY Config/ /etc/aasa/
USER 65532:65532
EXPOSE 8080 8443
STOPSIGNAL SIGTERM
ENTRYPOINT ["/aasa"]
CMD ["serve", "--config", "/etc/aasa/server.json"]
