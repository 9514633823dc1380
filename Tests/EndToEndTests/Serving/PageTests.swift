import Foundation
import TestRunning
import Testing

@testable import EndToEnd

/// `page.html`: what people without the app get at a link.
@Suite("the page for people without the app", .manyAtOnce, .needs(.curl)) struct PageTests {
  private static let html =
    "<!doctype html><title>Shop</title><p>" + String(repeating: "x", count: 500)

  private func workspace(_ page: String = html) throws -> Workspace {
    let workspace = try Workspace()
    try workspace.write(
      "domains/a.example/apple-app-site-association",
      shopFile(
        components: #"""
          [{"/":"/buy/secret","exclude":true},{"/":"/buy/*"},{"/":"/found","?":{"id":"?*"}},
          {"/":"/part","#":"?*"}]
          """#))
    try workspace.write("domains/a.example/page.html", page)
    return workspace
  }

  private func get(
    _ server: Server, _ path: String, host: String = "a.example", method: String = "GET",
    fields: [String] = []
  ) throws -> Response {
    let client = try RawClient(port: server.http)
    try client.send(request(method, path, host: host, fields: fields))
    return try client.receive(to: method)
  }

  /// Paths, and whether the host's file opens them in an app.
  private static let paths: [(path: String, isPage: Bool)] = [
    ("/buy/42", true), ("/buy/42?x=1", true), ("/buy/", true), ("/found?id=1", true),
    ("/buy/secret", false), ("/found", false), ("/found?id=", false), ("/", false),
    ("/part", false), ("/other", false), ("/page.html", false), ("/BUY/42", false),
    ("/.well-known/buy", false), ("/favicon.ico", false),
    // Runs of slashes count as one, and what follows two of them is not a host.
    ("//buy/42", true), ("/buy//42", true), ("//x/buy/42", false), ("//x.example/buy/42", false),
    // Percent-encoding is compared as it is sent, as the rules do.
    ("/b%75y/42", false), ("/buy%2F42", false), ("/buy/%C3%BC", true), ("/buy/secret?x", false),
  ]

  @Test func `exactly the links that the host's file opens in an app get the page`() throws {
    try withServer(try workspace()) { server in
      for row in Self.paths {
        let response = try get(server, row.path)
        #expect(response.status == (row.isPage ? 200 : 404), "\(row.path)")
        if row.isPage {
          #expect(
            response.text == Self.html && response["Content-Type"] == "text/html; charset=utf-8")
        }
      }
      try #expect(get(server, "/buy/42", host: "b.example").status == 404)
      // The association file is as before.
      try #expect(get(server, associationPaths[0])["Content-Type"] == "application/json")
    }
  }

  /// Browsers send these bytes as they stand in a link (URL Standard), although RFC 3986 section 3.3
  /// requires encoding.
  @Test(arguments: ["[1]", "a|b", "{a}^`", "100%", "%zz", "\"<>\\", "\u{FC}"])
  func `a link that browsers send unencoded gets the page, and is malformed elsewhere`(
    text: String
  ) throws {
    try withServer(try workspace()) { server in
      try #expect(get(server, "/buy/\(text)?x").text == Self.html)
      try #expect(get(server, "/buy/42?a[]=\(text)").text == Self.html)
      try #expect(get(server, "/other/\(text)").status == 400)
      try #expect(get(server, "/.well-known/\(text)").status == 400)
      try #expect(get(server, "/buy/\(text)", host: "b.example").status == 400)
    }
  }

  @Test func `a file that opens everything has no page where others look for their files`() throws {
    let workspace = try Workspace()
    try workspace.write("domains/a.example.json", shopFile(components: "[{}]"))
    try workspace.write("domains/a.example.page.html", Self.html)
    let reserved = [
      "/.well-known/assetlinks.json", "/.well-known/x", "/robots.txt", "/favicon.ico",
      "/apple-touch-icon.png", "/apple-touch-icon-precomposed.png",
      "/apple-app-site-association/", "/%2ewell-known/x", "//.well-known/x", "/%66avicon.ico",
      "/robots.txt?x", "/apple-touch-icon-120x120.png", "/apple-app-site-association.json",
    ]
    try withServer(workspace) { server in
      for path in reserved { try #expect(get(server, path).status == 404, "\(path)") }
      for path in ["/", "/x/y?z", "/index.html"] { try #expect(get(server, path).status == 200) }
    }
  }

  @Test func `it is answered like the other files, and scripts and frames are forbidden`() throws {
    let caching = "public, max-age=77"
    try withServer(try workspace(), https: true, ["--cache-control", caching]) { server in
      server.expect(stderr: "a self-signed certificate", "[H021]")
      let page = try get(server, "/buy/1")
      let policy = page["Content-Security-Policy"] ?? ""
      #expect(
        policy == "default-src 'none'; style-src 'unsafe-inline'; img-src data: https:; "
          + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
      #expect(
        page["X-Content-Type-Options"] == "nosniff" && page["Referrer-Policy"] == "no-referrer")
      #expect(page["Vary"] == "Accept-Encoding" && page["Cache-Control"] == caching)
      try #expect(get(server, associationPaths[0])["Cache-Control"] == caching)
      let tag = try #require(page["ETag"])
      let again = try get(server, "/buy/1", fields: ["If-None-Match: \(tag)"])
      #expect(again.status == 304 && again.body.isEmpty)
      let isCompressed = try eventually {
        try get(server, "/buy/1", fields: ["Accept-Encoding: gzip"])["Content-Encoding"] == "gzip"
      }
      #expect(isCompressed)
      try #expect(get(server, "/buy/1", fields: ["If-Match: \"x\""]).status == 412)
      try #expect(get(server, "/buy/1", fields: ["Accept-Encoding: *;q=0"]).status == 406)
      let part = try get(server, "/buy/1", fields: ["Range: bytes=0-2"])
      #expect(part.status == 200 && part.text == Self.html)
      let head = try get(server, "/buy/1", method: "HEAD")
      #expect(head.status == 200 && head.body.isEmpty)
      #expect(head["Content-Length"] == String(Self.html.utf8.count))
      let options = try get(server, "/buy/1", method: "OPTIONS")
      #expect(options.status == 204 && options["Allow"] == "GET, HEAD, OPTIONS")
      let post = try get(server, "/buy/1", method: "POST", fields: ["Content-Length: 0"])
      #expect(post.status == 405 && post["Allow"] != nil)
      try #expect(get(server, "/buy/1", method: "BREW").status == 501)
      try #expect(
        get(server, "/other", method: "POST", fields: ["Content-Length: 0"]).status == 404)
      let secure = try server.curl("-k", "https://a.example/buy/1").response
      #expect(secure?.status == 200 && secure?.text == Self.html)
    }
  }

  @Test func `a new page and new rules count at once, and a page that is removed is gone`() throws {
    let workspace = try workspace()
    try withServer(workspace, ["--withdraw-after", "0s"]) { server in
      try workspace.write("domains/a.example/page.html", "<p>second")
      #expect(try eventually { try get(server, "/buy/1").text == "<p>second" })
      try workspace.write(
        "domains/a.example/apple-app-site-association", shopFile(components: #"[{"/":"/sell"}]"#))
      #expect(try eventually { try get(server, "/sell").status == 200 })
      try #expect(get(server, "/buy/1").status == 404)
      try workspace.remove("domains/a.example/page.html")
      #expect(try eventually { try get(server, "/sell").status == 404 })
      server.expect(stderr: "removed: a.example (its page.html)")
    }
  }

  /// Faulty pages, and what is said.
  private static let faulty: [(page: [UInt8], said: String)] = [
    (Array(repeating: 0x78, count: 65_537), "the page is over 65536 bytes"),
    ([0x3C, 0xFF, 0x3E], "the page is not UTF-8"), ([], "the page is empty"),
  ]

  @Test func `a page that cannot be used does not replace the last good one`() throws {
    for (page, said) in Self.faulty {
      let workspace = try workspace()
      try withServer(workspace) { server in
        try workspace.write("domains/.new", page)
        try workspace.move("domains/.new", to: "domains/a.example/page.html")
        server.expect(stderr: said, "the last good version of the file is still served", "[H046]")
        try #expect(get(server, "/buy/1").text == Self.html)
      }
    }
  }

  @Test func `a page that a link takes from outside the folder is refused`() throws {
    let workspace = try workspace()
    try workspace.write("secret", "<p>secret")
    try withServer(workspace) { server in
      try workspace.link("domains/a.example/.next", to: "../../secret")
      try workspace.move("domains/a.example/.next", to: "domains/a.example/page.html")
      server.expect(stderr: "page.html", "[H038]")
      try #expect(get(server, "/buy/1").text == Self.html)
    }
  }

  @Test func `64 KiB are a page`() throws {
    let page = String(repeating: "x", count: 65_536)
    try withServer(try workspace(page)) { server in
      try #expect(get(server, "/buy/1").text == page)
    }
  }

  @Test(arguments: [(".json", ".page.html"), ("/apple-app-site-association", "/page.html")])
  func `wildcards, lists, aliases and the default host have the page of their files`(
    association: String, page: String
  ) throws {
    let workspace = try Workspace()
    let file = shopFile(components: #"[{"/":"/buy/*"}]"#)
    for name in ["_wildcard.w.example", "links", "_default"] {
      try workspace.write("domains/\(name)\(association)", file)
      try workspace.write("domains/\(name)\(page)", "page of \(name)")
    }
    try workspace.write("domains/links.hosts", "one.example\n*.two.example\n")
    let rows = [
      ("x.w.example", "_wildcard.w.example"), ("w.example", "_wildcard.w.example"),
      ("one.example", "links"), ("y.two.example", "links"), ("any.example", "_default"),
      ("alias.example", "_wildcard.w.example"),
    ]
    try withServer(workspace, ["--alias", "alias.example=x.w.example"]) { server in
      for (host, name) in rows {
        try #expect(get(server, "/buy/1", host: host).text == "page of \(name)", "\(host)")
      }
    }
  }

  @Test func `beside the association file in .well-known it is in the folder above`() throws {
    let workspace = try Workspace()
    let folder = "domains/a.example/"
    try workspace.write(
      folder + ".well-known/apple-app-site-association", shopFile(components: "[{}]"))
    try workspace.write(folder + ".well-known/page.html", Self.html)
    try withServer(workspace) { server in
      server.expect(stderr: ".well-known/page.html", "[H048]")
      try #expect(get(server, "/x").status == 404)
      try workspace.write(folder + "page.html", Self.html)
      #expect(try eventually { try get(server, "/x").status == 200 })
    }
  }

  @Test func `a page in another place is not served, and that is reported`() throws {
    let workspace = try workspace()
    try workspace.write("domains/a.example.page.html", "<p>flat")
    try workspace.write("domains/typo.example.page.html", "<p>alone")
    try workspace.write("domains/b.example.html", "<p>other name")
    try withServer(workspace) { server in
      server.expect(stderr: "b.example.html", "name it b.example.page.html", "[H004]")
      server.expect(
        stderr: "typo.example.page.html", "no association file is beside the page", "[H048]")
      server.expect(stderr: "a.example.page.html is served instead of this page", "[H048]")
      try #expect(get(server, "/buy/1").text == "<p>flat")
      try #expect(get(server, "/buy/1", host: "typo.example").status == 404)
    }
  }

  @Test func `a page that was never good leaves links without an answer, and says so`() throws {
    let workspace = try workspace("")
    try withServer(workspace) { server in
      server.expect(stderr: "the page is empty", "links are answered with 404", "[H046]")
      try #expect(get(server, "/buy/1").status == 404)
      try #expect(get(server, associationPaths[0]).status == 200)
      try workspace.write("domains/a.example/page.html", "<p>good")
      #expect(try eventually { try get(server, "/buy/1").text == "<p>good" })
    }
  }

  @Test func `without a good association file there is no page, and with one its last rules hold`()
    throws
  {
    let workspace = try workspace()
    try workspace.write("domains/b.example.json", "{")
    try workspace.write("domains/b.example.page.html", Self.html)
    try withServer(workspace) { server in
      server.expect(stderr: "b.example.json:1:2: error", "503", "[J018]")
      try #expect(get(server, "/buy/1", host: "b.example").status == 404)
      let file = "domains/a.example/apple-app-site-association"
      try workspace.write(file, "{")
      server.expect(stderr: "last good version of the file is still served", "[J018]")
      try #expect(get(server, "/buy/1").text == Self.html)
    }
  }

  @Test func `a file with too many rules has no page, and a warning says so`() throws {
    let workspace = try workspace()
    // Few rules that take long: hundreds of quick ones are judged for seconds.
    let rules = (0..<16).map { #"{"/":"/a/\#($0)/$(lang)/*"}"# }.joined(separator: ",")
    try workspace.write(
      "domains/a.example/apple-app-site-association", shopFile(components: "[\(rules)]"))
    try withServer(workspace) { server in
      server.expect(stderr: "rules are too many or too long", "[H047]")
      try #expect(get(server, "/a/1/en/b").status == 404)
    }
  }

  @Test func `the log has its path as page, and no fetch is counted`() throws {
    let workspace = try workspace()
    let log = workspace.path("access")
    try withServer(workspace, ["--access-log", log, "--admin", "127.0.0.1:0"]) { server in
      _ = try get(server, "/buy/1?secret=1", fields: [DevRun.device])
      let lines = try AccessLogTests.lines(of: log, count: 1)
      let text = try workspace.text("access")
      #expect(lines.count == 1 && text.contains(#""path":"page""#) && !text.contains("secret"))
      let fetches = try server.status(of: "a.example")["fetches"]
      #expect((fetches as? [Any])?.isEmpty ?? true, "\(String(describing: fetches))")
    }
  }
}
