import Foundation
import TestRunning
import Testing

@testable import EndToEnd

/// The server's log on the standard error stream.
@Suite("server log", .manyAtOnce) struct ServerLogTests {
  private func workspace() throws -> Workspace {
    let workspace = try Workspace(serving: ["a.example": association("A")])
    try workspace.write("domains/b.example.json", "{")
    return workspace
  }

  private func serve(
    _ workspace: Workspace, _ flags: [String], environment: [String: String] = [:]
  ) throws -> ChildProcess {
    try ChildProcess(
      Server.program,
      ["serve", "--domains", "domains", "--http", "127.0.0.1:0", "--https", "none"] + flags,
      environment: environment, folder: workspace.root)
  }

  private func objects(_ process: ChildProcess) throws -> [[String: Any]] {
    let text = String(decoding: process.now.errors, as: UTF8.self)
    // The last line may not be whole yet.
    return try text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map {
      guard let object = try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
      else { throw Failure("not an object: \($0)") }
      return object
    }
  }

  private func object(
    _ process: ChildProcess, _ matches: ([String: Any]) -> Bool
  ) throws -> [String: Any] {
    let found = try eventually(within: .seconds(60)) { try objects(process).first(where: matches) }
    guard let found else { throw Failure("not logged: \(try objects(process))") }
    return found
  }

  @Test func `a debug build says that it is one`() throws {
    // The program of `AASA_PROGRAM` is optimised.
    let isDebug = ProcessInfo.processInfo.environment["AASA_PROGRAM"] == nil && Self.isDebugBuild
    let workspace = try Workspace(serving: ["a.example": association("A")])
    try withServer(workspace) { server in
      let note = server.outputLines.contains { $0.hasPrefix("this is a debug build") }
      #expect(note == isDebug, "\(server.outputLines)")
    }
  }

  @Test func `the start begins with the version, and ends with a command that fetches a file`()
    throws
  {
    let workspace = try Workspace(serving: ["a.example": association("A")])
    try withServer(workspace) { server in
      #expect(server.outputLines.first?.hasPrefix("aasa ") == true, "\(server.outputLines)")
      let last = try #require(server.outputLines.last { $0.hasPrefix("try it: ") })
      guard Tool.curl.path != nil else { return }
      let fetched = try run("/bin/sh", ["-c", "\(last.dropFirst(8)) --silent"])
      #expect(fetched.text.contains("applinks"), "\(last): \(fetched.errors)")
    }
  }

  private static var isDebugBuild: Bool {
    #if DEBUG
      true
    #else
      false
    #endif
  }

  @Test func `in JSON every event is one object, warnings of the configuration included`() throws {
    let workspace = try workspace()
    let process = try serve(
      workspace, ["--log-format", "json"], environment: ["AASA_HTPP": "1"])
    defer { process.signal(SIGKILL) }
    let listening = try object(process) {
      ($0["message"] as? String)?.hasPrefix("listening http://127.0.0.1:") == true
    }
    #expect(listening["level"] as? String == "info")
    let time = listening["time"] as? String ?? ""
    #expect(time.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/) != nil)

    let fault = try object(process) { $0["level"] as? String == "error" }
    #expect((fault["file"] as? String)?.hasSuffix("domains/b.example.json") == true)
    #expect((fault["code"] as? String)?.hasPrefix("J") == true)
    #expect(fault["line"] as? Int == 1 && fault["column"] as? Int != nil)
    #expect(fault["help"] as? String != nil)

    let warning = try object(process) { $0["code"] as? String == "C002" }
    #expect(warning["level"] as? String == "warning")
    #expect(warning["file"] as? String == "AASA_HTPP")

    // A reload is logged in the same way.
    try workspace.write("domains/b.example.json", association("B"))
    _ = try object(process) { $0["message"] as? String == "reloaded b.example" }
    process.signal(SIGTERM)
    try #expect(process.waitForExit(within: .seconds(60)) == 0)
    // Standard output is the access log's.
    #expect(!String(decoding: process.now.output, as: UTF8.self).contains("listening"))
  }

  @Test func `why the server cannot start is an object too`() throws {
    let taken = try RawClient.freePort()
    let run = try run(
      Server.program,
      [
        "serve", "--domains", "/nonexistent", "--http", "192.0.2.1:\(taken)", "--https", "none",
        "--log-format", "json",
      ])
    #expect(run.exitCode == 1)
    let object = try JSONSerialization.jsonObject(with: Data(run.errors.utf8)) as? [String: Any]
    #expect(object?["level"] as? String == "error")
    #expect((object?["message"] as? String)?.hasPrefix("cannot listen on http://192.0.2.1") == true)
  }

  @Test func `with the level error no warning is logged`() throws {
    let workspace = try Workspace()
    try workspace.write("domains/b.example.json", "{")
    // A warning: a name that is not a host's.
    try workspace.write("domains/notes.txt", "")
    let process = try serve(workspace, ["--log-level", "error"])
    defer { process.signal(SIGKILL) }
    #expect(eventually(within: .seconds(60)) { process.now.output.contains(0x0A) })
    process.signal(SIGTERM)
    try #expect(process.waitForExit(within: .seconds(60)) == 0)
    let lines = String(decoding: process.now.errors, as: UTF8.self).split(separator: "\n")
    #expect(lines.count == 1)
    #expect(lines.allSatisfy { $0.contains(": error: ") })
  }

  @Test func `the same event is not logged without end`() throws {
    let workspace = try Workspace(serving: ["a.example": association("A")])
    let process = try ChildProcess(
      Server.program,
      [
        "serve", "--domains", "domains", "--http", "none", "--https", "127.0.0.1:0",
        "--log-level", "debug",
      ], folder: workspace.root)
    defer { process.signal(SIGKILL) }
    let port = eventually(within: .seconds(60)) {
      String(decoding: process.now.output, as: UTF8.self).split(separator: "\n")
        .first { $0.hasPrefix("listening ") }?.split(separator: ":").last.flatMap { Int($0) }
    }
    for _ in 1...60 {
      let client = try RawClient(port: try #require(port), within: .seconds(60))
      try client.send("\u{16}\u{3}\u{1}no handshake")
      _ = try client.receiveAll()
    }
    process.signal(SIGTERM)
    try #expect(process.waitForExit(within: .seconds(60)) == 0)
    let lines = String(decoding: process.now.errors, as: UTF8.self).split(separator: "\n")
      .filter { $0.contains("a TLS handshake failed") }
    let logged = lines.filter { !$0.contains(" more like this") }
    // Twenty in ten seconds; a slower machine logs more, and reports the omitted ones less often.
    let leftOut = lines.compactMap { line in
      line.firstMatch(of: /and (\d+) more like this/).flatMap { Int($0.1) }
    }
    #expect(logged.count + leftOut.reduce(0, +) == 60)
    #expect(logged.count >= 20)
  }

  #if os(Linux)
    @Test
    func `a log without a reader does not keep the server from serving and from ending`() throws {
      let workspace = try Workspace(serving: ["a.example": association("A")])
      // More than the pipe below can hold.
      for index in 1...15 {
        let name = String(repeating: "x", count: 60) + ".\(index).example.json"
        try workspace.write("domains/\(name)", "{")
        try workspace.write("domains/\(String(repeating: "y", count: 150))-\(index).txt", "")
      }
      try #require(mkfifo(workspace.path("log"), 0o600) == 0)
      let reading = open(workspace.path("log"), O_RDONLY | O_NONBLOCK | O_CLOEXEC)
      defer { close(reading) }
      let setPipeSize: Int32 = 1031
      try #require(fcntl(reading, setPipeSize, Int32(4096)) >= 0)
      let process = try ChildProcess(
        "/bin/sh",
        [
          "-c", #"exec "$0" serve --domains domains --http 127.0.0.1:0 --https none 2> log"#,
          Server.program,
        ], folder: workspace.root)
      defer { process.signal(SIGKILL) }
      let port = eventually(within: .seconds(60)) {
        String(decoding: process.now.output, as: UTF8.self).split(separator: "\n")
          .first { $0.hasPrefix("listening ") }?.split(separator: ":").last.flatMap { Int($0) }
      }
      let client = try RawClient(port: try #require(port), within: .seconds(60))
      try client.send(request(host: "a.example"))
      try #expect(client.receive().status == 200)
      process.signal(SIGTERM)
      try #expect(process.waitForExit(within: .seconds(60)) == 0)
      // The first lines have arrived: the next ones did not fit after them into the pipe's one
      // page.
      var buffer = [UInt8](repeating: 0, count: 8192)
      let count = read(reading, &buffer, buffer.count)
      #expect(count > 0 && count <= 4096)
    }
  #endif
}
