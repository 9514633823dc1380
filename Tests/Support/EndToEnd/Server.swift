import Foundation
import Synchronization
import Testing

/// The built program, serving.
final class Server: Sendable {
  let workspace: Workspace
  let process: ChildProcess
  /// The lines of the standard error stream that the test has asked for.
  private let expected = Mutex<[String]>([])
  /// Parts of lines that may come, or not.
  private let allowed = Mutex<[[String]]>([])
  private let ports: Mutex<[String: [Int]]>

  /// Found beside the tests, so that it was built in the same way, unless AASA_PROGRAM names another.
  static let program: String = {
    if let other = ProcessInfo.processInfo.environment["AASA_PROGRAM"] { return other }
    #if os(Linux)
      let tests = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
    #else
      let tests = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundlePath
    #endif
    return ((tests ?? "") as NSString).deletingLastPathComponent + "/aasa"
  }()

  fileprivate init(
    _ workspace: Workspace, arguments: [String], environment: [String: String], folder: String?,
    through runner: [String]
  ) throws {
    self.workspace = workspace
    ports = Mutex([:])
    // With a runner it runs as another user.
    let command = runner.isEmpty ? [Self.program] : runner + [try OrdinaryUser.program.get()]
    process = try ChildProcess(
      command[0], Array(command.dropFirst()) + arguments, environment: environment, folder: folder)
  }

  var http: Int { port("http") }
  var https: Int { port("https") }
  /// The admin listener's, if there is one: `--admin 127.0.0.1:0`.
  var admin: Int { port("admin") }

  private func port(_ scheme: String) -> Int { ports.withLock { $0[scheme]?.first ?? 0 } }

  var outputLines: [String] {
    String(decoding: process.now.output, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  var errorLines: [String] {
    String(decoding: process.now.errors, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  /// The `listening` lines, without that word.
  var listening: [String] {
    outputLines.filter { $0.hasPrefix("listening ") }.map { String($0.dropFirst(10)) }
  }

  /// Waits until it accepts connections on this many addresses.
  fileprivate func waitUntilListening(addresses: Int) throws {
    let isReady = eventually(within: patience) {
      listening.count >= addresses || !process.isRunning
    }
    guard isReady, process.isRunning else {
      throw Failure(
        "the server does not listen; exit code \(process.now.exitCode ?? -1); stdout: "
          + "\(outputLines); stderr: \(errorLines)")
    }
    for address in listening {
      let parts = address.split(separator: ":")
      if let scheme = parts.first, let port = parts.last.flatMap({ Int($0) }) {
        ports.withLock { $0[String(scheme), default: []].append(port) }
      }
    }
    for line in outputLines where line.hasPrefix("admin ") {
      if let port = line.split(separator: ":").last.flatMap({ Int($0) }) {
        ports.withLock { $0["admin", default: []].append(port) }
      }
    }
  }

  /// Waits for one line on the standard error stream that holds all these parts, and from then on
  /// does not mind it. Lines that nobody has asked for fail the test at its end.
  ///
  /// - Parameter words: of which it holds one, if there are any; their case does not matter.
  @discardableResult
  func expect(
    stderr parts: String..., anyOf words: [String] = [], within duration: Duration = patience,
    at location: SourceLocation = #_sourceLocation
  ) -> String? {
    let line = eventually(within: duration) {
      unexpectedLines.first { line in
        parts.allSatisfy { line.contains($0) }
          && (words.isEmpty || words.contains { line.localizedCaseInsensitiveContains($0) })
      }
    }
    if let line {
      expected.withLock { $0.append(line) }
    } else {
      Issue.record(
        "no line on stderr has \(parts) \(words), only: \(unexpectedLines)",
        sourceLocation: location)
    }
    return line
  }

  /// Does not mind lines on the standard error stream that hold all these parts.
  func allow(stderr parts: String...) { allowed.withLock { $0.append(parts) } }

  /// Does not mind a file that is empty for a while before it is written, as `cp`, `tar` and git write
  /// on a slow machine.
  func allowEmptyFiles() { allow(stderr: "the file is empty", "[J001]") }

  /// Allows warnings of the rules for association files: for files that are odd on purpose.
  func allowRuleWarnings() {
    allow(stderr: ": warning: ", "[A")
    allow(stderr: "more of this kind [A")
  }

  /// Does not mind files that permit nothing: they are served when nothing better is known.
  func allowIdleFiles() {
    allow(stderr: ": error: ", "[A010]")
    allow(stderr: ": error: ", "[A160]")
  }

  /// The lines on the standard error stream that the test has not asked for.
  var unexpectedLines: [String] {
    let allowed = allowed.withLock { $0 }
    // Containers run tests as root.
    var lines = errorLines.filter { line in
      !line.hasSuffix("[H016]") && !allowed.contains { $0.allSatisfy { line.contains($0) } }
    }
    for line in expected.withLock({ $0 }) {
      if let index = lines.firstIndex(of: line) { lines.remove(at: index) }
    }
    return lines
  }

  /// One request on a connection of its own.
  func get(
    _ path: String = associationPaths[0], host: String? = "example.com", method: String = "GET",
    _ fields: [String] = []
  ) throws -> Response {
    let client = try RawClient(port: http)
    try client.send(request(method, path, host: host, fields: fields))
    return try client.receive(to: method)
  }

  /// The text that is served to a host, or its status.
  func served(_ host: String) throws -> String {
    let response = try get(host: host)
    return response.status == 200 ? response.text : String(response.status)
  }
}

/// Serves while `body` runs, then ends the server and checks that it ends well: with exit code 0
/// and nothing on the standard error stream that the test did not ask for.
///
/// - Parameters:
///   - https: listens for TLS too.
///   - flags: after those that this function gives itself.
///   - runner: a command that runs the program that follows it.
@discardableResult
func withServer<Result>(
  _ workspace: Workspace, https: Bool = false, _ flags: [String] = [],
  environment: [String: String] = [:], through runner: [String] = [],
  at location: SourceLocation = #_sourceLocation, _ body: (Server) throws -> Result
) throws -> Result {
  let arguments =
    [
      "serve", "--config", workspace.path("server.json"), "--domains", workspace.domains,
      "--certificates", workspace.certificates, "--http", "127.0.0.1:0", "--https",
      https ? "127.0.0.1:0" : "none", "--threads", "2",
    ] + flags
  if !FileManager.default.fileExists(atPath: workspace.path("server.json")) {
    try workspace.write("server.json", "{}")
  }
  return try withServer(
    workspace, arguments: arguments, addresses: https ? 2 : 1, environment: environment,
    through: runner, at: location, body)
}

/// The same with all arguments of the test's own.
func withServer<Result>(
  _ workspace: Workspace, arguments: [String], addresses: Int,
  environment: [String: String] = [:], folder: String? = nil, through runner: [String] = [],
  at location: SourceLocation = #_sourceLocation, _ body: (Server) throws -> Result
) throws -> Result {
  let server = try Server(
    workspace, arguments: arguments, environment: environment, folder: folder, through: runner)
  defer { server.process.signal(SIGKILL) }
  try server.waitUntilListening(addresses: addresses)
  let result: Result
  do {
    result = try body(server)
  } catch {
    // Often the reason.
    throw Failure("\(error); stderr: \(server.unexpectedLines)")
  }
  server.process.signal(SIGTERM)
  let code = try server.process.waitForExit()
  #expect(code == 0, "stderr: \(server.unexpectedLines)", sourceLocation: location)
  #expect(server.unexpectedLines == [], sourceLocation: location)
  return result
}
