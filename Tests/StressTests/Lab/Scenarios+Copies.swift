import ScriptedServer

@testable import EndToEnd

extension Scenario {
  private static let unasked = Verdict(
    exitCode: 0, beginning: served + "; Apple's CDN could not be asked")

  static let copies: [Scenario] = [
    green("the same copy", "Apple's CDN  the same file", cdn: .copy(Lab.good)),
    green(
      "a copy with other white space", "Apple's CDN  the same file", cdn: .copy(Lab.good + "\n")),
    green(
      "an old copy", "F062", "; Apple's CDN keeps another version for at most 50 minutes more",
      cdn: .copy(Lab.other)),
    Scenario(
      "an old copy that fails the run", 3, "F062",
      served + "; Apple's CDN keeps another version for at most 50 minutes more"
    ) {
      try $0.origin()
      try $0.cdn(.copy(Lab.other))
      $0.arguments += ["--fail-on", "cdn"]
    },
    green(
      "an old copy that may go at any time", "F062", "; Apple's CDN keeps another version",
      cdn: .answer(fields: ["Cache-Control: max-age=60", "Age: 600"], Lab.other)),
    Scenario(
      "a copy of the file while the server has none", 1, "F031",
      "example.com: devices get a copy from Apple's CDN for at most 50 minutes more, and then no file: there is no file, neither in /.well-known nor at the root (404)"
    ) {
      try $0.origin(.answer("404 Not Found", "no"))
      try $0.cdn(.copy(Lab.good))
    },
    Scenario(
      "a copy that may go while the server has none", 1, "F031",
      "example.com: devices get an older copy from Apple's CDN, but the CDN may drop this copy at any time: there is no file, neither in /.well-known nor at the root (404)"
    ) {
      try $0.origin(.answer("404 Not Found", "no"))
      try $0.cdn(.answer(fields: ["Cache-Control: max-age=60", "Age: 600"], Lab.good))
    },
    Scenario(
      "a copy while the certificate has expired", 1, "F013",
      #"example.com: devices get a copy from Apple's CDN for at most 50 minutes more, and then no file: the certificate "example.com" expired on DAY"#
    ) {
      try $0.origin(showing: .expired)
      try $0.cdn(.copy(Lab.good))
    },
    partly(
      "a copy while the first of two addresses has an expired certificate", "F013",
      #"at the address 1.0.0.1: the certificate "example.com" expired on DAY"#, showing: .expired,
      second: .answer(Lab.good), cdn: .copy(Lab.good)),
    red(
      "no file anywhere", "F031",
      "there is no file, neither in /.well-known nor at the root (404), and 1 more",
      serving: .answer("404 Not Found", "no"),
      cdn: .failure("SWCERR00101 Bad HTTP Response: 404 Not Found")),
    green(
      "a failure that is remembered", "F061",
      "; Apple's CDN caches a failure for at most 50 minutes more",
      cdn: .failure("SWCERR00101 Bad HTTP Response: 404 Not Found")),
    green(
      "a failing server that is remembered", "F061",
      "; Apple's CDN caches a failure for at most 50 minutes more",
      cdn: .failure("SWCERR00101 Bad HTTP Response: 502 Bad Gateway")),
    red(
      "a refusal that only Apple gets", "F061",
      "Apple's CDN has no file, because of SWCERR00101 Bad HTTP Response: 403 Forbidden, but this machine gets the file: a firewall probably blocks some addresses or countries",
      cdn: .failure("SWCERR00101 Bad HTTP Response: 403 Forbidden")),
    red(
      "a rate limit that only Apple meets", "F061",
      "Apple's CDN has no file, because of SWCERR00101 Bad HTTP Response: 429 Too Many Requests: a rate limit refuses the CDN's request",
      cdn: .failure("SWCERR00101 Bad HTTP Response: 429 Too Many Requests")),
    red(
      "a redirect that only Apple gets", "F061",
      "Apple's CDN has no file, because of SWCERR00101 Bad HTTP Response: 302 Found",
      cdn: .failure("SWCERR00101 Bad HTTP Response: 302 Found")),
    red(
      "a private address that only Apple sees", "F061",
      "Apple's CDN has no file, because of SWCERR00202 Invalid address",
      cdn: .failure("SWCERR00202 Invalid address")),
    red(
      "a time-out that only Apple sees", "F061",
      "Apple's CDN has no file, because of SWCERR00301 Timeout",
      cdn: .failure("SWCERR00301 Timeout")),
    red(
      "TLS that only Apple refuses", "F061",
      "Apple's CDN has no file, because of SWCERR00401 TLS failure",
      cdn: .failure("SWCERR00401 TLS failure")),
    red(
      "no file in the CDN, without a reason", "F061", "Apple's CDN has no file", cdn: .failure(nil)),
    unasked("a CDN that fails", "F060", cdn: .answer("503 Service Unavailable", "no")),
    unasked(
      "a CDN that does not take the name", "F060", cdn: .answer("405 Method Not Allowed", "no")),
    unasked(
      "a sign-in page in place of the CDN", "F060",
      cdn: .answer(type: "text/html", "<html>sign in</html>")),
    unknown(
      "a network that asks for a sign-in", "F008",
      "this network requires a sign-in: a web page answers in place of Apple's CDN",
      serving: .redirect(to: "http://portal.example/"), cdn: .redirect(to: "http://portal.example/")
    ),
    unasked("a CDN that nobody reaches", "F060", options: ["--cdn", "http://127.0.0.1:1/a/v1"]),
    unknown(
      "a company that opens TLS", "F008",
      "this machine trusts neither the certificate of the domain nor the certificate of Apple's CDN"
    ) {
      try $0.origin(showing: .unknownAuthority)
      try $0.untrustedCDN()
    },
    green(
      "an old copy in developer mode", "F062",
      "; Apple's CDN keeps another version for at most 50 minutes more", cdn: .copy(Lab.other),
      asking: "applinks:example.com?mode=developer"),
  ]
}
