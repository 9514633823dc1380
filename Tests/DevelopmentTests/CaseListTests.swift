import Testing

@testable import Development

/// The inspector's changes of a file of expectations.
@Suite struct CaseListTests {
  private func list(_ text: String, path: String = "x.cases") -> CaseList {
    CaseList(path: path, bytes: Array(text.utf8))
  }

  private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  /// The file before, its name, and after `/b` was added for an app.
  @Test(arguments: [
    ("", "x.cases", "/b  opens  T.a\n"), ("/a browser", "x.cases", "/a browser\n/b  opens  T.a\n"),
    ("# c\n", "x.cases", "# c\n/b  opens  T.a\n"), ("", "x.csv", "/b,opens,T.a\n"),
    ("url,expectation,app\n/a,browser,\n", "x", "url,expectation,app\n/a,browser,\n/b,opens,T.a\n"),
  ]) func `a URL is added at the end`(before: String, path: String, after: String) throws {
    try #expect(
      text(
        list(before, path: path).adding(
          "/b", opens: "T.a", nil, publicHost: nil)) == after)
  }

  /// URLs, and what is kept of them while the tunnel's name is `abc.tunnel.test`.
  @Test(arguments: [
    ("https://abc.tunnel.test/buy/1?x=1#y", "/buy/1?x=1#y"), ("https://ABC.tunnel.test", "/"),
    ("https://abc.tunnel.test?x=1", "/?x=1"), ("/buy/1", "/buy/1"),
    ("https://example.com/buy/1", "https://example.com/buy/1"),
  ]) func `a URL of the tunnel's host is kept as its path`(url: String, kept: String) throws {
    let bytes = try list("").adding(url, opens: nil, nil, publicHost: "abc.tunnel.test")
    #expect(text(bytes) == kept + "  browser\n")
  }

  @Test func `commas and quotes are quoted in a spreadsheet`() throws {
    let bytes = try list("", path: "x.csv").adding("/a,b?\"", opens: nil, nil, publicHost: nil)
    #expect(text(bytes) == "\"/a,b?\"\"\",browser\n")
  }

  /// The file before and after `/a` was removed.
  @Test(arguments: [
    ("/a browser\n/b browser\n", "/b browser\n"), ("/b browser\n/a browser # x", "/b browser\n"),
    ("/a browser\r\n/b browser\r\n", "/b browser\r\n"),
    ("/a browser\n/b browser\n/a blocked\n", "/b browser\n"), ("# /a\n/a browser\n", "# /a\n"),
  ]) func `all lines of a URL are removed`(before: String, after: String) throws {
    try #expect(text(list(before).removing("/a")) == after)
  }

  @Test func `there is a limit of URLs`() throws {
    func lines(_ count: Int) -> String {
      (0..<count).map { "/\($0) browser\n" }.joined()
    }
    _ = try list(lines(DevLimits.cases - 1)).adding("/x", opens: nil, nil, publicHost: nil)
    #expect(throws: CaseList.Fault.self) {
      try list(lines(DevLimits.cases)).adding("/x", opens: nil, nil, publicHost: nil)
    }
  }
}
