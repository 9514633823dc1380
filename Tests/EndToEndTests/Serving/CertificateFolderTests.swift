import Foundation
import TestRunning
import Testing

@testable import EndToEnd

/// How certificates are found, and the diagnostics of faulty ones.
@Suite("certificates folder", .manyAtOnce, .needs(.openssl)) struct CertificateFolderTests {
  /// Serves with the certificates that `prepare` lays down.
  private func serving(
    hosts: [String] = ["a.example"], _ flags: [String] = [],
    _ prepare: (Workspace, TestAuthority) throws -> Void,
    _ body: (Server, TestAuthority) throws -> Void
  ) throws {
    let workspace = try Workspace()
    let authority = try TestAuthority()
    for host in hosts { try workspace.write("domains/\(host).json", association()) }
    try prepare(workspace, authority)
    try withServer(workspace, https: true, flags, environment: authority.environment) {
      try body($0, authority)
    }
  }

  /// Whether a client that trusts the authority accepts the certificate for the name.
  private func isTrusted(_ server: Server, _ authority: TestAuthority, _ name: String) throws
    -> Bool
  {
    let run = try server.sClient(
      "-servername", name, "-verify_hostname", name, "-verify_return_error", "-CAfile",
      authority.rootFile)
    return run.exitCode == 0
  }

  /// A way to lay down a chain and its key.
  struct Layout: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let install: @Sendable (Workspace, TestCertificate) throws -> Void

    init(
      _ description: String,
      _ install: @escaping @Sendable (Workspace, TestCertificate) throws -> Void
    ) {
      testDescription = description
      self.install = install
    }
  }

  static let layouts = [
    Layout("NAME.crt and NAME.key") { try $0.install($1, as: "site") },
    Layout("NAME.pem and NAME.key") {
      try $0.write("certificates/site.key", $1.key, mode: 0o600)
      try $0.write("certificates/site.pem", $1.chain)
    },
    Layout("one combined NAME.pem, the key last") {
      try $0.write("certificates/site.pem", $1.chain + $1.key, mode: 0o600)
    },
    Layout("one combined NAME.pem, the key first") {
      try $0.write("certificates/site.pem", $1.key + $1.chain, mode: 0o600)
    },
    Layout("a folder with tls.crt and tls.key") {
      try $0.write("certificates/site/tls.key", $1.key, mode: 0o600)
      try $0.write("certificates/site/tls.crt", $1.chain)
      try $0.write("certificates/site/ca.crt", $1.intermediates.joined())
    },
    Layout("a mounted Kubernetes secret") {
      try $0.write("certificates/site/..2026_01_01/tls.key", $1.key, mode: 0o600)
      try $0.write("certificates/site/..2026_01_01/tls.crt", $1.chain)
      try $0.link("certificates/site/..data", to: "..2026_01_01")
      for name in ["tls.key", "tls.crt"] {
        try $0.link("certificates/site/\(name)", to: "..data/\(name)")
      }
    },
    Layout("a Kubernetes secret mounted as the folder itself") {
      try $0.write("certificates/tls.key", $1.key, mode: 0o600)
      try $0.write("certificates/tls.crt", $1.chain)
    },
    Layout("a certbot folder") {
      for (name, content) in [
        ("fullchain", $1.chain), ("privkey", $1.key), ("cert", $1.certificate),
        ("chain", $1.intermediates.joined()),
      ] {
        try $0.write("certbot/archive/site/\(name)3.pem", content, mode: 0o600)
        try $0.makeFolder("certbot/live/site")
        try $0.link("certbot/live/site/\(name).pem", to: "../../archive/site/\(name)3.pem")
      }
      try $0.link("certificates/site", to: $0.path("certbot/live/site"))
    },
    Layout("links to files elsewhere") {
      try $0.write("outside/site.key", $1.key, mode: 0o600)
      try $0.write("outside/site.crt", $1.chain)
      try $0.link("certificates/site.key", to: "../outside/site.key")
      try $0.link("certificates/site.crt", to: $0.path("outside/site.crt"))
    },
  ]

  @Test(arguments: layouts)
  func `every layout is found, its names are those in the certificate`(layout: Layout) throws {
    try serving { workspace, authority in
      try layout.install(workspace, try authority.issue("a.example", "www.a.example"))
    } _: { server, authority in
      try #expect(isTrusted(server, authority, "a.example"))
      try #expect(isTrusted(server, authority, "www.a.example"))
      // Not by the name of the file.
      try #expect(server.sClient("-servername", "site").exitCode != 0)
    }
  }

  /// A fault: the files, the diagnostic, and whether a client gets a certificate for the name
  /// nevertheless.
  struct Fault: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let report: [String]
    let isServed: Bool
    let install: @Sendable (Workspace, TestAuthority) throws -> Void

    init(
      _ description: String, report: String..., isServed: Bool,
      _ install: @escaping @Sendable (Workspace, TestAuthority) throws -> Void
    ) {
      testDescription = description
      self.report = report
      self.isServed = isServed
      self.install = install
    }
  }

  static let faults = [
    Fault("the key does not match", report: "site.key: error", "does not match", isServed: false) {
      let (first, second) = (try $1.issue("a.example"), try $1.issue("a.example"))
      try $0.write("certificates/site.key", second.key, mode: 0o600)
      try $0.write("certificates/site.crt", first.chain)
    },
    Fault("expired", report: "site.crt: error", "expired on 20", isServed: true) {
      try $0.install(try $1.issue("a.example", validity: -90 ... -3), as: "site")
    },
    Fault("not yet valid", report: "site.crt: error", "not valid before", isServed: true) {
      try $0.install(try $1.issue("a.example", validity: 3...90), as: "site")
    },
    Fault("expires soon", report: "site.crt: warning", "expires in 13 days", isServed: true) {
      try $0.install(try $1.issue("a.example", validity: -80...13), as: "site")
    },
    Fault("chain incomplete", report: "site.crt: warning", "incomplete", isServed: true) {
      let certificate = try $1.issue("a.example")
      try $0.write("certificates/site.key", certificate.key, mode: 0o600)
      try $0.write("certificates/site.crt", certificate.certificate)
    },
    Fault("key readable by others", report: "site.key: warning", "chmod", isServed: true) {
      let certificate = try $1.issue("a.example")
      try $0.write("certificates/site.key", certificate.key, mode: 0o644)
      try $0.write("certificates/site.crt", certificate.chain)
    },
    Fault("combined file readable by others", report: "site.pem: warning", "chmod", isServed: true)
    {
      let certificate = try $1.issue("a.example")
      try $0.write("certificates/site.pem", certificate.chain + certificate.key, mode: 0o644)
    },
    Fault("no key", report: "site.crt: error", "no private key", isServed: false) {
      try $0.write("certificates/site.crt", try $1.issue("a.example").chain)
    },
    Fault("no certificate", report: "site.crt: error", "no certificate", isServed: false) {
      try $0.install(
        TestCertificate(certificate: "nothing\n", key: try $1.issue("a.example").key), as: "site")
    },
    Fault("broken PEM", report: "site.crt:1", "error", isServed: false) {
      var certificate = try $1.issue("a.example")
      let text = certificate.certificate
      certificate = TestCertificate(certificate: String(text.dropLast(60)), key: certificate.key)
      try $0.install(certificate, as: "site")
    },
    Fault("an encrypted key", report: "site.key", "encrypted", isServed: false) {
      let certificate = try $1.issue("a.example")
      try $0.write("plain.key", certificate.key)
      try $0.write("certificates/site.crt", certificate.chain)
      let openssl = try #require(Tool.openssl.path)
      let encryption = try run(
        openssl,
        [
          "pkcs8", "-topk8", "-passout", "pass:secret", "-in", $0.path("plain.key"), "-out",
          $0.path("certificates/site.key"),
        ])
      #expect(encryption.exitCode == 0, "\(encryption.errors)")
    },
  ]

  @Test(arguments: faults)
  func `each fault is reported by its own message`(fault: Fault) throws {
    try serving { workspace, authority in
      try fault.install(workspace, authority)
    } _: { server, authority in
      let line = server.errorLines
      let isReported = eventually {
        server.errorLines.contains { line in fault.report.allSatisfy { line.contains($0) } }
      }
      #expect(isReported, "\(server.errorLines) \(line)")
      // Nothing else is reported except its consequences.
      server.allow(stderr: fault.report[0])
      if !fault.isServed {
        server.allow(stderr: "no certificate")
      } else {
        #expect(
          server.errorLines.filter { !$0.hasSuffix("[H016]") }.count == 1,
          "\(server.errorLines)")
        let run = try server.sClient("-servername", "a.example")
        #expect(run.exitCode == 0, "\(run.errors)")
        #expect(run.text.contains("subject=CN = a.example"))
      }
    }
  }

  @Test func `14 days are reported and 15 are not, and the number is configurable`() throws {
    try serving { workspace, authority in
      try workspace.install(try authority.issue("a.example", validity: -80...15), as: "a")
    } _: { _, _ in
    }
    try serving(["--certificate-warning-days", "30"]) { workspace, authority in
      try workspace.install(try authority.issue("a.example", validity: -80...29), as: "a")
      try workspace.install(try authority.issue("b.example", validity: -80...31), as: "b")
    } _: { server, _ in
      server.expect(stderr: "a.crt: warning", "expires in 29 days")
    }
  }

  @Test func `a served domain that no certificate covers is reported`() throws {
    let hosts = [
      "a.example", "x.w.example", "y.z.w.example", "_wildcard.w.example", "_wildcard.v.example",
      "plain.example", "_default",
    ]
    try serving(hosts: hosts, ["--alias", "alias.example=a.example"]) { workspace, authority in
      try workspace.install(try authority.issue("a.example", "*.w.example"), as: "site")
    } _: { server, _ in
      server.expect(stderr: "warning", "no certificate covers plain.example")
      server.expect(stderr: "warning", "no certificate covers y.z.w.example")
      server.expect(stderr: "warning", "no certificate covers *.v.example")
      server.expect(stderr: "warning", "no certificate covers alias.example")
    }
  }

  @Test func `without HTTPS nothing is said of certificates`() throws {
    let workspace = try Workspace(serving: ["a.example": association()])
    try workspace.write("certificates/site.crt", "nothing")
    try workspace.remove("certificates")
    try withServer(workspace) { try #expect($0.served("a.example") == association()) }
  }
}
