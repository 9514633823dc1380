import Testing

@testable import Development

/// Reading the output of tunnel programs.
@Suite struct TunnelOutputTests {
  private static let command = TunnelChoice.command("x")

  /// Lines, and the origin that they name for a program.
  private static let lines: [(choice: TunnelChoice, line: String, origin: String?)] = [
    (
      .cloudflared("c"), "INF |  https://kind-words.trycloudflare.com          |",
      "https://kind-words.trycloudflare.com"
    ),
    // Pages to read, and the service itself.
    (.cloudflared("c"), "INF Thank you: https://developers.cloudflare.com/x", nil),
    (.cloudflared("c"), #"Post "https://api.trycloudflare.com/tunnel": EOF"#, nil),
    (.cloudflared("c"), "https://trycloudflare.com.evil.test", nil),
    (
      .ngrok("n"), #"lvl=info msg="started tunnel" addr=http://x:1 url=https://a.ngrok.app"#,
      "https://a.ngrok.app"
    ),
    (.ngrok("n"), "see https://ngrok.com/docs", nil),
    (.ngrok("n"), "url=http://a.ngrok.app", nil),
    (command, "tunneled with tls, https://ab.lhr.life", "https://ab.lhr.life"),
    (command, "https://A.Example/ first, https://b.example second", "https://a.example"),
    (
      command, "docs: https://x.example/docs, https://y.example?z; yours: https://b.example",
      "https://b.example"
    ),
    (command, "(https://a.example), \"https://b.example\"", "https://a.example"),
    (command, "https://a.example:8443/", "https://a.example:8443"),
    (command, "at https://a.example.", "https://a.example"),
    (command, "at https://a.example: yes", "https://a.example"),
    // No names that a link can have.
    (command, "https://localhost:1 https://127.0.0.1/ https:// http://a.example", nil),
    (command, "https://a.example:99999", nil), (command, "https://:443", nil),
    (command, "https://", nil), (command, "", nil), (command, "HTTPS://A.EXAMPLE", nil),
    (command, "https://\u{1B}[1ma.example", nil), (.none(isWanted: true), "https://a.example", nil),
  ]

  @Test func `a line names an origin or none`() {
    for row in Self.lines {
      #expect(TunnelOutput.origin(in: row.line, row.choice) == row.origin, "\(row.line)")
    }
  }

  @Test func `output comes in pieces`() {
    var output = TunnelOutput(Self.command)
    var found: [String] = []
    for byte in "one\r\nhttps://a.example\n\nhttps://b.example".utf8 {
      if let origin = output.take([byte]) { found.append(origin) }
    }
    #expect(found == ["https://a.example"])
    #expect(output.end() == "https://b.example")
    #expect(output.lastLine == "https://b.example")
  }

  @Test func `a line has a limit, and its end does not count`() {
    let url = Array("https://a.example\n".utf8)
    func found(after count: Int) -> String? {
      var output = TunnelOutput(Self.command)
      return output.take(Array(repeating: 0x20, count: count) + url)
    }
    #expect(found(after: DevLimits.tunnelLineBytes - url.count + 1) == "https://a.example")
    #expect(found(after: DevLimits.tunnelLineBytes) == nil)
    var output = TunnelOutput(Self.command)
    #expect(output.take(Array(repeating: 0xFF, count: 1_000_000)) == nil)
    #expect(output.end() == nil && output.lastLine.utf8.count < 20_000)
  }

  @Test func `a command gets the port, wherever it asks for it`() {
    let program = TunnelChoice.command("a {port} {port}{por}").program(port: 80)
    #expect(program?.path == "/bin/sh" && program?.arguments == ["-c", "a 80 80{por}"])
    #expect(TunnelChoice.none(isWanted: true).program(port: 80) == nil)
  }
}
