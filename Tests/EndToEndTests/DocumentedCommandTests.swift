import AppFileSupport
import Foundation
import ScriptedServer
import TestRunning
import Testing

@testable import EndToEnd

/// The commands that the documents print, run as they are printed, in a folder with the files that they
/// name. Those that serve, or that ask a running server, are tested elsewhere.
@Suite("documented commands", .manyAtOnce, .needs(.openssl)) struct DocumentedCommandTests {
  private struct Command: CustomStringConvertible {
    let page: String
    let line: String
    /// The name after `aasa`.
    let name: String
    var description: String { "\(page): \(line)" }
  }

  /// Of blocks of shell code, and of code in the text that is a whole command.
  private static func commands(_ names: [String]) throws -> [Command] {
    let folder = repositoryFile("Documentation")
    let pages = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    var found: [Command] = []
    // Those are made from the program's own texts, with names that stand for others.
    let generated = pages.filter { $0.hasPrefix("Codes-") || $0 == "Commands.md" }
    for page in ["README.md"]
      + pages.filter({ $0.hasSuffix(".md") && !generated.contains($0) && $0 != "Changelog.md" })
      .map({ "Documentation/" + $0 })
    {
      let text = try String(contentsOfFile: repositoryFile(page), encoding: .utf8)
        .replacing("\\\n", with: " ").replacing("5E:8F:…", with: shopFingerprint)
        .replacing("TEAM.bundle", with: shop)
      var isShell = false
      for line in text.components(separatedBy: "\n") {
        let trimmed = line.trimmingCharacters(in: .whitespaces)
        if trimmed.hasPrefix("```") {
          isShell = trimmed == "```sh"
          continue
        }
        let parts =
          isShell
          ? [trimmed]
          : line.components(separatedBy: "`").enumerated().filter { $0.offset % 2 == 1 }
            .map(\.element).filter { $0.contains(" ") }
        for part in parts where !part.contains("…") && !hasPlaceholder(part) {
          let words = part.split(separator: " ").map(String.init)
          guard let start = words.firstIndex(of: "aasa"), start == 0 || words[0] == "adb",
            let name = words.dropFirst(start + 1).first, names.contains(name),
            isShell || isWhole(words)
          else { continue }
          found.append(Command(page: page, line: part, name: name))
        }
      }
    }
    return found
  }

  /// Whether it is more than a command's name, or an option's, in a sentence.
  private static func isWhole(_ words: [String]) -> Bool {
    if words.contains("--fail-on") { return false }
    return words.count > 3 || words.count == 3 && words[1] != "hosts" && !words[2].hasPrefix("-")
  }

  /// Capitals stand for something, as in `aasa explain CODE`; the apps in the examples do not.
  private static func hasPlaceholder(_ line: String) -> Bool {
    if line.contains("[") { return true }
    return line.split { !$0.isLetter && !$0.isNumber }.contains { word in
      word.count > 2 && word.allSatisfy { $0.isASCII && $0.isUppercase } && word != "NOT"
    }
  }

  /// A folder with everything that the commands name.
  private static func workspace() throws -> Workspace {
    let workspace = try Workspace()
    let file = shopFile(components: #"[{"/":"/buy/*"}]"#)
    for name in ["site.json", "new.json", "domains/example.com.json"] {
      try workspace.write(name, file)
    }
    try workspace.write("old.json", shopFile(paths: #"["/buy/*"]"#))
    try workspace.write("app.cases", "/buy/42 opens \(shop)\n/help browser\n")
    try workspace.write("assetlinks.json", statements("org.swift.shop", nil))
    try workspace.write("domains.txt", "example.com\n")
    let question = #"{"aasa":\#(file),"domain":"example.com","appId":"\#(shop)","url":"/buy/42"}"#
    try workspace.write("questions.jsonl", question + "\n")
    try workspace.write(
      "apksigner.txt", "Signer #1 certificate SHA-256 digest: \(shopFingerprint)\n")
    let manifest = """
      <manifest package="org.swift.shop"><application><activity android:exported="true">
      <intent-filter android:autoVerify="true"><action android:name="android.intent.action.VIEW"/>
      <category android:name="android.intent.category.DEFAULT"/>
      <category android:name="android.intent.category.BROWSABLE"/>
      <data android:scheme="https" android:host="example.com" android:pathPrefix="/buy/"/>
      </intent-filter></activity></application></manifest>
      """.replacing("<manifest", with: "<manifest xmlns:android=\"\(androidNames)\"")
    for folder in ["", "app/src/main/"] {
      try workspace.write(folder + "AndroidManifest.xml", manifest)
    }
    try workspace.write(
      "swcutil_show.txt",
      "Service: applinks\nApp ID: \(shop)\nDomain: example.com\nSite/Fmwk Approval: approved\n")
    let entitlements = AppFileSamples.entitlements(app: shop, domains: ["applinks:example.com"])
    for name in ["App", "Shop"] {
      try workspace.write("\(name).entitlements", entitlements)
      try workspace.write(
        "\(name).ipa",
        AppFileSamples.archive([
          ("Payload/Shop.app/Info.plist", AppFileSamples.plist("<dict/>")),
          ("Payload/Shop.app/Shop", AppFileSamples.executable(signedWith: entitlements)),
        ]))
    }
    let certificate = try authority.get().issue("example.com")
    try workspace.write("site.crt", certificate.chain)
    try workspace.write("site.key", certificate.key)
    try workspace.write("bin/adb", "#!/bin/sh\ncat device.txt\n")
    try workspace.write(
      "device.txt",
      """
        org.swift.shop:
          ID: 7782a8e9-350f-4080-8a4e-dec398f323d3
          Signatures: [\(shopFingerprint)]
          Domain verification state:
            example.com: verified

      """)
    try workspace.setMode("bin/adb", 0o755)
    return workspace
  }

  private static let androidNames = "http://schemas.android.com/apk/res/android"
  private static let authority = Result { try TestAuthority() }

  private static func finished(
    _ command: Command, _ environment: [String: String] = [:]
  ) throws -> Finished {
    let workspace = try workspace()
    let words = command.line.split(separator: " ").map(String.init)
    // What it writes is not there yet.
    if let option = words.firstIndex(of: "-o"), let name = words.dropFirst(option + 1).first,
      workspace.exists(name)
    {
      try workspace.remove(name)
    }
    let folder = (Server.program as NSString).deletingLastPathComponent
    var environment = environment
    environment["PATH"] =
      "\(folder):\(workspace.path("bin")):" + (ProcessInfo.processInfo.environment["PATH"] ?? "")
    return try run(
      "/bin/sh", ["-c", command.line], environment: environment, folder: workspace.root)
  }

  @Test func `commands that need no network run as they are printed`() throws {
    let commands = try Self.commands([
      "init", "page", "passkeys", "code", "validate", "match", "explain", "test", "diff", "convert",
      "merge", "schema", "sign",
      "hosts", "config", "version",
    ]).filter { !$0.line.contains("--host ") && !$0.line.contains("Config/") }
    #expect(commands.count > 25)
    for command in commands {
      let finished = try Self.finished(command)
      // `diff` and `test` exit with 1 for what they find.
      let codes: [Int32] = ["diff", "test"].contains(command.name) ? [0, 1] : [0]
      #expect(
        codes.contains(finished.exitCode),
        "\(command)\n\(finished.exitCode)\n\(finished.text)\(finished.errors)")
    }
  }

  @Test(.needsNameServer) func `checks of domains run as they are printed`() throws {
    let identity = try Self.authority.get().issue("example.com")
    let server = try ScriptedServer(identity: identity.pem) {
      path(of: $0).hasSuffix("assetlinks.json")
        ? [.answer(statements("org.swift.shop", nil))]
        : [.answer(shopFile(components: #"[{"/":"/buy/*"}]"#))]
    }
    var world = try NameServer()
    for name in ["example.com", "login.example.com", "click.example.com"] {
      world.set(name, to: "1.0.0.1")
    }
    for address in ["1.0.0.1", "192.0.2.1"] { world.lead("\(address):443", to: server.port) }
    // Those of files that no test can make.
    let commands = try Self.commands(["check"]).filter { command in
      ![".apk", ".mobileprovision"].contains { command.line.contains($0) }
    }
    #expect(commands.count > 15)
    for command in commands {
      let finished = try Self.finished(command, world.environment)
      // Nobody trusts the certificate, so something is found; but the command is understood.
      #expect(
        finished.exitCode != 2 && (!finished.text.isEmpty || command.line.contains(">")),
        "\(command)\n\(finished.exitCode)\n\(finished.text)\(finished.errors)")
    }
  }
}
