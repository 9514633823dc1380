import ScriptedServer

@testable import EndToEnd

extension Scenario {
  static let answers: [Scenario] = [
    red(
      "no file", "F031", "there is no file, neither in /.well-known nor at the root (404)",
      serving: .answer("404 Not Found", "no")),
    red(
      "a file that is gone", "F031",
      "there is no file, neither in /.well-known nor at the root (410)",
      serving: .answer("410 Gone", "no")),
    red(
      "a login for everybody", "F032", "access to the file is refused (401)",
      serving: .answer("401 Unauthorized", "no")),
    red(
      "a refusal", "F032", "access to the file is refused (403)",
      serving: .answer("403 Forbidden", "no")),
    red(
      "too many requests", "F032",
      "a rate limit refuses access to the file (429)",
      serving: .answer("429 Too Many Requests", "no")),
    red(
      "a refusal by law", "F032", "access to the file is refused (451)",
      serving: .answer("451 Unavailable For Legal Reasons", "no")),
    red(
      "a wrong method", "F034", "the answer has status 405 instead of 200",
      serving: .answer("405 Method Not Allowed", "no")),
    red(
      "a bad request", "F034", "the answer has status 400 instead of 200",
      serving: .answer("400 Bad Request", "no")),
    red(
      "a teapot", "F034", "the answer has status 418 instead of 200",
      serving: .answer("418 I am a teapot", "no")),
    red(
      "a failing server", "F033", "the server fails (500)",
      serving: .answer("500 Internal Server Error", "no")),
    red(
      "a bad gateway", "F033", "the server fails (502)", serving: .answer("502 Bad Gateway", "no")),
    red(
      "maintenance", "F033", "the server fails (503)",
      serving: .answer("503 Service Unavailable", "no")),
    red(
      "a gateway that waits", "F033", "the server fails (504)",
      serving: .answer("504 Gateway Timeout", "no")),
    red(
      "Cloudflare without its origin", "F033",
      "Cloudflare gets no valid response from the origin server (521)",
      serving: .answer("521 Web Server Is Down", fields: ["Server: cloudflare"], "no")),
    red(
      "Cloudflare without its origin's TLS", "F033",
      "Cloudflare gets no valid response from the origin server (525)",
      serving: .answer("525 SSL Handshake Failed", fields: ["Server: cloudflare"], "no")),
    red(
      "no content", "F034", "the answer has status 204 instead of 200",
      serving: .answer("204 No Content", "no")),
    red(
      "a part of the file", "F034", "the answer has status 206 instead of 200",
      serving: .answer("206 Partial Content", "no")),
    red(
      "created", "F034", "the answer has status 201 instead of 200",
      serving: .answer("201 Created", "no")),
    red(
      "not modified", "F034", "the answer has status 304 instead of 200",
      serving: .answer("304 Not Modified", "no")),
    red(
      "a redirect from the bare domain to www", "F030",
      "the file redirects to https://www.example.com/.well-known/apple-app-site-association "
        + "(from the bare domain to www)",
      serving: .redirect(
        to: "https://www.example.com/.well-known/apple-app-site-association",
        status: "301 Moved Permanently")),
    red(
      "a redirect to a login", "F030",
      "the file redirects to https://example.com/login?next=x (to a login page)",
      serving: .redirect(to: "https://example.com/login?next=x", status: "302 Found")),
    red(
      "a redirect to another host", "F030",
      "the file redirects to https://cdn.example.net/aasa (to another host)",
      serving: .redirect(to: "https://cdn.example.net/aasa", status: "302 Found")),
    red(
      "a redirect to a locale", "F030",
      "the file redirects to /en/.well-known/apple-app-site-association (to a locale)",
      serving: .redirect(
        to: "/en/.well-known/apple-app-site-association", status: "307 Temporary Redirect")),
    red(
      "a redirect to a slash", "F030",
      "the file redirects to /.well-known/apple-app-site-association/ (to the same path with a "
        + "slash at the end)",
      serving: .redirect(
        to: "/.well-known/apple-app-site-association/", status: "308 Permanent Redirect")),
    red(
      "a redirect to itself", "F030",
      "the file redirects to /.well-known/apple-app-site-association (to itself)",
      serving: .redirect(to: "/.well-known/apple-app-site-association", status: "302 Found")),
    red(
      "a redirect to plain HTTP", "F030",
      "the file redirects to http://example.com/.well-known/apple-app-site-association (from "
        + "HTTPS to HTTP)",
      serving: .redirect(
        to: "http://example.com/.well-known/apple-app-site-association",
        status: "301 Moved Permanently")),
    red(
      "a redirect to .json", "F030", "the file redirects to /apple-app-site-association.json",
      serving: .redirect(to: "/apple-app-site-association.json", status: "303 See Other")),
    green("the file at the root only", "F035", ", with 1 warning") {
      try $0.origin(wellKnown: .answer("404 Not Found", "no"), root: .answer(Lab.good))
    },
    green("the file in .well-known only", "F036") {
      try $0.origin(wellKnown: .answer(Lab.good), root: .answer("404 Not Found", "no"))
    },
    green("two versions at the two paths", "F037", ", with 1 warning") {
      try $0.origin(wellKnown: .answer(Lab.good), root: .answer(Lab.other))
    },
    red(
      "a rule against dot folders", "rule against names that begin with a dot",
      "the server refuses access to /.well-known (403), although the root has the file"
    ) { try $0.origin(wellKnown: .answer("403 Forbidden", "no"), root: .answer(Lab.good)) },
    green("a page for what is missing at the root", "F036") {
      try $0.origin(
        wellKnown: .answer(Lab.good),
        root: .answer("404 Not Found", type: "text/html", "<html>no</html>"))
    },
    red(
      "a challenge with 503", "F032", "bot protection refuses access to the file (503)",
      serving: .answer(
        "503 Service Unavailable", type: "text/html", "<html><title>Just a moment...</title></html>"
      )),
    red(
      "a challenge with 403", "F032", "bot protection refuses access to the file (403)",
      serving: .answer(
        "403 Forbidden", type: "text/html", fields: ["cf-mitigated: challenge"], "<html></html>")),
    red(
      "a server that refuses Apple's robot", "F050",
      "Apple's robot gets status 403, while a device and a browser get the file: a firewall or "
        + "bot protection treats them differently"
    ) { try $0.origin(to: "AASA-Bot", .answer("403 Forbidden", "no")) },
    Scenario(
      "a server that refuses devices", 1, "F051",
      "example.com: devices in developer mode do not get the file: a device gets status 403, "
        + "but Apple's robot gets the file"
    ) { try $0.origin(to: "swcd", .answer("403 Forbidden", "no")) },
    green("another file for browsers", "F052") { try $0.origin(to: "Mozilla", .answer(Lab.other)) },
    green("a page for browsers", "F052") {
      try $0.origin(to: "Mozilla", .answer(type: "text/html", "<html>shop</html>"))
    },
    red(
      "a page for Apple's robot", "F050",
      "Apple's robot gets a web page, while a device and a browser get the file: a firewall or "
        + "bot protection treats them differently"
    ) { try $0.origin(to: "AASA-Bot", .answer(type: "text/html", "<html>shop</html>")) },
    red(
      "a server that asks clients for certificates by status", "F026",
      "the server demands a client certificate (400)",
      serving: .answer(
        "400 Bad Request", type: "text/html",
        "<html>400 No required SSL certificate was sent</html>")),
  ]
}
