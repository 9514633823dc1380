import Foundation
import TestRunning
import Testing

@testable import EndToEnd

/// Changes under `domains/` are served without a signal, whichever way they are made.
@Suite("reload: changes", .manyAtOnce) struct ReloadTests {
  /// A change, and the answer for a host before and after it: a mark, or a status.
  struct Change: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let host: String
    let before: String
    let after: String
    /// In names of files and hosts `tag` keeps several changes apart.
    let apply: @Sendable (_ workspace: Workspace, _ tag: String) throws -> Void

    init(
      _ description: String, _ host: String, _ before: String, _ after: String,
      _ apply: @escaping @Sendable (_ workspace: Workspace, _ tag: String) throws -> Void
    ) {
      testDescription = description
      self.host = host
      self.before = before
      self.after = after
      self.apply = apply
    }
  }

  private static func prepare(_ workspace: Workspace, _ tag: String = "") throws {
    try workspace.write("domains/a\(tag).example.json", association("A"))
    try workspace.write("domains/b\(tag).example/apple-app-site-association", association("B"))
    try workspace.write(
      "domains/c\(tag).example/.well-known/apple-app-site-association", association("C"))
    try workspace.write("domains/empty\(tag).example/index.html", "")
    try workspace.write("outside/d\(tag)", association("D"))
    try workspace.link("domains/d\(tag).example.json", to: "../outside/d\(tag)")
    try workspace.write("outside/e\(tag)/apple-app-site-association", association("E"))
    try workspace.link("domains/e\(tag).example", to: workspace.path("outside/e\(tag)"))
    try workspace.setModified("domains/a\(tag).example.json", 784_111_777)
  }

  static let changes = [
    Change("a new file", "new.example", "404", "N") {
      try $0.overwrite("domains/new\($1).example.json", association("N"))
    },
    Change("a new file by rename", "new.example", "404", "N") {
      try $0.write("domains/new\($1).example.json", association("N"))
    },
    Change("a new link", "new.example", "404", "N") {
      try $0.write("outside/n\($1)", association("N"))
      try $0.link("domains/new\($1).example.json", to: "../outside/n\($1)")
    },
    Change("a new hard link", "new.example", "404", "N") {
      try $0.write("outside/n\($1)", association("N"))
      try FileManager.default.linkItem(
        atPath: $0.path("outside/n\($1)"), toPath: $0.path("domains/new\($1).example.json"))
    },
    Change("a new folder, made step by step", "new.example", "404", "N") {
      try $0.makeFolder("domains/new\($1).example")
      try $0.makeFolder("domains/new\($1).example/.well-known")
      try $0.write(
        "domains/new\($1).example/.well-known/apple-app-site-association", association("N"))
    },
    Change("a new folder, moved in whole", "new.example", "404", "N") {
      try $0.write("outside/n\($1)/apple-app-site-association", association("N"))
      try $0.move("outside/n\($1)", to: "domains/new\($1).example")
    },
    Change("a new wildcard", "x.new.example", "404", "N") {
      try $0.write("domains/_wildcard.new\($1).example.json", association("N"))
    },
    Change("a new default", "x.new.example", "404", "N") { workspace, _ in
      try workspace.write("domains/_default.json", association("N"))
    },
    Change("a file written again", "a.example", "A", "N") {
      try $0.overwrite("domains/a\($1).example.json", association("N"))
    },
    Change("a file renamed over", "a.example", "A", "N") {
      try $0.write("domains/a\($1).example.json", association("N"))
    },
    Change("a file removed and written", "a.example", "A", "N") {
      try $0.remove("domains/a\($1).example.json")
      try $0.overwrite("domains/a\($1).example.json", association("N"))
    },
    Change("other bytes of the same size at the same time", "a.example", "A", "N") {
      try $0.overwrite("domains/a\($1).example.json", association("N"))
      try $0.setModified("domains/a\($1).example.json", 784_111_777)
    },
    Change("a file renamed over, of the same size and time", "a.example", "A", "N") {
      try $0.write("outside/n\($1)", association("N"))
      try $0.setModified("outside/n\($1)", 784_111_777)
      try $0.move("outside/n\($1)", to: "domains/a\($1).example.json")
    },
    Change("a file removed", "a.example", "A", "404") {
      try $0.remove("domains/a\($1).example.json")
    },
    Change("a file moved to another host", "new.example", "404", "A") {
      try $0.move("domains/a\($1).example.json", to: "domains/new\($1).example.json")
    },
    Change("a file in a folder written again", "b.example", "B", "N") {
      try $0.overwrite("domains/b\($1).example/apple-app-site-association", association("N"))
    },
    Change("a file in a folder renamed over", "b.example", "B", "N") {
      try $0.write("domains/b\($1).example/apple-app-site-association", association("N"))
    },
    Change("a file in .well-known written again", "c.example", "C", "N") {
      try $0.overwrite(
        "domains/c\($1).example/.well-known/apple-app-site-association", association("N"))
    },
    Change("a file removed from its folder", "c.example", "C", "404") {
      try $0.remove("domains/c\($1).example/.well-known/apple-app-site-association")
    },
    Change("a folder removed", "c.example", "C", "404") {
      try $0.remove("domains/c\($1).example")
    },
    Change("a first file in a folder that had none", "empty.example", "404", "N") {
      try $0.write(
        "domains/empty\($1).example/.well-known/apple-app-site-association", association("N"))
    },
    Change("a file written where a link leads", "d.example", "D", "N") {
      try $0.overwrite("outside/d\($1)", association("N"))
    },
    Change("a file renamed over where a link leads", "d.example", "D", "N") {
      try $0.write("outside/d\($1)", association("N"))
    },
    Change("a link that leads elsewhere", "d.example", "D", "N") {
      try $0.write("outside/n\($1)", association("N"))
      try $0.link("domains/.tmp\($1)", to: "../outside/n\($1)")
      try $0.move("domains/.tmp\($1)", to: "domains/d\($1).example.json")
    },
    Change("a link removed", "d.example", "D", "404") {
      try $0.remove("domains/d\($1).example.json")
    },
    Change("a .well-known removed", "c.example", "C", "404") {
      try $0.remove("domains/c\($1).example/.well-known")
    },
    Change("a file in a linked folder", "e.example", "E", "N") {
      try $0.write("outside/e\($1)/apple-app-site-association", association("N"))
    },
    Change("a linked folder that leads elsewhere", "e.example", "E", "N") {
      try $0.write("outside/n\($1)/apple-app-site-association", association("N"))
      try $0.link("domains/.tmp\($1)", to: $0.path("outside/n\($1)"))
      try $0.move("domains/.tmp\($1)", to: "domains/e\($1).example")
    },
  ]

  private func served(_ server: Server, _ host: String) throws -> String {
    let response = try server.get(host: host)
    guard response.status == 200 else { return String(response.status) }
    return "ABCDEN".first { response.text == association($0) }.map(String.init) ?? response.text
  }

  @Test(arguments: changes) func `a change is served without a signal`(change: Change) throws {
    try serve([change], watch: "auto")
  }

  /// All in one folder, because each takes its time; only a new default would concern all of them.
  @Test func `every change is found by polling, too`() throws {
    let isDefault = { (change: Change) in change.testDescription == "a new default" }
    try serve(Self.changes.filter { !isDefault($0) }, watch: "poll")
    try serve(Self.changes.filter(isDefault), watch: "poll")
  }

  private func serve(_ changes: [Change], watch: String) throws {
    let workspace = try Workspace()
    for index in changes.indices { try Self.prepare(workspace, String(index)) }
    try withServer(workspace, ["--watch", watch]) { server in
      // An empty folder is reported, and so is one whose file is removed.
      server.allow(stderr: "warning", "contains no association file")
      server.allow(stderr: "more of this kind [H008]")
      server.allow(stderr: "removed: ", "[H036]")
      // Between the moment it is emptied and the next turn of this process.
      server.allow(stderr: "the file is empty")
      func served(_ change: Change, _ index: Int) throws -> String {
        let host = change.host.replacingOccurrences(of: ".example", with: "\(index).example")
        return try self.served(server, host)
      }
      for (index, change) in changes.enumerated() {
        try #expect(served(change, index) == change.before, "\(change.testDescription)")
      }
      for (index, change) in changes.enumerated() { try change.apply(workspace, String(index)) }
      _ = try eventually {
        try changes.enumerated().allSatisfy { try served($1, $0) == $1.after }
      }
      for (index, change) in changes.enumerated() {
        try #expect(served(change, index) == change.after, "\(change.testDescription)")
        // The others are unchanged.
        for mark in ["A", "B", "C", "D", "E"]
        where change.before != mark && !(change.before == "404" && change.after == mark) {
          let host = mark.lowercased() + "\(index).example"
          try #expect(self.served(server, host) == mark, "\(change.testDescription)")
        }
      }
    }
  }

  @Test(arguments: ["auto", "poll"])
  func `a second change is served as the first was`(watch: String) throws {
    let workspace = try Workspace()
    try Self.prepare(workspace)
    try withServer(workspace, ["--watch", watch]) { server in
      server.allow(stderr: "warning", "contains no association file")
      for mark in "NABNANBA" {
        for name in ["domains/a.example.json", "outside/d", "domains/new.example.json"] {
          try workspace.write(name, association(mark))
        }
        let isServed = try eventually {
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
      server.allow(stderr: "warning", "contains no association file")
      let client = try RawClient(port: server.http)
      var tags: Set<String> = []
      for mark in "ANBC" {
        try workspace.write("domains/a.example.json", association(mark))
        let isServed = try eventually {
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

  @Test func `SIGHUP is a reload, though nothing has changed`() throws {
    let workspace = try Workspace()
    try Self.prepare(workspace)
    try withServer(workspace, withAdmin) { server in
      server.allow(stderr: "warning", "contains no association file")
      let reloads = #"aasa_reloads_total{result="success"}"#
      for count in 0..<3 {
        try #expect(server.becomes { try server.sample(reloads) == Double(count) }, "\(count)")
        server.process.signal(SIGHUP)
      }
      try server.expectSample(reloads, 3)
    }
  }

  @Test func `SIGHUP reads everything again and loses nothing`() throws {
    let workspace = try Workspace()
    try Self.prepare(workspace)
    try withServer(workspace) { server in
      server.allow(stderr: "warning", "contains no association file")
      let load = Load(on: server.http, host: "a.example", persistent: 1, fresh: 1)
      for mark in "NBCD" {
        try workspace.write("domains/b.example/apple-app-site-association", association(mark))
        server.process.signal(SIGHUP)
        let isServed = try eventually {
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
