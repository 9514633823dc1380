import Foundation
import TestRunning
import Testing

@testable import EndToEnd

/// Certificates that become valid or expire are decided on again at that moment.
@Suite("withdrawal: dates of certificates", .manyAtOnce, .needs(.openssl))
struct CertificateDateTests {
  private let workspace: Workspace
  private let authority: TestAuthority

  init() throws {
    workspace = try Workspace()
    authority = try TestAuthority()
    try workspace.write("domains/a.example.json", association("A"))
  }

  private func dates(from start: Double, to end: Double) -> Range<Date> {
    Date(timeIntervalSinceNow: start)..<Date(timeIntervalSinceNow: end)
  }

  @Test func `a renewal that is not yet valid is taken when it is`() throws {
    let old = try authority.issue("a.example", subject: "old", dates: dates(from: -3600, to: 3600))
    try workspace.install(old, as: "site")
    try withServer(workspace, https: true, environment: authority.environment) { server in
      server.allow(stderr: "warning", "[T")
      let range = dates(from: 12, to: 86_400 * 60)
      let renewal = try authority.issue("a.example", subject: "new", dates: range)
      let permitted = ["old, chain of 2", "new, chain of 2"]
      try server.keepsShowing(["a.example": permitted]) {
        try workspace.shell("rm certificates/*")
        try workspace.install(renewal, as: "site")
        server.expect(stderr: "site.crt", "not valid before")
        // Until that moment the old one is the better one.
        #expect(
          Date.now > range.lowerBound.addingTimeInterval(-1)
            || server.shown("a.example") == "old, chain of 2")
        let isTaken = eventually { server.shown("a.example") == "new, chain of 2" }
        let late = Date.now.timeIntervalSince(range.lowerBound)
        #expect(isTaken && late > -1, "\(late) s after it became valid")
      }
    }
  }

  @Test func `of two for one name, the second takes over when the first ends`() throws {
    let first = dates(from: -86_400, to: 9)
    try workspace.install(
      try authority.issue("a.example", subject: "first", dates: first), as: "a1")
    let second = dates(from: 5, to: 86_400)
    try workspace.install(
      try authority.issue("a.example", subject: "second", dates: second), as: "a2")
    try withServer(workspace, https: true, environment: authority.environment) { server in
      server.allow(stderr: "[T")
      let permitted = ["first, chain of 2", "second, chain of 2"]
      try server.keepsShowing(["a.example": permitted]) {
        let isTaken = eventually { server.shown("a.example") == "second, chain of 2" }
        // The dates of certificates are whole seconds.
        #expect(isTaken && Date.now >= second.lowerBound.addingTimeInterval(-1))
      }
    }
  }

  @Test(.needsInterposer) func `when the clock is set, certificates are judged again`() throws {
    let interposer = try Interposer(in: workspace)
    let day = 86_400.0
    let first = dates(from: -day, to: 30 * day)
    try workspace.install(
      try authority.issue("a.example", subject: "first", dates: first), as: "a1")
    let second = dates(from: 20 * day, to: 80 * day)
    try workspace.install(
      try authority.issue("a.example", subject: "second", dates: second), as: "a2")
    let environment = authority.environment.merging(interposer.environment) { $1 }
    try withServer(workspace, https: true, withAdmin, environment: environment) { server in
      server.allow(stderr: "[T008]")
      server.allow(stderr: "[T009]")
      #expect(server.shown("a.example") == "first, chain of 2")
      try #expect(server.aasa("status").exitCode == 1)
      try interposer.setClock(by: 40 * Int(day))
      #expect(eventually { server.shown("a.example") == "second, chain of 2" })
      server.expect(stderr: "a1.crt", "expired", "[T007]")
      try interposer.setClock(by: 25 * Int(day))
      // Both are valid.
      try server.expectStatus(0)
    }
  }
}
