import ScriptedServer

@testable import EndToEnd

extension Scenario {
  static let answers: [Scenario] = [
    Scenario(
      "no file", 1, "F031",
      broken + "there is no file, neither in /.well-known nor at the root (404)"
    ) {
      try $0.origin(.answer("404 Not Found", "no"))
    },
    Scenario(
      "a file that is gone", 1, "F031",
      broken + "there is no file, neither in /.well-known nor at the root (410)"
    ) {
      try $0.origin(.answer("410 Gone", "no"))
    },
    Scenario("a login for everybody", 1, "F032", broken + "access to the file is refused (401)") {
      try $0.origin(.answer("401 Unauthorized", "no"))
    },
    Scenario("a refusal", 1, "F032", broken + "access to the file is refused (403)") {
      try $0.origin(.answer("403 Forbidden", "no"))
    },
    Scenario("too many requests", 1, "F032", broken + "access to the file is refused (429)") {
      try $0.origin(.answer("429 Too Many Requests", "no"))
    },
    Scenario("a refusal by law", 1, "F032", broken + "access to the file is refused (451)") {
      try $0.origin(.answer("451 Unavailable For Legal Reasons", "no"))
    },
    Scenario("a wrong method", 1, "F034", broken + "the answer has status 405 instead of 200") {
      try $0.origin(.answer("405 Method Not Allowed", "no"))
    },
    Scenario("a bad request", 1, "F034", broken + "the answer has status 400 instead of 200") {
      try $0.origin(.answer("400 Bad Request", "no"))
    },
    Scenario("a teapot", 1, "F034", broken + "the answer has status 418 instead of 200") {
      try $0.origin(.answer("418 I am a teapot", "no"))
    },
    Scenario("a failing server", 1, "F033", broken + "the server fails (500)") {
      try $0.origin(.answer("500 Internal Server Error", "no"))
    },
    Scenario("a bad gateway", 1, "F033", broken + "the server fails (502)") {
      try $0.origin(.answer("502 Bad Gateway", "no"))
    },
    Scenario("maintenance", 1, "F033", broken + "the server fails (503)") {
      try $0.origin(.answer("503 Service Unavailable", "no"))
    },
    Scenario("a gateway that waits", 1, "F033", broken + "the server fails (504)") {
      try $0.origin(.answer("504 Gateway Timeout", "no"))
    },
    Scenario(
      "Cloudflare without its origin", 1, "F033",
      broken + "Cloudflare gets no valid response from the origin server (521)"
    ) {
      try $0.origin(.answer("521 Web Server Is Down", fields: ["Server: cloudflare"], "no"))
    },
    Scenario(
      "Cloudflare without its origin's TLS", 1, "F033",
      broken + "Cloudflare gets no valid response from the origin server (525)"
    ) {
      try $0.origin(.answer("525 SSL Handshake Failed", fields: ["Server: cloudflare"], "no"))
    },
    Scenario("no content", 1, "F034", broken + "the answer has status 204 instead of 200") {
      try $0.origin(.answer("204 No Content", "no"))
    },
    Scenario("a part of the file", 1, "F034", broken + "the answer has status 206 instead of 200") {
      try $0.origin(.answer("206 Partial Content", "no"))
    },
    Scenario("created", 1, "F034", broken + "the answer has status 201 instead of 200") {
      try $0.origin(.answer("201 Created", "no"))
    },
    Scenario("not modified", 1, "F034", broken + "the answer has status 304 instead of 200") {
      try $0.origin(.answer("304 Not Modified", "no"))
    },
    Scenario(
      "a redirect from the bare domain to www", 1, "F030",
      broken
        + "the file redirects to https://www.example.com/.well-known/apple-app-site-association (from the bare domain to www)"
    ) {
      try $0.origin(
        .redirect(
          to: "https://www.example.com/.well-known/apple-app-site-association",
          status: "301 Moved Permanently"))
    },
    Scenario(
      "a redirect to a login", 1, "F030",
      broken + "the file redirects to https://example.com/login?next=x (to a login page)"
    ) {
      try $0.origin(.redirect(to: "https://example.com/login?next=x", status: "302 Found"))
    },
    Scenario(
      "a redirect to another host", 1, "F030",
      broken + "the file redirects to https://cdn.example.net/aasa (to another host)"
    ) {
      try $0.origin(.redirect(to: "https://cdn.example.net/aasa", status: "302 Found"))
    },
    Scenario(
      "a redirect to a locale", 1, "F030",
      broken + "the file redirects to /en/.well-known/apple-app-site-association (to a locale)"
    ) {
      try $0.origin(
        .redirect(
          to: "/en/.well-known/apple-app-site-association", status: "307 Temporary Redirect"))
    },
    Scenario(
      "a redirect to a slash", 1, "F030",
      broken
        + "the file redirects to /.well-known/apple-app-site-association/ (to the same path with a slash)"
    ) {
      try $0.origin(
        .redirect(to: "/.well-known/apple-app-site-association/", status: "308 Permanent Redirect"))
    },
    Scenario(
      "a redirect to itself", 1, "F030",
      broken + "the file redirects to /.well-known/apple-app-site-association (to itself)"
    ) {
      try $0.origin(.redirect(to: "/.well-known/apple-app-site-association", status: "302 Found"))
    },
    Scenario(
      "a redirect to plain HTTP", 1, "F030",
      broken
        + "the file redirects to http://example.com/.well-known/apple-app-site-association (from HTTPS to HTTP)"
    ) {
      try $0.origin(
        .redirect(
          to: "http://example.com/.well-known/apple-app-site-association",
          status: "301 Moved Permanently"))
    },
    Scenario(
      "a redirect to .json", 1, "F030",
      broken + "the file redirects to /apple-app-site-association.json"
    ) {
      try $0.origin(.redirect(to: "/apple-app-site-association.json", status: "303 See Other"))
    },
    Scenario("the file at the root only", 0, "F035", served + ", with 1 warning") {
      try $0.origin(wellKnown: .answer("404 Not Found", "no"), root: .answer(Lab.good))
    },
    Scenario("the file in .well-known only", 0, "F036", served) {
      try $0.origin(wellKnown: .answer(Lab.good), root: .answer("404 Not Found", "no"))
    },
    Scenario("two versions at the two paths", 0, "F037", served + ", with 1 warning") {
      try $0.origin(wellKnown: .answer(Lab.good), root: .answer(Lab.other))
    },
    Scenario(
      "a rule against dot folders", 1, "rule against names that begin with a dot",
      broken + "access to /.well-known is refused (403), though the root has the file"
    ) {
      try $0.origin(wellKnown: .answer("403 Forbidden", "no"), root: .answer(Lab.good))
    },
    Scenario("a page for what is missing at the root", 0, "F036", served) {
      try $0.origin(
        wellKnown: .answer(Lab.good),
        root: .answer("404 Not Found", type: "text/html", "<html>no</html>"))
    },
    Scenario(
      "a challenge with 503", 1, "F032",
      broken + "bot protection refuses access to the file (503)"
    ) {
      try $0.origin(
        .answer(
          "503 Service Unavailable", type: "text/html",
          "<html><title>Just a moment...</title></html>"))
    },
    Scenario(
      "a challenge with 403", 1, "F032",
      broken + "bot protection refuses access to the file (403)"
    ) {
      try $0.origin(
        .answer(
          "403 Forbidden", type: "text/html", fields: ["cf-mitigated: challenge"], "<html></html>"))
    },
    Scenario(
      "a server that refuses Apple's robot", 1, "F050",
      broken
        + "Apple's robot gets status 403, while a device and a browser get the file: a firewall or bot protection treats them differently"
    ) {
      try $0.origin(to: "AASA-Bot", .answer("403 Forbidden", "no"))
    },
    Scenario(
      "a server that refuses devices", 1, "F051",
      "example.com: devices in developer mode do not get the file: a device gets status 403, Apple's robot the file"
    ) {
      try $0.origin(to: "swcd", .answer("403 Forbidden", "no"))
    },
    Scenario("another file for browsers", 0, "F052", served) {
      try $0.origin(to: "Mozilla", .answer(Lab.other))
    },
    Scenario("a page for browsers", 0, "F052", served) {
      try $0.origin(to: "Mozilla", .answer(type: "text/html", "<html>shop</html>"))
    },
    Scenario(
      "a page for Apple's robot", 1, "F050",
      broken
        + "Apple's robot gets a web page, while a device and a browser get the file: a firewall or bot protection treats them differently"
    ) {
      try $0.origin(to: "AASA-Bot", .answer(type: "text/html", "<html>shop</html>"))
    },
    Scenario(
      "a server that asks clients for certificates by status", 1, "F026",
      broken + "the server demands a client certificate (400)"
    ) {
      try $0.origin(
        .answer(
          "400 Bad Request", type: "text/html",
          "<html>400 No required SSL certificate was sent</html>"))
    },
  ]
}
