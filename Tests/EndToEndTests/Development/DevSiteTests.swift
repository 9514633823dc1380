import Foundation
import TestRunning
import Testing

@testable import EndToEnd

/// `aasa dev`: the public side of the tunnel, and following the file.
@Suite("dev site", .manyAtOnce) struct DevSiteTests {
  private func workspace() throws -> Workspace {
    let workspace = try Workspace()
    try workspace.writeShop()
    return workspace
  }

  private static let file = ["site.json", "--tunnel", "none"]

  @Test func `both paths serve the file for any host, and nothing keeps it`() throws {
    let workspace = try workspace()
    try withDev(workspace, Self.file) { dev in
      let text = try workspace.text("site.json")
      for path in associationPaths {
        for host in ["dev.example.test", "a.b.c", "127.0.0.1", "[::1]:99", "EXAMPLE.com:4042"] {
          let response = try dev.get(path, host: host)
          #expect(response.status == 200 && response.text == text, "\(host)")
          #expect(response["Content-Type"] == "application/json")
          #expect(response["Cache-Control"] == "no-store")
        }
      }
      let head = try dev.get(method: "HEAD")
      #expect(head.status == 200 && head.body.isEmpty)
      #expect(head["Content-Length"] == String(text.utf8.count))
      // Without a host the request is ambiguous (RFC 9112 section 3.2).
      try #expect(dev.get(host: nil).status == 400)
    }
  }

  /// Every other path is the test page: also those that the inspector has.
  @Test(arguments: [
    "/", "/buy/42?x=1", "/events", "/requests/1", "/try?url=/buy/1", "/cases", "/cdn",
    "/inspector.js", "/../site.json", "/site.json", "/%2e%2e/etc/passwd",
    // As browsers send them (URL Standard), and some more.
    "/?a[]=1", "/?{|}^`\"<>\\", "/[x]", "/a|b", "/{a}^`", "/100%", "/%zz/%4", "/\u{E4}\u{F6}",
  ]) func `every other path is the test page`(path: String) throws {
    try withDev(try workspace(), Self.file) { dev in
      let response = try dev.get(path)
      #expect(response.status == 200)
      #expect(response["Content-Type"] == "text/html; charset=utf-8")
      #expect(response["Cache-Control"] == "no-store")
      // It is public, by a tunnel.
      #expect(response["X-Robots-Tag"] == "noindex")
      #expect(response["Content-Security-Policy"]?.hasPrefix("default-src 'none'") == true)
      #expect(response["Access-Control-Allow-Origin"] == nil)
      #expect(!response.text.contains("<script"))
      #expect(!response.text.contains(":\(dev.inspector)"), "the inspector is not mentioned")
    }
  }

  @Test func `the test page shows the effect of its URL`() throws {
    try withDev(try workspace(), Self.file + ["--app-store-id", "375380948"]) { dev in
      let page = try dev.get("/buy/42").text
      #expect(page.contains("this link should have opened \(shop), but did not"))
      #expect(page.contains("opens \(shop): the 1st component of details[0]"))
      #expect(page.contains("375380948"))
      try #expect(dev.get("/help").text.contains("stays in the browser"))
      // Foreign text is text, not markup.
      let hostile = try dev.get("/x?%3Cscript%3E='\"><script>").text
      #expect(!hostile.contains("<script>"))
    }
  }

  // MARK: The host's other files

  private static let others = [
    ("assetlinks.json", statements("org.swift.shop", nil)),
    ("webauthn", #"{"origins":["https://shop.example"]}"#), ("passkey-endpoints", "{}"),
  ]

  @Test func `files beside the association file are served by their type, and followed`() throws {
    let workspace = try workspace()
    for (name, text) in Self.others { try workspace.write(name, text) }
    try withDev(workspace, Self.file) { dev in
      for (name, text) in Self.others {
        let response = try dev.get("/.well-known/" + name)
        #expect(response.status == 200 && response.text == text, "\(name)")
        #expect(response["Content-Type"] == "application/json")
      }
      let newer = statements("org.swift.newer", nil)
      try workspace.write("assetlinks.json", newer)
      #expect(try eventually { try dev.get("/.well-known/assetlinks.json").text == newer })
      try workspace.remove("webauthn")
      #expect(try eventually { try dev.get("/.well-known/webauthn").status == 404 })
    }
  }

  @Test func `a broken file beside it is reported, and the version before stays`() throws {
    let workspace = try workspace()
    try workspace.write("assetlinks.json", statements("org.swift.shop", nil))
    try withDev(workspace, Self.file, errors: ["assetlinks.json:1:"]) { dev in
      try workspace.write("assetlinks.json", "[")
      #expect(eventually { dev.errors.contains("assetlinks.json:1:") })
      let response = try dev.get("/.well-known/assetlinks.json")
      #expect(response.text == statements("org.swift.shop", nil))
    }
  }

  /// A page there would pass for the file: `aasa check` calls that F057.
  @Test(arguments: [
    "/.well-known/assetlinks.json", "/.well-known/webauthn", "/.well-known/none",
    "/.well-known/apple-app-site-association/", "/.well-known/",
  ]) func `a well-known file that is not there is not a page`(path: String) throws {
    try withDev(try workspace(), Self.file) { dev in
      let response = try dev.get(path)
      #expect(response.status == 404 && response["Content-Type"] != "text/html; charset=utf-8")
    }
  }

  @Test func `page.html is shown for links that open the app, and for no other`() throws {
    let workspace = try workspace()
    try workspace.write("page.html", "<!doctype html><title>Get the app</title>")
    try withDev(workspace, Self.file) { dev in
      let page = try dev.get("/buy/42?x=1")
      #expect(page.text == "<!doctype html><title>Get the app</title>")
      #expect(page["Content-Type"] == "text/html; charset=utf-8")
      #expect(page["Content-Security-Policy"]?.contains("script-src") == false)
      #expect(page["Content-Security-Policy"]?.hasPrefix("default-src 'none'; ") == true)
      try #expect(dev.get("/help").text.contains("stays in the browser"))
      try workspace.remove("page.html")
      let isTestPage = try eventually { try dev.get("/buy/42").text.contains(", but did not") }
      #expect(isTestPage)
    }
  }

  @Test(arguments: [
    "/favicon.ico", "/robots.txt", "/apple-touch-icon.png", "/apple-app-site-association.json",
  ])
  func `page.html is not shown where aasa serve has no page`(path: String) throws {
    let workspace = try workspace()
    try workspace.write("site.json", association())
    try workspace.write("page.html", "<!doctype html><title>Get the app</title>")
    try withDev(workspace, Self.file) { dev in
      try #expect(dev.get("/buy/42").text.contains("Get the app"))
      try #expect(!dev.get(path).text.contains("Get the app"))
    }
  }

  @Test func `a file with too many rules for a page has none, and a warning says so`() throws {
    let workspace = try workspace()
    // Few rules that take long: hundreds of quick ones are judged for seconds.
    let rules = (0..<16).map { #"{"/": "/buy/\#($0)/$(lang)/*"}"# }.joined(separator: ",")
    try workspace.write(
      "site.json",
      #"{"applinks":{"details":[{"appIDs":["ABCDE12345.org.swift.shop"],"#
        + #""components":[{"/": "/sell/*"},\#(rules)]}]}}"#)
    try workspace.write("page.html", "<!doctype html><title>Get the app</title>")
    try withDev(workspace, Self.file, errors: ["[H047]"]) { dev in
      try #expect(dev.get("/sell/42").text.contains(", but did not"))
    }
  }

  @Test(arguments: [(65_536, 0), (65_537, 1)])
  func `a page has at most 64 KiB`(count: Int, faults: Int) throws {
    let workspace = try workspace()
    try workspace.write("site.page.html", String(repeating: "x", count: count))
    let errors = Array(repeating: "the page is over 65536 bytes", count: faults)
    try withDev(workspace, Self.file, errors: errors) { dev in
      let page = try dev.get("/buy/42").text
      #expect(page.contains(", but did not") == (faults == 1))
    }
  }

  @Test(arguments: ["POST", "PUT", "DELETE", "OPTIONS", "BREW"])
  func `other methods are not allowed`(method: String) throws {
    try withDev(try workspace(), Self.file) { dev in
      let response = try dev.get("/cases", method: method)
      #expect(response.status == 405 && response["Allow"] == "GET, HEAD")
      #expect(dev.shows("\(method) /cases  405"))
    }
  }

  /// Requests at the limits, one past them, and garbage.
  @Test func `requests beyond the limits are refused`() throws {
    try withDev(try workspace(), Self.file) { dev in
      func status(_ text: String) throws -> Int {
        let client = try RawClient(port: dev.port)
        try client.send(text)
        return try client.receive().status
      }
      func target(_ count: Int) -> String { "/" + String(repeating: "x", count: count - 1) }
      try #expect(dev.get(target(8_192)).status == 200)
      try #expect(dev.get(target(8_193)).status == 414)
      let fields = (0..<63).map { "X-\($0): y" }
      try #expect(dev.get(fields: fields).status == 200)
      try #expect(dev.get(fields: fields + ["X: y"]).status == 431)
      try #expect(dev.get(fields: ["Content-Length: 1"]).status == 413)
      try #expect(status("\u{16}\u{3}\u{1}\r\n\r\n") == 400)
      try #expect(status("GET / HTTP/2.0\r\nHost: a\r\n\r\n") == 505)
    }
  }

  @Test func `what is refused is shown with its reason`() throws {
    try withDev(try workspace(), Self.file) { dev in
      let client = try RawClient(port: dev.port)
      try client.send("GET /no\u{1}where HTTP/1.1\r\nHost: a\r\nUser-Agent: odd\r\n\r\n")
      try #expect(client.receive().status == 400)
      #expect(dev.shows("GET /no"))
      #expect(dev.shows("refused: the request's head contains a control character"))
      try #expect(dev.get("/sent", fields: ["Content-Length: 1"]).status == 413)
      #expect(dev.shows("GET /sent  413  35 bytes  refused: the request's content is too large"))
      let events = try dev.events()
      let first = try object(Array(#require(events.next("request")).data.utf8))
      #expect(value(first, "kind") == "refused" && value(first, "agent") == "odd")
      #expect(value(first, "fault") == "the request's head contains a control character")
      let number: Int = try #require(value(first, "number"))
      let detail = try dev.json("/requests/\(number)")
      #expect((value(detail, "requestHead") as String?)?.contains("Host: a") == true)
    }
  }

  @Test func `many connections to the site of dev do not keep others from being answered`() throws {
    try withDev(try workspace(), Self.file) { dev in
      let idle = try (0..<150).map { _ in try RawClient(port: dev.port) }
      try #expect(dev.get().status == 200)
      withExtendedLifetime(idle) {}
    }
  }

  // MARK: The file

  @Test func `a saved file is served, and its changes are reported`() throws {
    let workspace = try workspace()
    try withDev(workspace, Self.file) { dev in
      let before: String? = value(try dev.state(), "version")
      try workspace.write("site.json", shopFile(components: #"[{"/":"/sell/*"}]"#))
      #expect(dev.shows("/sell"))
      #expect(dev.shows("browser → opens, for example") && dev.shows("opens → browser"))
      let state = try dev.state()
      #expect(value(state, "version") as String? != before)
      #expect((value(state, "file", "changes") as [String]?)?.count == 2)
      try #expect(dev.get().text.contains("/sell/*"))
      // As editors do.
      try workspace.write("site.json", shopFile(components: #"[{"/":"/third/*"}]"#))
      #expect(try eventually { try dev.get().text.contains("/third/*") })
      // By a link that then leads elsewhere.
      try workspace.writeShop("other.json", path: "/fourth/*")
      try workspace.remove("site.json")
      try workspace.link("site.json", to: "other.json")
      #expect(try eventually { try dev.get().text.contains("/fourth/*") })
      try workspace.writeShop("other.json", path: "/fifth/*")
      #expect(try eventually { try dev.get().text.contains("/fifth/*") })
    }
  }

  /// Files that are not association files, and their codes.
  private static let broken = [
    ("{", "J"), ("", "J"), ("[]", "A002"), (#"{"applinks":{"details":"x"}}"#, "A"),
    (String(repeating: " ", count: 131_073), "A001"),
    ("{\"a\":\"" + String(repeating: "x", count: 2_000_000) + "\"}", "A001"),
  ]

  @Test func `a broken file ends nothing: the last good one stays`() throws {
    let workspace = try workspace()
    let good = try workspace.text("site.json")
    try withDev(workspace, Self.file) { dev in
      for (text, code) in Self.broken {
        try workspace.write("site.json", text)
        let isReported = try dev.becomes { state in
          value(state, "file", "isServed") == false
            && ((value(state, "file", "diagnostics") as [[String: Any]]?) ?? []).contains {
              ($0["code"] as? String)?.hasPrefix(code) == true
            }
        }
        #expect(isReported, "\(text.prefix(20))")
        try #expect(dev.get().text == good)
        try #expect(dev.get("/buy/1").text.contains("has an error"))
      }
      #expect(dev.output.contains("is still served"))
      try workspace.remove("site.json")
      #expect(dev.shows("the file cannot be read"))
      try #expect(dev.get().text == good)
      try workspace.write("site.json", good)
      #expect(try dev.becomes { value($0, "file", "isServed") == true })
    }
  }

  @Test func `the version that is served all the time is not a change again`() throws {
    let workspace = try workspace()
    try withDev(workspace, Self.file) { dev in
      let sold = shopFile(components: #"[{"/":"/sell/*"}]"#)
      try workspace.write("site.json", sold)
      #expect(dev.shows("browser → opens, for example"))
      try workspace.write("site.json", "{")
      #expect(dev.shows("is still served"))
      try workspace.write("site.json", sold)
      #expect(dev.shows("the file matches the served version again"))
      #expect(dev.output.components(separatedBy: "browser → opens, for example").count == 2)
    }
  }

  @Test func `a file that is broken from the beginning is waited for`() throws {
    let workspace = try workspace()
    try workspace.write("site.json", "{")
    try withDev(workspace, Self.file) { dev in
      try #expect(dev.get().status == 503)
      #expect(value(try dev.state(), "version") as String? == nil)
      try #expect(dev.get("/buy/1").text.contains("no valid file yet"))
      try workspace.writeShop()
      #expect(try eventually { try dev.get().status == 200 })
    }
  }

  @Test func `a file is made from app identifiers and paths`() throws {
    let workspace = try Workspace()
    let arguments = [
      "--app", shop, "--path", "/buy/*", "--path", "NOT /buy/secret", "--tunnel", "none",
    ]
    try withDev(workspace, arguments) { dev in
      #expect(dev.output.contains("made from --app"))
      try dev.get().text.says(.part(shop), "/buy/secret")
      let state = try dev.state()
      #expect(value(state, "file", "path") as String? == nil)
      #expect(value(state, "apps") as [String]? == [shop])
    }
  }

  /// Wrong arguments, and the messages.
  private static let wrong: [(arguments: [String], said: String)] = [
    ([], "aasa dev --app TEAM.bundle"), (["none.json"], "cannot read none.json"),
    (["domains"], "domains is not a file"), (["site.json", "--app", shop], "not both"),
    (["--path", "/buy"], "--path needs --app"),
    (["site.json", "--app-store-id", "id1"], "--app-store-id"),
    (["site.json", "--host", "localhost"], "--host localhost"),
    (["site.json", "--host", "a.example", "--host", "b.example"], "--host is given 2 times"),
    (["site.json", "--host", "a.b:1"], "--host a.b:1"), (["site.json", "--cdn", "x"], "--cdn x"),
    (["site.json", "--tunnel", ""], "--tunnel"),
    (
      ["site.json", "--tunnel", "no-such-tunnel --port {port}"],
      "there is no program no-such-tunnel"
    ),
    (["site.json", "--tunnel", "./missing"], "there is no program ./missing"),
    (["site.json", "--port", "65536"], "65536"),
  ]

  @Test func `wrong usage of dev is reported, and the exit code is 2`() throws {
    let workspace = try workspace()
    for (arguments, said) in Self.wrong {
      let run = try workspace.aasa(["dev"] + arguments)
      #expect(run.exitCode == 2 && run.errors.contains(said), "\(arguments): \(run.errors)")
    }
  }

  @Test func `a port that is taken is an error, and the inspector takes another one`() throws {
    let workspace = try workspace()
    try withDev(workspace, Self.file) { first in
      let run = try workspace.aasa(["dev"] + Self.file + ["--port", String(first.port)])
      #expect(run.exitCode == 1)
      #expect(run.errors.contains("127.0.0.1:\(first.port)") && run.errors.contains("--port"))
      let taken = Self.file + ["--inspector-port", String(first.inspector)]
      try withDev(workspace, taken) { second in
        #expect(second.inspector != first.inspector)
        try #expect(second.inspect("/").status == 200)
      }
    }
  }
}
