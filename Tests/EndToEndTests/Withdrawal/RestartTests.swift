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

  /// Whether the status says, a moment after the file was written, that a restart loses nothing.
  private func losesNothing(_ server: Server) throws -> Bool {
    try eventually { try !server.aasa("status").text.contains("a restart would lose") }
  }

  @Test func `a version whose file is faulty is served by the next start too`() throws {
    try withServer(workspace, six.flags) { server in
      try workspace.write("domains/h0.example.json", "{")
      server.expect(stderr: "h0.example.json", "error", "last good version")
      // Within two seconds.
      #expect(eventually { six.kept == ["h0.example"] })
      #expect(try losesNothing(server))
    }
    try withServer(workspace, six.flags) { server in
      server.expect(stderr: "h0.example.json", "error", "last good version")
      for host in hosts { try #expect(server.served(host) == association("A")) }
      try workspace.write("domains/h0.example.json", association("B"))
      try server.expectServed("h0.example", association("B"))
      #expect(eventually { six.kept.isEmpty })
    }
  }

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

  @Test func `a folder in the place of a file is a file that cannot be read, after a restart too`()
    throws
  {
    let name = "domains/h0.example.json"
    try withServer(workspace, six.flags) { server in
      try workspace.remove(name)
      try workspace.makeFolder(name)
      server.expect(stderr: name, "cannot be read", "put a file in its place", "[H003]")
      #expect(eventually { six.kept == ["h0.example"] })
    }
    try withServer(workspace, six.flags) { server in
      server.expect(stderr: name, "cannot be read", "put a file in its place", "[H003]")
      for host in hosts { try #expect(server.served(host) == association("A")) }
      try workspace.remove(name)
      try workspace.write(name, association("A"))
      #expect(eventually { six.kept.isEmpty })
    }
    // Nothing better is known.
    try workspace.makeFolder("domains/new.example.json")
    try withServer(workspace, six.flags) { server in
      server.expect(stderr: "domains/new.example.json", "cannot be read", "[H003]")
      try #expect(server.served("new.example") == "503")
    }
  }

  @Test func `without a state folder the status says what a restart would lose`() throws {
    try withServer(workspace, withAdmin) { server in
      try #expect(!server.aasa("status").text.contains("a restart would lose"))
      try workspace.write("domains/h0.example.json", "{")
      try workspace.write("domains/h1.example.json", "{")
      server.allow(stderr: "example.json", "error")
      try #expect(
        eventually { try server.aasa("status").text.contains("a restart would lose 2 versions") })
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
      server.expect(stderr: "5 of 6 domains are missing from the folder at once", "[H031]")
      for host in hosts { try #expect(server.served(host) == association("A")) }
      let id = try server.holds().first ?? ""
      try #expect(server.aasa("status").exitCode == 1)
      server.allow(stderr: "warning", "removed")
      try workspace.write("state/confirm", "\(id)\nno1d\n")
      server.expect(stderr: "no1d is not held", "[H045]")
      for host in hosts.prefix(5) { try server.expectServed(host, "404") }
      #expect(eventually { six.kept.isEmpty })
      #expect(eventually { !workspace.exists("state/confirm") })
      try #expect(server.holds() == [])
      try #expect(server.served("h5.example") == association("A"))
    }
  }

  @Test func `a list that is lost with most names is held over a restart`() throws {
    try workspace.write("domains/links.json", association("A"))
    try workspace.write("domains/links.hosts", "l.example\n")
    let environment = withdrawing(after: "1s")
    try withServer(workspace, six.flags, environment: environment) { server in
      try workspace.shell("rm domains/h?.example.json domains/links.hosts")
      try server.expectWithheld(WithheldReason.mostAbsent)
      #expect(eventually { six.kept.contains("links") })
    }
    try withServer(workspace, six.flags, environment: environment) { server in
      server.expect(stderr: "domains are missing from the folder at once", "[H031]")
      // Once this name is withdrawn, a list that counted as removed would be withdrawn too.
      try workspace.write("domains/new.example.json", association("A"))
      try server.expectServed("new.example", association("A"))
      server.allow(stderr: "removed: new.example")
      try workspace.shell("rm domains/new.example.json")
      try server.expectServed("new.example", "404")
      for host in ["l.example", "h0.example"] {
        try #expect(server.served(host) == association("A"))
      }
    }
  }

  @Test(arguments: [
    ("rm domains/links.json", "[H032]"),
    ("echo '<html>' > new; mv new domains/links.hosts", "[H042]"),
    ("echo l0.example > new; mv new domains/links.hosts", "[H042]"),
    ("echo other.example > new; mv new domains/links.hosts", "[H042]"),
  ])
  func `the hosts of a list are served by the next start too, whatever it has lost`(
    change: String, code: String
  ) throws {
    let hosts = (0..<5).map { "l\($0).example" }
    let list = hosts.joined(separator: "\n") + "\n"
    try workspace.write("domains/links.json", association("A"))
    try workspace.write("domains/links.hosts", list)
    let environment = withdrawing(after: "300ms")
    try withServer(workspace, six.flags, environment: environment) { server in
      server.allow(stderr: "links.hosts", "warning")
      try workspace.shell(change)
      server.expect(stderr: "links.hosts", "error", code)
      #expect(eventually { six.kept == ["links"] })
      #expect(try losesNothing(server))
    }
    try withServer(workspace, six.flags, environment: environment) { server in
      server.allow(stderr: "links.hosts", "warning")
      for host in hosts { try #expect(server.served(host) == association("A")) }
      server.expect(stderr: "links.hosts", "error", code)
      for host in hosts { try #expect(server.served(host) == association("A")) }
      #expect(eventually { six.kept == ["links"] })
      try workspace.write("domains/links.json", association("B"))
      // A hold ends only if nothing is missing.
      try workspace.write("domains/links.hosts", list + "other.example\n")
      for host in hosts { try server.expectServed(host, association("B")) }
      #expect(eventually { six.kept.isEmpty })
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

  @Test func `an empty folder is empty, if that is confirmed`() throws {
    try withServer(workspace, six.flags) { _ in
      #expect(eventually { workspace.exists("state/kept/known") })
    }
    try workspace.shell("rm domains/*")
    try withServer(workspace, six.flags) { server in
      server.expect(stderr: "domains folder is empty", "error", "[H001]")
      try server.expectServed("h0.example", "503")
      server.allow(stderr: "[H010]")
      try server.confirmLoss()
      try server.expectServed("h0.example", "404")
    }
    // And is so after a restart.
    try withServer(workspace, six.flags) { server in
      server.allow(stderr: "[H010]")
      try server.expectServed("h0.example", "404")
    }
  }

  @Test func `an empty folder without a state folder is empty`() throws {
    try withServer(workspace, withAdmin) { _ in }
    try workspace.shell("rm domains/*")
    try withServer(workspace, withAdmin) { server in
      server.allow(stderr: "[H010]")
      try #expect(server.served("h0.example") == "404")
      try #expect(server.askAdmin("/readyz").status == 200)
    }
  }
}
