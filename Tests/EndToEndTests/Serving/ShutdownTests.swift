import Foundation
import TLSTestSupport
import TestRunning
import Testing

@testable import EndToEnd

/// How the server ends.
@Suite("shutdown", .manyAtOnce) struct ShutdownTests {
  private func workspace() throws -> Workspace {
    let workspace = try Workspace(serving: [
      "a.example": association("A"), "large.example": association(ofBytes: 130_000),
    ])
    return workspace
  }

  /// Whether the port has no listener any more.
  private func refuses(_ port: Int) -> Bool {
    eventually { (try? RawClient(port: port)) == nil }
  }

  @Test(arguments: [SIGTERM, SIGINT])
  func `idle connections are closed and the exit code is 0`(signal: Int32) throws {
    try withServer(try workspace(), ["--grace-period", "60s"]) { server in
      let idle = try RawClient(port: server.http)
      try idle.send(request(host: "a.example"))
      try #expect(idle.receive().status == 200)
      server.process.signal(signal)
      let (bytes, end) = try idle.receiveAll()
      #expect(bytes.isEmpty)
      #expect(end == .closed)
      try #expect(server.process.waitForExit() == 0)
      #expect(refuses(server.http))
    }
  }

  @Test func `a client that has sent nothing, or half a head, is not waited for`() throws {
    try withServer(try workspace(), https: true, ["--grace-period", "60s"]) { server in
      server.allow(stderr: "[H021]")
      let silent = try RawClient(port: server.http)
      let handshaking = try RawClient(port: server.https)
      let half = try RawClient(port: server.http)
      try half.send("GET / HTTP/1.1\r\nHost: exa")
      let hello = try RawClient(port: server.https)
      try hello.send([0x16, 3, 1])
      try #expect(server.get(host: "a.example").status == 200)
      server.process.signal(SIGTERM)
      try #expect(server.process.waitForExit() == 0)
      // On Linux a client that has sent nothing sees no end: its connection never reached the
      // server.
      withExtendedLifetime([silent, handshaking, half, hello]) {}
    }
  }

  @Test func `a request in flight is answered, and its connection closed`() throws {
    try withServer(try workspace(), ["--grace-period", "60s"]) { server in
      let body = try RawClient(port: server.http)
      try body.send(request(host: "a.example", fields: ["Content-Length: 4"]) + "12")
      // Answered after the bytes above were taken, or before: both must work.
      let kept = try RawClient(port: server.http)
      try kept.send(request(host: "a.example"))
      try #expect(kept.receive().status == 200)
      server.process.signal(SIGTERM)
      // Its end shows that the server is stopping. A connection that asked whether it still listens
      // would be waited for.
      try #expect(kept.receiveAll().end == .closed)
      try body.send("34")
      let (bytes, end) = try body.receiveAll()
      let response = try #require(try Response.all(in: bytes).first)
      #expect(response.status == 200)
      #expect(response.text == association("A"))
      #expect(response["Connection"] == "close")
      #expect(end == .closed)
      try #expect(server.process.waitForExit() == 0)
    }
  }

  @Test func `an answer that is being read is sent to its end`() throws {
    try withServer(try workspace(), ["--grace-period", "60s"]) { server in
      let client = try RawClient(port: server.http)
      client.shrinkReceiveBuffer()
      // More than the kernel takes at once.
      try client.send(String(repeating: request(host: "large.example"), count: 60))
      try #expect(client.receive().status == 200)
      server.process.signal(SIGTERM)
      #expect(refuses(server.http))
      let (bytes, _) = try client.receiveAll()
      // Whole answers, the last of which says that it is the last.
      let responses = try Response.all(in: bytes)
      #expect(!responses.isEmpty)
      #expect(responses.allSatisfy { $0.body.count == 130_000 })
      try #expect(server.process.waitForExit() == 0)
    }
  }

  /// Makes everything happen at once: the server is paused meanwhile, and asked to stop.
  private func whilePaused(_ server: Server, _ body: () throws -> Void) throws {
    server.process.signal(SIGSTOP)
    try body()
    server.process.signal(SIGTERM)
    server.process.signal(SIGCONT)
  }

  @Test
  func `requests from before the request to stop are answered, on new connections too`() throws {
    let flags = ["--grace-period", "600s", "--idle-timeout", "600s"]
    for _ in 1...3 {
      try withServer(try workspace(), flags) { server in
        let kept = try (0..<4).map { _ in try RawClient(port: server.http) }
        for client in kept {
          try client.send(request(host: "a.example"))
          try #expect(client.receive().status == 200)
        }
        var new: [RawClient] = []
        try whilePaused(server) {
          for client in kept { try client.send(request(host: "a.example")) }
          // More than a loop takes at once.
          for _ in 0..<100 {
            let client = try RawClient(port: server.http)
            try client.send(request(host: "a.example"))
            new.append(client)
          }
        }
        for client in kept + new {
          let (bytes, end) = try client.receiveAll()
          try #expect(Response.all(in: bytes).map(\.status) == [200])
          #expect(end == .closed)
        }
        try #expect(server.process.waitForExit() == 0)
      }
    }
  }

  @Test func `a connection that came with the request to stop, and says nothing, delays nothing`()
    throws
  {
    let flags = ["--grace-period", "600s", "--idle-timeout", "600s"]
    try withServer(try workspace(), flags) { server in
      var silent: [RawClient] = []
      try whilePaused(server) {
        for _ in 0..<4 { silent.append(try RawClient(port: server.http)) }
      }
      try #expect(server.process.waitForExit() == 0)
      withExtendedLifetime(silent) {}
    }
  }

  @Test func `a connection that was never used is not waited for`() throws {
    let flags = ["--grace-period", "600s", "--idle-timeout", "600s"]
    try withServer(try workspace(), https: true, flags) { server in
      server.allow(stderr: "[H021]")
      let (client, descriptor) = try connectedClient(port: server.https)
      // The server sends tickets when it has the end of the handshake.
      let isReady = eventually {
        _ = client.read()
        return client.ticketsReceived > 0
      }
      #expect(isReady, "\(descriptor)")
      server.process.signal(SIGTERM)
      try #expect(server.process.waitForExit() == 0)
      withExtendedLifetime(client) {}
    }
  }

  @Test func `answers that do not end within the grace period are dropped`() throws {
    let flags = ["--grace-period", "300ms", "--body-timeout", "600s"]
    try withServer(try workspace(), flags) { server in
      let slow = try RawClient(port: server.http)
      try slow.send(request("POST", host: "a.example", fields: ["Content-Length: 4"]) + "12")
      try #expect(server.get(host: "a.example").status == 200)
      let start = ContinuousClock.now
      server.process.signal(SIGTERM)
      try #expect(server.process.waitForExit() == 0)
      let time = ContinuousClock.now - start
      #expect(time >= .milliseconds(250) && time < .seconds(30))
    }
  }

  @Test(arguments: [SIGTERM, SIGINT])
  func `a second signal ends at once`(second: Int32) throws {
    let workspace = try workspace()
    // Not by the usual way: this exit code is not 0.
    let process = try ChildProcess(
      Server.program,
      [
        "serve", "--domains", workspace.domains, "--http", "127.0.0.1:0", "--https", "none",
        "--grace-period", "600s", "--head-timeout", "600s",
      ], folder: workspace.root)
    defer { process.signal(SIGKILL) }
    let port = eventually {
      String(decoding: process.now.output, as: UTF8.self).split(separator: "\n")
        .first { $0.hasPrefix("listening ") }?.split(separator: ":").last.flatMap { Int($0) }
    }
    let slow = try RawClient(port: try #require(port))
    try slow.send("GET / HTTP/1.1\r\n")
    process.signal(SIGTERM)
    #expect(refuses(try #require(port)))
    #expect(process.isRunning)
    process.signal(second)
    // Long before the grace period is over.
    _ = try process.waitForExit()
  }

  @Test func `the reader of its output may be gone`() throws {
    let workspace = try workspace()
    // `head` ends after one line, and with it the pipe.
    let script = """
      cd "$1"
      { "$0" serve --domains domains --http 127.0.0.1:0 --https none 2>&1 & echo $! > process
        wait $!; echo $? > code; } | head -n 1
      """
    let shell = try ChildProcess("/bin/sh", ["-c", script, Server.program, workspace.root])
    let isShown = eventually {
      !shell.now.output.isEmpty
    }
    #expect(isShown)
    func number(_ name: String) -> Int32? {
      let text = try? String(contentsOfFile: workspace.path(name), encoding: .utf8)
      return text.flatMap { Int32($0.trimmingCharacters(in: .whitespacesAndNewlines)) }
    }
    let process = try #require(eventually { number("process") })
    // Something to log, without a reader.
    try workspace.write("domains/a.example.json", "{")
    let hasEnded = eventually(within: .seconds(1)) { number("code") != nil }
    #expect(!hasEnded)
    if !hasEnded { kill(process, SIGTERM) }
    #expect(eventually { number("code") } == 0)
  }

  @Test func `a reader of its output that has stopped reading holds up nothing`() throws {
    let workspace = try workspace()
    let port = try RawClient.freePort()
    // A full pipe, of Linux's default size, without a reader.
    let script = """
      cd "$1" && mkfifo pipe && exec 3<>pipe && head -c 65536 /dev/zero >&3
      exec "$0" serve --domains domains --http 127.0.0.1:\(port) --https none >&3 2>/dev/null
      """
    let process = try ChildProcess("/bin/sh", ["-c", script, Server.program, workspace.root])
    defer { process.signal(SIGKILL) }
    func served() throws -> String? {
      guard let client = try? RawClient(port: port) else { return nil }
      try client.send(request(host: "a.example"))
      return try client.receive().text
    }
    try #expect(eventually { try served() == association("A") })
    try workspace.write("domains/a.example.json", association("B"))
    try #expect(eventually { try served() == association("B") })
    process.signal(SIGTERM)
    try #expect(process.waitForExit() == 0)
  }

  @Test func `a reader of its output that has stopped reading delays no change of a file`() throws {
    /// How long ten changes take, one after the other, until each is served.
    func changing(_ output: String) throws -> Duration {
      let workspace = try workspace()
      let port = try RawClient.freePort()
      let script = """
        cd "$1" && mkfifo pipe && exec 3<>pipe && head -c 65536 /dev/zero >&3
        exec "$0" serve --domains domains --http 127.0.0.1:\(port) --https none >\(output)
        """
      let process = try ChildProcess("/bin/sh", ["-c", script, Server.program, workspace.root])
      defer { process.signal(SIGKILL) }
      func served() throws -> String? {
        guard let client = try? RawClient(port: port) else { return nil }
        try client.send(request(host: "a.example"))
        return try client.receive().text
      }
      try #require(eventually { try served() == association("A") })
      let start = ContinuousClock.now
      for mark in "BCDEFGHIJK" {
        try workspace.write("domains/a.example.json", association(mark))
        try #require(eventually { try served() == association(mark) })
      }
      let duration = ContinuousClock.now - start
      process.signal(SIGTERM)
      try #expect(process.waitForExit() == 0)
      return duration
    }
    // Half a second for each change, or twice the time on a slow machine, is far more than it takes,
    // and far less than waiting for the reader.
    try #expect(changing("&3") < changing("/dev/null") * 2 + .seconds(5))
  }

  @Test(.needsInterposer, arguments: [false, true])
  func `a server that is stopped while it reads many files ends at once`(isServing: Bool) throws {
    let files = (0..<1_000).map { ("h\($0).example", association("A")) }
    let workspace = try Workspace(serving: Dictionary(uniqueKeysWithValues: files))
    let interposer = try Interposer(in: workspace)
    if !isServing { try interposer.slowDown(workspace.domains) }
    let process = try start(workspace, environment: interposer.environment)
    defer { process.signal(SIGKILL) }
    if isServing {
      #expect(
        eventually { String(decoding: process.now.output, as: UTF8.self).contains("listening") })
      try interposer.slowDown(workspace.domains)
      process.signal(SIGHUP)
    }
    // It would take minutes.
    #expect(eventually { interposer.isSlow })
    let start = ContinuousClock.now
    process.signal(SIGTERM)
    try #expect(process.waitForExit() == 0)
    #expect(ContinuousClock.now - start < .seconds(3))
    let errors = String(decoding: process.now.errors, as: UTF8.self)
    #expect(!errors.contains("still being read"), "\(errors)")
  }

  private func start(
    _ workspace: Workspace, environment: [String: String] = [:]
  ) throws -> ChildProcess {
    try workspace.write("server.json", "{}")
    return try ChildProcess(
      Server.program,
      [
        "serve", "--config", workspace.path("server.json"), "--domains", workspace.domains,
        "--http", "127.0.0.1:0", "--https", "none",
      ], environment: environment)
  }

  #if os(Linux)
    @Test func `a request to stop that comes while the program starts ends it with 0`() throws {
      let workspace = try workspace()
      for round in 0..<rounds(27, stress: 200) {
        let moment = round * (isStress ? 1 : 3) % 81
        let process = try start(workspace)
        defer { process.signal(SIGKILL) }
        // From the start of the process to when it serves.
        poll(nil, 0, Int32(moment))
        let isOurs = try blocksTermination(process.identifier)
        process.signal(SIGTERM)
        let code = try process.waitForExit()
        // Until the kernel and the dynamic linker are done, no instruction of the program has run.
        #expect(code == 0 || !isOurs && code == 128 + SIGTERM, "after \(moment) ms")
      }
    }

    /// Whether SIGTERM waits until the process takes it (proc(5)).
    private func blocksTermination(_ process: pid_t) throws -> Bool {
      let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
      let blocked = try #require(status.firstMatch(of: /SigBlk:\s+([0-9a-f]+)/)?.1)
      return try #require(UInt64(blocked, radix: 16)) & 1 << (UInt64(SIGTERM) - 1) != 0
    }

    /// Sends the signal when libraries are ready and `main` is about to begin. Compiled once.
    private static let early = Result {
      try compiledLibrary(
        """
        #define _GNU_SOURCE
        #include <dlfcn.h>
        #include <signal.h>
        #include <unistd.h>
        typedef int (*entry)(int, char **, char **);
        static entry real;
        static int stopped(int count, char **arguments, char **variables) {
          kill(getpid(), SIGTERM);
          return real(count, arguments, variables);
        }
        int __libc_start_main(
          entry main, int count, char **arguments, void (*init)(void), void (*end)(void),
          void (*loader)(void), void *stack) {
          real = main;
          int (*next)(entry, int, char **, void (*)(void), void (*)(void), void (*)(void), void *);
          next = dlsym(RTLD_NEXT, "__libc_start_main");
          return next(stopped, count, arguments, init, end, loader, stack);
        }
        """, as: "early")
    }

    @Test(.needsInterposer)
    func `a request to stop that comes before the program's first function ends it with 0`() throws
    {
      let workspace = try workspace()
      let process = try start(workspace, environment: ["LD_PRELOAD": Self.early.get()])
      defer { process.signal(SIGKILL) }
      let code = try withExtendedLifetime(workspace) { try process.waitForExit() }
      #expect(code == 0, "\(String(decoding: process.now.errors, as: UTF8.self))")
    }
  #endif
}
