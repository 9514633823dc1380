import Foundation
import TestRunning
import Testing

@testable import EndToEnd

/// Well-known files besides those of app associations.
@Suite("well-known files", .manyAtOnce) struct WellKnownTests {
  @Test func `they are served from the host's folder, with their types`() throws {
    let workspace = try Workspace()
    let files = [
      ("apple-developer-merchantid-domain-association", "text/plain", "7B22"),
      ("security.txt", "text/plain; charset=utf-8", "Contact: mailto:a@example.com\n"),
      ("webauthn", "application/json", #"{"origins":["https://b.example"]}"#),
      ("matrix/server", "application/json", #"{"m.server":"m.a.example:443"}"#),
    ]
    for (name, _, text) in files {
      try workspace.write("domains/a.example/.well-known/" + name, text)
    }
    try workspace.write("domains/a.example/.well-known/other.txt", "x")
    try workspace.write("domains/b.example.json", association("B"))
    try withServer(workspace) { server in
      server.expect(stderr: "note: not served from this folder: other.txt", "[H049]")
      for (name, type, text) in files {
        let response = try server.get("/.well-known/" + name, host: "a.example")
        #expect(response.status == 200 && response.text == text, "\(name)")
        #expect(response["Content-Type"] == type)
        #expect(response["ETag"] != nil && response["Last-Modified"] != nil)
        try #expect(server.get("/.well-known/" + name, host: "b.example").status == 404)
        try #expect(server.get("/" + name, host: "a.example").status == 404)
      }
      for name in ["other.txt", "change-password", "discord", "matrix", "..", "security.txt/"] {
        try #expect(server.get("/.well-known/" + name, host: "a.example").status == 404, "\(name)")
      }
    }
  }

  @Test(arguments: ["auto", "poll"])
  func `a change is found, and a faulty version is not served`(watch: String) throws {
    let workspace = try Workspace()
    try workspace.write("domains/a.example/.well-known/matrix/client", "{}")
    try withServer(workspace, ["--watch", watch]) { server in
      func serves(_ path: String, _ text: String) throws {
        let isServed = eventually(within: .seconds(30)) {
          (try? server.get("/.well-known/" + path, host: "a.example").text) == text ? true : nil
        }
        #expect(isServed == true, "\(path)")
      }
      try serves("matrix/client", "{}")
      try workspace.write("domains/a.example/.well-known/matrix/client", #"{"a":1}"#)
      try serves("matrix/client", #"{"a":1}"#)
      try workspace.write("domains/a.example/.well-known/discord", "dh=1")
      try serves("discord", "dh=1")
      try workspace.write("domains/a.example/.well-known/matrix/client", "{")
      server.expect(stderr: "matrix/client", "the last good version of the file is still served")
      try serves("matrix/client", #"{"a":1}"#)
    }
  }

  @Test func `a setting adds others`() throws {
    let workspace = try Workspace()
    try workspace.write("domains/a.example/.well-known/gpc.json", #"{"gpc":true}"#)
    try workspace.write("domains/a.example/.well-known/x/y", "1")
    let flags = ["--well-known", "gpc.json=application/json, x/y=text/csv; header=absent"]
    try withServer(workspace, flags) { server in
      try #expect(server.get("/.well-known/gpc.json", host: "a.example").text == #"{"gpc":true}"#)
      let response = try server.get("/.well-known/x/y", host: "a.example")
      #expect(response["Content-Type"] == "text/csv; header=absent")
    }
  }
}
