import Foundation
import TestRunning
import Testing

@testable import EndToEnd

/// The names that are hosts, and the diagnostics of others.
@Suite("withdrawal: names", .manyAtOnce) struct EntryNameTests {
  private let workspace: Workspace

  init() throws {
    workspace = try Workspace()
    try workspace.write("domains/example.com.json", association("A"))
  }

  @Test(arguments: [
    "apple-app-site-association.json", "assetlinks.json", "apple-app-site-association.json.json",
    "APPLE-APP-SITE-ASSOCIATION.json",
  ])
  func `a name of a file of the protocol is not a host, and the right name is reported`(
    name: String
  )
    throws
  {
    try workspace.write("domains/" + name, association("B"))
    try withServer(workspace, withAdmin) { server in
      server.expect(stderr: "domains/\(name)", "warning", "example.com", "[H004]")
      let host = (name.lowercased() as NSString).deletingPathExtension
      for host in [host, "apple-app-site-association", "assetlinks"] {
        try #expect(server.get(host: host).status == 404)
      }
      try #expect(server.served("example.com") == association("A"))
      try #expect(!server.askAdmin("/status").text.lowercased().contains("\"\(host)\""))
    }
  }

  @Test func `the advice for a text file is the host followed by json`() throws {
    try workspace.write("domains/example.org.txt", association("B"))
    try workspace.write("domains/example.net.JSON.txt", association("B"))
    try withServer(workspace) { server in
      let first = server.expect(stderr: "domains/example.org.txt", "warning", "[H004]")
      #expect(first?.contains("example.org.txt.json") == false)
      #expect(server.errorText.contains("example.org.json"))
      server.expect(stderr: "domains/example.net.JSON.txt", "warning", "[H004]")
      #expect(!server.errorText.contains(".txt.json"))
    }
  }

  @Test(arguments: ["case.test.json", "CASE.TEST.JSON"])
  func `the name in small letters wins, whichever is there first`(first: String) throws {
    let marks: [String: Character] = ["case.test.json": "S", "CASE.TEST.JSON": "L"]
    let second = try #require(marks.keys.first { $0 != first })
    try workspace.write("domains/" + first, association(try #require(marks[first])))
    try withServer(workspace) { server in
      try server.expectServed("case.test", association(try #require(marks[first])))
      try workspace.write("domains/" + second, association(try #require(marks[second])))
      server.expect(stderr: "warning", "CASE.TEST.JSON", "[H005]")
      server.allow(stderr: "[H005]")
      try server.expectServed("case.test", association("S"))
    }
    try withServer(workspace) { server in
      server.expect(stderr: "warning", "CASE.TEST.JSON", "[H005]")
      try #expect(server.served("case.test") == association("S"))
    }
  }
}

extension Server {
  /// All that was written to the standard error stream.
  var errorText: String { String(decoding: process.now.errors, as: UTF8.self) }
}

/// The target of a link outside the folder may be a secret.
@Suite("withdrawal: links to secrets", .manyAtOnce) struct SecretContentTests {
  private static let secret = "root:$6$hunter2:19000:0:99999:7:::\nnobody:*:18000\n"
  private let workspace: Workspace

  init() throws {
    workspace = try Workspace()
    try workspace.write("domains/example.com.json", association("A"))
    try workspace.write("outside/shadow", Self.secret)
    try workspace.write("outside/quoted", "\"hunter2\"")
    try workspace.write("outside/almost", "{\"password\": hunter2}")
    try workspace.write("outside/site/.well-known/apple-app-site-association", Self.secret)
  }

  /// Links that leave the domains folder, at any step.
  static let links = [
    ("domains/a.example.json", "../outside/shadow"),
    ("domains/a.example.json", "../outside/quoted"),
    ("domains/a.example.json", "../outside/almost"),
    ("domains/a.example", "../outside/site"),
    ("domains/example.com.json", "../outside/shadow"),
    ("domains/a.example.assetlinks.json", "../outside/shadow"),
    ("domains/example.com.cases", "../outside/shadow"),
  ]

  @Test(arguments: links)
  func `content that is not JSON is described and never quoted`(link: String, target: String)
    throws
  {
    try workspace.write("domains/a.example.json", association("A"))
    try withServer(workspace, withAdmin) { server in
      try? workspace.remove(link)
      if link == "domains/a.example" { try workspace.remove("domains/a.example.json") }
      try workspace.link(link, to: target)
      let name = (link as NSString).lastPathComponent
      server.expect(stderr: name, "error")
      server.allow(stderr: name)
      server.allow(stderr: "example.com.json")
      server.allow(stderr: "removed")
      let pages = try ["/status", "/status?domain=a.example", "/status?domain=example.com"].map {
        try server.askAdmin($0).text
      }
      let status = try server.aasa("status")
      #expect(status.exitCode == 1)
      for text in pages + [server.errorText, status.text, status.errors] {
        #expect(!text.contains("hunter2") && !text.contains("$6$"), "\(text)")
        #expect(!text.contains("nobody:*"), "\(text)")
      }
    }
  }

  @Test func `content of the folder's own is quoted, where the fault is`() throws {
    try workspace.write("domains/a.example.json", "{\"applinks\": hunter2}")
    try withServer(workspace) { server in
      server.expect(stderr: "domains/a.example.json:1:14: error")
      #expect(server.errorText.contains("hunter2"))
    }
  }
}

/// Two versions may have times in any order.
@Suite("withdrawal: times of files", .manyAtOnce) struct ModificationTimeTests {
  private func served(_ server: Server, since date: String) throws -> Int {
    try server.get(host: "example.com", ["If-Modified-Since: \(date)"]).status
  }

  @Test func `If-Modified-Since is compared for equality`() throws {
    let workspace = try Workspace()
    try workspace.write("domains/example.com.json", association("A"))
    try workspace.setModified("domains/example.com.json", 784_111_777)
    try withServer(workspace) { server in
      try #expect(server.get()["Last-Modified"] == "Sun, 06 Nov 1994 08:49:37 GMT")
      try #expect(served(server, since: "Sun, 06 Nov 1994 08:49:37 GMT") == 304)
      try #expect(served(server, since: "Sun, 06 Nov 1994 08:49:36 GMT") == 200)
      try #expect(served(server, since: "Sun, 06 Nov 1994 08:49:38 GMT") == 200)
      try #expect(served(server, since: "Sun, 08 Nov 2020 08:49:37 GMT") == 200)
    }
  }

  @Test func `a client with the newer version is sent the older one that replaced it`() throws {
    let workspace = try Workspace()
    try workspace.write("domains/example.com.json", association("B"))
    try withServer(workspace) { server in
      let newer = try #require(try server.get()["Last-Modified"])
      // As `cp -p`, `rsync -t` and tar do.
      try workspace.write("old", association("A"))
      try workspace.setModified("old", 784_111_777)
      try workspace.move("old", to: "domains/example.com.json")
      try server.expectServed("example.com", association("A"))
      let response = try server.get(host: "example.com", ["If-Modified-Since: \(newer)"])
      #expect(response.status == 200 && response.text == association("A"))
    }
  }
}
