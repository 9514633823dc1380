import Foundation
import TestRunning
import Testing

@testable import EndToEnd

/// The last good certificate, over a restart.
@Suite("withdrawal: certificates over a restart", .manyAtOnce, .needs(.openssl))
struct CertificateRestartTests {
  private let workspace: Workspace
  private let authority: TestAuthority
  private let flags: [String]

  init() throws {
    workspace = try Workspace()
    authority = try TestAuthority()
    flags = withAdmin + ["--state", workspace.path("state")]
    try workspace.write("domains/a.example.json", association("A"))
    try install("first")
  }

  private func install(_ subject: String) throws {
    try workspace.install(try authority.issue("a.example", subject: subject), as: "a.example")
  }

  private func kept() -> [String] {
    (try? workspace.names(in: "state/kept/certificates")) ?? []
  }

  private func serve(_ body: (Server) throws -> Void) throws {
    let environment = authority.environment.merging(withdrawing(after: "300ms")) { $1 }
    try withServer(workspace, https: true, flags, environment: environment, body)
  }

  private static let file = "a.example.crt"

  /// Breaks the file, and waits until the certificate is kept.
  private func breakFile(_ server: Server) throws {
    try workspace.write("certificates/a.example.crt", "broken")
    server.expect(stderr: "a.example.crt", "error", "last good version")
    #expect(eventually { kept() == [Self.file] })
  }

  @Test func `a certificate whose file is faulty is served by the next start too`() throws {
    try serve { server in
      #expect(server.shown("a.example") == "first, chain of 2" && kept() == [])
      try breakFile(server)
      let isKept = try eventually {
        let status = try server.aasa("status").text
        return status.contains("1 certificate is in the state folder with its key")
          && !status.contains("a restart would lose")
      }
      #expect(isKept)
    }
    try serve { server in
      server.expect(stderr: "a.example.crt", "error", "last good version")
      #expect(server.shown("a.example") == "first, chain of 2")
      // It is written once more.
      #expect(eventually { kept() == [Self.file] })
      try install("second")
      #expect(eventually { server.shown("a.example") == "second, chain of 2" })
      #expect(eventually { kept() == [] })
      try server.expectStatus(0)
    }
  }

  @Test
  func `the last certificate is held over a restart, and its key goes when that is confirmed`()
    throws
  {
    try serve { server in
      try workspace.shell("rm certificates/*")
      try server.expectWithheld(WithheldReason.empty, folder: "certificates")
      #expect(eventually { kept() == [Self.file] })
    }
    try serve { server in
      server.expect(stderr: "the certificates folder is empty", "[T033]")
      #expect(server.shown("a.example") == "first, chain of 2")
      server.allow(stderr: "certificate")
      try server.confirmLoss()
      #expect(eventually { !server.shown("a.example").contains("first") && kept() == [] })
    }
  }
}
