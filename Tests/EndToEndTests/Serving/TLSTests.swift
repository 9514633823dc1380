import Foundation
import TestRunning
import Testing

@testable import EndToEnd

/// The behaviour of the TLS port, shown by `openssl s_client`.
@Suite("TLS: protocol", .manyAtOnce, .needs(.openssl)) struct TLSTests {
  private func serving(_ flags: [String] = [], _ body: (Server, TestAuthority) throws -> Void)
    throws
  {
    let workspace = try Workspace()
    let authority = try TestAuthority()
    try workspace.write("domains/a.example.json", association("A"))
    try workspace.write("domains/b.example.json", association("B"))
    for name in ["a", "b"] {
      for kind in [TestCertificate.Kind.rsa, .ecdsa] {
        try workspace.install(
          try authority.issue("\(name).example", kind: kind), as: "\(name)-\(kind)")
      }
    }
    try withServer(workspace, https: true, flags, environment: authority.environment) {
      try body($0, authority)
    }
  }

  private static let goodbye = request(host: "a.example", fields: ["Connection: close"])

  @Test(arguments: ["-tls1_2", "-tls1_3"])
  func `TLS 1.2 and 1.3 are spoken and end with close_notify`(version: String) throws {
    try serving { server, authority in
      let run = try server.sClient(
        version, "-servername", "a.example", "-ign_eof", "-msg", "-verify_return_error",
        "-CAfile", authority.rootFile, "-verify_hostname", "a.example", input: Self.goodbye)
      // Without close_notify this OpenSSL fails with "unexpected eof".
      #expect(run.exitCode == 0, "\(run.errors)")
      #expect(run.text.contains("<<< TLS") && run.text.contains("close_notify"))
      #expect(run.text.contains("HTTP/1.1 200 OK"))
      #expect(run.text.contains(association("A")))
      #expect(run.text.contains("Verify return code: 0 (ok)"))
      #expect(run.text.contains("Compression: NONE") || run.text.contains("No ALPN"))
    }
  }

  @Test(arguments: ["-tls1", "-tls1_1"])
  func `older versions are refused`(version: String) throws {
    try serving { server, _ in
      let run = try server.sClient(
        version, "-servername", "a.example", "-cipher", "DEFAULT:@SECLEVEL=0")
      #expect(run.exitCode != 0)
      run.errors.says("protocol version")
    }
  }

  /// One row per TLS 1.2 suite (RFC 5246, 5289, 7905): whether Mozilla's intermediate list has it.
  static let suites: [(name: String, isOffered: Bool)] = [
    ("ECDHE-ECDSA-AES128-GCM-SHA256", true),
    ("ECDHE-RSA-AES128-GCM-SHA256", true),
    ("ECDHE-ECDSA-AES256-GCM-SHA384", true),
    ("ECDHE-RSA-AES256-GCM-SHA384", true),
    ("ECDHE-ECDSA-CHACHA20-POLY1305", true),
    ("ECDHE-RSA-CHACHA20-POLY1305", true),
    ("ECDHE-ECDSA-AES128-SHA", false),  // CBC
    ("ECDHE-RSA-AES256-SHA384", false),
    ("AES128-GCM-SHA256", false),  // no forward secrecy
    ("AES256-SHA", false),
    ("ECDHE-RSA-NULL-SHA", false),
    ("AECDH-AES128-SHA", false),  // anonymous
    ("PSK-AES128-GCM-SHA256", false),
    ("ECDHE-ECDSA-AES128-CCM", false),
  ]

  @Test func `only Mozilla's intermediate suites are taken in TLS 1.2`() throws {
    try serving { server, _ in
      for suite in Self.suites {
        let run = try server.sClient(
          "-tls1_2", "-servername", "a.example", "-cipher", "\(suite.name):@SECLEVEL=0", "-psk",
          "00")
        #expect((run.exitCode == 0) == suite.isOffered, "\(suite.name)")
        if suite.isOffered { #expect(run.value("Cipher") == suite.name) }
      }
    }
  }

  @Test(arguments: [
    "TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256",
  ])
  func `the suites of TLS 1.3 are taken`(suite: String) throws {
    try serving { server, _ in
      let run = try server.sClient("-tls1_3", "-servername", "a.example", "-ciphersuites", suite)
      #expect(run.exitCode == 0, "\(run.errors)")
      #expect(run.text.contains("Cipher is \(suite)"))
    }
  }

  @Test func `renegotiation is refused`() throws {
    try serving { server, _ in
      // `R` asks for it; it needs the interactive mode.
      let run = try server.sClient("-tls1_2", "-servername", "a.example", input: "R\n")
      #expect(run.errors.contains("RENEGOTIATING"))
      #expect(
        run.exitCode != 0 || run.errors.contains("no renegotiation"), "\(run.text) \(run.errors)")
      #expect(run.text.contains("Compression: NONE"))
    }
  }

  @Test
  func `ALPN accepts http/1.1, is optional, and refuses clients that offer only others`() throws {
    try serving { server, _ in
      for version in ["-tls1_2", "-tls1_3"] {
        for offer in ["http/1.1", "h2,http/1.1", "http/1.1,h2", "http/1.0,http/1.1"] {
          let run = try server.sClient(version, "-servername", "a.example", "-alpn", offer)
          #expect(run.exitCode == 0, "\(offer): \(run.errors)")
          #expect(run.text.contains("ALPN protocol: http/1.1"), "\(offer)")
        }
        let none = try server.sClient(version, "-servername", "a.example")
        #expect(none.exitCode == 0)
        #expect(none.text.contains("No ALPN negotiated"))
        for offer in ["h2", "h2,h3", "http/1.0", "HTTP/1.1"] {
          let run = try server.sClient(version, "-servername", "a.example", "-alpn", offer)
          #expect(run.exitCode != 0, "\(offer)")
          #expect(run.errors.contains("no application protocol"), "\(offer): \(run.errors)")
        }
      }
    }
  }

  /// Whether the second connection resumed the session of the first.
  private func resumes(
    _ server: Server, _ version: String, _ first: String, then second: String
  ) throws -> Bool {
    let file = server.workspace.path("session-\(UUID().uuidString)")
    let opening = try server.sClient(
      version, "-servername", first, "-sess_out", file, "-ign_eof", input: Self.goodbye)
    #expect(opening.exitCode == 0, "\(opening.errors)")
    let again = try server.sClient(
      version, "-servername", second, "-sess_in", file, "-ign_eof", input: Self.goodbye)
    #expect(again.exitCode == 0, "\(again.errors)")
    #expect(again.text.contains("Reused, TLS") != again.text.contains("New, TLS"))
    return again.text.contains("Reused, TLS")
  }

  @Test(arguments: ["-tls1_2", "-tls1_3"])
  func `a session is resumed for its server name only`(version: String) throws {
    try serving { server, _ in
      try #expect(resumes(server, version, "a.example", then: "a.example"))
      try #expect(resumes(server, version, "A.Example", then: "a.EXAMPLE"))
      try #expect(!resumes(server, version, "a.example", then: "b.example"))
    }
  }

  @Test func `a session is not resumed once the keys of its ticket are gone`() throws {
    try serving(["--ticket-lifetime", "1s"]) { server, _ in
      let file = server.workspace.path("session")
      try #require(
        try server.sClient(
          "-tls1_2", "-servername", "a.example", "-sess_out", file, "-ign_eof",
          input: Self.goodbye
        ).exitCode == 0)
      let isForgotten = try eventually {
        try server.sClient(
          "-tls1_2", "-servername", "a.example", "-sess_in", file, "-ign_eof",
          input: Self.goodbye
        ).text.contains("New, TLS")
      }
      #expect(isForgotten)
    }
  }

  @Test func `tickets have another key after a while`() throws {
    /// The name of the key of a new ticket (RFC 5077 section 4).
    func key(_ server: Server) throws -> String? {
      let file = server.workspace.path("session-\(UUID().uuidString)")
      let opening = try server.sClient(
        "-tls1_2", "-servername", "a.example", "-sess_out", file, "-ign_eof", input: Self.goodbye)
      #expect(opening.exitCode == 0, "\(opening.errors)")
      let text = try run(
        Tool.openssl.path ?? "", ["sess_id", "-in", file, "-noout", "-text"]
      ).text
      return text.firstMatch(of: /0000 - ([0-9a-f -]{47})/).map { String($0.1) }
    }
    try serving { server, _ in
      let first = try #require(try key(server))
      try #expect(key(server) == first)
    }
    try serving(["--ticket-lifetime", "1s"]) { server, _ in
      let first = try #require(try key(server))
      try #expect(eventually { try key(server) != first })
    }
  }

  @Test func `plain HTTP sent to the TLS port gets a clear 400`() throws {
    try serving { server, _ in
      for text in [request(), "GET /\r\n", "POST / HTTP/1.0\r\n\r\n", "HEAD / HTTP/1.1\r\n"] {
        let client = try RawClient(port: server.https)
        try client.send(text)
        let (bytes, end) = try client.receiveAll()
        let response = try #require(try Response.all(in: bytes).first)
        #expect(response.status == 400)
        #expect(response["Connection"] == "close")
        response.text.says("HTTPS")
        #expect(end == .closed)
      }
    }
  }

  @Test func `bytes that are neither TLS nor HTTP do no harm`() throws {
    try serving { server, _ in
      var generator = SystemRandomNumberGenerator()
      for count in [1, 5, 6, 100, 20_000] {
        let client = try RawClient(port: server.https)
        try? client.send((0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) })
        client.finishSending()
        try #expect(client.receiveAll().end != .stillOpen)
      }
      let run = try server.sClient("-servername", "a.example")
      #expect(run.exitCode == 0)
    }
  }

  @Test(.needs(.curl)) func `curl verifies chain and name and is served over HTTPS`() throws {
    try serving { server, authority in
      let url = "https://a.example/.well-known/apple-app-site-association"
      for version in ["--tls-max", "--tlsv1.3"] {
        let flags = version == "--tls-max" ? ["--tls-max", "1.2"] : ["--tlsv1.3"]
        let run = try server.curl(flags + ["--cacert", authority.rootFile, url, url])
        #expect(run.exitCode == 0, "\(run.errors)")
        #expect(run.responses.map(\.status) == [200, 200])
        #expect(run.response?.text == association("A"))
      }
      try #expect(server.curl(url).exitCode == 60, "an unknown authority")
    }
  }

  @Test(.needs(.curl))
  func `a host that the connection's certificate does not cover gets 421`() throws {
    let workspace = try Workspace()
    let authority = try TestAuthority()
    for (host, mark) in [("a.example", "A"), ("b.example", "B"), ("c.example", "C")] {
      try workspace.write("domains/\(host).json", association(Character(mark)))
    }
    try workspace.install(try authority.issue("a.example", "b.example"), as: "ab")
    try workspace.install(try authority.issue("c.example"), as: "c")
    try withServer(workspace, https: true, environment: authority.environment) { server in
      let url = "https://a.example/apple-app-site-association"
      func status(_ host: String) throws -> Int? {
        let run = try server.curl(
          "--cacert", authority.rootFile, "--header", "Host: \(host)", url)
        #expect(run.exitCode == 0, "\(run.errors)")
        return run.response?.status
      }
      try #expect(status("a.example") == 200)
      try #expect(status("A.EXAMPLE:443") == 200)
      try #expect(status("b.example") == 200)
      try #expect(status("c.example") == 421)
      try #expect(status("unknown.example") == 421)
      try #expect(status("127.0.0.1") == 421)

      // The connection stays good for its own hosts.
      let text =
        request(host: "c.example") + request(host: "a.example")
        + request(host: "b.example", fields: ["Connection: close"])
      let run = try server.sClient("-servername", "a.example", "-quiet", input: text)
      let answers = run.text.split(separator: "\r\n").filter { $0.hasPrefix("HTTP/1.1 ") }
      // The last two begin after the body of the one before.
      #expect(answers.first == "HTTP/1.1 421 Misdirected Request")
      #expect(run.text.contains(association("A")) && run.text.contains(association("B")))
      #expect(!run.text.contains(association("C")))
    }
  }

  @Test func `a dot at the end of the server name is not a part of it`() throws {
    try serving { server, authority in
      let run = try server.sClient(
        "-servername", "a.example.", "-ign_eof", "-verify_return_error", "-CAfile",
        authority.rootFile, "-verify_hostname", "a.example", input: Self.goodbye)
      #expect(run.exitCode == 0, "\(run.errors)")
      #expect(run.text.contains(association("A")))
    }
  }

  @Test func `a target of the other scheme gets 421`() throws {
    try serving { server, _ in
      for (scheme, status) in [("https", "200 OK"), ("http", "421 Misdirected Request")] {
        let target = "\(scheme)://a.example\(associationPaths[0])"
        let run = try server.sClient(
          "-servername", "a.example", "-ign_eof",
          input: request("GET", target, host: "a.example", fields: ["Connection: close"]))
        run.text.says("HTTP/1.1 \(status)")
      }
    }
  }

  @Test func `a client with another server's early data is served`() throws {
    let workspace = try Workspace()
    let authority = try TestAuthority()
    let certificate = try authority.issue("a.example")
    try workspace.write("domains/a.example.json", association("A"))
    try workspace.install(certificate, as: "a")
    let session = workspace.path("session.pem")
    try Self.visitOther(server: certificate, in: workspace, session: session)
    try workspace.write("early.txt", Self.goodbye)
    try withServer(workspace, https: true, environment: authority.environment) { server in
      let run = try server.sClient(
        "-servername", "a.example", "-tls1_3", "-sess_in", session, "-early_data",
        workspace.path("early.txt"), "-ign_eof", input: Self.goodbye)
      #expect(run.text.contains("Early data was rejected"))
      #expect(run.text.contains(association("A")), "\(run.errors)")
      // Once: early data is skipped and not answered.
      #expect(run.text.components(separatedBy: "HTTP/1.1 200 OK").count == 2)
    }
  }

  /// Has a client come away from a server that allows early data with a ticket for it.
  private static func visitOther(
    server certificate: TestCertificate, in workspace: Workspace, session: String
  ) throws {
    guard let openssl = Tool.openssl.path else { throw Failure("openssl is not installed") }
    try workspace.write("other.pem", certificate.chain + certificate.key)
    let other = try ChildProcess(
      openssl,
      [
        "s_server", "-accept", "127.0.0.1:0", "-cert", workspace.path("other.pem"), "-tls1_3",
        "-early_data", "-max_early_data", "16384",
      ], hasInput: true)
    defer {
      other.signal(SIGKILL)
      _ = try? other.waitForExit()
    }
    let address = eventually { () -> Substring? in
      let lines = String(decoding: other.now.output, as: UTF8.self).split(separator: "\n")
      return lines.first { $0.hasPrefix("ACCEPT ") }?.dropFirst(7)
    }
    guard let address else { throw Failure("openssl s_server does not listen") }
    let visit = try ChildProcess(
      openssl,
      [
        "s_client", "-connect", String(address), "-servername", "a.example", "-tls1_3",
        "-sess_out", session,
      ], hasInput: true)
    let hasTicket = eventually { FileManager.default.fileExists(atPath: session) }
    visit.closeInput()
    _ = try visit.waitForExit()
    guard hasTicket else { throw Failure("openssl s_server gives no ticket") }
  }
}
