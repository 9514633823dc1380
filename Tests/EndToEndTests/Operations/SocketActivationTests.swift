import Foundation
import Synchronization
import TestRunning
import Testing

@testable import EndToEnd

/// Sockets that a service manager opens and hands over (sd_listen_fds(3)).
@Suite("socket activation", .manyAtOnce, .needs(.python3)) struct SocketActivationTests {
  private func workspace() throws -> Workspace {
    let workspace = try Workspace(serving: ["a.example": association("A")])
    try workspace.write("server.json", "{}")
    return workspace
  }

  @Test func `a socket is served by its name, and no other address is opened`() throws {
    let manager = try Manager(try workspace(), sockets: "http,https")
    defer { manager.kill() }
    try manager.waitUntilServing(1)
    #expect(
      manager.lines("listening ") == [
        "http://127.0.0.1:\(try manager.port("http"))",
        "https://127.0.0.1:\(try manager.port("https"))",
      ])
    let client = try RawClient(port: manager.port("http"), within: .seconds(60))
    try client.send(request(host: "a.example"))
    try #expect(client.receive().text == association("A"))
    // Plain HTTP gets the answer that this port speaks TLS.
    let astray = try RawClient(port: manager.port("https"), within: .seconds(60))
    try astray.send(request(host: "a.example"))
    try #expect(astray.receive().status == 400)
    try #expect(manager.end() == 0)
  }

  #if os(Linux)
    @Test(.needsRoot) func `no program that the server starts gets its sockets`() throws {
      let manager = try Manager(try workspace(), sockets: "http,https")
      defer { manager.kill() }
      try manager.waitUntilServing(1)
      let program = try #require(manager.lines("started ").first)
      for number in 3...4 {
        let facts = try String(contentsOfFile: "/proc/\(program)/fdinfo/\(number)", encoding: .utf8)
        let flags = facts.firstMatch(of: /flags:\s+([0-7]+)/).flatMap { Int32($0.1, radix: 8) }
        #expect((flags ?? 0) & O_CLOEXEC != 0, "\(facts)")
      }
      try #expect(manager.end() == 0)
    }
  #endif

  @Test func `without a name HTTP is spoken, but where the configuration says HTTPS`() throws {
    let manager = try Manager(try workspace(), sockets: "-,-", ["--https", "none"])
    defer { manager.kill() }
    try manager.waitUntilServing(1)
    #expect(manager.lines("listening ").count == 2)
    #expect(manager.lines("listening ").allSatisfy { $0.hasPrefix("http://") })
    try #expect(manager.end() == 0)
  }

  @Test func `a restart under load loses no connection`() throws {
    let manager = try Manager(try workspace(), sockets: "http", ["--threads", "3"])
    defer { manager.kill() }
    try manager.waitUntilServing(1)
    let load = try Load(on: manager.port("http"), host: "a.example", persistent: 0, fresh: 6)
    for round in 2...4 {
      let before = load.now.served
      #expect(eventually(within: .seconds(60)) { load.now.served > before + 20 })
      manager.process.send("restart\n")
      try manager.waitUntilServing(round)
    }
    let before = load.now.served
    #expect(eventually(within: .seconds(60)) { load.now.served > before + 20 })
    let result = try load.stop()
    #expect(result.failures == [])
    #expect(manager.lines("exited ") == ["0", "0", "0"])
    try #expect(manager.end() == 0)
    #expect(manager.errors == [])
  }

  @Test func `a restart under load loses no request on kept connections`() throws {
    let manager = try Manager(try workspace(), sockets: "http", ["--threads", "3"])
    defer { manager.kill() }
    try manager.waitUntilServing(1)
    let port = try manager.port("http")
    let load = KeptLoad(on: port, clients: 8)
    for round in 2...5 {
      #expect(load.goesOn())
      // These connections are idle, and have received an answer.
      let idle = try (0..<5).map { _ in try RawClient(port: port, within: .seconds(60)) }
      for client in idle {
        try client.send(request(host: "a.example"))
        try #expect(client.receive().status == 200)
      }
      manager.process.send("restart\n")
      for client in idle {
        let (bytes, end) = try client.receiveAll()
        #expect(bytes.isEmpty && end == .closed)
      }
      try manager.waitUntilServing(round)
    }
    #expect(load.goesOn())
    let result = try load.stop()
    #expect(result.failures == [])
    // Each client met each end, one way or the other.
    #expect(result.announcedEnds + result.idleEnds >= 4 * 8)
    #expect(manager.lines("exited ") == ["0", "0", "0", "0"])
    try #expect(manager.end() == 0)
    #expect(manager.errors == [])
  }

  @Test func `a descriptor that is not a listening socket is reported`() throws {
    let workspace = try workspace()
    // Standard input's successor is a file.
    let script = #"LISTEN_PID=$$ LISTEN_FDS=1 exec "$0" "$@" 3< server.json"#
    let run = try run(
      "/bin/sh", ["-c", script, Server.program, "serve", "--config", "server.json"],
      folder: workspace.root)
    #expect(run.exitCode == 1)
    #expect(run.errors.contains("socket 3 of the service manager"))
    #expect(run.errors.split(separator: "\n").count == 1)
  }

  @Test(arguments: [
    // Sockets that are meant for another process, or for none.
    "LISTEN_PID=1 LISTEN_FDS=1", "LISTEN_FDS=1", "LISTEN_PID=$$", "LISTEN_PID=x LISTEN_FDS=1",
    "LISTEN_PID=$$ LISTEN_FDS=0",
  ]) func `variables that do not concern the process change nothing`(variables: String) throws {
    let workspace = try workspace()
    let process = try ChildProcess(
      "/bin/sh",
      [
        "-c", #"\#(variables) exec "$0" serve --http 127.0.0.1:0 --https none --domains domains"#,
        Server.program,
      ], folder: workspace.root)
    defer { process.signal(SIGKILL) }
    let isServing = eventually(within: .seconds(60)) {
      String(decoding: process.now.output, as: UTF8.self).contains("listening http://127.0.0.1:")
    }
    #expect(isServing)
    process.signal(SIGTERM)
    try #expect(process.waitForExit(within: .seconds(60)) == 0)
  }

  @Test(arguments: ["LISTEN_FDS=x", "LISTEN_FDS=-1", "LISTEN_FDS=65", "LISTEN_FDS=1"])
  func `an invalid number of sockets is reported`(variable: String) throws {
    let workspace = try workspace()
    // Descriptor 3 is not open.
    let run = try run(
      "/bin/sh",
      [
        "-c", #"LISTEN_PID=$$ \#(variable) exec "$0" serve --domains domains 3<&-"#, Server.program,
      ], folder: workspace.root)
    #expect(run.exitCode == 1)
    #expect(run.errors.contains("error: "))
  }
}

/// A service manager in Python, and the output of its program.
private final class Manager {
  /// Kept for as long as the program runs in it.
  private let workspace: Workspace
  let process: ChildProcess

  init(_ workspace: Workspace, sockets: String, _ flags: [String] = []) throws {
    self.workspace = workspace
    process = try ChildProcess(
      Tool.python3.path ?? "",
      [
        repositoryFile("Tests/Tools/Operations/activator.py"), sockets, Server.program, "serve",
        "--config", "server.json",
      ] + flags,
      folder: workspace.root, hasInput: true)
  }

  private var output: [String] {
    String(decoding: process.now.output, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  /// The lines that begin so, without that.
  func lines(_ prefix: String) -> [String] {
    output.filter { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count)) }
  }

  /// Containers run tests as root.
  var errors: [String] {
    String(decoding: process.now.errors, as: UTF8.self).split(separator: "\n").map(String.init)
      .filter { !$0.hasSuffix("[H016]") }
  }

  func port(_ name: String) throws -> Int {
    guard let text = lines("socket \(name) ").first, let port = Int(text) else {
      throw Failure("no socket \(name): \(output)")
    }
    return port
  }

  /// Waits until it has started this many times.
  func waitUntilServing(_ times: Int) throws {
    let isServing = eventually(within: .seconds(60)) {
      lines("serving ").count >= times || !process.isRunning
    }
    guard isServing, process.isRunning else { throw Failure("not serving: \(output) \(errors)") }
  }

  func end() throws -> Int32 {
    process.closeInput()
    return try process.waitForExit(within: .seconds(60))
  }

  /// Ends the processes after a failed test: the program by the end of the manager's input.
  func kill() { process.closeInput() }
}

/// Clients that keep their connection for as long as the server does. One that ends before the first
/// byte of an answer on a connection that was used before has ended while it was idle: the request is
/// sent again on a new one, once, as RFC 9112 section 9.3.1 says of methods such as GET.
private final class KeptLoad: Sendable {
  struct Result: Sendable {
    /// By client.
    var served: [Int]
    /// Answers that said that they were the last.
    var announcedEnds = 0
    var idleEnds = 0
    var failures: [String] = []
    var running = 0
  }

  private let state: Mutex<Result>
  private let isStopping = Atomic(false)

  init(on port: Int, clients: Int) {
    state = Mutex(Result(served: Array(repeating: 0, count: clients), running: clients))
    for index in 0..<clients { Thread { [self] in ask(port, index) }.start() }
  }

  var now: Result { state.withLock { $0 } }

  /// Waits until every client is served again and again.
  func goesOn() -> Bool {
    let before = now.served
    return eventually(within: .seconds(90)) {
      zip(before, now.served).allSatisfy { $1 > $0 + 20 }
    }
  }

  func stop() throws -> Result {
    isStopping.store(true, ordering: .relaxed)
    guard eventually(within: .seconds(90), { now.running == 0 }) else {
      throw Failure("a client does not stop")
    }
    return now
  }

  private func ask(_ port: Int, _ index: Int) {
    defer { state.withLock { $0.running -= 1 } }
    var kept: RawClient?
    while !isStopping.load(ordering: .relaxed) {
      do {
        let isReused = kept != nil
        let client = try kept ?? RawClient(port: port, within: .seconds(60))
        kept = client
        guard let response = try answer(on: client, mayHaveEnded: isReused) else {
          state.withLock { $0.idleEnds += 1 }
          kept = nil
          continue
        }
        let isLast = response["Connection"] == "close"
        state.withLock { state in
          state.served[index] += 1
          if isLast { state.announcedEnds += 1 }
          if response.status != 200 || response.text != association("A") {
            state.failures.append("status \(response.status)")
          }
        }
        if isLast {
          // It is followed by the end only.
          let (bytes, _) = try client.receiveAll()
          if !bytes.isEmpty { throw Failure("something follows the last answer") }
          kept = nil
        }
      } catch {
        state.withLock { $0.failures.append("\(error)") }
        return
      }
    }
  }

  /// Nil when the connection had ended before.
  private func answer(on client: RawClient, mayHaveEnded: Bool) throws -> Response? {
    do {
      try client.send(request(host: "a.example"))
    } catch {
      if mayHaveEnded { return nil }
      throw error
    }
    if mayHaveEnded {
      let first = try client.receiveSome()
      if first.isEmpty { return nil }
      client.unread(first)
    }
    return try client.receive()
  }
}
