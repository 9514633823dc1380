import Foundation
import TestRunning
import Testing

@testable import EndToEnd

/// A path is resolved again for each read, whichever part of it was swapped. Events do not report
/// that, so a sweep must find it.
@Suite("withdrawal: swapped folders", .manyAtOnce) struct SwapTests {
  private let workspace: Workspace

  init() throws { workspace = try Workspace() }

  @Test(arguments: zip(["srv/app/conf", "srv"], ["auto", "poll"]))
  func `a folder above the domains folder is swapped`(swapped: String, watch: String) throws {
    let domains = "srv/app/conf/domains"
    let rest = domains.dropFirst(swapped.count)
    try workspace.write("\(domains)/a.example.json", association("A"))
    let flags = ["--domains", workspace.path(domains), "--watch", watch]
    try withServer(workspace, flags) { server in
      try server.keepsServing(["a.example"], only: "ABCD".map { association($0) }) {
        for (round, mark) in "BC".enumerated() {
          try workspace.write("next\(rest)/a.example.json", association(mark))
          try workspace.write("next\(rest)/b.example.json", association(mark))
          try workspace.move(swapped, to: "old\(round)")
          try workspace.move("next", to: swapped)
          try server.expectServed("a.example", association(mark))
          try server.expectServed("b.example", association(mark))
        }
        try workspace.write("\(domains)/a.example.json", association("D"))
        try server.expectServed("a.example", association("D"))
      }
    }
  }

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
