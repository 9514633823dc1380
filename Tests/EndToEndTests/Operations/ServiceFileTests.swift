import Foundation
import TestRunning
import Testing

@testable import EndToEnd

/// The files in Config/ for service managers and clusters, and the release.
@Suite("service files", .manyAtOnce) struct ServiceFileTests {
  private static func path(of program: String) -> String? {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    let paths: [String] = folders.map { "\($0)/\(program)" }
    return paths.first { access($0, X_OK) == 0 }
  }

  /// PyYAML, kubernetes-validate and kubectl.
  private static let hasManifestChecker: Bool = {
    guard let python = Tool.python3.path, path(of: "kubectl") != nil else { return false }
    return (try? run(python, ["-c", "import yaml, kubernetes_validate"]).exitCode) == 0
  }()

  @Test(
    .enabled(
      if: hasManifestChecker, "kubectl, or kubernetes-validate for Python, is not installed"))
  func `manifests match their schemas and the program`() throws {
    let (code, text) = try python("Tests/Tools/Operations/kubernetes.py", [Server.program])
    #expect(code == 0, "\(text)")
  }

  /// AddressSanitizer needs more of a system than the image has. The script by itself also checks
  /// the release build of the Dockerfile, and its size.
  @Test(
    .needs(.python3),
    .enabled(if: ProcessInfo.processInfo.environment["ASAN_OPTIONS"] == nil, "not in the image"))
  func `the image's instructions make a root that serves HTTPS, read-only and without rights`()
    throws
  {
    let (code, text) = try python(
      "Tests/Tools/Operations/container.py", ["--program", Server.program])
    // Where it cannot be tried, it says so: it takes root, and leave to mount.
    #expect(code == 0 || code == 77, "\(text)")
    if code == 0 { #expect(text.contains("healthy: ready")) }
  }

  private func python(_ script: String, _ arguments: [String]) throws -> (Int32, String) {
    let process = try ChildProcess(
      Tool.python3.path ?? "", [repositoryFile(script)] + arguments)
    let code = try process.waitForExit(within: .seconds(300))
    let state = process.now
    return (code, String(decoding: state.output + state.errors, as: UTF8.self))
  }

  @Test(.enabled(if: path(of: "systemd-analyze") != nil, "systemd-analyze is not installed"))
  func `the unit's exposure is at most 1.5`() throws {
    let program = try #require(Self.path(of: "systemd-analyze"))
    let finished = try run(
      program, ["security", "--offline=true", repositoryFile("Config/aasa.service")])
    let level = finished.text.firstMatch(of: /Overall exposure level for .*: (\d+\.\d)/)
    let exposure = try #require(level.flatMap { Double($0.1) }, "\(finished)")
    #expect(exposure <= 1.5)
  }

  @Test
  func `the unit's reload fails if server.json is faulty, but not if a domain's file is`() throws {
    let unit = try String(contentsOfFile: repositoryFile("Config/aasa.service"), encoding: .utf8)
    let found = try #require(unit.firstMatch(of: /(?m)^ExecReload=\/bin\/sh -c '(.*)'$/))
    let workspace = try Workspace()
    // systemd reads two dollar signs as one.
    let command = found.1.replacing("$$", with: "$")
      .replacing("/usr/local/bin/aasa", with: Server.program)
      .replacing("/etc/aasa/server.json", with: workspace.path("server.json"))
    func reload() throws -> Int32 { try run("/bin/sh", ["-c", String(command)]).exitCode }
    try workspace.write("server.json", #"{"https": "none"}"#)
    try workspace.write("domains/example.com.json", association())
    try #expect(reload() == 0)
    try workspace.write("domains/example.com.json", "{")
    try #expect(reload() == 0)
    try workspace.write("server.json", #"{"htps": "none"}"#)
    try #expect(reload() != 0)
  }

  /// The smallest Debian has no program `kill`; here the PATH leads nowhere.
  @Test func `the unit reloads by the shell alone, and starts again after every crash`() throws {
    let unit = try String(contentsOfFile: repositoryFile("Config/aasa.service"), encoding: .utf8)
    let lines = unit.split(separator: "\n").filter { !$0.hasPrefix("#") }.map(String.init)
    #expect(!lines.contains { $0.contains("/bin/kill") })
    for line in ["StartLimitIntervalSec=0", "Environment=SWIFT_BACKTRACE=enable=no"] {
      #expect(lines.contains(line))
    }
    #expect(lines.contains { $0.hasPrefix("RestartSec=") })
    let last = try #require(lines.last { $0.hasPrefix("ExecReload=") })
    let command = try #require(last.wholeMatch(of: /ExecReload=\/bin\/sh -c '(.*)'/))
    let child = try ChildProcess("/bin/sleep", ["60"])
    let reload = try run(
      "/bin/sh", ["-c", String(command.1)],
      environment: ["MAINPID": "\(child.identifier)", "PATH": "/nonexistent"])
    #expect(reload.exitCode == 0, "\(reload)")
    try #expect(child.waitForExit() == 128 + SIGHUP)
  }

  /// The action asks for an archive by its name, and is used by the moving tag.
  @Test func `a release has what the action downloads, an SBOM, and proof of its origin`() throws {
    func text(_ path: String) throws -> String {
      try String(contentsOfFile: repositoryFile(path), encoding: .utf8)
    }
    let release = try text(".github/workflows/release.yml")
    for words in [
      #"tags: ["[0-9]+.[0-9]+.[0-9]+"]"#, "docker buildx build --push --pull --sbom=true ",
      "path: dist/aasa*", "sha256sum -- * > SHA256SUMS", "uses: actions/attest-build-provenance@",
      "major=v${GITHUB_REF_NAME%%.*}", #"git push --force origin "refs/tags/$major""#,
    ] { #expect(release.contains(words), "\(words)") }
    let build = try text("Config/packaging/build")
    let name = try #require(build.firstMatch(of: /\n  name=(.*)\n/)).1
    #expect(build.contains(#"> "$output/$name.tar.gz""#))
    let pattern = "\(name.replacing("$version", with: "*")).tar.gz"
    try #expect(text("Config/action/run").contains("--pattern \"\(pattern)\""))
  }

  /// Without Python's help. A flag would be stronger than server.json, which SIGHUP has read again.
  @Test func `the units start the program with the settings of server.json alone`() throws {
    let unit = try String(contentsOfFile: repositoryFile("Config/aasa.service"), encoding: .utf8)
    let command = try #require(unit.firstMatch(of: /(?m)^ExecStart=(.*)$/))
    let words = command.1.split(separator: " ")
    #expect(words.dropFirst() == ["serve", "--config", "/etc/aasa/server.json"])
    let job = try String(contentsOfFile: repositoryFile("Config/aasa.plist"), encoding: .utf8)
    #expect(!job.contains("<string>--http"))
    // The sockets match the unit's server.json.
    let lines = unit.matches(of: /(?m)^#   ("https?": ".*"),$/).map { String($0.1) }
    #expect(lines.allSatisfy { job.contains($0) })
    let workspace = try Workspace()
    try workspace.write("server.json", "{" + lines.joined(separator: ",") + "}")
    let finished = try run(
      Server.program, ["config", "--config", workspace.path("server.json")])
    #expect(finished.exitCode == 0 && finished.errors == "")
    let socket = try String(contentsOfFile: repositoryFile("Config/aasa.socket"), encoding: .utf8)
    for address in socket.matches(of: /(?m)^ListenStream=(.*)$/) {
      #expect(finished.text.contains("= \(address.1) "), "\(address.1)")
    }
  }
}
