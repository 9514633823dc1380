import Foundation
import TestRunning
import Testing

@testable import EndToEnd

/// `aasa serve` checks the expectations beside a file before it accepts the file.
@Suite("reload: expectations", .manyAtOnce) struct ExpectationReloadTests {
  private let workspace: Workspace
  private static let good = shopFile(paths: #"["NOT /buy/secret","/buy/*"]"#)
  private static let broken = shopFile(paths: #"["/buy/*","NOT /buy/secret"]"#)
  private static let cases = """
    # Is not to be found.
    /buy/secret  blocked

    https://example.com/buy/1  opens \(shop)
    """

  init() throws { workspace = try Workspace() }

  private static let places = [
    (cases: "example.com.cases", file: "example.com.json"),
    (cases: "example.com.cases", file: "example.com/.well-known/apple-app-site-association"),
    (
      cases: "example.com/.well-known/example.com.cases",
      file: "example.com/.well-known/apple-app-site-association"
    ),
    (cases: "example.com/example.com.cases", file: "example.com/apple-app-site-association"),
  ]

  @Test(arguments: places)
  func `a version that breaks them does not go live`(cases: String, file: String) throws {
    try workspace.write("domains/" + file, Self.good)
    try workspace.write("domains/" + cases, Self.cases)
    try withServer(workspace) { server in
      server.allowRuleWarnings()
      // A faulty file that is replaced while its fault is reported is not quoted.
      server.allow(stderr: "this path changed while the file was read", "[E010]")
      let first = try server.get()
      #expect(first.text == Self.good)

      try workspace.write("domains/" + file, Self.broken)
      // The second line of the expectations, at its first column.
      server.expect(
        stderr: "domains/\(cases):2:1: error: /buy/secret opens \(shop)",
        "but blocked is expected", "[E010]")
      let kept = try server.get()
      #expect(kept.text == Self.good && kept["ETag"] == first["ETag"])

      // Fixed, it goes live; and so it does when it is expected as it is.
      let fixed = shopFile(paths: #"["NOT /buy/secret","/buy/*","/new"]"#)
      try workspace.write("domains/" + file, fixed)
      try #expect(eventually { try server.get().text == fixed })
      try workspace.write("domains/" + file, Self.broken)
      server.expect(stderr: "domains/\(cases):2:1: error", "[E010]")
      try workspace.write("domains/" + cases, "/buy/secret opens \(shop)\n")
      try #expect(eventually { try server.get().text == Self.broken })
    }
  }

  @Test
  func `expectations that are broken from the start serve nothing where they are strict`() throws {
    try workspace.write("domains/example.com.json", Self.broken)
    try workspace.write("domains/example.com.cases", Self.cases)
    try workspace.write("domains/other.test.json", association())
    try withServer(workspace, ["--expectations", "strict"]) { server in
      server.allowRuleWarnings()
      server.expect(stderr: "domains/example.com.cases:2:1: error", "[E010]")
      server.allow(stderr: "example.com")
      try #expect(server.get().status != 200)
      try #expect(server.served("other.test") == association())
    }
  }

  @Test func `a line that is not an expectation keeps the last good version`() throws {
    try workspace.write("domains/example.com.json", Self.good)
    try withServer(workspace) { server in
      server.allowRuleWarnings()
      try workspace.write("domains/example.com.cases", "/a opens\n")
      server.expect(stderr: "domains/example.com.cases:1:4: error", "[E005]")
      try #expect(server.get().text == Self.good)
      // Another refused version is reported again.
      server.allow(stderr: "domains/example.com.cases:1:4: error", "[E005]")
      try workspace.write("domains/example.com.json", Self.good + "\n")
      try workspace.write("domains/other.test.json", association())
      try #expect(
        eventually { try server.served("other.test") == association() })
      try #expect(server.get().text == Self.good)
      try workspace.remove("domains/example.com.cases")
      try #expect(eventually { try server.get().text == Self.good + "\n" })
    }
  }
}
