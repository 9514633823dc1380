import Foundation
import TestRunning
import Testing

@testable import EndToEnd

/// A path is resolved again for each read, whichever part of it was swapped. Events do not report
/// that, so a sweep must find it.
@Suite("withdrawal: swapped folders", .manyAtOnce) struct SwapTests {
  private let workspace: Workspace

  init() throws { workspace = try Workspace() }

  @Test(.needs(.openssl), arguments: ["auto", "poll"])
  func `a folder on the way of a certificate's link is swapped`(watch: String) throws {
    let authority = try TestAuthority()
    try workspace.write("domains/a.example.json", association("A"))
    func install(_ subject: String, in folder: String) throws {
      let certificate = try authority.issue("a.example", subject: subject)
      try workspace.write("\(folder)/live/tls.crt", certificate.chain)
      try workspace.write("\(folder)/live/tls.key", certificate.key, mode: 0o600)
    }
    try install("first", in: "le")
    try workspace.link("certificates/a", to: workspace.path("le/live"))
    try withServer(
      workspace, https: true, ["--watch", watch], environment: authority.environment
    ) { server in
      try server.keepsShowing(["a.example": ["first, chain of 2", "second, chain of 2"]]) {
        try install("second", in: "le.new")
        try workspace.move("le", to: "le.old")
        try workspace.move("le.new", to: "le")
        #expect(eventually { server.shown("a.example") == "second, chain of 2" })
      }
    }
  }
}
