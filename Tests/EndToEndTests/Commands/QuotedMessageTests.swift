import Foundation
import ScriptedServer
import TestRunning
import Testing

@testable import EndToEnd

/// Whoever searches the pages for a message finds it, so they quote it as it is printed.
@Suite(.manyAtOnce) struct QuotedMessageTests {
  private static let pages = ["BehindAProxy.md", "BesideYourSite.md", "HostingServices.md"]

  private struct Quote: CustomTestStringConvertible {
    let page: String
    let text: String
    let code: String

    var testDescription: String { "\(page): `\(text)` (\(code))" }

    /// Whether a text has everything but what `…` stands for, and the code.
    func isIn(_ report: String) -> Bool {
      report.contains("[\(code)]") && text.split(separator: "…").allSatisfy(report.contains)
    }
  }

  /// Texts of several words in backticks before a code in brackets, as in `` `message` (F030) ``.
  private static func quotes() throws -> [Quote] {
    try pages.flatMap { page in
      let path = repositoryFile("Documentation/" + page)
      let text = try String(contentsOfFile: path, encoding: .utf8)
        .replacing(/```[\s\S]*?```/, with: "").replacing(/\s+/, with: " ")
      let quoted = text.matches(of: /`([^`]* [^`]*)`(?: or `([^`]*)`)? \(([AF]\d{3})\)/)
      return quoted.map(\.output).flatMap { found in
        [found.1, found.2].compactMap(\.self).map {
          Quote(page: page, text: String($0), code: String(found.3))
        }
      }
    }
    .filter { !$0.text.contains("express.static") }
  }

  private static func keptReports() throws -> [String] {
    try ["reports", "rules"].flatMap { folder in
      let url = URL(filePath: repositoryFile("Tests/Corpus/" + folder))
      let names = try FileManager.default.subpathsOfDirectory(atPath: url.path)
      return try names.filter { $0.hasSuffix(".txt") }.map {
        try String(contentsOf: url.appending(path: $0), encoding: .utf8)
      }
    }
  }

  /// Reports on a domain of its own name, which the kept ones do not have.
  private static func hostReports(_ workspace: Workspace) throws -> [String] {
    let authority = try TestAuthority()
    let identity = try authority.issue("example.com", "www.example.com", "click.example.com")
    let plain = try ScriptedServer { _ in [.redirect(to: "https://example.com/x")] }
    func report(
      _ target: String, _ hosts: [String] = ["example.com", "www.example.com"],
      _ script: @escaping ScriptedServer.Script
    ) throws -> String {
      let secure = try ScriptedServer(
        identity: identity.pem, script: script)
      let ports = hosts.flatMap {
        [
          "--resolve", "\($0):443:127.0.0.1:\(secure.port)",
          "--resolve", "\($0):80:127.0.0.1:\(plain.port)",
        ]
      }
      let run = try workspace.aasa(
        ["check", target, "--ca", authority.rootFile, "--cdn", "none"] + ports)
      #expect(run.errors.isEmpty, "\(run.errors)")
      return run.text
    }
    let file = shopFile(components: #"[{"/":"/buy/*"}]"#)
    let wellKnown = "/.well-known/apple-app-site-association"
    let other = try ScriptedServer { _ in
      [.answer(file.replacing(shop, with: "K27TX9P4QD.org.swift.other"))]
    }
    return [
      try report("example.com") { _ in [.redirect(to: "https://www.example.com" + wellKnown)] },
      try report("example.com") { _ in [.redirect(to: "/en" + wellKnown)] },
      try report("example.com") {
        $0.contains("Host: www.") ? [.answer("404 Not Found", "no")] : [.answer(file)]
      },
      try report("https://click.example.com/buy/1", ["click.example.com"]) {
        path(of: $0) == "/buy/1"
          ? [.redirect(to: "https://www.example.com/1")] : [.answer(file)]
      },
      try workspace.aasa("check", other.url, "--expect", shop).text,
    ]
  }

  @Test(.needs(.openssl)) func `each message on a page is one of the program`() throws {
    let quotes = try Self.quotes()
    let reports = try Self.keptReports() + Self.hostReports(Workspace())
    #expect(quotes.count > 12)
    // In what Caddy's recipe says, and no finding.
    #expect(reports.contains { $0.contains("port 80: a redirect to https://example.com/") })
    for quote in quotes {
      let isPrinted = reports.contains(where: quote.isIn)
      #expect(isPrinted, "\(quote.testDescription)")
    }
  }

  @Test func `a message leads to each section about a service`() throws {
    let path = repositoryFile("Documentation/HostingServices.md")
    let parts = try String(contentsOfFile: path, encoding: .utf8).components(separatedBy: "\n## ")
    let rows = parts[0].split(separator: "\n").filter { $0.hasPrefix("| `") }
    #expect(rows.count > 5 && parts.count > 10)
    for section in parts.dropFirst() {
      let title = String(section.prefix { $0 != "\n" })
      let anchor = title.lowercased().replacing(".", with: "").replacing(" ", with: "-")
      #expect(rows.contains { $0.contains("(#\(anchor))") }, "\(title)")
    }
  }
}
