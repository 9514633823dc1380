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
}
