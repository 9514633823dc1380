import ScriptedServer

@testable import EndToEnd

extension Scenario {
  static let addresses: [Scenario] = [
    partly(
      "an expired certificate at one of two addresses", "F013",
      #"at the address 1.0.0.2: the certificate "example.com" expired on DAY"#,
      secondShowing: .expired),
    partly(
      "an expired certificate at the first of two addresses", "F013",
      #"at the address 1.0.0.1: the certificate "example.com" expired on DAY"#, showing: .expired,
      second: .answer(Lab.good)),
    partly(
      "a failure at the first of two addresses", "F006",
      "the address 1.0.0.1 returns status 500, but 1.0.0.2 returns the file",
      serving: .answer("500 Internal Server Error", "no"), second: .answer(Lab.good)),
    partly(
      "another name at one of two addresses", "F012",
      "at the address 1.0.0.2: the certificate is not for example.com but for shop.example.org, www.example.org",
      secondShowing: .otherName),
    partly(
      "no intermediate at one of two addresses", "F016",
      #"at the address 1.0.0.2: the chain is incomplete: the server sends "example.com" without the certificate of its issuer "Lab Intermediate""#,
      secondShowing: .withoutIntermediate),
    partly(
      "an older file at one of two addresses", "F006",
      "the address 1.0.0.2 returns another version of the file, but 1.0.0.1 returns the file",
      second: .answer(Lab.other)),
    partly(
      "a failure at one of two addresses", "F006",
      "the address 1.0.0.2 returns status 500, but 1.0.0.1 returns the file",
      second: .answer("500 Internal Server Error", "no")),
    partly(
      "no file at one of two addresses", "F006",
      "the address 1.0.0.2 returns status 404, but 1.0.0.1 returns the file",
      second: .answer("404 Not Found", "no")),
    partly(
      "a page at one of two addresses", "F006",
      "the address 1.0.0.2 returns a web page, but 1.0.0.1 returns the file",
      second: .answer(type: "text/html", "<html>")),
    partly(
      "a redirect at one of two addresses", "F006",
      "the address 1.0.0.2 returns a redirect to https://example.org/, but 1.0.0.1 returns the file",
      second: .redirect(to: "https://example.org/")),
    green(
      "white space at one of two addresses", "all 2 addresses", second: .answer(Lab.good + "\n")),
    partly(
      "one of two addresses hangs", "F005",
      "the address 1.0.0.2 does not answer: timed out while the answer was received, after 2 s",
      second: .stall, options: ["--timeout", "2s"]),
    red(
      "no file at either address", "F031",
      "there is no file, neither in /.well-known nor at the root (404)",
      serving: .answer("404 Not Found", "a"), second: .answer("404 Not Found", "b")),
    green("another file on www", "F055", www: .answer(Lab.other)),
    green("no file on www", "F054", www: .answer("404 Not Found", "no")),
    green("a redirect of www", "F054", www: .redirect(to: "https://example.com/")),
    green("the same file on www", "fine:", www: .answer(Lab.good)),
  ]
}
