import Foundation
import TestRunning
import Testing

@testable import EndToEnd

/// Nothing that others do keeps a change from being seen.
@Suite("withdrawal: changes that must be seen", .manyAtOnce) struct StarvationTests {
  private let workspace: Workspace

  init() throws {
    workspace = try Workspace()
    try workspace.write("domains/p.example.json", association("A"))
  }

  /// The kernel limits the watches of a user; here to five.
  @Test(.enabled(if: Self.canLimitWatches, "user namespaces are not permitted here"))
  func `without any watch left, all changes are still found`() throws {
    for index in 0..<50 {
      try workspace.write(
        "domains/h\(index).example/.well-known/apple-app-site-association", association("A"))
    }
    let hosts = (0..<50).map { "h\($0).example" }
    try withServer(workspace, withAdmin, through: Self.withFewWatches) { server in
      server.allow(stderr: "warning", "[H011]")
      for (mark, index) in zip("BCDE", [0, 49, 25, 7]) {
        let file = "domains/h\(index).example/.well-known/apple-app-site-association"
        try server.keepsServing(hosts, only: [association("A")] + "BCDE".map { association($0) }) {
          try workspace.write(file, association(mark))
          let isServed = try eventually {
            try server.served("h\(index).example") == association(mark)
          }
          #expect(isServed, "\(mark)")
        }
      }
      try server.expectStatus(0)
    }
  }

  private static let withFewWatches = [
    "/usr/bin/env", "unshare", "-rU", "sh", "-ec",
    #"echo 5 >/proc/sys/user/max_inotify_watches; exec "$@""#, "sh",
  ]

  private static let canLimitWatches: Bool = {
    let runner = withFewWatches + ["true"]
    return (try? run(runner[0], Array(runner.dropFirst())).exitCode) == 0
  }()

  /// A container's limit may be reached for a moment.
  @Test(
    .enabled(if: Self.canLimitDescriptors, "prlimit is not installed"), .needsRoot,
    arguments: ["auto", "poll"])
  func `a change while there were no descriptors left is served afterwards`(watch: String)
    throws
  {
    try workspace.write("domains/q.example.json", association("A"))
    try workspace.write("domains/f.example.assetlinks.json", assetLinksList)
    try workspace.write("domains/f.example.json", association("A"))
    try withServer(workspace, withAdmin + ["--watch", watch]) { server in
      func limit(_ count: String) throws {
        let words = ["prlimit", "--pid", "\(server.process.identifier)", "--nofile=\(count)"]
        let finished = try run("/usr/bin/env", words)
        guard finished.exitCode == 0 else { throw Failure(finished.errors) }
      }
      // So that each of the connections that stay is counted.
      let kept = try RawClient(port: server.http)
      func answer(_ host: String) throws -> String {
        try kept.send(request(host: host))
        let response = try kept.receive()
        return response.status == 200 ? response.text : String(response.status)
      }
      try #expect(answer("p.example") == association("A"))
      let path = "/proc/\(server.process.identifier)/fd"
      var lowest = Int.max
      var sightings = 0
      // It still reads a moment after it began to listen, and then closes what it read.
      let isStarved = try eventually {
        let used = try Set(FileManager.default.contentsOfDirectory(atPath: path).map { Int($0) })
        let free = try #require((0...).first { !used.contains($0) })
        sightings = free < lowest ? 0 : sightings + 1
        if free < lowest { try limit("\(free):") }
        lowest = min(lowest, free)
        return sightings == 30
      }
      #expect(isStarved)
      try workspace.write("domains/p.example.json", association("N"))
      try workspace.write("domains/new.example.json", association("N"))
      try workspace.write("domains/f.example.json", association("N"))
      server.expect(stderr: "domains", "error", anyOf: ["Too many open files"])
      server.allow(stderr: "Too many open files")
      let advice = server.errorLines.filter { $0.contains("regular file") }
      #expect(advice == [], "nothing is wrong with the file")
      for host in ["p.example", "q.example", "f.example"] {
        try #expect(answer(host) == association("A"))
      }
      try limit("1024:")
      for host in ["p.example", "new.example", "f.example"] {
        try server.expectServed(host, association("N"))
      }
      try #expect(
        server.get("/.well-known/assetlinks.json", host: "f.example").text == assetLinksList)
      try server.expectStatus(0)
    }
  }

  @Test(.enabled(if: Self.canLimitDescriptors, "prlimit is not installed"))
  func `the admin listener says that it lacks descriptors, and answers when it has some`() throws {
    try withServer(workspace, withAdmin) { server in
      func limit(_ count: Int) throws {
        let words = ["prlimit", "--pid", "\(server.process.identifier)", "--nofile=\(count):"]
        let finished = try run("/usr/bin/env", words)
        guard finished.exitCode == 0 else { throw Failure(finished.errors) }
      }
      try limit(3)
      server.allow(stderr: "Too many open files")
      let client = try RawClient(port: server.admin, within: .seconds(30))
      try client.send(request("GET", "/livez", host: "localhost"))
      let line = "the admin listener could not serve a connection: "
      #expect(eventually { server.errorLines.contains { $0.contains(line) } })
      try limit(1024)
      try #expect(client.receive().status == 200)
    }
  }

  private static let canLimitDescriptors =
    (try? run("/usr/bin/env", ["prlimit", "--version"]).exitCode) == 0
}
