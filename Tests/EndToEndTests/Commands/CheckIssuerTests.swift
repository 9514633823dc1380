import Foundation
import ScriptedServer
import TestRunning
import Testing

@testable import EndToEnd

/// `aasa check` of a certificate whose issuer may sign for other names only (RFC 5280 section
/// 4.2.1.10).
@Suite(.manyAtOnce, .needs(.openssl)) struct CheckIssuerTests {
  private let workspace: Workspace

  init() throws {
    workspace = try Workspace()
    try make(
      "ca", ["-days", "30", "-addext", "nameConstraints=critical,permitted;DNS:allowed.example"])
    try make(
      "example.com",
      [
        "-CA", "ca.pem", "-CAkey", "ca.key", "-days", "20", "-addext",
        "subjectAltName=DNS:example.com", "-addext", "basicConstraints=critical,CA:FALSE",
        "-addext",
        "extendedKeyUsage=serverAuth",
      ])
  }

  /// Makes `NAME.pem` and `NAME.key`.
  private func make(_ name: String, _ more: [String]) throws {
    let made = try run(
      #require(Tool.openssl.path),
      [
        "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout",
        "\(name).key", "-out", "\(name).pem", "-subj", "/CN=\(name)",
      ] + more, folder: workspace.root)
    try #require(made.exitCode == 0, "\(made)")
  }

  @Test
  func
    `an issuer that may not sign the name is the cause, and another one is the cure, end to end`()
    throws
  {
    let pem = try ["example.com.pem", "ca.pem", "example.com.key"].map { try workspace.text($0) }
    let server = try ScriptedServer(identity: Array(pem.joined().utf8)) { _ in
      [.answer(association())]
    }
    let text = try workspace.aasa(
      "check", "example.com", "--origin", "127.0.0.1:\(server.port)", "--ca",
      workspace.path("ca.pem")
    ).says(
      .part(
        "the certificate \"example.com\" has a name that one of its issuers is not permitted "
          + "to certify [F018]\n"),
      "help: request a certificate from another issuer: a new one from this issuer would have the same fault",
      exit: 1
    ).text
    // OpenSSL's words.
    text.says(.lacks("permitted subtree"))
  }
}
