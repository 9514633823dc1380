import Foundation
import ScriptedServer
import Synchronization
import TestRunning
import Testing

@testable import EndToEnd

/// `aasa wait`: a gate for releases.
@Suite(.manyAtOnce) struct WaitTests {
  private let workspace = Result { try Workspace() }
  private static let old = shopFile(components: #"[{"/":"/old"}]"#)
  private static let new = shopFile(components: #"[{"/":"/new"}]"#)

  /// Answers with the first version this many times, then with the second.
  private final class Turning: Sendable {
    let count = Atomic<Int>(0)
    func file(after times: Int) -> String {
      count.add(1, ordering: .relaxed).oldValue < times ? WaitTests.old : WaitTests.new
    }
  }

  // Other numbers than the first two cannot be true, and are passed over.
  @Test(arguments: [
    ("1", "1"), ("0", "-9223372036854775808"), ("-9223372036854775808", "1"),
    ("9223372036854775807", "-92233720368547758"),
  ])
  func `until the CDN has the server's version`(most: String, age: String) throws {
    let file = Self.new
    let origin = try ScriptedServer { _ in [.answer(file)] }
    let turning = Turning()
    let cdn = try ScriptedServer { request in
      path(of: request) == "/a/v1/127.0.0.1"
        ? [
          .answer(
            fields: ["Cache-Control: max-age=\(most)", "Age: \(age)"], turning.file(after: 1))
        ] : []
    }
    try workspace.get().aasa(
      "wait", origin.url, "--until", "cdn-matches", "--cdn", cdn.url + "/a/v1", "--timeout", "60s"
    ).says(
      .whole("\(origin.url): Apple's CDN has the expected file\n"), exit: 0,
      errors: .whole("waiting: \(origin.url): Apple's CDN has another version of the file\n"))
    #expect(cdn.requests.count == 2)
  }

  @Test func `until the server has a file`() throws {
    let workspace = try workspace.get()
    try workspace.write("site.json", " " + Self.old)
    let turning = Turning()
    let origin = try ScriptedServer { _ in [.answer(turning.file(after: .max))] }
    try workspace.aasa(
      "wait", origin.url, "--until", "origin-matches", "--file", "site.json", "--timeout", "60s"
    ).says(exit: 0, errors: .nothing)
    try workspace.aasa("wait", origin.url, "--until", "reachable").says(exit: 0)
  }

  @Test func `no longer than the given time`() throws {
    let origin = try ScriptedServer { _ in [.answer("404 Not Found", "no")] }
    let run = try workspace.get().aasa(
      "wait", origin.url, "--until", "reachable", "--timeout", "50ms")
    #expect(run.exitCode == 124 && run.text.isEmpty)
    #expect(
      run.errors == """
        waiting: \(origin.url): there is no file, neither in /.well-known nor at the root \
        (404) [F031]
        error: \(origin.url): the goal was not reached within 50ms: there is no file, neither in \
        /.well-known nor at the root (404) [F031]

        """)
  }

  @Test func `a CDN is not asked before its copy may change`() throws {
    let file = Self.new
    let origin = try ScriptedServer { _ in [.answer(file)] }
    let old = Self.old
    let cdn = try ScriptedServer { _ in
      [.answer(fields: ["Cache-Control: max-age=21600", "Age: 60"], old)]
    }
    try workspace.get().aasa(
      "wait", origin.url, "--until", "cdn-matches", "--cdn", cdn.url + "/a/v1", "--timeout", "100ms"
    ).says(exit: 124, errors: "another version of the file, and keeps this answer for at most")
    // Once, and at the end of the time once more.
    #expect(cdn.requests.count <= 2)
  }

  @Test func `a gate stays closed while one thing is missing, and says which`() throws {
    let file = Self.new
    let origin = try ScriptedServer { _ in [.answer(file)] }
    let other = try ScriptedServer { _ in [.answer("{,}")] }
    try workspace.get().aasa(
      "wait", origin.url, other.url, "--until", "reachable", "--timeout", "50ms",
      "--expect", shop
    ).says(
      .whole("\(origin.url): the file is served\n"), exit: 124,
      errors: "error: \(other.url): the goal was not reached within 50ms: ", "[J0")
    try workspace.get().aasa(
      "wait", origin.url, "--until", "reachable", "--timeout", "50ms", "--expect", "AAAAAAAAAA.b"
    ).says(exit: 124, errors: "[F070]")
    try workspace.get().aasa("wait", origin.url, "--until", "reachable", "--url", "/new", "--json")
      .says(
        .whole(
          #"{"domain":"\#(origin.url)","reached":true,"state":"the file is served","timedOut":false}"#
            + "\n"), exit: 0)
  }

  @Test func `wrong usage of wait is reported`() throws {
    for arguments in [
      ["--until", "sometime"], ["--until", "origin-matches"], [],
      ["--until", "reachable", "--timeout", "soon"], ["--until", "reachable", "--file", "x"],
    ] {
      try workspace.get().aasa(["wait", "example.com"] + arguments)
        .says(.nothing, exit: 2, errors: .something)
    }
  }
}
