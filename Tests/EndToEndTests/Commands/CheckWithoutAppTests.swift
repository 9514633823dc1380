import Foundation
import ScriptedServer
import TestRunning
import Testing

@testable import EndToEnd

/// `aasa check` with a link: what a person without the app gets there; and what to do at a hosting
/// service that says which one it is.
@Suite(.manyAtOnce) struct CheckWithoutAppTests {
  private static let file = shopFile(components: #"[{"/":"/buy/*"}]"#)

  private static func report(
    _ path: String = "", arguments: [String] = [], _ script: @escaping ScriptedServer.Script
  ) throws -> String {
    let server = try ScriptedServer(script: script)
    return try run(Server.program, ["check", server.url + path, "--cdn", "none"] + arguments).text
  }

  /// The answer at the link, and the note with its help.
  private static let links: [(answer: ScriptedServer.Step, note: String)] = [
    (
      .answer(type: "text/html", "<meta name=\"apple-itunes-app\" content=\"app-id=1\">"),
      "the link shows a page on which Safari offers the app in a banner [F133]\n"
        + "  help: nothing needs to be done"
    ),
    (
      .answer(type: "text/html; charset=utf-8", "<p>Shop"),
      "the link shows a page on which Safari does not offer the app [F133]\n"
        + "  help: if it should, put <meta name=\"apple-itunes-app\""
    ),
    (
      .redirect(to: "https://apps.apple.com/app/id1"),
      "the link leads to the App Store [F133]\n  help: nothing needs to be done"
    ),
    (
      .redirect(to: "https://play.google.com/store/apps/details?id=a.b"),
      "the link leads to Google Play [F133]\n  help: nothing needs to be done"
    ),
    (
      .redirect(to: "/login"),
      "the link leads to /login [F133]\n  help: check that this page leads to the app"
    ),
    (
      .answer("404 Not Found", "no"),
      "the link is not found (404) [F133]\n  help: serve a page there"
    ),
    (
      .answer("{}"),
      "the link shows content of the type application/json [F133]\n  help: serve a page there"
    ),
    (
      .answer("503 Service Unavailable", "no"),
      "the link is answered with status 503 [F133]\n  help: serve a page there"
    ),
  ]

  @Test(arguments: links.indices)
  func `a note says what a person without the app gets`(index: Int) throws {
    let (answer, note) = Self.links[index]
    let text = try Self.report("/buy/42") {
      path(of: $0) == "/buy/42" ? [answer] : [.answer(Self.file)]
    }
    #expect(text.contains("note: without the app, " + note), "\(text)")
  }

  @Test func `without a link there is no such note`() throws {
    try #expect(!Self.report { _ in [.answer(Self.file)] }.contains("F133"))
  }

  // MARK: Hosting services

  private static let services: [(field: String, answer: String, help: String)] = [
    ("Server: GitHub.com", "missing", "add an empty file .nojekyll"),
    ("Server: Microsoft-IIS/10.0", "missing", "add a mimeMap with fileExtension=\".\""),
    ("Server: Kestrel", "missing", "serve the path with MapGet"),
    ("Server: AmazonS3", "missing", "put a rewrite to a copy named .json"),
    ("Server: Netlify", "missing", "check that the build copies that folder"),
    ("Server: Squarespace", "missing", "use a separate subdomain for the links"),
    ("Server: Vercel", "redirect", "under Settings > Domains, serve both"),
    ("Server: Netlify", "redirect", "redirects to its primary domain before it serves any file"),
    ("Server: AmazonS3", "page", "CloudFront's custom error response"),
    ("Powered-By: Shopify", "file", "Shopify writes this file itself"),
    ("Server: other", "missing", "files without an extension"),
    ("Server: other", "redirect", "exempt them from the redirect rule"),
  ]

  @Test(arguments: services.indices)
  func `the help is that of the service which answers`(index: Int) throws {
    let (field, answer, help) = Self.services[index]
    let text = try Self.report(arguments: ["--expect", "K27TX9P4QD.org.other"]) {
      (_: String) -> [ScriptedServer.Step] in
      switch answer {
      case "missing": return [.answer("404 Not Found", type: "text/html", fields: [field], "no")]
      case "redirect":
        let fields = [field, "Location: https://www.a.example/x"]
        return [.answer("308 Permanent Redirect", fields: fields, "")]
      case "page": return [.answer(type: "text/html", fields: [field], "<html><div id=\"root\">")]
      default: return [.answer(fields: [field], Self.file)]
      }
    }
    #expect(text.contains(help), "\(text)")
  }
}
