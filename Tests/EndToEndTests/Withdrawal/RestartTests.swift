import Foundation
import TestRunning
import Testing

@testable import EndToEnd

/// The last good version, over a restart.
@Suite("withdrawal: restarts", .manyAtOnce) struct RestartTests {
  private let six: SixHosts
  private var hosts: [String] { SixHosts.names }
  private var workspace: Workspace { six.workspace }

  init() throws { six = try SixHosts() }

  /// A busy machine may take longer for once.
  @Test func `a version is kept within two seconds after its file became faulty`() throws {
    try withServer(workspace, six.flags) { server in
      let isInTime = try hosts.contains { host in
        let start = ContinuousClock.now
        try workspace.write("domains/\(host).json", "{")
        #expect(eventually { six.kept.contains(host) })
        server.expect(stderr: "\(host).json", "error", "last good version")
        return ContinuousClock.now - start < .seconds(2)
      }
      #expect(isInTime)
    }
  }

  @Test func `without a state folder the status says what a restart would lose`() throws {
    try withServer(workspace, withAdmin) { server in
      try #expect(!server.aasa("status").text.contains("a restart would lose"))
      try workspace.write("domains/h0.example.json", "{")
      try workspace.write("domains/h1.example.json", "{")
      server.allow(stderr: "example.json", "error")
      try #expect(
        eventually {
          try server.aasa("status").text.contains(
            "a restart would lose 2 served versions")
        })
    }
    try withServer(workspace) { server in
      server.allow(stderr: "example.json", "error")
      try #expect(server.served("h0.example") == "503")
    }
  }

  @Test func `a loss that is held is held by the next start, and confirmed by a file`() throws {
    let environment = withdrawing(after: "1s")
    try withServer(workspace, six.flags, environment: environment) { server in
      try workspace.shell("rm domains/h[01234].example.json")
      try server.expectWithheld(WithheldReason.mostAbsent)
      #expect(eventually { six.kept.count == 5 })
    }
    try withServer(workspace, six.flags, environment: environment) { server in
      server.expect(stderr: "5 of 6 domains are suddenly missing from the folder", "[H031]")
      for host in hosts { try #expect(server.served(host) == association("A")) }
      let id = try server.holds().first ?? ""
      try #expect(server.aasa("status").exitCode == 1)
      server.allow(stderr: "warning", "removed")
      try workspace.write("state/confirm", "\(id)\nno1d\n")
      server.expect(stderr: "no hold has the ID no1d", "[H045]")
      for host in hosts.prefix(5) { try server.expectServed(host, "404") }
      #expect(eventually { six.kept.isEmpty })
      #expect(eventually { !workspace.exists("state/confirm") })
      try #expect(server.holds() == [])
      try #expect(server.served("h5.example") == association("A"))
    }
  }

  @Test(arguments: ["missing", "empty"])
  func `a start without its folder answers 503, serves what was kept, and is not ready`(
    how: String
  ) throws {
    try withServer(workspace, six.flags) { server in
      try workspace.write("domains/h0.example.json", "{")
      server.expect(stderr: "h0.example.json", "error", "last good version")
      #expect(eventually { six.kept == ["h0.example"] && workspace.exists("state/kept/known") })
    }
    try workspace.shell("mv domains away" + (how == "empty" ? "; mkdir domains" : ""))
    try withServer(workspace, six.flags) { server in
      server.expect(stderr: "domains folder is \(how)", "error", "[H001]")
      try #expect(server.served("h0.example") == association("A"))
      for host in ["h1.example", "other.example"] {
        let response = try server.get(host: host)
        #expect(response.status == 503 && response["Retry-After"] != nil)
      }
      try #expect(server.askAdmin("/readyz").status == 503)
      try #expect(server.aasa("status").exitCode == 1)
      try workspace.shell((how == "empty" ? "rmdir domains; " : "") + "mv away domains")
      server.allow(stderr: "h0.example.json", "error", "last good version")
      for host in hosts { try server.expectServed(host, association("A")) }
      try server.expectServed("other.example", "404")
      try #expect(eventually { try server.askAdmin("/readyz").status == 200 })
    }
  }
}
