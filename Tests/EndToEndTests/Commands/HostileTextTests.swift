import Foundation
import TestRunning
import Testing

@testable import EndToEnd

/// Names and contents of strangers, in everything that is printed: nothing hides, reorders what it
/// says, moves the cursor, or begins a line of its own.
@Suite(.manyAtOnce) struct HostileTextTests {
  private let workspace: Workspace
  /// C0 with ESC, DEL, a C1 control, a change of direction, a space without width, a filler.
  private static let hostile = "x\u{1B}[31m\u{7F}\u{9B}31m\u{202E}\u{200B}\u{3164}y"
  private static let name = "h\(hostile)\n::error::forged.json"

  init() throws {
    workspace = try Workspace()
    let text = Self.hostile.unicodeScalars.map { scalar in
      scalar.value < 0x20 ? "\\u00" + String(scalar.value, radix: 16) : String(scalar)
    }.joined()
    let file = """
      {"\(text)": 1, "applinks": {"details": [{"appID": "\(text)",
      "components": [{"/": "/\(text)/*", "\(text)": true, "comment": "\(text)"}]},
      {"appID": "ABCDE12345.com.example.\(text)", "paths": ["/\(text)", "/*/\(text)"]},
      {"appID": "\(shop)", "paths": ["/buy/*"]}]}}
      """
    try workspace.write(Self.name, file)
    try workspace.write("broken" + Self.name, "{\"\(text)\": \(Self.hostile)}")
    try workspace.write("good.json", shopFile(components: #"[{"/":"/buy/*"}]"#))
    try workspace.write(
      "\(Self.name).cases", "/buy/1 opens \(Self.hostile)\n/\(Self.hostile) opens \(shop)\nx\n")
    try workspace.write(
      "app.entitlements",
      """
      <plist><dict><key>com.apple.developer.associated-domains</key>
      <array><string>\(Self.hostile.replacing("\u{1B}", with: "")):a.invalid</string>
      <string>applinks:\(Self.hostile.replacing("\u{1B}", with: ""))</string></array></dict></plist>
      """)
    try workspace.write(
      "device.txt",
      "Service: applinks\nApp ID: \(Self.hostile)\nDomain: \(Self.hostile)\n"
        + "Site/Fmwk Approval: \(Self.hostile)\nError: \(Self.hostile)\n")
    try workspace.write("server.json", "{\"\(text)\": \"\(text)\", \"admin\": \"\(text)\"}")
    try workspace.write("\(Self.name).hosts", "\(Self.hostile)\na.example\na.example\n")
  }

  private static let commands: [[String]] =
    ["text", "json", "sarif", "junit", "github"].map {
      ["validate", "--format", $0, "NAME", "brokenNAME"]
    }
    + ["text", "json", "markdown"].map { ["diff", "--format", $0, "NAME", "good.json"] }
    + ["text", "json", "junit", "github", "markdown"].flatMap { format in
      [
        ["check", "--device", "device.txt", "--format", format],
        [
          "check", "a.invalid", "--resolve", "a.invalid:443:127.0.0.1:1", "--cdn", "none",
          "--entitlements", "app.entitlements", "--file", "NAME", "--format", format,
        ],
      ]
    }
    + [
      ["diff", "good.json", "brokenNAME"],
      ["match", "NAME", "https://a.example/buy/HOSTILE"],
      ["match", "NAME", "https://a.example/buy/1", "--json"],
      ["match", "brokenNAME", "/x"], ["match", "--explain", "NAME", "/HOSTILE"],
      ["test", "NAME.cases", "--file", "NAME"], ["test", "NAME.cases", "--file", "NAME", "--json"],
      ["explain", "HOSTILE"], ["explain", "A010", "HOSTILE"], ["HOSTILE"], ["serve", "--HOSTILE"],
      ["config", "--config", "server.json"], ["config", "--config", "server.json", "--json"],
      ["config", "--config", "NAME"], ["hosts", "list", "--file", "NAME.hosts"],
      ["hosts", "add", "HOSTILE", "--file", "NAME.hosts"],
      ["hosts", "list", "--file", "NAME.hosts", "--json"], ["convert", "brokenNAME"],
      ["merge", "brokenNAME", "good.json"], ["onboard", "HOSTILE"], ["wait", "HOSTILE"],
      ["check", "HOSTILE"], ["init", "--app", "HOSTILE"], ["schema", "HOSTILE"],
      ["sign", "NAME", "--cert", "HOSTILE"], ["healthcheck", "--admin", "HOSTILE"],
      ["status", "--admin", "HOSTILE"], ["confirm", "HOSTILE"], ["acme", "status", "HOSTILE"],
      ["serve", "--validate-only", "--domains", "."],
      ["dev", "NAMEx"],
    ]

  @Test(arguments: commands)
  func `what strangers write does not act`(_ arguments: [String]) throws {
    let finished = try workspace.aasa(
      arguments.map {
        $0.replacing("NAME", with: Self.name).replacing("HOSTILE", with: Self.hostile)
      })
    let said = finished.text + finished.errors
    let hidden = said.unicodeScalars.filter { scalar in
      if scalar == "\n" { return false }
      return scalar.value < 0x20 || 0x7F...0x9F ~= scalar.value
        || scalar.properties.generalCategory == .format
        || scalar.properties.isDefaultIgnorableCodePoint
    }
    #expect(!said.isEmpty)
    #expect(hidden.isEmpty, "\(arguments): \(hidden.map { String($0.value, radix: 16) }): \(said)")
    #expect(!said.split(separator: "\n").contains { $0.hasPrefix("::error::forged") })
  }
}
