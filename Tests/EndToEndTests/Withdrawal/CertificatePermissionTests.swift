import Foundation
import TestRunning
import Testing

@testable import EndToEnd

/// A certificate that cannot be read is not taken for one that is gone. The server is an ordinary
/// user's.
@Suite(
  "withdrawal: permissions of certificates", .manyAtOnce, .needs(.openssl), .needsOrdinaryServer)
struct CertificatePermissionTests {
  private let workspace: Workspace
  private let authority: TestAuthority
  private static let shown = [
    "a.example": ["first, chain of 2"], "b.example": ["other, chain of 2"],
  ]

  init() throws {
    workspace = try Workspace()
    authority = try TestAuthority()
    for host in ["a.example", "b.example"] {
      try workspace.write("domains/\(host).json", association("A"))
    }
  }

  /// The place of the certificate of `a.example`, and the folder or file that loses its permission.
  static let places = [
    (folder: "certificates/a", locked: "certificates/a"),
    ("certificates/a", "certificates/a/tls.crt"), ("certificates/a", "certificates/a/tls.key"),
    ("certbot/archive/a", "certbot/live/a"), ("certbot/archive/a", "certbot/live"),
    ("certbot/archive/a", "certbot/archive"), ("certbot/archive/a", "certbot"),
    ("certificates/a", "certificates"),
  ]

  /// Its name through a link that leads to it by way of `..`.
  private static func name(_ locked: String) -> String {
    locked.replacing("certbot/archive", with: "/archive")
  }

  private func install(_ certificate: TestCertificate, in folder: String) throws {
    try workspace.write("\(folder)/tls.key", certificate.key, mode: 0o600)
    try workspace.write("\(folder)/tls.crt", certificate.chain)
  }

  private func prepare(_ folder: String, alone: Bool) throws {
    try install(try authority.issue("a.example", subject: "first"), in: folder)
    if folder.hasPrefix("certbot") {
      try workspace.makeFolder("certbot/live/a")
      for name in ["tls.crt", "tls.key"] {
        try workspace.link("certbot/live/a/\(name)", to: "../../archive/a/\(name)")
      }
      try workspace.link("certificates/a", to: workspace.path("certbot/live/a"))
    }
    if !alone {
      try install(try authority.issue("b.example", subject: "other"), in: "certificates/b")
    }
  }

  @Test(arguments: zip(places, [true, false, true, false, true, false, true, false]))
  func `it stays, and the error names the path after following links`(
    place: (folder: String, locked: String), alone: Bool
  ) throws {
    try prepare(place.folder, alone: alone)
    let environment = authority.environment.merging(withdrawing(after: "300ms")) { $1 }
    let permitted = Self.shown.filter { !alone || $0.key == "a.example" }
    try withOrdinaryServer(workspace, https: true, withAdmin, environment: environment) { server in
      if alone { server.allow(stderr: "no certificate covers b.example") }
      #expect(server.shown("a.example") == "first, chain of 2")
      try server.keepsShowing(permitted) {
        // Of certbot's folders, some are root's and closed for everybody else.
        try workspace.setMode(place.locked, 0o000)
        server.expect(stderr: Self.name(place.locked), "error", anyOf: WithheldReason.unreadable)
        goOn(for: .seconds(2))
        server.process.signal(SIGHUP)
        server.allow(stderr: Self.name(place.locked), "error", "Permission denied")
        goOn(for: .seconds(1))
      }
      try #expect(server.aasa("status").exitCode == 1)
      try #expect(server.askAdmin("/readyz").status == 200)

      try workspace.setMode(place.locked, place.locked.contains("tls.") ? 0o600 : 0o755)
      let next = try authority.issue("a.example", subject: "second")
      try install(next, in: place.folder)
      try workspace.handOver()
      server.allow(stderr: "tls.", "Permission denied")
      server.allow(stderr: "does not match")
      #expect(eventually { server.shown("a.example") == "second, chain of 2" })
      try server.expectStatus(0)
    }
  }

  /// The part of a certificate's path that is unreadable at the start.
  @Test(arguments: ["certificates", "certificates/a", "certbot/live", "certbot/archive"])
  func `a start without any certificate that can be read is an error with the way out`(
    locked: String
  ) throws {
    let folder = locked.hasPrefix("certbot") ? "certbot/archive/a" : "certificates/a"
    try prepare(folder, alone: true)
    try workspace.remove("domains/b.example.json")
    try workspace.setMode(locked, 0o000)
    try withOrdinaryServer(
      workspace, https: true, withAdmin, environment: authority.environment
    ) { server in
      server.expect(stderr: Self.name(locked), "error", "Permission denied")
      if locked.hasPrefix("certbot") {
        #expect(server.errorLines.contains { $0.contains("certbot-deploy-hook") })
      }
      server.allow(stderr: "certificate")
      let readiness = try server.askAdmin("/readyz")
      #expect(readiness.status == 503, "\(readiness.text)")
      try #expect(server.aasa("status").exitCode == 1)
      try workspace.setMode(locked, 0o755)
      #expect(eventually { server.shown("a.example") == "first, chain of 2" })
      try #expect(eventually { try server.askAdmin("/readyz").status == 200 })
    }
  }

  @Test func `a folder that was named and holds no certificate is not ready`() throws {
    try withServer(workspace, https: true, withAdmin) { server in
      server.allow(stderr: "certificate")
      let readiness = try server.askAdmin("/readyz")
      #expect(readiness.status == 503, "\(readiness.text)")
    }
    // Without a named folder, the self-signed fallback is intended.
    let arguments = [
      "serve", "--domains", workspace.domains, "--http", "127.0.0.1:0", "--https", "127.0.0.1:0",
    ]
    try withServer(
      workspace, arguments: arguments + withAdmin, addresses: 2, folder: workspace.path("domains")
    ) { server in
      server.allow(stderr: "certificate")
      try #expect(server.askAdmin("/readyz").status == 200)
    }
  }
}
