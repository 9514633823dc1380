import Foundation
import TestRunning
import Testing

@testable import EndToEnd

/// What holds for every kind of well-known file.
@Suite("kinds of well-known files", .manyAtOnce) struct WellKnownKindTests {
  /// The content of a good file, and of a faulty one: text is taken as it is, but not an empty one.
  private static let kinds: [(name: String, good: String, bad: String)] =
    [
      (
        "assetlinks.json",
        #"[{"relation": ["delegate_permission/common.handle_all_urls"], "target": {"#
          + #""namespace": "web", "site": "https://b.example"}}]"#, "[{},]"
      ),
      ("webauthn", #"{"origins":["https://b.example"]}"#, "[]"),
      ("passkey-endpoints", #"{"enroll":"https://b.example/a"}"#, "{"),
    ]
    + [
      "microsoft-identity-association.json", "matrix/client", "matrix/server", "matrix/support",
      "nostr.json", "openid-configuration",
    ].map { ($0, #"{"a":1}"#, "[]") }
    + [
      "apple-developer-merchantid-domain-association",
      "apple-developer-merchantid-domain-association.txt",
      "apple-developer-domain-association.txt", "security.txt", "discord",
    ].map { ($0, "one line\n", "") }

  @Test func `each is served, answers 503 if it was never good, and keeps its last good version`()
    throws
  {
    let workspace = try Workspace()
    for (name, good, bad) in Self.kinds {
      try workspace.write("domains/good.example/.well-known/" + name, good)
      try workspace.write("domains/bad.example/.well-known/" + name, bad)
    }
    try withServer(workspace, ["--watch", "poll"]) { server in
      server.allow(stderr: "bad.example")
      server.allow(stderr: "good.example")
      server.allow(stderr: "more of this kind")
      for (name, good, _) in Self.kinds {
        let path = "/.well-known/" + name
        let answer = try server.get(path, host: "good.example")
        #expect(answer.status == 200 && answer.text == good, "\(name): \(answer.status)")
        try #expect(server.get(path, host: "bad.example").status == 503, "\(name)")
        try #expect(server.get(path, host: "none.example").status == 404, "\(name)")
      }
      for (name, _, bad) in Self.kinds {
        try workspace.write("domains/good.example/.well-known/" + name, bad)
      }
      // One that changes last, so that the others have been read.
      try workspace.write("domains/last.example/.well-known/discord", "dh=1")
      let isRead = eventually(within: .seconds(30)) {
        (try? server.get("/.well-known/discord", host: "last.example").status) == 200 ? true : nil
      }
      #expect(isRead == true)
      for (name, good, _) in Self.kinds {
        let answer = try server.get("/.well-known/" + name, host: "good.example")
        #expect(answer.status == 200 && answer.text == good, "\(name): \(answer.status)")
      }
      for (name, good, _) in Self.kinds {
        try workspace.write("domains/bad.example/.well-known/" + name, good)
      }
      for (name, good, _) in Self.kinds {
        let isServed = eventually(within: .seconds(30)) {
          (try? server.get("/.well-known/" + name, host: "bad.example").text) == good ? true : nil
        }
        #expect(isServed == true, "\(name)")
      }
    }
  }

  @Test func `no path of a request leads to another file`() throws {
    let workspace = try Workspace()
    try workspace.write("domains/a.example/.well-known/matrix/client", "{}")
    try workspace.write("domains/a.example/.well-known/matrix/secret", "secret")
    try workspace.write("domains/a.example/.well-known/other", "secret")
    try workspace.write("secret", "secret")
    let paths = [
      "/.well-known/other", "/.well-known/matrix/secret", "/.well-known/matrix/../other",
      "/.well-known/matrix/%2e%2e/other", "/.well-known/matrix%2Fclient",
      "/.well-known/../../../secret", "/.well-known/matrix", "/.well-known/matrix/",
      "/.well-known//matrix/client", "/.well-known/matrix/client/", "/.well-known/MATRIX/client",
      "/.well-known/matrix/client%00",
    ]
    try withServer(workspace, ["--access-log", workspace.path("access.log")]) { server in
      server.expect(stderr: "other", "[H049]")
      for path in paths {
        let answer = try server.get(path, host: "a.example")
        #expect([400, 404].contains(answer.status) && answer.text != "secret", "\(path)")
        #expect(answer["Location"] == nil)
      }
      // Whatever is asked for, the log has paths of a fixed list alone.
      try #expect(server.get("/.well-known/matrix/client", host: "a.example").status == 200)
    }
    let lines = try AccessLogTests.lines(
      of: workspace.path("access.log"), count: paths.count + 1)
    #expect(Set(lines.map(\.path)) == ["other", "/.well-known/matrix/client"])
  }
}
