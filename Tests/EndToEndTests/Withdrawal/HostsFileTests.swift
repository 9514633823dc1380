import Foundation
import TestRunning
import Testing

@testable import EndToEnd

/// Many names for one file: `NAME.hosts` beside `NAME.json` or the folder `NAME`.
@Suite("withdrawal: hosts files", .manyAtOnce) struct HostsFileTests {
  private let workspace: Workspace
  private static let list = """
    # Customers.
    one.example

    two.example   # its own comment
    *.three.example
    Four.Example
    """

  init() throws {
    workspace = try Workspace()
    for host in ["p", "q", "r", "s", "t", "u"] {
      try workspace.write("domains/\(host).example.json", association("O"))
    }
    try workspace.write("domains/links.json", association("L"))
  }

  @Test(arguments: ["file", "folder", "well-known"])
  func `each host of the file gets the answers of its name`(form: String) throws {
    try workspace.write("domains/links.hosts", Self.list)
    if form != "file" {
      try workspace.remove("domains/links.json")
      let way = form == "folder" ? "" : ".well-known/"
      try workspace.write("domains/links/\(way)apple-app-site-association", association("L"))
      try workspace.write("domains/links/\(way)assetlinks.json", assetLinksList)
    }
    try withServer(workspace) { server in
      for host in ["one", "two", "x.three", "a.b.three", "three", "four", "FOUR"] {
        try #expect(server.served("\(host).example") == association("L"), "\(host)")
      }
      for host in ["x.one.example", "five.example", "links.hosts"] {
        try #expect(server.served(host) == "404")
      }
      try #expect(server.served("p.example") == association("O"))
      if form != "file" {
        try #expect(
          server.get("/.well-known/assetlinks.json", host: "one.example").text == assetLinksList)
      }
      let file = form == "file" ? "links.json" : "links/.well-known/apple-app-site-association"
      if form != "folder" {
        try workspace.write("domains/" + file, association("N"))
        for host in ["one", "x.three"] {
          try server.expectServed("\(host).example", association("N"))
        }
      }
    }
  }

  @Test(arguments: ["auto", "poll"])
  func `a changed file is read by its difference`(watch: String) throws {
    try workspace.write("domains/links.hosts", Self.list)
    let environment = withdrawing(after: "300ms")
    try withServer(workspace, ["--watch", watch], environment: environment) { server in
      try server.keepsServing(["two.example", "x.three.example"], only: [association("L")]) {
        let changed = Self.list.replacing("one.example", with: "new.example")
        try workspace.write("domains/links.hosts", changed)
        try server.expectServed("new.example", association("L"))
        server.expectAnnounced("added", "new.example")
        try server.expectServed("one.example", "404")
        server.expect(stderr: "warning", "removed: one.example")
        #expect(!server.outputLines.contains { $0.contains("two.example") })
        // A file that comes later, beside a name that is there.
        try workspace.write("domains/p.example.hosts", "alias.example\n")
        try server.expectServed("alias.example", association("O"))
      }
    }
  }

  @Test func `faulty lines are reported by their number, and the others count`() throws {
    try workspace.write(
      "domains/links.hosts",
      "one.example\nhttps://two.example/\nthree example\n\nexa$mple\n*.*.example\nlast.example\n")
    try withServer(workspace, withAdmin) { server in
      for line in [2, 3, 5, 6] { server.expect(stderr: "domains/links.hosts:\(line)") }
      for host in ["one.example", "last.example"] {
        try #expect(server.served(host) == association("L"))
      }
      try #expect(server.served("two.example") == "404")
    }
  }

  @Test func `the first of two lines for a host wins, and the second is reported`() throws {
    try workspace.write("domains/links.hosts", "one.example\ntwo.example\nONE.example\n")
    try workspace.write("domains/q.example.hosts", "three.example\ntwo.example\n")
    try withServer(workspace) { server in
      server.expect(stderr: "domains/links.hosts:3", "one.example")
      // In the order of the names of the files.
      server.expect(stderr: "domains/q.example.hosts:2", "two.example")
      try #expect(server.served("one.example") == association("L"))
      try #expect(server.served("two.example") == association("L"))
      try #expect(server.served("three.example") == association("O"))
    }
  }

  @Test func `an entry of its own is not overridden, and that is reported`() throws {
    try workspace.write("domains/links.hosts", "one.example\np.example\n")
    try workspace.write("domains/_wildcard.deep.example.json", association("W"))
    try withServer(workspace, environment: withdrawing(after: "300ms")) { server in
      server.expect(stderr: "domains/links.hosts:2", "p.example")
      try #expect(server.served("p.example") == association("O"))
      // When the entry goes, the line counts.
      try server.keepsServing(["p.example"], only: [association("O"), association("L")]) {
        try workspace.remove("domains/p.example.json")
        try server.expectServed("p.example", association("L"))
      }
      server.allow(stderr: "p.example", "removed")
      try workspace.write("domains/p.example.json", association("N"))
      try server.expectServed("p.example", association("N"))
      server.allow(stderr: "domains/links.hosts:2", "p.example")
    }
  }

  @Test func `a hosts file that vanishes keeps its hosts, and then withdraws them`() throws {
    try workspace.write("domains/links.hosts", "one.example\ntwo.example\n")
    try withServer(workspace) { server in
      let start = ContinuousClock.now
      try server.keepsServing(["p.example"], only: [association("O")]) {
        try workspace.remove("domains/links.hosts")
        try server.expectServed("one.example", "404")
        #expect(ContinuousClock.now - start >= .seconds(4.9))
        try server.expectServed("two.example", "404")
      }
      server.expect(stderr: "warning", "removed", "one.example")
      server.allow(stderr: "removed", "two.example")
    }
  }

  @Test func `one that is replaced without a pause loses no host`() throws {
    try workspace.write("domains/links.hosts", "one.example\ntwo.example\n")
    try withServer(workspace) { server in
      try server.keepsServing(["one.example", "two.example"], only: [association("L")]) {
        for round in 0..<20 {
          try workspace.remove("domains/links.hosts")
          goOn(for: .milliseconds(20))
          try workspace.write(
            "domains/links.hosts", "one.example\ntwo.example\nr\(round).example\n")
        }
        try server.expectServed("r19.example", association("L"))
      }
      server.allow(stderr: "removed", "r")
    }
  }

  @Test(.needsOrdinaryServer) func `one that cannot be read keeps its hosts`() throws {
    try workspace.write("domains/links.hosts", "one.example\ntwo.example\n")
    let environment = withdrawing(after: "300ms")
    try withOrdinaryServer(workspace, withAdmin, environment: environment) { server in
      try server.keepsServing(["one.example", "two.example"], only: [association("L")]) {
        try workspace.setMode("domains/links.hosts", 0o000)
        server.expect(stderr: "domains/links.hosts", "error", "Permission denied")
        goOn(for: .seconds(1))
        try #expect(server.aasa("status").exitCode == 1)
      }
      try workspace.setMode("domains/links.hosts", 0o644)
      try workspace.write("domains/links.hosts", "one.example\nnew.example\n")
      try server.expectServed("new.example", association("L"))
      server.allow(stderr: "removed", "two.example")
    }
  }

  @Test func `a hosts file whose name has no entry is reported, and serves once there is one`()
    throws
  {
    try workspace.write("domains/later.hosts", "one.example\n")
    try withServer(workspace) { server in
      server.expect(stderr: "domains/later.hosts")
      try #expect(server.served("one.example") != association("N"))
      try workspace.write("domains/later.json", association("N"))
      try server.expectServed("one.example", association("N"))
    }
  }
}
