import TestRunning
import Testing

@testable import EndToEnd

/// Every command that reports findings has the same formats.
@Suite(.manyAtOnce) struct FormatTests {
  private static let commands = [
    "validate site.json", "test site.cases", "diff old.json site.json",
    "check localhost:1 --cdn none",
  ]

  @Test(
    arguments: commands,
    [
      ("json", "{"), ("junit", "<testsuites tests=\"1\" failures=\""), ("github", "::"),
      ("sarif", "\"version\":\"2.1.0\""), ("markdown", "\n|---|---"),
    ])
  func `a finding is reported in each format`(
    command: String, format: (name: String, words: String)
  ) throws {
    let workspace = try Workspace()
    try workspace.write("old.json", shopFile(components: #"[{"/":"/buy/*"},{"/":"/sell"}]"#))
    try workspace.write("site.json", shopFile(components: #"[{"/":"/buy/:id"}]"#))
    try workspace.write("site.cases", "/buy/42  opens  \(shop)\n")
    let words = command.split(separator: " ").map(String.init)
    let run = try workspace.aasa(words + ["--format", format.name])
    #expect(run.text.contains(format.words), "\(run.text)\(run.errors)")
    let code = ["validate": "A100", "test": "E010", "diff": "D0", "check": "F0"][words[0]] ?? ""
    let hasCodes = format.name != "json" && format.name != "markdown"
    #expect(!hasCodes || run.text.contains(code), "\(run.text)")
    if format.name == "json" {
      try workspace.aasa(words + ["--json", "--format", "junit"])
        .says(.nothing, exit: 2, errors: .part("give --json or --format junit, not both"))
    }
  }

  @Test func `an app for Android alone gets its assetlinks.json`() throws {
    let workspace = try Workspace()
    let app = ["init", "--android", "org.swift.shop:\(shopFingerprint)"]
    let plain = try workspace.aasa(app).says(exit: 0).text
    #expect(plain.contains("handle_all_urls") && !plain.contains("dynamic_app_link"))
    try workspace.aasa(
      app + ["--path", "https://a.example/buy/*", "--path", "NOT /buy/x", "-o", "assetlinks.json"]
    ).says(exit: 0, errors: .part("https://a.example/.well-known/assetlinks.json"))
    try workspace.aasa("match", "assetlinks.json", "/buy/1").says(.part("opens"), exit: 0)
    try workspace.aasa("match", "assetlinks.json", "/buy/x").says(exit: 1)
  }
}
