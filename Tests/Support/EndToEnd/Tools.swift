import Foundation
import Testing

/// A program that tests drive the server with, found in PATH.
enum Tool: String, CaseIterable {
  case curl, git, rsync, openssl, python3, nginx, caddy, haproxy, apache2, node
  /// Debian's package prometheus has both.
  case prometheus, promtool
  /// Debian's packages chromium and chromium-driver.
  case chromium, chromedriver
  /// Debian's package pebble has both.
  case pebble
  case challtestsrv = "pebble-challtestsrv"

  var path: String? { Self.paths[self] }

  private static let paths: [Tool: String] = {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    // Where Debian has servers; not everybody's PATH has it.
    let folders = (path + ":/usr/sbin").split(separator: ":").map(String.init)
    var result: [Tool: String] = [:]
    for tool in Tool.allCases {
      result[tool] = folders.map { "\($0)/\(tool.rawValue)" }.first { access($0, X_OK) == 0 }
    }
    return result
  }()
}

extension Trait where Self == ConditionTrait {
  static func needs(_ tool: Tool) -> Self {
    .enabled(if: tool.path != nil, "\(tool.rawValue) is not installed")
  }

  /// The server hides its memory and its descriptors from other users, and from its own. A reason that
  /// begins with `only root` lets `Tests/Tools/steady` list the test for a run as root.
  static var needsRoot: Self {
    .enabled(if: geteuid() == 0, "only root can look into the server's process")
  }

  /// A file's mode does not keep root out.
  static var needsOrdinaryUser: Self {
    .enabled(if: geteuid() != 0, "nothing is unreadable for root")
  }
}

/// A run of curl.
struct CurlRun: Sendable {
  let exitCode: Int32
  let errors: String
  /// Every response that it saw, interim ones included.
  let responses: [Response]

  var response: Response? { responses.last }
}

extension Server {
  /// Runs curl against this server, whatever host the URL names.
  func curl(_ arguments: String...) throws -> CurlRun { try curl(arguments) }

  func curl(_ arguments: [String]) throws -> CurlRun {
    guard let path = Tool.curl.path else { throw Failure("curl is not installed") }
    let isSecure = arguments.contains { $0.hasPrefix("https:") }
    let run = try run(
      path,
      [
        "--silent", "--show-error", "--include", "--raw", "--max-time", "30", "--noproxy", "*",
        "--connect-to", "::127.0.0.1:\(isSecure ? https : http)",
      ] + arguments)
    let isHead = arguments.contains("--head")
    return CurlRun(
      exitCode: run.exitCode, errors: run.errors,
      responses: try Response.all(in: run.output, methods: isHead ? ["HEAD"] : []))
  }

  /// Runs `openssl s_client` against this server until the server or the input ends it.
  ///
  /// - Parameter input: sent once connected; the connection ends with it unless it asks for more.
  func sClient(_ arguments: String..., input: String = "") throws -> SClientRun {
    try sClient(arguments, input: input)
  }

  func sClient(_ arguments: [String], input: String = "") throws -> SClientRun {
    guard let path = Tool.openssl.path else { throw Failure("openssl is not installed") }
    // The system's roots, which take longer to read than the rest, are not needed.
    let run = try run(
      path, ["s_client", "-connect", "127.0.0.1:\(https)"] + arguments,
      environment: ["SSL_CERT_FILE": "/dev/null"], input: input)
    return SClientRun(exitCode: run.exitCode, text: run.text, errors: run.errors)
  }
}

/// A run of `openssl s_client`.
struct SClientRun: Sendable {
  let exitCode: Int32
  let text: String
  let errors: String

  /// The value of a line such as `Protocol  : TLSv1.3`.
  func value(_ name: String) -> String? {
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: ":", maxSplits: 1)
      if parts.count == 2, parts[0].trimmingCharacters(in: .whitespaces) == name {
        return parts[1].trimmingCharacters(in: .whitespaces)
      }
    }
    return nil
  }
}
