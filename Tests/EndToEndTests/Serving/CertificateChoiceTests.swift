import Foundation
import TestRunning
import Testing

@testable import EndToEnd

/// Which certificate a client gets.
@Suite("TLS: choice of certificate", .manyAtOnce, .needs(.openssl)) struct CertificateChoiceTests {
  /// One row per client: its server name, and the common name of the certificate it gets; nil for
  /// the alert `unrecognized_name`.
  static let names: [(serverName: String?, withoutDefault: String?, withDefault: String?)] = [
    ("a.example", "a.example", "a.example"),
    ("A.EXAMPLE", "a.example", "a.example"),
    ("x.w.example", "*.w.example", "*.w.example"),
    ("own.w.example", "own.w.example", "own.w.example"),  // exact goes before wildcard
    ("x.y.w.example", nil, "default.example"),  // a wildcard is one label
    ("w.example", nil, "default.example"),
    ("other.example", nil, "default.example"),
    (nil, nil, "default.example"),
  ]

  private func commonName(_ server: Server, _ serverName: String?, _ version: String) throws
    -> (name: String?, errors: String)
  {
    let arguments = serverName.map { ["-servername", $0] } ?? ["-noservername"]
    let run = try server.sClient([version] + arguments)
    let line = run.text.split(separator: "\n").first { $0.hasPrefix("subject=") }
    let name = line?.split(separator: "=").last.map {
      $0.trimmingCharacters(in: .whitespaces)
    }
    return (run.exitCode == 0 ? name : nil, run.errors)
  }

  @Test(arguments: [false, true])
  func `SNI picks exact, then wildcard, then the default, else the alert`(hasDefault: Bool) throws {
    let workspace = try Workspace()
    let authority = try TestAuthority()
    for name in ["a.example", "*.w.example", "own.w.example"] {
      try workspace.install(try authority.issue(name), as: "x" + name.filter { $0 != "*" })
    }
    if hasDefault { try workspace.install(try authority.issue("default.example"), as: "default") }
    try workspace.write("domains/a.example.json", association("A"))
    try withServer(workspace, https: true, environment: authority.environment) { server in
      for row in Self.names {
        for version in ["-tls1_2", "-tls1_3"] {
          let expected = hasDefault ? row.withDefault : row.withoutDefault
          let (name, errors) = try commonName(server, row.serverName, version)
          #expect(name == expected, "\(row) \(version)")
          if expected == nil, row.serverName != nil {
            #expect(errors.contains("unrecognized name"), "\(row) \(version) \(errors)")
          }
        }
      }
    }
  }

  @Test func `the default may be named by its files or by a host`() throws {
    let workspace = try Workspace()
    let authority = try TestAuthority()
    try workspace.install(try authority.issue("a.example"), as: "first")
    try workspace.install(try authority.issue("b.example"), as: "second")
    try workspace.write("domains/a.example.json", association("A"))
    for (value, name) in [("second", "b.example"), ("a.example", "a.example")] {
      try withServer(
        workspace, https: true, ["--default-certificate", value],
        environment: authority.environment
      ) { server in
        try #expect(commonName(server, "other.example", "-tls1_3").name == name)
        try #expect(commonName(server, nil, "-tls1_3").name == name)
      }
    }
    try withServer(
      workspace, https: true, ["--default-certificate", "missing"],
      environment: authority.environment
    ) { server in
      server.expect(stderr: "missing", "default")
      try #expect(commonName(server, "other.example", "-tls1_3").name == nil)
    }
  }

  @Test func `with RSA and ECDSA for one name a client gets the one that it supports`() throws {
    let workspace = try Workspace()
    let authority = try TestAuthority()
    try workspace.install(try authority.issue("a.example", kind: .rsa), as: "a-rsa")
    try workspace.install(try authority.issue("a.example", kind: .ecdsa), as: "a-ecdsa")
    try workspace.write("domains/a.example.json", association("A"))
    try withServer(workspace, https: true, environment: authority.environment) { server in
      let rows: [(flags: [String], signature: String)] = [
        (["-tls1_3"], "ECDSA"),
        (["-tls1_3", "-sigalgs", "ECDSA+SHA256"], "ECDSA"),
        (["-tls1_3", "-sigalgs", "rsa_pss_rsae_sha256"], "RSA-PSS"),
        (["-tls1_2"], "ECDSA"),
        (["-tls1_2", "-cipher", "ECDHE-ECDSA-AES128-GCM-SHA256"], "ECDSA"),
        (["-tls1_2", "-cipher", "ECDHE-RSA-AES128-GCM-SHA256"], "RSA-PSS"),
        (["-tls1_2", "-cipher", "ECDHE-RSA-AES128-GCM-SHA256", "-sigalgs", "RSA+SHA256"], "RSA"),
      ]
      for row in rows {
        let run = try server.sClient(["-servername", "a.example"] + row.flags)
        #expect(run.exitCode == 0, "\(row) \(run.errors)")
        #expect(run.value("Peer signature type") == row.signature, "\(row)")
      }
    }
  }

  @Test func `a valid certificate goes before one that has expired`() throws {
    let workspace = try Workspace()
    let authority = try TestAuthority()
    try workspace.install(try authority.issue("a.example", validity: -20 ... -5), as: "old")
    try workspace.install(try authority.issue("a.example", "new.example"), as: "zzz")
    try workspace.write("domains/a.example.json", association("A"))
    try withServer(workspace, https: true, environment: authority.environment) { server in
      server.expect(stderr: "certificates/old.crt", "expired")
      let run = try server.sClient(
        "-servername", "a.example", "-verify_return_error", "-CAfile", authority.rootFile)
      #expect(run.exitCode == 0, "\(run.errors)")
      #expect(run.text.contains("Verify return code: 0 (ok)"))
    }
  }

  @Test(.needs(.curl))
  func `without any certificate one is made, and said that devices refuse it`() throws {
    let workspace = try Workspace(serving: [
      "a.example": association("A"), "_wildcard.w.example": association("B"),
    ])
    try withServer(workspace, https: true) { server in
      server.expect(stderr: "certificates: warning", "devices refuse", "NAME.crt")
      let url = "https://a.example/apple-app-site-association"
      try #expect(server.curl("--insecure", url).response?.text == association("A"))
      try #expect(server.curl(url).exitCode == 60)
      // Its names are those served, and localhost.
      for name in ["a.example", "localhost", "x.w.example"] {
        let run = try server.sClient(
          "-servername", name, "-verify_hostname", name, "-verify_return_error")
        // Only that it is self-signed.
        #expect(!run.errors.contains("hostname mismatch"), "\(name)")
      }
      let run = try server.sClient("-servername", "a.example")
      #expect(run.value("Peer signature type") == "ECDSA")
      #expect(run.text.contains("Verify return code: 18") || run.text.contains("self"))
      try #expect(server.sClient("-noservername").exitCode == 0)
    }
  }
}
