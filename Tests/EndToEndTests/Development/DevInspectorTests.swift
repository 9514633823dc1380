import Foundation
import ScriptedServer
import TestRunning
import Testing

@testable import EndToEnd

/// `aasa dev`: the inspector, which only this machine's own browser may ask.
@Suite("dev inspector", .manyAtOnce) struct DevInspectorTests {
  private func workspace() throws -> Workspace {
    let workspace = try Workspace()
    try workspace.writeShop()
    return workspace
  }

  private static let file = ["site.json", "--tunnel", "none", "--host", "dev.example.test"]

  /// Hosts, with `*` for the port, and whether they are answered.
  private static let hosts: [(host: String, isAnswered: Bool)] = [
    ("127.0.0.1:*", true), ("localhost:*", true), ("[::1]:*", true), ("LocalHost:*", true),
    ("127.0.0.1", false), ("localhost:1", false), ("rebinding.example:*", false),
    ("dev.example.test:*", false), ("127.0.0.2:*", false), ("0.0.0.0:*", false),
  ]

  @Test func `only this machine's own names are answered`() throws {
    try withDev(try workspace(), Self.file) { dev in
      for row in Self.hosts {
        let host = row.host.replacing("*", with: String(dev.inspector))
        for path in ["/", "/events", "/try?url=/buy/1"] where path != "/events" || !row.isAnswered {
          let response = try dev.inspect(path, host: host)
          #expect(response.status == (row.isAnswered ? 200 : 403), "\(host) \(path)")
          if !row.isAnswered { #expect(response.text.contains(#"{"error":""#)) }
        }
      }
    }
  }

  /// Origins, with `*` for the port, and whether a change is taken from them.
  private static let origins: [(origin: String, isTaken: Bool)] = [
    ("http://127.0.0.1:*", true), ("http://localhost:*", true), ("http://[::1]:*", true),
    ("https://127.0.0.1:*", false), ("http://127.0.0.1:1", false), ("null", false),
    ("https://dev.example.test", false), ("http://localhost.evil.test:*", false),
  ]

  @Test func `changes are taken from its own page only`() throws {
    try withDev(try workspace(), Self.file) { dev in
      for (index, row) in Self.origins.enumerated() {
        let origin = row.origin.replacing("*", with: String(dev.inspector))
        let response = try dev.inspect(
          "/cases", method: "POST", origin: origin, content: #"{"url":"/\#(index)","opens":null}"#)
        #expect(response.status == (row.isTaken ? 200 : 403), "\(origin)")
        #expect(response["Access-Control-Allow-Origin"] == nil)
      }
      let client = try RawClient(port: dev.inspector)
      try client.send(
        request("DELETE", "/cases?url=/0", host: "127.0.0.1:\(dev.inspector)"))
      try #expect(client.receive().status == 403)
      // A page of another program on this machine.
      for site in ["same-site", "cross-site"] {
        try #expect(dev.inspect("/try?url=/", ["Sec-Fetch-Site: \(site)"]).status == 403)
        try #expect(dev.inspect("/", ["Sec-Fetch-Site: \(site)"]).status == 200)
      }
      try #expect(dev.inspect("/try?url=/", ["Sec-Fetch-Site: same-origin"]).status == 200)
    }
  }

  @Test func `each answer keeps other pages and scripts out`() throws {
    try withDev(try workspace(), Self.file) { dev in
      for path in [
        "/", "/inspector.css", "/inspector.js", "/try?url=/buy/1", "/cases", "/requests/1", "/none",
        "/qr.svg?text=x",
      ] {
        let response = try dev.inspect(path)
        let policy = response["Content-Security-Policy"] ?? ""
        #expect(
          policy
            == "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
            + "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
        #expect(response["Cache-Control"] == "no-store")
        #expect(response["X-Content-Type-Options"] == "nosniff")
        #expect(response["Referrer-Policy"] == "no-referrer")
      }
      for method in ["PUT", "PATCH", "OPTIONS"] {
        try #expect(dev.inspect("/cases", method: method).status == 405)
      }
      try #expect(dev.inspect("/", method: "POST").status == 405)
    }
  }

  /// URLs, and the sentence of the trial.
  private static let trials: [(url: String, sentence: String, opens: Bool)] = [
    ("/buy/42", "opens \(shop): the 3rd component of details[0] in line 1 matches", true),
    ("https://dev.example.test/buy/42", "opens", true),
    ("https://example.com/buy/42", "the URL's host is not the public host", true),
    ("/buy/secret", "the 1st component of details[0] in line 1 excludes the URL", false),
    ("/help", "none of the 4 rules matches", false),
  ]

  @Test func `requests are exported as an archive that browsers import`() throws {
    try withDev(try workspace(), Self.file) { dev in
      try #expect(dev.get("/buy/1?x=[1]", fields: ["X-Mark: a: b"]).status == 200)
      let answer = try dev.inspect("/requests.har")
      #expect(answer["Content-Disposition"] == "attachment; filename=aasa-dev.har")
      let log = try object(answer.body)["log"] as? [String: Any] ?? [:]
      #expect(value(log, "version") == "1.2" && value(log, "creator", "name") == "aasa")
      let entry = try #require((value(log, "entries") as [[String: Any]]?)?.first)
      #expect(value(entry, "request", "url") == "https://dev.example.test/buy/1?x=[1]")
      #expect(value(entry, "response", "status") == 200)
      let fields: [[String: String]] = value(entry, "request", "headers") ?? []
      #expect(fields.contains(["name": "X-Mark", "value": "a: b"]))
    }
  }

  @Test func `a URL is tried, and every rule is reported`() throws {
    let workspace = try workspace()
    try workspace.write(
      "site.json",
      shopFile(
        components:
          #"[{"/":"/buy/secret","exclude":true},{"/":"/a"},{"/":"/buy/*"},{"/":"/b"}]"#))
    try withDev(workspace, Self.file) { dev in
      for row in Self.trials {
        let trial = try dev.json("/try?url=\(row.url)")
        #expect((value(trial, "sentence") as String?)?.contains(row.sentence) == true, "\(trial)")
        #expect((value(trial, "opens") as [Any]?)?.isEmpty == !row.opens)
      }
      let trial = try dev.json("/try?url=/buy/42")
      let rules: [[String: Any]] = value(trial, "rules") ?? []
      #expect(
        rules.map { $0["result"] as? String } == ["matches", "no match", "no match", "not reached"])
      #expect(rules.last?["reason"] is NSNull)
      for url in ["ftp://x/", "", "x", "https://"] {
        #expect(value(try dev.json("/try?url=\(url)"), "error") as String? != nil, "\(url)")
      }
      func long(_ count: Int) -> String { "/" + String(repeating: "x", count: count - 1) }
      #expect(value(try dev.json("/try?url=" + long(4_096)), "error") as String? == nil)
      #expect(value(try dev.json("/try?url=" + long(4_097)), "error") as String? != nil)
      try #expect(dev.inspect("/try").status == 422)
    }
  }

  @Test func `of changes that are sent at once none is lost`() throws {
    let workspace = try workspace()
    try withDev(workspace, Self.file + ["--cases", "app.cases"]) { dev in
      let clients = try (0..<40).map { number in
        let client = try RawClient(port: dev.inspector)
        let content = #"{"url":"/\#(number)","opens":null}"#
        let fields = [
          "Origin: http://127.0.0.1:\(dev.inspector)", "Content-Length: \(content.utf8.count)",
        ]
        let host = "127.0.0.1:\(dev.inspector)"
        try client.send(request("POST", "/cases", host: host, fields: fields) + content)
        return client
      }
      for client in clients { try #expect(client.receive().status == 200) }
      let lines = try workspace.text("app.cases").split(separator: "\n").map(String.init)
      #expect(lines.sorted() == (0..<40).map { "/\($0)  browser" }.sorted())
    }
  }

  @Test func `a list of URLs is kept in the case file, without touching other lines`() throws {
    let workspace = try workspace()
    try workspace.write("app.cases", "# of the team\n/buy/1 opens \(shop) # tapped\n/help browser")
    try withDev(workspace, Self.file + ["--cases", "app.cases"]) { dev in
      func post(_ url: String, _ app: String?) throws -> Int {
        let opens = app.map { "\"\($0)\"" } ?? "null"
        return try dev.inspect(
          "/cases", method: "POST", content: #"{"url":"\#(url)","opens":\#(opens)}"#
        ).status
      }
      try #expect(post("https://example.com/buy/2", shop) == 200)
      try #expect(post("/sell", nil) == 200)
      try #expect(post("/sell", nil) == 409)
      for (url, app) in [
        ("", nil), ("x", nil), ("/a b", nil), ("ftp://a/", nil), ("/c", ""), ("/c", "a b"),
        ("/" + String(repeating: "u", count: 4_096), nil),
        ("/c", String(repeating: "a", count: 257)),
      ] as [(String, String?)] {
        try #expect(post(url, app) == 422, "\(url.prefix(20)) \(app ?? "")")
      }
      try #expect(dev.inspect("/cases", method: "POST", content: "{").status == 422)
      try #expect(dev.inspect("/cases", method: "POST", content: #"{"url":1}"#).status == 422)
      let list = try dev.json("/cases?url=/help", method: "DELETE")
      let cases: [[String: Any]] = value(list, "cases") ?? []
      #expect(
        cases.map { $0["url"] as? String } == ["/buy/1", "https://example.com/buy/2", "/sell"])
      #expect(cases.map { $0["passes"] as? Bool } == [true, true, true])
      try #expect(dev.inspect("/cases?url=/help", method: "DELETE").status == 409)
      try #expect(
        workspace.text("app.cases") == """
          # of the team
          /buy/1 opens \(shop) # tapped
          https://example.com/buy/2  opens  \(shop)
          /sell  browser

          """)
      // The links to tap are those, on the public host.
      let links: [[String: Any]] = value(try dev.state(), "links") ?? []
      #expect(links.last?["url"] as? String == "https://dev.example.test/sell")
      // Somebody edits it.
      try workspace.write("app.cases", "/new blocked\n")
      let isRead = try dev.becomes { state in
        let links: [[String: Any]] = value(state, "links") ?? []
        return links.map { $0["url"] as? String } == ["https://dev.example.test/new"]
      }
      #expect(isRead)
      let one: [[String: Any]] = value(try dev.json("/cases"), "cases") ?? []
      #expect(one.first?["passes"] as? Bool == false)
      #expect(value(try dev.json("/cases"), "path") == "app.cases")
    }
  }

  @Test func `content has a limit`() throws {
    try withDev(try workspace(), Self.file) { dev in
      let content = #"{"url":"/x","opens":null}"#
      func padded(_ count: Int) -> String {
        content + String(repeating: " ", count: count - content.utf8.count)
      }
      try #expect(dev.inspect("/cases", method: "POST", content: padded(16_384)).status == 200)
      try #expect(dev.inspect("/cases", method: "POST", content: padded(16_385)).status == 413)
      // In chunks, and after having asked.
      let client = try RawClient(port: dev.inspector)
      let fields = [
        "Origin: http://127.0.0.1:\(dev.inspector)", "Transfer-Encoding: chunked",
        "Expect: 100-continue",
      ]
      try client.send(
        request("POST", "/cases", host: "127.0.0.1:\(dev.inspector)", fields: fields))
      try #expect(client.receive().status == 100)
      let other = #"{"url":"/y","opens":null}"#
      for byte in "\(String(other.utf8.count, radix: 16))\r\n\(other)\r\n0\r\n\r\n".utf8 {
        try client.send([byte])
      }
      try #expect(client.receive().status == 200)
    }
  }

  @Test func `a QR code holds a text up to the limit`() throws {
    try withDev(try workspace(), Self.file) { dev in
      func code(_ count: Int) throws -> Response {
        try dev.inspect("/qr.svg?text=" + String(repeating: "x", count: count))
      }
      let response = try code(512)
      #expect(response.status == 200 && response["Content-Type"] == "image/svg+xml")
      #expect(response.text.hasPrefix("<svg "))
      try #expect(code(513).status == 422)
      try #expect(code(0).status == 422)
      try #expect(dev.inspect("/qr.svg").status == 422)
    }
  }

  /// The CDN's answer, and the sentence about it.
  private static let copies: [(step: ScriptedServer.Step, state: String, said: String)] = [
    (.answer(shopFile(components: #"[{"/":"/buy/*"}]"#)), "same", "has this version"),
    (.answer(shopFile(components: #"[ {"/":"/buy/*"} ]"#)), "same", "equivalent file"),
    (.answer(shopFile(components: #"[{"/":"/x"}]"#)), "differs", "another file"),
    (
      .answer(
        fields: ["Cache-Control: max-age=9223372036854775807", "Age: -9223372036854775808"],
        shopFile(components: #"[{"/":"/x"}]"#)), "differs", "another file"
    ),
    (
      .answer(
        "404 Not Found", fields: ["Apple-Failure-Reason: SWCERR00101 Bad HTTP Response: 530"], ""),
      "absent", "SWCERR00101"
    ),
    (.answer("503 Service Unavailable", ""), "failed", "503"), (.text("x"), "offline", "could not"),
  ]

  @Test func `the copy of Apple's CDN is fetched in parallel`() throws {
    for copy in Self.copies {
      let step = copy.step
      let cdn = try ScriptedServer { _ in [step] }
      try withDev(try workspace(), Self.file + ["--cdn", cdn.url + "/a/v1"]) { dev in
        let found = try dev.json("/cdn")
        #expect(value(found, "state") == copy.state, "\(found)")
        #expect("\(found)".contains(copy.said), "\(found)")
        #expect(cdn.requests.first?.hasPrefix("GET /a/v1/dev.example.test ") == true)
      }
    }
  }

  @Test func `a copy that was served before is an older version, not another file`() throws {
    let workspace = try workspace()
    let step = ScriptedServer.Step.answer(try workspace.text("site.json"))
    let cdn = try ScriptedServer { _ in [step] }
    try withDev(workspace, Self.file + ["--cdn", cdn.url]) { dev in
      #expect(value(try dev.json("/cdn"), "state") == "same")
      try workspace.writeShop(path: "/sell/*")
      try #expect(eventually { try dev.get().text.contains("/sell/*") })
      let found = try dev.json("/cdn")
      #expect(value(found, "state") == "older", "\(found)")
      #expect("\(found)".contains("has an older version"), "\(found)")
    }
  }

  @Test func `a slow answer does not delay others`() throws {
    let cdn = try ScriptedServer { _ in [.stall] }
    let arguments = Self.file + ["--cdn", cdn.url, "--timeout", "3s"]
    try withDev(try workspace(), arguments) { dev in
      let waiting = try (0..<5).map { _ in
        let client = try RawClient(port: dev.inspector)
        try client.send(request("GET", "/cdn", host: "127.0.0.1:\(dev.inspector)"))
        return client
      }
      try #expect(dev.inspect("/try?url=/buy/1").status == 200)
      let statuses = try waiting.map { try $0.receive().status }.sorted()
      #expect(statuses == [200, 200, 200, 200, 503])
    }
  }

  @Test func `a reader of the stream that does not read is given up`() throws {
    let workspace = try workspace()
    try workspace.write("site.json", association(ofBytes: 131_072))
    try withDev(workspace, Self.file) { dev in
      let client = try RawClient(port: dev.inspector)
      client.shrinkReceiveBuffer()
      try client.send(request("GET", "/events", host: "127.0.0.1:\(dev.inspector)"))
      // Each change sends the whole file; together that is more than the kernel's and the stream's
      // buffers hold: the most for one socket (tcp(7)), and 4 MiB.
      let limits = try? String(contentsOfFile: "/proc/sys/net/ipv4/tcp_wmem", encoding: .utf8)
      let kernel = limits?.split(whereSeparator: \.isWhitespace).last.flatMap { Int($0) }
      for number in 1...((kernel ?? 16 << 20) + 6 << 20) / 131_072 {
        let content = #"{"url":"/\#(number)","opens":null}"#
        try #expect(dev.inspect("/cases", method: "POST", content: content).status == 200)
      }
      try #expect(client.receiveAll().end != .stillOpen)
      try #expect(dev.inspect("/").status == 200)
    }
  }
}
