import ScriptedServer

@testable import EndToEnd

extension Scenario {
  static let addresses: [Scenario] = [
    Scenario(
      "an expired certificate at one of two addresses", 1, "F013",
      partly + #"at the address 1.0.0.2: the certificate "example.com" expired on DAY"#
    ) {
      try $0.origin()
      try $0.origin(at: "1.0.0.2", showing: .expired)
    },
    Scenario(
      "an expired certificate at the first of two addresses", 1, "F013",
      partly + #"at the address 1.0.0.1: the certificate "example.com" expired on DAY"#
    ) {
      try $0.origin(showing: .expired)
      try $0.origin(at: "1.0.0.2")
    },
    Scenario(
      "a failure at the first of two addresses", 1, "F006",
      partly + "the address 1.0.0.1 gives status 500, 1.0.0.2 the file"
    ) {
      try $0.origin(.answer("500 Internal Server Error", "no"))
      try $0.origin(at: "1.0.0.2")
    },
    Scenario(
      "another name at one of two addresses", 1, "F012",
      partly
        + "at the address 1.0.0.2: the certificate is not for example.com but for shop.example.org, www.example.org"
    ) {
      try $0.origin()
      try $0.origin(at: "1.0.0.2", showing: .otherName)
    },
    Scenario(
      "no intermediate at one of two addresses", 1, "F016",
      partly
        + #"at the address 1.0.0.2: the chain is incomplete: the server sends "example.com" without the certificate of its issuer "Lab Intermediate""#
    ) {
      try $0.origin()
      try $0.origin(at: "1.0.0.2", showing: .withoutIntermediate)
    },
    Scenario(
      "an older file at one of two addresses", 1, "F006",
      partly + "the address 1.0.0.2 gives another version of the file, 1.0.0.1 the file"
    ) {
      try $0.origin()
      try $0.origin(at: "1.0.0.2", .answer(Lab.other))
    },
    Scenario(
      "a failure at one of two addresses", 1, "F006",
      partly + "the address 1.0.0.2 gives status 500, 1.0.0.1 the file"
    ) {
      try $0.origin()
      try $0.origin(at: "1.0.0.2", .answer("500 Internal Server Error", "no"))
    },
    Scenario(
      "no file at one of two addresses", 1, "F006",
      partly + "the address 1.0.0.2 gives status 404, 1.0.0.1 the file"
    ) {
      try $0.origin()
      try $0.origin(at: "1.0.0.2", .answer("404 Not Found", "no"))
    },
    Scenario(
      "a page at one of two addresses", 1, "F006",
      partly + "the address 1.0.0.2 gives a web page, 1.0.0.1 the file"
    ) {
      try $0.origin()
      try $0.origin(at: "1.0.0.2", .answer(type: "text/html", "<html>"))
    },
    Scenario(
      "a redirect at one of two addresses", 1, "F006",
      partly + "the address 1.0.0.2 gives a redirect to https://example.org/, 1.0.0.1 the file"
    ) {
      try $0.origin()
      try $0.origin(at: "1.0.0.2", .redirect(to: "https://example.org/"))
    },
    Scenario("white space at one of two addresses", 0, "all 2 addresses", served) {
      try $0.origin()
      try $0.origin(at: "1.0.0.2", .answer(Lab.good + "\n"))
    },
    Scenario(
      "one of two addresses hangs", 1, "F005",
      partly
        + "the address 1.0.0.2 does not answer: timed out while the answer was received, after 2 s"
    ) {
      try $0.origin()
      try $0.origin(at: "1.0.0.2", .stall)
      $0.arguments += ["--timeout", "2s"]
    },
    Scenario(
      "no file at either address", 1, "F031",
      broken + "there is no file, neither in /.well-known nor at the root (404)"
    ) {
      try $0.origin(.answer("404 Not Found", "a"))
      try $0.origin(at: "1.0.0.2", .answer("404 Not Found", "b"))
    },
    Scenario("another file on www", 0, "F055", served) {
      try $0.origin()
      try $0.host("www.example.com", at: "1.0.0.8", .answer(Lab.other))
    },
    Scenario("no file on www", 0, "F054", served) {
      try $0.origin()
      try $0.host("www.example.com", at: "1.0.0.8", .answer("404 Not Found", "no"))
    },
    Scenario("a redirect of www", 0, "F054", served) {
      try $0.origin()
      try $0.host("www.example.com", at: "1.0.0.8", .redirect(to: "https://example.com/"))
    },
    Scenario("the same file on www", 0, "fine:", served) {
      try $0.origin()
      try $0.host("www.example.com", at: "1.0.0.8", .answer(Lab.good))
    },
  ]
}
