import TestRunning
import Testing

@testable import Checking
@testable import Client

/// Verdicts that follow from the answers of one server. Most compare the whole report.
@Suite struct AnswerTests {
  private static let good = shopFile(components: #"[{"/":"/buy/*"}]"#)
  private static let wellKnown = "/.well-known/apple-app-site-association"
  private static let served =
    "example.com: the association file is served as Apple asks; Apple's CDN was not asked"

  @Test func `a good file is served as Apple asks`() throws {
    try CheckWorld(CheckServer()).check(exitCode: 0).says(
      .start(Self.served + "\n\n"),
      .part(
        "\n  TLS          TLSv1.3\n  certificate  issued by \"Test Intermediate\", valid for "
          + "365 more days\n"))
  }

  @Test func `a redirect, with its kind`() throws {
    let text = try CheckWorld.plain(exitCode: 1) { _ in .redirect(to: "https://www.example.com/x") }
    #expect(
      text.normalized == """
        127.0.0.1: universal links will not work: the file redirects to https://www.example.com/x \
        (to another host) [F030]
          > GET /.well-known/apple-app-site-association HTTP/1.1
          > Host: 127.0.0.1:PORT
          < HTTP/1.1 301 Moved Permanently
          < content-length: 18
          < content-type: text/html
          < location: https://www.example.com/x
          help: serve the file itself at both paths, and exempt them from the redirect rule: \
        Apple follows no redirect
          source: Apple asks for the file without redirects (grade D)

        fine:
          address      127.0.0.1:PORT

        """)
  }

  @Test func `a page instead of the file`() throws {
    let text = try CheckWorld.plain(exitCode: 1) { _ in
      .answer(type: "text/html", "\n<!DOCTYPE html><title>\u{1B}[31mShop</title>")
    }
    #expect(
      text.hasPrefix(
        #"""
        127.0.0.1: universal links will not work: a web page is served instead of the file: it \#
        begins with "<!DOCTYPE html><title>\x1b[31mShop</title>" [F041]
          > GET /.well-known/apple-app-site-association HTTP/1.1

        """#), "\(text)")
  }

  struct Row: CustomTestStringConvertible, Sendable {
    let code: String
    let script: CheckServer.Script
    var exitCode: Int32 = 1
    /// The verdict after the host.
    let verdict: String
    /// Where several rows have one code.
    var more = ""
    var testDescription: String { code + more }
  }

  private static let broken = "universal links will not work: "
  private static let right = "the association file is served as Apple asks"

  static let rows = [
    Row(
      code: "F020", script: { _ in .stall },
      verdict: broken + "timed out while the answer was received, after 1500 ms ["),
    Row(
      code: "F021", script: { _ in .text("SSH-2.0-x\r\n") },
      verdict: broken + #"the answer is not HTTP: it begins with "SSH-2.0-x\r\n""#),
    Row(
      code: "F021",
      script: { _ in .text("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}") },
      verdict: broken + "the connection ended before the end of the chunked content, after 2 bytes",
      more: "-cut-off"),
    Row(
      code: "F022", script: { _ in .answer(fields: ["Content-Encoding: gzip"], "{}") },
      verdict: broken + "the content is labeled as gzip but is not gzip"),
    Row(
      code: "F026", script: { _ in .answer("400 Bad Request", "No required SSL certificate") },
      verdict: broken + "the server demands a client certificate (400)"),
    Row(
      code: "F031", script: { _ in .answer("404 Not Found", "no") },
      verdict: broken + "there is no file, neither in /.well-known nor at the root (404)"),
    Row(
      code: "F032", script: { _ in .answer("403 Forbidden", "no") },
      verdict: broken + "access to the file is refused (403)"),
    Row(
      code: "F033", script: { _ in .answer("502 Bad Gateway", "no") },
      verdict: broken + "the server fails (502)"),
    Row(
      code: "F034", script: { _ in .answer("204 No Content", "") },
      verdict: broken + "the answer has status 204 instead of 200"),
    Row(
      code: "F042", script: { _ in .answer("200 OK", "") },
      verdict: broken + "the answer is empty"),
    Row(
      code: "F023",
      script: { _ in .text("HTTP/1.1 200 OK\nContent-Type: application/json\n\n" + good) },
      exitCode: 0, verdict: right + ", with 2 warnings"),
    Row(
      code: "F035",
      script: { path(of: $0) == wellKnown ? .answer("404 Not Found", "no") : .answer(good) },
      exitCode: 0, verdict: right + ", with 2 warnings"),
    Row(
      code: "F036",
      script: { path(of: $0) == wellKnown ? .answer(good) : .answer("404 Not Found", "no") },
      exitCode: 0, verdict: right + ", with 1 warning"),
    Row(
      code: "F037",
      script: { .answer(path(of: $0) == wellKnown ? good : shopFile(components: "[]")) },
      exitCode: 0, verdict: right + ", with 2 warnings"),
    Row(
      code: "F040", script: { _ in .answer(type: "application/octet-stream", good) }, exitCode: 0,
      verdict: right + ", with 2 warnings"),
    Row(
      code: "F050",
      script: { $0.contains("AASA-Bot") ? .answer("403 Forbidden", "no") : .answer(good) },
      verdict: broken
        + "Apple's robot gets status 403, while a device and a browser get the file: a firewall "
        + "or bot protection treats them differently ["),
    Row(
      code: "F051",
      script: { $0.contains("swcd") ? .answer("403 Forbidden", "no") : .answer(good) },
      verdict: "devices in developer mode do not get the file: a device gets status 403, but "
        + "Apple's robot gets the file ["),
    Row(
      code: "F052",
      script: { .answer($0.contains("Mozilla") ? shopFile(components: "[]") : good) }, exitCode: 0,
      verdict: right + ", with 1 warning"),
    Row(
      code: "J0", script: { _ in .answer("{,}") },
      verdict: broken + "the file is not valid JSON: there is nothing before this comma ["),
    Row(
      code: "F032",
      script: { _ in
        .answer(
          "403 Forbidden", type: "text/html", fields: ["Cf-Mitigated: challenge"],
          "<title>Just a moment...</title>")
      },
      verdict: broken + "bot protection refuses access to the file (403)", more: "-challenge"),
  ]

  @Test(arguments: rows) func `each finding has its code and verdict`(_ row: Row) throws {
    var options = CheckWorld.Options()
    options.timeout = 1_500
    let text = try CheckWorld.plain(exitCode: row.exitCode, options, row.script)
    text.says(.start("127.0.0.1: " + row.verdict), " [\(row.code)")
    try expectKept(text.normalized, as: row.code + row.more)
  }

  @Test func `an answer that takes its time`() throws {
    let file = Self.good + String(repeating: " ", count: 703)
    let answer = CheckServer.Answer.answer(file)
    guard case .bytes(let bytes) = answer else { return }
    let text = try CheckWorld.plain(exitCode: 0) { request in
      request.contains("AASA-Bot") && path(of: request) == Self.wellKnown
        ? .late(4_200, bytes) : .bytes(bytes)
    }
    text.says("took 4.2 s")
    try expectKept(text.normalized.replacing("took 4.2 s", with: "took N s"), as: "F024")
  }

  @Test(arguments: [
    ("type=\"password\"", "a login page is served"),
    ("<title>Just a moment...</title>", "a bot protection challenge is served"),
    ("<title>Welcome to nginx!</title>", "the web server's own default page is served"),
    ("<div id=\"root\"></div>", "the start page of a web application is served"),
    ("<title>404</title>", "a page that says \"not found\", with status 200, is served"),
    ("<p>Hello</p>", "a web page is served"),
  ])
  func `kinds of pages are distinguished`(body: String, words: String) throws {
    let world = CheckWorld.http { _ in .answer(type: "text/html", "<!doctype html>" + body) }
    let text = try world.check(CheckWorld.url, exitCode: 1)
    let name = words.split(separator: " ").filter { $0 != "is" && $0 != "served" }
    text.says(.start("127.0.0.1: universal links will not work: \(words) "))
    try expectKept(
      text.normalized,
      as: "F041-" + name.joined(separator: "-").filter { $0.isLetter || $0 == "-" })
  }

  @Test func `a rule against hidden files is named`() throws {
    let server = CheckServer {
      path(of: $0) == Self.wellKnown ? .answer("403 Forbidden", "no") : CheckServer.good($0)
    }
    try CheckWorld(server).check(exitCode: 1).says(
      "the server refuses access to /.well-known (403), although the root has the file [F032]",
      "look for a rule against names that begin with a dot")
  }

  @Test func `answers that change are no matter of the client`() throws {
    let count = Counter()
    let server = CheckServer { request in
      guard path(of: request) == Self.wellKnown else { return CheckServer.good(request) }
      return count.next().isMultiple(of: 2)
        ? .answer("500 Internal Server Error", "no") : .answer(Self.good)
    }
    try CheckWorld(server).check(exitCode: 1).says(
      .start(
        "example.com: universal links will fail for some devices: the same request gets the file "
          + "one time and status 500 the next"), "[F112]", .lacks("F050"), .lacks("F051"))
  }

  @Test func `a challenge of AWS is a bot protection`() throws {
    let server = CheckServer { _ in
      .answer("202 Accepted", type: "text/html", fields: ["x-amzn-waf-action: challenge"], "")
    }
    try CheckWorld(server).check(exitCode: 1).says(
      "bot protection refuses access to the file (202) [F032]")
  }

  @Test func `two types of content are one too many`() throws {
    let server = CheckServer {
      path(of: $0).hasSuffix("site-association")
        ? .answer(fields: ["Content-Type: text/html"], Self.good) : CheckServer.good($0)
    }
    try CheckWorld(server).check(exitCode: 0).says(
      "warning: the answer has 2 Content-Type fields, and different clients use different fields")
  }

  @Test func `the page of an application at the root is only a note`() throws {
    let server = CheckServer {
      if path(of: $0) == "/apple-app-site-association" {
        return .answer(type: "text/html", "<html><div id=\"root\">")
      }
      return CheckServer.good($0)
    }
    try CheckWorld(server).check(exitCode: 0).says(
      .start(Self.served + "\n"),
      "note: the root serves a web page, but /.well-known serves the file [F037]")
  }

  @Test func `a file that is not JSON says what follows`() throws {
    let broken = String(Self.good.dropLast()) + ",}"
    try CheckWorld(CheckServer(CheckServer.serving(broken))).check(exitCode: 1).says(
      .start(
        "example.com: universal links will not work: the file is not valid JSON: a comma follows "
          + "the last member of the object ["))
  }
}
