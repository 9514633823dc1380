import Rules
import Testing

@Suite struct InternationalNameTests {
  /// The second half is of RFC 3492 section 7.1.
  @Test(arguments: [
    ("example.com", "example.com"), ("b\u{FC}cher.com", "xn--bcher-kva.com"),
    ("B\u{DC}CHER.com", "xn--bcher-kva.com"), ("stra\u{DF}e.de", "xn--strae-oqa.de"),
    ("ok\u{3002}com", "ok.com"), ("\u{65E5}\u{672C}.jp", "xn--wgv71a.jp"),
    (
      "\u{4ED6}\u{4EEC}\u{4E3A}\u{4EC0}\u{4E48}\u{4E0D}\u{8BF4}\u{4E2D}\u{6587}",
      "xn--ihqwcrb4cv8a8dqg056pqjye"
    ),
    (
      "\u{62}\u{fc}\u{63}\u{68}\u{65}\u{72}\u{62}\u{fc}\u{63}\u{68}", "xn--bcherbch-65af"
    ),
    (
      "\u{43F}\u{43E}\u{447}\u{435}\u{43C}\u{443}\u{436}\u{435}\u{43E}\u{43D}\u{438}"
        + "\u{43D}\u{435}\u{433}\u{43E}\u{432}\u{43E}\u{440}\u{44F}\u{442}\u{43F}\u{43E}"
        + "\u{440}\u{443}\u{441}\u{441}\u{43A}\u{438}",
      "xn--b1abfaaepdrnnbgefbadotcwatmq2g4l"
    ),
  ])
  func `names are encoded as DNS has them`(name: String, ascii: String) {
    #expect(InternationalName.ascii(name) == ascii)
  }

  @Test(arguments: ["u\u{308}.com", "a\u{200B}\u{E9}.com", "\u{1F600}.com", "a b\u{E9}\u{2028}"])
  func `anything but a letter is refused`(name: String) {
    #expect(InternationalName.ascii(name) == nil)
  }
}
