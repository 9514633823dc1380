import Foundation
import TestRunning
import Testing

@testable import EndToEnd

/// Somebody deploys the files of another site: the new ones are served, and the old ones stay until
/// somebody confirms that they were removed on purpose.
@Suite("withdrawal: wrong deployments", .manyAtOnce, .needs(.rsync)) struct WrongDeploymentTests {
  /// There are fewer wrong files than right ones: then it does not matter how long copying takes.
  private let workspace: Workspace

  init() throws { workspace = try Workspace() }

  @Test func `rsync from the wrong folder withdraws no host`() throws {
    let hosts = (0..<8).map { "h\($0).example" }
    for host in hosts {
      try workspace.write("right/\(host).json", association("A"))
      try workspace.write("domains/\(host).json", association("A"))
    }
    for host in ["x.example", "y.example"] {
      try workspace.write("wrong/\(host).json", association("W"))
    }
    let environment = withdrawing(after: "1s")
    try withServer(workspace, withAdmin, environment: environment) { server in
      server.allowEmptyFiles()
      try server.keepsServing(hosts, only: [association("A")]) {
        try workspace.shell("rsync -a --delete wrong/ domains/")
        try server.expectWithheld(WithheldReason.replaced)
        try server.expectServed("x.example", association("W"))
        try server.expectServed("y.example", association("W"))
        // Much longer than a missing file is served.
        goOn(for: .seconds(2))
        try #expect(server.holds().count == 1)
        try workspace.shell("cp -p right/* domains")
        try server.expectBelieved()
      }
    }
  }
}
