# The server alone, without a shell: the program, the few libraries that it loads, the system's
# trusted roots, and the example configuration. To serve your own files:
#   docker run --read-only -p 80:8080 -p 443:8443 \
#     -v ./domains:/etc/aasa/domains:ro -v ./certificates:/etc/aasa/certificates:ro aasa

FROM swift:6.3-bookworm AS build
RUN apt-get update \
    && apt-get install -y --no-install-recommends ca-certificates libssl-dev zlib1g-dev
WORKDIR /build
COPY . .
RUN swift build --configuration release --static-swift-stdlib --product aasa \
    && strip .build/release/aasa
# The image, as a folder: the program loads OpenSSL, zlib and the C library, and nothing else.
RUN mkdir -p /image/etc/ssl/certs \
    && cp .build/release/aasa /image/aasa \
    && ldd /image/aasa | grep -o '/[^ ]*' | xargs -I LIBRARY cp --parents --dereference LIBRARY /image \
    && cp --dereference /etc/ssl/certs/ca-certificates.crt /image/etc/ssl/certs/ \
    && echo 'aasa:x:65532:65532::/:/nonexistent' > /image/etc/passwd \
    && echo 'aasa:x:65532:' > /image/etc/group

FROM scratch
COPY --from=build /image/ /
COPY Config/ /etc/aasa/
ENV SSL_CERT_FILE=/etc/ssl/certs/ca-certificates.crt
# By number, so that an orchestrator can see that it is not root.
USER 65532:65532
EXPOSE 8080 8443
STOPSIGNAL SIGTERM
ENTRYPOINT ["/aasa"]
CMD ["serve", "--config", "/etc/aasa/server.json"]
