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
    "rm -rf domains/* && cp -r src/* domains",
    "mv domains away && cp -r src domains",
    "mv domains away && mv src domains",
    "rm -rf domains/h0.example && cp -r src/h0.example domains && cp -r src/* domains",
    "cp -r --remove-destination src/* domains",
    "tar -C src -cf all.tar . && tar -C domains -xf all.tar",
    "for name in src/*; do rm -rf domains/${name#src/}; mv $name domains; done",
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
      server.allow(stderr: "holds no association file", "[H008]")
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

  @Test func `with the usual settings, too`() throws {
    let workspace = try workspace()
    try withServer(workspace) { server in
      server.allowEmptyFiles()
      try server.keepsServing(Self.hosts, only: [association("A"), association("B")]) {
        for mark in "BABA" {
          for index in Self.hosts.indices {
            try workspace.write(Self.file(index, in: "src"), association(mark))
          }
          try workspace.shell("rm -rf domains && cp -r src domains")
          try server.expectServed("h0.example", association(mark))
          try server.expectServed(Self.hosts[Self.hosts.count - 1], association(mark))
        }
      }
    }
  }

  @Test func `one host's folder that is deployed again and again is answered throughout`() throws {
    let workspace = try workspace()
    try withServer(workspace) { server in
      server.allowEmptyFiles()
      let hosts = ["h0.example", "h1.example"]
      try server.keepsServing(hosts, only: [association("A"), association("B")]) {
        for mark in "BABABABA" {
          try workspace.write(Self.file(0, in: "src"), association(mark))
          try workspace.write(Self.file(1, in: "src"), association(mark))
          try workspace.shell(
            """
            rm -rf domains/h0.example && cp -r src/h0.example domains
            cp --remove-destination src/h1.example.json domains
            """)
          try server.expectServed("h0.example", association(mark))
          try server.expectServed("h1.example", association(mark))
        }
      }
    }
  }

  @Test func `a name that two files answer for changes nothing in how the others are read`() throws
  {
    let workspace = try Workspace()
    let hosts = ["a.example", "b.example"]
    for host in hosts { try workspace.write("domains/\(host).json", association("A")) }
    // Case makes no other host.
    try workspace.write("domains/B.EXAMPLE.json", association("A"))
    try withServer(workspace) { server in
      server.expect(stderr: "warning", "B.EXAMPLE.json", "[H005]")
      server.allow(stderr: "[H005]")
      try server.keepsServing(hosts, only: [association("A")]) {
        for round in 0..<40 {
          try workspace.remove("domains/a.example.json")
          goOn(for: .milliseconds(20))
          try workspace.write("domains/a.example.json", association("A"))
          try workspace.write("domains/c.example.json", association(round % 2 == 0 ? "C" : "D"))
        }
      }
    }
  }
}
