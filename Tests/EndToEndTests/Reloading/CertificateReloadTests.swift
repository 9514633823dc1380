import Foundation
import TestRunning
import Testing

@testable import EndToEnd

/// Changes under `certificates/` are served without a signal, and nothing in flight fails.
@Suite("reload: certificates", .manyAtOnce, .needs(.openssl)) struct CertificateReloadTests {
  /// The serial number of the certificate that is served for a name; nil if there is none.
  private func serial(_ server: Server, _ name: String) throws -> String? {
    let run = try server.sClient("-servername", name)
    guard run.exitCode == 0, let openssl = Tool.openssl.path else { return nil }
    return try self.serial(run.text, openssl)
  }

  private func serial(_ pem: String, _ openssl: String) throws -> String {
    try run(openssl, ["x509", "-noout", "-serial"], input: pem).text
  }

  private func serial(_ certificate: TestCertificate) throws -> String {
    try serial(certificate.certificate, try #require(Tool.openssl.path))
  }

  /// Whether the certificate is served soon, without a signal.
  private func isServed(
    _ certificate: TestCertificate, _ server: Server, _ name: String = "a.example",
    watch: String = "auto"
  ) throws -> Bool {
    let expected = try serial(certificate)
    return try eventually {
      try serial(server, name) == expected
    }
  }

  @Test(arguments: ["auto", "poll"])
  func `a certificate added, changed or removed is served without a signal`(watch: String) throws {
    let workspace = try Workspace()
    let authority = try TestAuthority()
    for host in ["a.example", "b.example"] {
      try workspace.write("domains/\(host).json", association())
    }
    let issued = try (0..<5).map { _ in try authority.issue("a.example") }
    let other = try authority.issue("b.example")
    try workspace.install(issued[0], as: "site")
    try withServer(
      workspace, https: true, ["--watch", watch], environment: authority.environment
    ) { server in
      // Between the writing of the two files they do not match; each is empty for a moment.
      server.allow(stderr: "does not match")
      server.allow(stderr: "site.", "error")
      server.expect(stderr: "no certificate covers b.example", "[H014]")
      try #expect(serial(server, "a.example") == serial(issued[0]))

      try workspace.overwrite("certificates/site.key", issued[1].key)
      try workspace.overwrite("certificates/site.crt", issued[1].chain)
      try #expect(isServed(issued[1], server, watch: watch), "written again, the key first")
      try workspace.write("certificates/site.crt", issued[2].chain)
      try workspace.write("certificates/site.key", issued[2].key)
      try #expect(isServed(issued[2], server, watch: watch), "renamed over, the chain first")
      try workspace.install(other, as: "other")
      try #expect(isServed(other, server, "b.example", watch: watch), "added")
      server.expectAnnounced("reloaded", "certificates/other.crt (until 20")
      try workspace.remove("certificates/other.key")
      try workspace.remove("certificates/other.crt")
      let isGone = try eventually {
        try serial(server, "b.example") == nil
      }
      #expect(isGone, "removed")
      server.expect(stderr: "removed: ", "other.crt", "[T037]")
      server.expect(
        stderr: "no certificate covers b.example, which", "certificates/other.crt covered before")
      server.allow(stderr: "other.crt", "no private key")
      server.allow(stderr: "other.key", "no certificate")
      try #expect(isServed(issued[2], server, watch: watch))
    }
  }

  @Test func `the first certificate takes the place of the one made at start`() throws {
    let workspace = try Workspace()
    let authority = try TestAuthority()
    try workspace.write("domains/a.example.json", association())
    try withServer(workspace, https: true, environment: authority.environment) { server in
      server.expect(stderr: "there is no certificate")
      server.allow(stderr: "no certificate")
      try #expect(serial(server, "a.example") != nil)
      let certificate = try authority.issue("a.example")
      try workspace.install(certificate, as: "site")
      try #expect(isServed(certificate, server))
    }
  }

  @Test func `a certbot renewal and a Kubernetes swap are served without a signal`() throws {
    let workspace = try Workspace()
    let authority = try TestAuthority()
    for host in ["a.example", "b.example"] {
      try workspace.write("domains/\(host).json", association())
    }
    var current: [String: TestCertificate] = [:]
    /// Like certbot: new files in `archive`, then each link is replaced.
    func renew(_ round: Int) throws {
      let certificate = try authority.issue("a.example")
      for (name, content) in [("fullchain", certificate.chain), ("privkey", certificate.key)] {
        let file = "certbot/archive/a/\(name)\(round).pem"
        try workspace.write(file, content, mode: 0o600)
        try workspace.makeFolder("certbot/live/a")
        try? workspace.remove("certbot/live/a/\(name).pem")
        try workspace.link("certbot/live/a/\(name).pem", to: "../../archive/a/\(name)\(round).pem")
      }
      current["a.example"] = certificate
    }
    /// As the kubelet does it.
    func swap(_ round: Int) throws {
      let certificate = try authority.issue("b.example")
      let folder = "certificates/b"
      try workspace.write("\(folder)/..\(round)/tls.crt", certificate.chain)
      try workspace.write("\(folder)/..\(round)/tls.key", certificate.key, mode: 0o600)
      try workspace.link("\(folder)/..data_tmp", to: "..\(round)")
      try workspace.move("\(folder)/..data_tmp", to: "\(folder)/..data")
      if round > 0 { try workspace.remove("\(folder)/..\(round - 1)") }
      current["b.example"] = certificate
    }
    try renew(0)
    try workspace.link("certificates/a", to: workspace.path("certbot/live/a"))
    try swap(0)
    for name in ["tls.crt", "tls.key"] {
      try workspace.link("certificates/b/\(name)", to: "..data/\(name)")
    }
    try withServer(workspace, https: true, environment: authority.environment) { server in
      server.allow(stderr: "a/privkey.pem")  // between the two links
      server.allow(stderr: "a/fullchain.pem")
      for round in 1...4 {
        try renew(round)
        try swap(round)
        for (name, certificate) in current {
          try #expect(isServed(certificate, server, name), "\(name) \(round)")
        }
      }
    }
  }

  @Test func `an open connection outlives the certificate that it began with`() throws {
    let workspace = try Workspace()
    let authority = try TestAuthority()
    try workspace.write("domains/a.example.json", association("A"))
    try workspace.install(try authority.issue("a.example"), as: "site")
    try withServer(workspace, https: true, environment: authority.environment) { server in
      server.allow(stderr: "does not match")
      let openssl = try #require(Tool.openssl.path)
      let client = try ChildProcess(
        openssl,
        [
          "s_client", "-connect", "127.0.0.1:\(server.https)", "-servername", "a.example", "-quiet",
        ],
        hasInput: true)
      defer { client.signal(SIGKILL) }
      func answers(_ count: Int) -> Bool {
        eventually {
          String(decoding: client.now.output, as: UTF8.self)
            .components(separatedBy: "HTTP/1.1 200 OK").count == count + 1
        }
      }
      client.send(request(host: "a.example"))
      #expect(answers(1))
      for round in 2...4 {
        let next = try authority.issue("a.example")
        try workspace.install(next, as: "site")
        try #expect(isServed(next, server))
        client.send(request(host: "a.example"))
        #expect(answers(round))
      }
      client.send(request(host: "a.example", fields: ["Connection: close"]))
      #expect(answers(5))
      try #expect(client.waitForExit() == 0)
    }
  }
}
