import Foundation
import Testing

/// Changes under `domains/` are served within a second, whichever way they are made.
@Suite("reload: changes") struct ReloadTests {
  /// A change, and what a host is served before and behind it: a mark, or a status.
  struct Change: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let host: String
    let before: String
    let after: String
    let apply: @Sendable (Workspace) throws -> Void

    init(
      _ description: String, _ host: String, _ before: String, _ after: String,
      _ apply: @escaping @Sendable (Workspace) throws -> Void
    ) {
      testDescription = description
      self.host = host
      self.before = before
      self.after = after
      self.apply = apply
    }
  }

  private static func prepare(_ workspace: Workspace) throws {
    try workspace.write("domains/a.example.json", association("A"))
    try workspace.write("domains/b.example/apple-app-site-association", association("B"))
    try workspace.write(
      "domains/c.example/.well-known/apple-app-site-association", association("C"))
    try workspace.write("domains/empty.example/index.html", "")
    try workspace.write("outside/d", association("D"))
    try workspace.link("domains/d.example.json", to: "../outside/d")
    try workspace.write("outside/e/apple-app-site-association", association("E"))
    try workspace.link("domains/e.example", to: workspace.path("outside/e"))
    try workspace.setModified("domains/a.example.json", 784_111_777)
  }

  static let changes = [
    Change("a new file", "new.example", "404", "N") {
      try $0.write("domains/new.example.json", association("N"))
    },
    Change("a new file by rename", "new.example", "404", "N") {
      try $0.replace("domains/new.example.json", association("N"))
    },
    Change("a new link", "new.example", "404", "N") {
      try $0.write("outside/n", association("N"))
      try $0.link("domains/new.example.json", to: "../outside/n")
    },
    Change("a new hard link", "new.example", "404", "N") {
      try $0.write("outside/n", association("N"))
      try FileManager.default.linkItem(
        atPath: $0.path("outside/n"), toPath: $0.path("domains/new.example.json"))
    },
    Change("a new folder, made step by step", "new.example", "404", "N") {
      try $0.makeFolder("domains/new.example")
      try $0.makeFolder("domains/new.example/.well-known")
      try $0.write("domains/new.example/.well-known/apple-app-site-association", association("N"))
    },
    Change("a new folder, moved in whole", "new.example", "404", "N") {
      try $0.write("outside/n/apple-app-site-association", association("N"))
      try $0.move("outside/n", to: "domains/new.example")
    },
    Change("a new wildcard", "x.new.example", "404", "N") {
      try $0.write("domains/_wildcard.new.example.json", association("N"))
    },
    Change("a new default", "x.new.example", "404", "N") {
      try $0.write("domains/_default.json", association("N"))
    },
    Change("a file written again", "a.example", "A", "N") {
      try $0.write("domains/a.example.json", association("N"))
    },
    Change("a file renamed over", "a.example", "A", "N") {
      try $0.replace("domains/a.example.json", association("N"))
    },
    Change("a file removed and written", "a.example", "A", "N") {
      try $0.remove("domains/a.example.json")
      try $0.write("domains/a.example.json", association("N"))
    },
    Change("other bytes of the same size at the same time", "a.example", "A", "N") {
      try $0.write("domains/a.example.json", association("N"))
      try $0.setModified("domains/a.example.json", 784_111_777)
    },
    Change("a file renamed over, of the same size and time", "a.example", "A", "N") {
      try $0.write("outside/n", association("N"))
      try $0.setModified("outside/n", 784_111_777)
      try $0.move("outside/n", to: "domains/a.example.json")
    },
    Change("a file removed", "a.example", "A", "404") { try $0.remove("domains/a.example.json") },
    Change("a file moved to another host", "new.example", "404", "A") {
      try $0.move("domains/a.example.json", to: "domains/new.example.json")
    },
    Change("a file in a folder written again", "b.example", "B", "N") {
      try $0.write("domains/b.example/apple-app-site-association", association("N"))
    },
    Change("a file in a folder renamed over", "b.example", "B", "N") {
      try $0.replace("domains/b.example/apple-app-site-association", association("N"))
    },
    Change("a file in .well-known written again", "c.example", "C", "N") {
      try $0.write("domains/c.example/.well-known/apple-app-site-association", association("N"))
    },
    Change("a file removed from its folder", "c.example", "C", "404") {
      try $0.remove("domains/c.example/.well-known/apple-app-site-association")
    },
    Change("a folder removed", "c.example", "C", "404") { try $0.remove("domains/c.example") },
    Change("a first file in a folder that had none", "empty.example", "404", "N") {
      try $0.write("domains/empty.example/.well-known/apple-app-site-association", association("N"))
    },
    Change("a file written where a link leads", "d.example", "D", "N") {
      try $0.write("outside/d", association("N"))
    },
    Change("a file renamed over where a link leads", "d.example", "D", "N") {
      try $0.replace("outside/d", association("N"))
    },
    Change("a link that leads elsewhere", "d.example", "D", "N") {
      try $0.write("outside/n", association("N"))
      try $0.link("domains/.tmp", to: "../outside/n")
      try $0.move("domains/.tmp", to: "domains/d.example.json")
    },
    Change("a file in a linked folder", "e.example", "E", "N") {
      try $0.replace("outside/e/apple-app-site-association", association("N"))
    },
    Change("a linked folder that leads elsewhere", "e.example", "E", "N") {
      try $0.write("outside/n/apple-app-site-association", association("N"))
      try $0.link("domains/.tmp", to: $0.path("outside/n"))
      try $0.move("domains/.tmp", to: "domains/e.example")
    },
  ]

  private func served(_ server: Server, _ host: String) throws -> String {
    let response = try server.get(host: host)
    guard response.status == 200 else { return String(response.status) }
    return "ABCDEN".first { response.text == association($0) }.map(String.init) ?? response.text
  }

  @Test(arguments: ["auto", "poll"], changes)
  func `a change is served within a second`(watch: String, change: Change) throws {
    let workspace = try Workspace()
    try Self.prepare(workspace)
    try withServer(workspace, ["--watch", watch]) { server in
      // An empty folder is told of; so is one whose file goes.
      server.allow(stderr: "warning", "holds no association file")
      try #expect(served(server, change.host) == change.before)
      try change.apply(workspace)
      let isServed = try eventually(within: reloadAllowance) {
        try served(server, change.host) == change.after
      }
      let now = try served(server, change.host)
      #expect(isServed, "\(now)")
      // The others are what they were.
      for (host, mark) in [("a", "A"), ("b", "B"), ("c", "C"), ("d", "D"), ("e", "E")]
      where change.host != host + ".example" && !change.testDescription.contains("moved to another")
      {
        try #expect(served(server, host + ".example") == mark)
      }
    }
  }

  @Test(arguments: ["auto", "poll"])
  func `a second change is served as the first was`(watch: String) throws {
    let workspace = try Workspace()
    try Self.prepare(workspace)
    try withServer(workspace, ["--watch", watch]) { server in
      server.allow(stderr: "warning", "holds no association file")
      for mark in "NABNANBA" {
        for name in ["domains/a.example.json", "outside/d", "domains/new.example.json"] {
          try workspace.replace(name, association(mark))
        }
        let isServed = try eventually(within: reloadAllowance) {
          try ["a.example", "d.example", "new.example"].allSatisfy {
            try served(server, $0) == String(mark)
          }
        }
        #expect(isServed, "\(mark)")
      }
    }
  }

  @Test func `an open connection gets the new file with its next request`() throws {
    let workspace = try Workspace()
    try Self.prepare(workspace)
    try withServer(workspace) { server in
      server.allow(stderr: "warning", "holds no association file")
      let client = try RawClient(port: server.http)
      var tags: Set<String> = []
      for mark in "ANBC" {
        try workspace.replace("domains/a.example.json", association(mark))
        let isServed = try eventually(within: reloadAllowance) {
          try client.send(request(host: "a.example"))
          let response = try client.receive()
          guard response.text == association(mark) else { return false }
          tags.insert(response["ETag"] ?? "")
          return true
        }
        #expect(isServed, "\(mark)")
      }
      #expect(tags.count == 4)
    }
  }

  @Test func `SIGHUP reads everything again and loses nothing`() throws {
    let workspace = try Workspace()
    try Self.prepare(workspace)
    try withServer(workspace) { server in
      server.allow(stderr: "warning", "holds no association file")
      let load = Load(on: server.http, host: "a.example", persistent: 1, fresh: 1)
      for mark in "NBCD" {
        try workspace.replace("domains/b.example/apple-app-site-association", association(mark))
        server.process.signal(SIGHUP)
        let isServed = try eventually(within: reloadAllowance) {
          try served(server, "b.example") == String(mark)
        }
        #expect(isServed, "\(mark)")
      }
      let result = try load.stop()
      #expect(result.failures == [])
      #expect(result.bodies == [association("A")])
    }
  }
}
