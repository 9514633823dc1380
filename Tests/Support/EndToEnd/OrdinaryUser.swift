import Foundation
import Testing

/// Runs programs as an ordinary user, because root can read everything.
enum OrdinaryUser {
  /// Nobody's number, as most systems have it.
  static let identifier: uid_t = 65_534

  /// The words before a command. Empty when the tests run as an ordinary user themselves, nil where
  /// root cannot become one.
  static let runner: [String]? = {
    if geteuid() != 0 { return ["/usr/bin/env"] }
    let number = String(identifier)
    let words = ["setpriv", "--reuid=\(number)", "--regid=\(number)", "--clear-groups"]
    let runner = ["/usr/bin/env"] + words
    return (try? run(runner[0], Array(runner.dropFirst()) + ["true"]).exitCode) == 0 ? runner : nil
  }()

  /// The program, at a place where that user can run it: not every checkout is one.
  static let program = Result<String, any Error> {
    guard let runner, geteuid() == 0 else { return Server.program }
    func runs(_ path: String) throws -> Bool {
      try run(runner[0], Array(runner.dropFirst()) + [path, "--version"]).exitCode == 0
    }
    if try runs(Server.program) { return Server.program }
    // Left for the next run.
    let copy = NSTemporaryDirectory() + "/aasa-for-everybody"
    try? FileManager.default.removeItem(atPath: copy)
    try FileManager.default.copyItem(atPath: Server.program, toPath: copy)
    guard chmod(copy, 0o755) == 0, try runs(copy) else {
      throw Failure("an ordinary user cannot run \(Server.program), nor \(copy)")
    }
    return copy
  }
}

extension Trait where Self == ConditionTrait {
  static var needsOrdinaryServer: Self {
    .enabled(if: OrdinaryUser.runner != nil, "setpriv is not installed: a server would be root's")
  }
}

extension Workspace {
  /// Gives everything in the folder to the ordinary user; new files belong to the user of the
  /// tests.
  func handOver() throws {
    guard geteuid() == 0 else { return }
    let entries = FileManager.default.enumerator(atPath: root)
    while let name = entries?.nextObject() as? String {
      guard lchown(path(name), OrdinaryUser.identifier, OrdinaryUser.identifier) == 0 else {
        throw Failure("cannot chown \(name): errno \(errno)")
      }
    }
    _ = chown(root, OrdinaryUser.identifier, OrdinaryUser.identifier)
    try setMode("", 0o755)
  }
}

/// Serves as an ordinary user.
func withOrdinaryServer<Result>(
  _ workspace: Workspace, https: Bool = false, _ flags: [String] = [],
  environment: [String: String] = [:], at location: SourceLocation = #_sourceLocation,
  _ body: (Server) throws -> Result
) throws -> Result {
  guard let runner = OrdinaryUser.runner else { throw Failure("there is no ordinary user") }
  if !workspace.exists("server.json") { try workspace.write("server.json", "{}") }
  try workspace.handOver()
  return try withServer(
    workspace, https: https, flags, environment: environment, through: runner, at: location, body)
}
