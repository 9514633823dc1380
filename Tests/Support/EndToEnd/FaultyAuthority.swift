import Foundation

/// A proxy before Pebble that misbehaves on demand: Tests/Tools/faultproxy.py says how.
final class FaultyAuthority {
  private let process: ChildProcess
  let port: Int
  private let pebble: Pebble
  var directory: String { "https://127.0.0.1:\(port)/dir" }

  init(_ pebble: Pebble) throws {
    guard let python = Tool.python3.path else { throw Failure("python3 is not installed") }
    self.pebble = pebble
    port = try RawClient.freePort()
    process = try ChildProcess(
      python,
      [
        repositoryFile("Tests/Tools/faultproxy.py"), "\(port)", "\(pebble.port)",
        pebble.workspace.path("pebble.crt"), pebble.workspace.path("pebble.key"),
      ])
    guard eventually({ (try? ask(nil).contains("rules")) == true }) else {
      throw Failure("the proxy does not answer: \(process.now.errors)")
    }
  }

  deinit { process.signal(SIGKILL) }

  /// Sets the rules, a JSON list.
  func set(_ rules: String) throws { _ = try ask(rules) }

  /// Its rules and what it was asked, as JSON.
  func log() throws -> String { try ask(nil) }

  /// How often it had a POST request for a path.
  func count(_ path: String) throws -> Int {
    try log().components(separatedBy: "[\"POST\", \"\(path)\"").count - 1
  }

  /// When it was asked, in seconds since any time: the last 500 requests.
  func times() throws -> [Double] {
    let root = try JSONSerialization.jsonObject(with: Data(log().utf8)) as? [String: Any]
    guard let log = root?["log"] as? [[Any]] else { throw Failure("the proxy has no log") }
    return log.compactMap { $0.last as? Double }
  }

  private func ask(_ rules: String?) throws -> String {
    guard let curl = Tool.curl.path else { throw Failure("curl is not installed") }
    return try run(
      curl,
      [
        "--silent", "--cacert", pebble.workspace.path("ca.pem"), "--max-time", "30",
        "https://127.0.0.1:\(port)/_rules",
      ] + (rules.map { ["--data", $0] } ?? [])
    ).text
  }
}
