import ScriptedServer

@testable import EndToEnd

extension Scenario {
  static let copies: [Scenario] = [
    Scenario("the same copy", 0, "CDN has the same", served) {
      try $0.origin()
      try $0.cdn(copy: Lab.good)
    },
    Scenario("a copy with other white space", 0, "CDN has the same", served) {
      try $0.origin()
      try $0.cdn(copy: Lab.good + "\n")
    },
    Scenario(
      "an old copy", 0, "F062",
      served + "; Apple's CDN keeps another version for at most 50 minutes more"
    ) {
      try $0.origin()
      try $0.cdn(copy: Lab.other)
    },
    Scenario(
      "an old copy that fails the run", 3, "F062",
      served + "; Apple's CDN keeps another version for at most 50 minutes more"
    ) {
      try $0.origin()
      try $0.cdn(copy: Lab.other)
      $0.arguments += ["--fail-on", "cdn"]
    },
    Scenario(
      "an old copy that may go at any time", 0, "F062",
      served + "; Apple's CDN keeps another version"
    ) {
      try $0.origin()
      try $0.cdn(.answer(fields: ["Cache-Control: max-age=60", "Age: 600"], Lab.other))
    },
    Scenario(
      "a copy of the file while the server has none", 1, "F031",
      "example.com: devices get a copy from Apple's CDN for at most 50 minutes more, and then none: there is no file, neither in /.well-known nor at the root (404)"
    ) {
      try $0.origin(.answer("404 Not Found", "no"))
      try $0.cdn(copy: Lab.good)
    },
    Scenario(
      "a copy that may go while the server has none", 1, "F031",
      "example.com: devices get an older copy from Apple's CDN, which may drop it at any time: there is no file, neither in /.well-known nor at the root (404)"
    ) {
      try $0.origin(.answer("404 Not Found", "no"))
      try $0.cdn(.answer(fields: ["Cache-Control: max-age=60", "Age: 600"], Lab.good))
    },
    Scenario(
      "a copy while the certificate has expired", 1, "F013",
      #"example.com: devices get a copy from Apple's CDN for at most 50 minutes more, and then none: the certificate "example.com" expired on DAY"#
    ) {
      try $0.origin(showing: .expired)
      try $0.cdn(copy: Lab.good)
    },
    Scenario(
      "a copy while the first of two addresses has an expired certificate", 1, "F013",
      partly + #"at the address 1.0.0.1: the certificate "example.com" expired on DAY"#
    ) {
      try $0.origin(showing: .expired)
      try $0.origin(at: "1.0.0.2")
      try $0.cdn(copy: Lab.good)
    },
    Scenario(
      "no file anywhere", 1, "F031",
      broken + "there is no file, neither in /.well-known nor at the root (404), and 1 more"
    ) {
      try $0.origin(.answer("404 Not Found", "no"))
      try $0.cdn(failure: "SWCERR00101 Bad HTTP Response: 404 Not Found")
    },
    Scenario(
      "a failure that is remembered", 0, "F061",
      served + "; Apple's CDN caches a failure for at most 50 minutes more"
    ) {
      try $0.origin()
      try $0.cdn(failure: "SWCERR00101 Bad HTTP Response: 404 Not Found")
    },
    Scenario(
      "a failing server that is remembered", 0, "F061",
      served + "; Apple's CDN caches a failure for at most 50 minutes more"
    ) {
      try $0.origin()
      try $0.cdn(failure: "SWCERR00101 Bad HTTP Response: 502 Bad Gateway")
    },
    Scenario(
      "a refusal that only Apple gets", 1, "F061",
      broken
        + "Apple's CDN has no file, because of SWCERR00101 Bad HTTP Response: 403 Forbidden, while this machine gets the file: something treats addresses or countries differently"
    ) {
      try $0.origin()
      try $0.cdn(failure: "SWCERR00101 Bad HTTP Response: 403 Forbidden")
    },
    Scenario(
      "a rate limit that only Apple meets", 1, "F061",
      broken
        + "Apple's CDN has no file, because of SWCERR00101 Bad HTTP Response: 429 Too Many Requests, while this machine gets the file: something treats addresses or countries differently"
    ) {
      try $0.origin()
      try $0.cdn(failure: "SWCERR00101 Bad HTTP Response: 429 Too Many Requests")
    },
    Scenario(
      "a redirect that only Apple gets", 1, "F061",
      broken + "Apple's CDN has no file, because of SWCERR00101 Bad HTTP Response: 302 Found"
    ) {
      try $0.origin()
      try $0.cdn(failure: "SWCERR00101 Bad HTTP Response: 302 Found")
    },
    Scenario(
      "a private address that only Apple sees", 1, "F061",
      broken + "Apple's CDN has no file, because of SWCERR00202 Invalid address"
    ) {
      try $0.origin()
      try $0.cdn(failure: "SWCERR00202 Invalid address")
    },
    Scenario(
      "a time-out that only Apple sees", 1, "F061",
      broken + "Apple's CDN has no file, because of SWCERR00301 Timeout"
    ) {
      try $0.origin()
      try $0.cdn(failure: "SWCERR00301 Timeout")
    },
    Scenario(
      "TLS that only Apple refuses", 1, "F061",
      broken + "Apple's CDN has no file, because of SWCERR00401 TLS failure"
    ) {
      try $0.origin()
      try $0.cdn(failure: "SWCERR00401 TLS failure")
    },
    Scenario("no file in the CDN, without a reason", 1, "F061", broken + "Apple's CDN has no file")
    {
      try $0.origin()
      try $0.cdn(failure: nil)
    },
    Scenario("a CDN that fails", 0, "F060", served) {
      try $0.origin()
      try $0.cdn(.answer("503 Service Unavailable", "no"))
    },
    Scenario("a CDN that does not take the name", 0, "F060", served) {
      try $0.origin()
      try $0.cdn(.answer("405 Method Not Allowed", "no"))
    },
    Scenario("a sign-in page in place of the CDN", 0, "F060", served) {
      try $0.origin()
      try $0.cdn(.answer(type: "text/html", "<html>sign in</html>"))
    },
    Scenario(
      "a network that asks for a sign-in", 4, "F008",
      unknown
        + "a web page answers in place of Apple's CDN, too: this network requires a sign-in"
    ) {
      try $0.origin(.redirect(to: "http://portal.example/"))
      try $0.cdn(.redirect(to: "http://portal.example/"))
    },
    Scenario("a CDN that nobody reaches", 0, "F060", served) {
      try $0.origin()
      $0.arguments += ["--cdn", "http://127.0.0.1:1/a/v1"]
    },
    Scenario(
      "a company that opens TLS", 4, "F008",
      unknown + "this machine does not trust the certificate of Apple's CDN either"
    ) {
      try $0.origin(showing: .unknownAuthority)
      try $0.untrustedCDN()
    },
    Scenario(
      "an old copy in developer mode", 0, "F062",
      served + "; Apple's CDN keeps another version for at most 50 minutes more"
    ) {
      try $0.origin()
      try $0.cdn(copy: Lab.other)
      $0.arguments[0] = "applinks:example.com?mode=developer"
    },
  ]
}
