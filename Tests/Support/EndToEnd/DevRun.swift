import Foundation
import Testing

/// The built program, as `aasa dev`.
final class DevRun: Sendable {
  let process: ChildProcess
  /// Where the tunnel leads, and where the inspector is.
  let port: Int
  let inspector: Int

  fileprivate init(
    _ workspace: Workspace, _ arguments: [String], environment: [String: String]
  ) throws {
    process = try ChildProcess(
      Server.program, ["dev", "--port", "0", "--inspector-port", "0", "--cdn", "none"] + arguments,
      environment: environment, folder: workspace.root)
    guard let ports = Self.ports(process) else {
      process.signal(SIGKILL)
      throw Failure(
        "aasa dev does not listen; exit code \(process.now.exitCode ?? -1); stderr: "
          + String(decoding: process.now.errors, as: UTF8.self))
    }
    (port, inspector) = ports
  }

  private static func ports(_ process: ChildProcess) -> (Int, Int)? {
    func number(_ name: String) -> Int? {
      let lines = String(decoding: process.now.output, as: UTF8.self).split(separator: "\n")
      // The next line shows that this one is whole.
      guard let index = lines.firstIndex(where: { $0.hasPrefix(name) }), index + 1 < lines.count
      else { return nil }
      return lines[index].split(separator: ":").last.flatMap { Int($0) }
    }
    let isReady = eventually {
      !process.isRunning || (number("local ") != nil && number("inspector ") != nil)
    }
    guard isReady, let port = number("local "), let inspector = number("inspector ") else {
      return nil
    }
    return (port, inspector)
  }

  var output: String { String(decoding: process.now.output, as: UTF8.self) }
  var errors: String { String(decoding: process.now.errors, as: UTF8.self) }

  /// Waits until the terminal shows it.
  func shows(_ text: String) -> Bool { eventually { output.contains(text) } }

  /// The agent of a device in developer mode (seen in the field).
  static let device = "User-Agent: swcd (unknown version) CFNetwork/1490.0.4 Darwin/23.2.0"

  /// One request to the public side.
  func get(
    _ path: String = associationPaths[0], host: String? = "dev.example.test",
    method: String = "GET", fields: [String] = []
  ) throws -> Response {
    let client = try RawClient(port: port)
    try client.send(request(method, path, host: host, fields: fields))
    return try client.receive(to: method)
  }

  /// One request to the inspector, from its own page.
  func inspect(
    _ path: String, method: String = "GET", host: String? = nil, origin: String? = nil,
    content: String = "", _ fields: [String] = []
  ) throws -> Response {
    let client = try RawClient(port: inspector)
    var fields = fields
    if method != "GET" || origin != nil {
      fields.append("Origin: \(origin ?? "http://127.0.0.1:\(inspector)")")
    }
    if !content.isEmpty { fields.append("Content-Length: \(content.utf8.count)") }
    try client.send(
      request(method, path, host: host ?? "127.0.0.1:\(inspector)", fields: fields) + content)
    return try client.receive(to: method)
  }

  /// The same, read as JSON.
  func json(_ path: String, method: String = "GET", content: String = "") throws -> [String: Any] {
    try object(inspect(path, method: method, content: content).body)
  }

  /// The state: the first event of the stream.
  func state() throws -> [String: Any] {
    let stream = try events()
    guard let first = stream.next("state") else { throw Failure("no event") }
    return try object(Array(first.data.utf8))
  }

  /// Waits for a state.
  func becomes(_ holds: ([String: Any]) -> Bool) throws -> Bool {
    try eventually { try holds(state()) }
  }

  func events(after last: Int? = nil) throws -> DevEvents {
    try DevEvents(port: inspector, after: last)
  }
}

/// The inspector's stream.
final class DevEvents {
  struct Event {
    let name: String
    let id: Int?
    let data: String
  }

  private let client: RawClient
  private var text = ""

  fileprivate init(port: Int, after last: Int?) throws {
    client = try RawClient(port: port)
    let fields = last.map { ["Last-Event-ID: \($0)"] } ?? []
    try client.send(request("GET", "/events", host: "127.0.0.1:\(port)", fields: fields))
    let isOpen = eventually {
      receive()
      return text.contains("\r\n\r\n")
    }
    guard isOpen, let end = text.range(of: "\r\n\r\n") else { throw Failure("no stream: \(text)") }
    text = String(text[end.upperBound...])
  }

  private func receive() {
    text += String(decoding: (try? client.receiveSome()) ?? [], as: UTF8.self)
  }

  /// The next event; nil when none comes.
  func next() -> Event? {
    let isThere = eventually { () -> Bool in
      while text.hasPrefix(":\n\n") { text.removeFirst(3) }
      if text.contains("\n\n") { return true }
      receive()
      return false
    }
    guard isThere, let end = text.range(of: "\n\n") else { return nil }
    var fields: [String: String] = [:]
    for line in text[..<end.lowerBound].split(separator: "\n") {
      let parts = line.split(separator: ":", maxSplits: 1).map(String.init)
      fields[parts[0]] = String(parts.last?.dropFirst() ?? "")
    }
    text = String(text[end.upperBound...])
    return Event(
      name: fields["event"] ?? "", id: fields["id"].flatMap { Int($0) },
      data: fields["data"] ?? "")
  }

  /// The next event of that name.
  func next(_ name: String) -> Event? {
    while let event = next() {
      if event.name == name { return event }
    }
    return nil
  }
}

func object(_ bytes: [UInt8]) throws -> [String: Any] {
  guard let object = try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any] else {
    throw Failure("no object: \(String(decoding: bytes, as: UTF8.self))")
  }
  return object
}

/// The value at a way of keys; nil for null too.
func value<Value>(_ object: [String: Any], _ keys: String...) -> Value? {
  var value: Any? = object
  for key in keys { value = (value as? [String: Any])?[key] }
  return value as? Value
}

/// Runs `aasa dev` while `body` runs, ends it as Ctrl-C does, and checks that it ends well.
///
/// - Parameters:
///   - errors: parts of the lines that are expected on the standard error stream, one each.
func withDev<Result>(
  _ workspace: Workspace, _ arguments: [String], environment: [String: String] = [:],
  errors: [String] = [], endedBy signal: Int32 = SIGINT,
  at location: SourceLocation = #_sourceLocation, _ body: (DevRun) throws -> Result
) throws -> Result {
  let run = try DevRun(workspace, arguments, environment: environment)
  defer { run.process.signal(SIGKILL) }
  let result: Result
  do {
    result = try body(run)
  } catch {
    throw Failure("\(error); stdout: \(run.output); stderr: \(run.errors)")
  }
  run.process.signal(signal)
  let code = try run.process.waitForExit()
  #expect(code == 0, "\(run.errors)", sourceLocation: location)
  let lines = run.errors.split(separator: "\n").map(String.init)
  #expect(
    lines.count == errors.count && zip(lines, errors).allSatisfy { $0.contains($1) },
    "stderr: \(lines)", sourceLocation: location)
  return result
}

extension Workspace {
  /// An association file that lets the shop's links open its app.
  func writeShop(_ name: String = "site.json", path: String = "/buy/*") throws {
    try write(name, shopFile(components: #"[{"/":"\#(path)"}]"#))
  }

  /// A program for `/bin/sh`, which may be started by its path.
  func writeScript(_ name: String, _ text: String) throws {
    try write(name, "#!/bin/sh\n" + text)
    try setMode(name, 0o755)
  }

  /// The processes that a script has noted, by `echo $$ >> FILE`.
  func processes(_ name: String) -> [Int32] {
    ((try? text(name)) ?? "").split(separator: "\n").compactMap { Int32($0) }
  }
}

/// Whether a process is alive, and not a zombie.
func isAlive(_ process: Int32) -> Bool {
  guard kill(process, 0) == 0 else { return false }
  let status = (try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)) ?? ""
  return !status.contains(") Z ")
}
