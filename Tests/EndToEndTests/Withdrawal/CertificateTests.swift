import Foundation
import TestRunning
import Testing

@testable import EndToEnd

/// A certificate that was served gives way only to a valid one.
@Suite("withdrawal: certificates", .manyAtOnce, .needs(.openssl)) struct CertificateWithdrawalTests
{
  private let workspace: Workspace
  private let authority: TestAuthority
  private let hosts = ["a.example", "b.example"]

  init() throws {
    workspace = try Workspace()
    authority = try TestAuthority()
    for host in hosts { try workspace.write("domains/\(host).json", association("A")) }
  }

  private func install(_ host: String, _ subject: String) throws {
    try workspace.install(try authority.issue(host, subject: subject), as: host)
  }

  private func serve(
    _ flags: [String] = [], after time: String = "5s", _ body: (Server) throws -> Void
  ) throws {
    let environment = authority.environment.merging(withdrawing(after: time)) { $1 }
    try withServer(
      workspace, https: true, workspace.withState + flags, environment: environment, body)
  }

  @Test(arguments: ["certificates/*", "certificates/*.crt", "certificates/*.key"])
  func `the certificates of an emptied folder stay, and never the one made for the run comes`(
    removed: String
  ) throws {
    for host in hosts { try install(host, "of \(host)") }
    try serve(after: "1s") { server in
      let shown = [
        "a.example": ["of a.example, chain of 2"], "b.example": ["of b.example, chain of 2"],
      ]
      try server.keepsShowing(shown) {
        try workspace.shell("rm \(removed)")
        server.expect(stderr: "certificates", "error")
        goOn(for: .seconds(2))
      }
      server.allow(stderr: "no private key")
      server.allow(stderr: "no certificate")
      server.allow(stderr: "still exists")
      try #expect(server.aasa("status").exitCode == 1)
      try #expect(server.askAdmin("/readyz").status == 200)
      if removed == "certificates/*" {
        try #expect(server.sample(#"aasa_folder_withheld{folder="certificates"}"#) == 1)
      }
      for host in hosts { try install(host, "new") }
      for host in hosts { #expect(eventually { server.shown(host) == "new, chain of 2" }) }
      if removed == "certificates/*" {
        try server.expectBelieved("certificates")
      } else {
        try server.expectStatus(0)
      }
    }
  }

  @Test func `a chain that is written leaf first is taken when it is whole`() throws {
    for host in hosts { try install(host, "of \(host)") }
    let next = try authority.issue("a.example", subject: "next")
    let other = try (0..<2).map { try authority.issue("b.example", subject: "round \($0)") }
    try serve { server in
      server.allow(stderr: "does not match")
      let shown = ["a.example": ["of a.example, chain of 2", "next, chain of 2"]]
      try server.keepsShowing(shown) {
        try workspace.write("certificates/a.example.key", next.key)
        let start = ContinuousClock.now
        let file = try OpenFile(workspace.path("certificates/a.example.crt"))
        try file.append(Array(next.certificate.utf8))
        // While the writer pauses, others change.
        for round in 0..<4 {
          try workspace.install(other[round % 2], as: "b.example")
          #expect(eventually { server.shown("b.example") == "round \(round % 2), chain of 2" })
          goOn(for: .milliseconds(300))
        }
        try file.append(Array(next.intermediates[0].utf8))
        _ = consume file
        if ContinuousClock.now - start > .seconds(8) {
          // On a slow machine the writer pauses for as long as a mistake.
          server.allow(stderr: "a.example.crt", "[T038]")
        }
        #expect(eventually { server.shown("a.example") == "next, chain of 2" })
      }
    }
  }

  @Test func `the pair of another host takes no host's only certificate`() throws {
    for host in hosts { try install(host, "of \(host)") }
    try serve { server in
      server.allow(stderr: "a.example", "does not match")
      // It is copied into the files themselves.
      for code in ["[T001]", "[T003]"] { server.allow(stderr: "a.example", code) }
      try workspace.shell(
        "cd certificates; cp b.example.key a.example.key; cp b.example.crt a.example.crt")
      server.expect(stderr: "a.example.crt", "does not cover a.example", "[T038]")
      #expect(server.shown("a.example") == "of a.example, chain of 2")
      try #expect(server.aasa("status").exitCode == 1)
      try install("a.example", "next")
      #expect(eventually { server.shown("a.example") == "next, chain of 2" })
      try server.expectStatus(0)
    }
  }
}
