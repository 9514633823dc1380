import Foundation
import TestRunning
import Testing

@testable import EndToEnd

/// The files that are served, and the diagnostics of others.
@Suite("domains folder: contents", .manyAtOnce) struct DomainContentTests {
  @Test func `when both places of a folder differ, well-known wins with a warning`() throws {
    let workspace = try Workspace()
    try workspace.write("domains/a.example/apple-app-site-association", association("A"))
    try workspace.write(
      "domains/a.example/.well-known/apple-app-site-association", association("B"))
    // The same bytes in both places are no reason to say anything.
    try workspace.write("domains/b.example/apple-app-site-association", association("C"))
    try workspace.write(
      "domains/b.example/.well-known/apple-app-site-association", association("C"))
    try withServer(workspace) { server in
      server.expect(
        stderr: "a.example/apple-app-site-association: warning",
        "a.example/.well-known/apple-app-site-association")
      for path in associationPaths {
        try #expect(server.get(path, host: "a.example").text == association("B"))
        try #expect(server.get(path, host: "b.example").text == association("C"))
      }
    }
  }

  @Test func `a file and a folder for one host are warned of`() throws {
    let workspace = try Workspace(serving: ["a.example": association("A")])
    try workspace.write("domains/a.example/apple-app-site-association", association("B"))
    try withServer(workspace) { server in
      server.expect(stderr: "a.example", "warning")
      try #expect(server.get(host: "a.example").status == 200)
    }
  }

  @Test func `asset links are served as JSON at their path only`() throws {
    let workspace = try Workspace()
    let links = #"[{"include":"https://example.com/links.json"}]"#
    try workspace.write("domains/a.example/.well-known/assetlinks.json", links)
    try workspace.write(
      "domains/a.example/.well-known/apple-app-site-association", association("A"))
    try workspace.write("domains/b.example/assetlinks.json", links)
    try workspace.write("domains/b.example/apple-app-site-association", association("B"))
    try workspace.write("domains/c.example.json", association("C"))
    try withServer(workspace) { server in
      for host in ["a.example", "b.example"] {
        let response = try server.get("/.well-known/assetlinks.json", host: host)
        #expect(response.status == 200, "\(host)")
        #expect(response["Content-Type"] == "application/json")
        #expect(response.text == links)
        try #expect(server.get("/assetlinks.json", host: host).status == 404)
      }
      try #expect(server.get("/.well-known/assetlinks.json", host: "c.example").status == 404)
      try #expect(server.served("a.example") == association("A"))
    }
  }

  @Test func `a file is served byte for byte as it is on disk`() throws {
    let workspace = try Workspace()
    let texts = [
      "plain.example": association(),
      "spaces.example": " \t\r\n{\r\n\t\"applinks\" : { }\r\n}\r\n\r\n",
      "empty.example": "{}",
      "unicode.example": #"{"applinks":{"ä":"日本 \uD83D\uDE00 😀"}}"#,
      "twice.example": #"{"a":1,"a":2}"#,
      "number.example": #"{"n":1.0e+00,"m":-0,"l":123456789012345678901234567890}"#,
    ]
    for (host, text) in texts { try workspace.write("domains/\(host).json", text) }
    try withServer(workspace) { server in
      server.allowRuleWarnings()
      server.allowIdleFiles()
      for (host, text) in texts {
        let response = try server.get(host: host)
        #expect(response.status == 200, "\(host)")
        #expect(response.body == Array(text.utf8), "\(host)")
      }
    }
  }

  @Test func `the limit of 131,072 bytes is exact`() throws {
    let workspace = try Workspace()
    let largest = association(ofBytes: 131_072)
    try workspace.write("domains/at.example.json", largest)
    try workspace.write("domains/past.example.json", association(ofBytes: 131_073))
    try withServer(workspace) { server in
      server.expect(
        stderr: "domains/past.example.json", "error", "limit of 131072 bytes", "[A001]")
      let response = try server.get(host: "at.example")
      #expect(response.status == 200)
      #expect(response.body.count == 131_072)
      #expect(response.body == Array(largest.utf8))
      try #expect(server.get(host: "past.example").status == 503)
    }
  }

  @Test func `a byte order mark does not go out`() throws {
    let workspace = try Workspace()
    try workspace.write("domains/a.example.json", "\u{FEFF}" + association("A"))
    try withServer(workspace) { server in
      server.expect(stderr: "a.example.json:1:1: warning", "[J003]")
      try #expect(server.served("a.example") == association("A"))
    }
  }

  @Test func `a file that permits nothing replaces a good one only when that is meant`() throws {
    let workspace = try Workspace(serving: ["a.example": association("A")])
    try workspace.write("domains/b.example/apple-app-site-association", association("B"))
    try workspace.write("domains/b.example/.aasa.json", #"{"ignore": ["A010"]}"#)
    try withServer(workspace) { server in
      try workspace.write("domains/b.example/apple-app-site-association", "{}")
      try #expect(eventually { try server.served("b.example") == "{}" })
      try workspace.write("domains/a.example.json", "{}")
      server.expect(
        stderr: "a.example.json", "last good version of the file is still served", "[A010]")
      try #expect(server.served("a.example") == association("A"))
    }
  }

  /// One row per fault: the content of the file, and the place in the diagnostic.
  static let refused: [(text: String, place: String)] = [
    ("", ":1:1: error"),  // an empty file
    ("[]", ":1:1: error"),  // an array
    ("  \n  \"text\"", ":2:3: error"),  // a string, reported where it begins
    ("null", ":1:1: error"),
    ("{\n  \"a\": 1,\n}", "json:2:9: error"),  // a trailing comma
    ("{\n  \"a\" 1\n}", "json:2:6: error"),  // no colon
    ("{\"a\": 1", "error"),  // cut off
    ("{}{}", "json:1:3: error"),  // two values
    ("{'a': 1}", "json:1:2: error"),  // single quotes
    ("// note\n{}", "json:1:1: error"),  // a comment
    ("{\"a\": \"\u{1}\"}", "json:1:8: error"),  // a control character
    ("<html></html>", "json:1:1: error"),  // a page instead of the file
  ]

  @Test func `a file that is not a JSON object is refused with its place, and answered with 503`()
    throws
  {
    let workspace = try Workspace()
    for (index, row) in Self.refused.enumerated() {
      try workspace.write("domains/h\(index).example.json", row.text)
    }
    try withServer(workspace) { server in
      for (index, row) in Self.refused.enumerated() {
        server.expect(stderr: "domains/h\(index).example.json", row.place)
        for path in associationPaths {
          let response = try server.get(path, host: "h\(index).example")
          #expect(response.status == 503, "\(row.text)")
          #expect(response["Retry-After"] == "60")
          #expect(response["Content-Type"] == "text/plain; charset=utf-8")
          #expect(response["Cache-Control"] == "no-store")
          #expect(response.text.hasSuffix("\n"))
          #expect(response.text.filter { $0 == "\n" }.count == 1)
        }
        let head = try server.get(host: "h\(index).example", method: "HEAD")
        #expect(head.status == 503)
        #expect(head["Retry-After"] == "60")
      }
    }
  }

  @Test func `a faulty file takes no good answer of a wildcard or a list away`() throws {
    let workspace = try Workspace(serving: ["_wildcard.w.example": association("W")])
    try workspace.write("domains/links.json", association("L"))
    try workspace.write("domains/links.hosts", "l.example\n")
    let hosts: [(String, Character)] = [("x.w.example", "W"), ("l.example", "L")]
    try withServer(workspace, withAdmin) { server in
      server.allow(stderr: "has its own entry", "[H035]")
      for (host, other) in hosts {
        try workspace.write("domains/\(host).json", "{")
        server.expect(stderr: "domains/\(host).json", "error", "another entry")
        try #expect(server.served(host) == association(other))
        let status = try server.aasa("status", host)
        #expect(status.exitCode == 1 && status.text.contains("requests get the file of"))
        // Its other version is shown too.
        let name = other == "W" ? "_wildcard.w.example" : "links"
        try workspace.write("domains/\(name).json", association("N"))
        try server.expectServed(host, association("N"))
        try workspace.write("domains/\(host).json", association("O"))
        try server.expectServed(host, association("O"))
      }
    }
  }

  @Test func `invalid UTF-8 is refused with its place`() throws {
    let workspace = try Workspace()
    try workspace.write(
      "domains/a.example.json", Array("{\"a\":\n\"x".utf8) + [0xFF] + Array("\"}".utf8))
    try withServer(workspace) { server in
      server.expect(stderr: "domains/a.example.json:2:3: error", "UTF-8")
      try #expect(server.get(host: "a.example").status == 503)
    }
  }

  @Test func `an unreadable file is refused, and answered with 503`() throws {
    let workspace = try Workspace()
    try workspace.link("domains/nowhere.example.json", to: "missing")
    try workspace.link("domains/loop.example.json", to: "loop.example.json")
    try workspace.makeFolder("domains/folder.example/apple-app-site-association")
    try withServer(workspace, ["--retry-after", "7s"]) { server in
      for host in ["nowhere.example", "loop.example", "folder.example"] {
        server.expect(stderr: "domains/\(host)", "error", "cannot be read")
        let response = try server.get(host: host)
        #expect(response.status == 503, "\(host)")
        #expect(response["Retry-After"] == "7")
      }
    }
  }

  @Test(.needsOrdinaryUser)
  func `a file without read permission is refused until it can be read`() throws {
    let workspace = try Workspace(serving: ["a.example": association("A")])
    try workspace.setMode("domains/a.example.json", 0)
    try withServer(workspace) { server in
      server.expect(stderr: "domains/a.example.json: error", "Permission denied", "chmod")
      try #expect(server.get(host: "a.example").status == 503)
      try workspace.setMode("domains/a.example.json", 0o644)
      let isServed = try eventually {
        try server.served("a.example") == association("A")
      }
      #expect(isServed)
    }
  }

  @Test func `the last good version of a file stays until the next good one`() throws {
    let workspace = try Workspace(serving: ["a.example": association("A")])
    try withServer(workspace) { server in
      let first = try server.get(host: "a.example")
      for faulty in ["{", "[]", association(ofBytes: 131_073)] {
        try workspace.write("domains/a.example.json", faulty)
        server.expect(stderr: "domains/a.example.json", "error", "last good version")
        let response = try server.get(host: "a.example")
        #expect(response.text == association("A"))
        #expect(response["ETag"] == first["ETag"])
        #expect(response["Last-Modified"] == first["Last-Modified"])
      }
      try workspace.write("domains/a.example.json", association("B"))
      let isServed = try eventually {
        try server.served("a.example") == association("B")
      }
      #expect(isServed)
    }
  }

  @Test(.needs(.openssl)) func `a signed file is served as CMS`() throws {
    let workspace = try Workspace()
    let certificate = try makeCertificate(names: ["example.com"])
    try workspace.write("signer.pem", certificate.certificate + certificate.key)
    try workspace.write("plain.json", association("A"))
    let openssl = try #require(Tool.openssl.path)
    let signing = try run(
      openssl,
      [
        "smime", "-sign", "-nodetach", "-outform", "DER", "-signer", workspace.path("signer.pem"),
        "-in", workspace.path("plain.json"), "-out",
        workspace.path("domains/example.com.json"),
      ])
    #expect(signing.exitCode == 0, "\(signing.errors)")
    let signed = try #require(
      FileManager.default.contents(atPath: workspace.path("domains/example.com.json")))
    // Cut off, it is refused.
    try workspace.write("domains/cut.example.json", signed.dropLast(1))
    try withServer(workspace) { server in
      server.expect(stderr: "domains/cut.example.json", "error", "[A003]")
      let response = try server.get()
      #expect(response.status == 200)
      #expect(response["Content-Type"] == "application/pkcs7-mime")
      #expect(response.body == Array(signed))
      try #expect(server.get(host: "cut.example").status == 503)
    }
  }

  @Test func `a faulty asset links file takes nothing from the association file`() throws {
    let workspace = try Workspace()
    try workspace.write("domains/a.example/apple-app-site-association", association("A"))
    try workspace.write("domains/a.example/assetlinks.json", "{}")
    try withServer(workspace) { server in
      server.expect(stderr: "a.example/assetlinks.json:1:1: error")
      try #expect(server.served("a.example") == association("A"))
      try #expect(server.get("/.well-known/assetlinks.json", host: "a.example").status == 503)
    }
  }

  @Test func `errors that devices survive refuse no first version, and warnings are reported once`()
    throws
  {
    let workspace = try Workspace()
    try workspace.write("domains/broken.example.json", #"{"webcredentials":[]}"#)
    try workspace.write("domains/odd.example.json", #"{"applinks":{"detail":[]}}"#)
    try workspace.write("domains/fine.example.json", association("A"))
    try withServer(workspace) { server in
      server.expect(stderr: "broken.example.json:1:19: error", "[A012]")
      server.expect(stderr: "odd.example.json:1:14: warning", "did you mean `details`?", "[A018]")
      server.allowIdleFiles()
      // Better than no answer.
      try #expect(server.get(host: "broken.example").status == 200)
      try #expect(server.get(host: "odd.example").status == 200)
      // Another version of another file: this one is not reported again.
      try workspace.write("domains/fine.example.json", association("B"))
      #expect(
        eventually { (try? server.served("fine.example")) == association("B") ? true : nil } != nil)
      #expect(server.errorLines.filter { $0.contains("[A018]") }.count == 1)
      #expect(!server.errorLines.contains { $0.contains("fine.example") })
    }
  }

  @Test func `patterns too large to be matched are served, with a warning`() throws {
    let values = (0..<2_000).map { "\"value\($0)\"" }.joined(separator: ",")
    let rules = (0..<900).map { #"{"/":"/\#($0)/$(v)"}"# }.joined(separator: ",")
    let text =
      #"{"applinks":{"details":[{"appIDs":["A1B2C3D4E5.com.example.A"],"components":["#
      + rules + #"]}],"substitutionVariables":{"v":["# + values + "]}}}"
    let workspace = try Workspace(serving: ["a.example": text])
    // With strict expectations a version that cannot be checked is refused.
    try workspace.write("domains/b.example.json", text)
    try workspace.write("domains/b.example.cases", "/x  browser\n")
    try withServer(workspace, ["--expectations", "strict"]) { server in
      server.expect(stderr: "a.example.json", "warning", "[A136]")
      server.expect(stderr: "b.example.json", "error", "[E011]")
      server.allow(stderr: "[H057]")
      // On a slow machine the other file may still be judged at the end, and judging lasts long.
      server.allow(stderr: "[H018]")
      server.allow(stderr: "[H055]")
      try #expect(server.served("a.example") == text)
      try #expect(server.served("b.example") == "503")
    }
  }
}
