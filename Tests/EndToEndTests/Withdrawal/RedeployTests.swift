import Foundation
import TestRunning
import Testing

@testable import EndToEnd

/// Deployment tools take files away for a moment and put others in their place: no request may notice.
@Suite("withdrawal: deployments", .manyAtOnce) struct RedeployTests {
  private static let hosts = (0..<rounds(40, stress: 600)).map { "h\($0).example" }
  /// Some of them have a folder, as a web root has.
  private static func file(_ index: Int, in folder: String) -> String {
    let host = hosts[index]
    return index.isMultiple(of: 10)
      ? "\(folder)/\(host)/.well-known/apple-app-site-association" : "\(folder)/\(host).json"
  }

  private func workspace() throws -> Workspace {
    let workspace = try Workspace()
    for index in Self.hosts.indices {
      try workspace.write(Self.file(index, in: "domains"), association("A"))
      try workspace.write(Self.file(index, in: "src"), association("B"))
    }
    return workspace
  }

  static let scripts = [
    "rm -rf domains && cp -r src domains",
    "mv domains away && mv src domains",
    "rm -rf domains/h0.example && cp -r src/h0.example domains && cp -r src/* domains",
    "tar -C src -cf all.tar . && tar -C domains -xf all.tar",
    "cp -r src next && ln -s next link && mv domains away && mv -T link domains",
  ]

  /// A machine may be slow at copying; how long names may be away is another test's.
  @Test(arguments: scripts, ["auto", "poll"])
  func `all hosts are answered throughout, and then the new version`(script: String, watch: String)
    throws
  {
    let workspace = try workspace()
    let environment = withdrawing(after: "120s")
    try withServer(workspace, ["--watch", watch], environment: environment) { server in
      server.allow(stderr: "contains no association file", "[H008]")
      server.allowEmptyFiles()
      try server.keepsServing(Self.hosts, only: [association("A"), association("B")]) {
        try workspace.shell(script)
        let areServed = try eventually {
          try Self.hosts.allSatisfy { try server.served($0) == association("B") }
        }
        #expect(areServed)
      }
    }
  }
}
