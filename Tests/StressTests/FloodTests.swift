import Foundation
import TLSTestSupport
import TestRunning
import Testing

@testable import EndToEnd

/// Attempts to exhaust the server: other clients are still served, as fast as before, and
/// afterwards everything is as before.
@Suite("trust: floods", .stress, .serialized) struct FloodTests {
  private func serving(
    https: Bool = false, _ flags: [String] = [], _ body: (Server) throws -> Void
  ) throws {
    let workspace = try Workspace(serving: [
      "example.com": association(), "large.example": association(ofBytes: 100_000),
    ])
    try withServer(workspace, https: https, flags) { server in
      // Without certificates one is made.
      server.allow(stderr: "[H021]")
      try #expect(server.get().status == 200)
      let before = Resources(of: server.process)
      try server.attacked { try body(server) }
      #expect(
        Resources.areBack(server.process, to: before),
        "now \(String(describing: Resources(of: server.process)))")
      try #expect(server.get().status == 200)
    }
  }

  /// A client that does nothing wrong is answered meanwhile.
  private func expectHealthy(_ server: Server, at location: SourceLocation = #_sourceLocation)
    throws
  {
    let client = try RawClient(port: server.http)
    try client.send(request())
    try #expect(client.receive().status == 200, sourceLocation: location)
  }

  @Test func `thousands of idle connections, then thousands more than there may be`() throws {
    let count = 1_500
    try serving(["--max-connections", "\(count)", "--threads", "1"]) { server in
      var clients: [RawClient] = []
      for _ in 0..<(2 * count) {
        let client = try RawClient(port: server.http)
        try client.send(request())
        try #expect(client.receive().status == 200)
        clients.append(client)
        if clients.count % 500 == 0 { try expectHealthy(server) }
      }
      // The idlest have gone, the newest are there.
      try #expect(clients[0].receiveAll().end == .closed)
      try clients[2 * count - 1].send(request())
      try #expect(clients[2 * count - 1].receive().status == 200)
    }
  }

  @Test func `connections that come and go without a word, or are reset`() throws {
    try serving { server in
      for round in 0..<2_000 {
        let client = try RawClient(port: server.http)
        if round % 3 == 0 { try client.send("GET ") }
        if round % 2 == 0 { client.reset() }
        if round % 200 == 0 { try expectHealthy(server) }
      }
    }
  }

  @Test func `heads and bodies that come slowly, on hundreds of connections`() throws {
    let flags = ["--head-timeout", "2s", "--body-timeout", "2s"]
    try serving(flags) { server in
      var clients: [RawClient] = []
      for index in 0..<400 {
        let client = try RawClient(port: server.http)
        try client.send(
          index % 2 == 0
            ? "GET / HTTP/1.1\r\nHost: exam" : request("POST", fields: ["Content-Length: 9999"]))
        clients.append(client)
      }
      // A byte from each now and then, until all are ended.
      let isOver = try eventually {
        for client in clients { try? client.send("x") }
        return try clients.last?.isQuiet(for: .milliseconds(20)) == false
      }
      #expect(isOver)
      for client in clients { try #expect(client.receiveAll().end != .stillOpen) }
    }
  }

  @Test(.needsRoot) func `clients that never read their answers`() throws {
    try serving(["--write-timeout", "1s"]) { server in
      let before = Resources(of: server.process)
      var clients: [RawClient] = []
      for _ in 0..<30 {
        let client = try RawClient(port: server.http)
        client.shrinkReceiveBuffer()
        for _ in 0..<100 { try client.send(request(host: "large.example")) }
        clients.append(client)
      }
      try expectHealthy(server)
      // Their time ends, although a part of the answers was taken by the kernels.
      let isOver = eventually {
        guard let before, let now = Resources(of: server.process) else { return true }
        return now.descriptors ?? 0 < (before.descriptors ?? 0) + clients.count / 2
      }
      #expect(isOver)
      try expectHealthy(server)
    }
  }

  @Test(.needsRoot) func `clients that take a byte now and then`() throws {
    try serving(["--write-timeout", "2s"]) { server in
      let before = Resources(of: server.process)
      var clients: [RawClient] = []
      for _ in 0..<30 {
        let client = try RawClient(port: server.http)
        client.shrinkReceiveBuffer()
        try client.send(String(repeating: request(host: "large.example"), count: 100))
        clients.append(client)
      }
      let isOver = eventually(within: .seconds(60)) {
        for client in clients { client.takeByte() }
        guard let before, let now = Resources(of: server.process) else { return true }
        return now.descriptors ?? 0 <= before.descriptors ?? 0
      }
      #expect(isOver, "bytes that were taken one by one keep no connection open")
      try expectHealthy(server)
    }
  }

  @Test func `renegotiation is requested repeatedly`() throws {
    try serving(https: true) { server in
      var options = TestClient.Options()
      options.isTLS12Only = true
      for round in 0..<300 {
        let (client, descriptor) = try connectedClient(port: server.https, options)
        for _ in 0..<10 where client.renegotiate() {
          var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
          poll(&entry, 1, 45_000)
          // Refused by an alert, or by the end of the connection.
          #expect(client.handshake() != .done)
        }
        if round % 50 == 0 { try expectHealthy(server) }
      }
    }
  }

  @Test func `handshakes that are abandoned at every byte`() throws {
    try serving(https: true) { server in
      let hello = ClientHello.bytes()
      for length in stride(from: 0, through: hello.count, by: 7) {
        let client = try RawClient(port: server.https)
        try client.send(Array(hello[..<length]))
        if length % 2 == 0 { client.reset() }
        if length % 70 == 0 { try expectHealthy(server) }
      }
    }
  }

  @Test func `handshakes that are abandoned after each flight`() throws {
    try serving(https: true) { server in
      for round in 0..<200 {
        var options = TestClient.Options()
        options.isTLS12Only = round % 2 == 0
        let descriptor = try RawClient.connectedSocket(port: server.https)
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        let client = TestClient(options, owning: descriptor)
        // The first step sends the hello, the next ones answer the bytes received by then.
        for _ in 0..<(round / 2 % 3) where client.handshake() == .waiting {
          var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
          poll(&entry, 1, 45_000)
        }
        if round % 3 == 0 { _ = client.handshake() }
        if round % 50 == 0 { try expectHealthy(server) }
      }
    }
  }

  @Test func `a handshake that comes byte by byte is served`() throws {
    try serving(https: true) { server in
      let client = try RawClient(port: server.https)
      for byte in ClientHello.bytes() { try client.send([byte]) }
      // A ServerHello: a record of type handshake (RFC 8446 5.1).
      try #expect(client.receiveSome().first == 0x16)
    }
  }

  @Test(.needs(.openssl)) func `keys that are updated repeatedly`() throws {
    try serving(https: true) { server in
      // Each line of K is a KeyUpdate (RFC 8446 4.6.3).
      let lines = String(repeating: "K\n", count: 2_000)
      let client = try ChildProcess(
        try #require(Tool.openssl.path),
        ["s_client", "-connect", "127.0.0.1:\(server.https)", "-servername", "example.com"],
        hasInput: true)
      client.send(lines)
      try expectHealthy(server)
      client.closeInput()
      client.signal(SIGKILL)
      _ = try? client.waitForExit()
    }
  }

  /// A listening socket without an event loop would accept connections that nobody answers.
  @Test func `with too few descriptors to begin with, the server says so and ends`() throws {
    let workspace = try Workspace(serving: ["example.com": association()])
    var refused = 0
    var lastErrors = ""
    for limit in stride(from: 16, through: 80, by: 4) {
      let arguments = [
        "-c", #"ulimit -n "$0" && exec "$@""#, "\(limit)", Server.program, "serve", "--domains",
        workspace.domains, "--http", "127.0.0.1:0", "--https", "none", "--threads", "8",
      ]
      let child = try ChildProcess("/bin/sh", arguments, folder: workspace.root)
      defer { child.signal(SIGKILL) }
      let hasDecided = eventually {
        !child.isRunning || String(decoding: child.now.output, as: UTF8.self).contains("listening")
      }
      #expect(hasDecided, "at \(limit)")
      if child.isRunning { break }
      refused += 1
      #expect(child.now.exitCode == 1, "at \(limit)")
      lastErrors = String(decoding: child.now.errors, as: UTF8.self)
      #expect(lastErrors.contains("error: "), "at \(limit)")
    }
    #expect((4...15).contains(refused))
    #expect(lastErrors.contains("raise the limit of open files (ulimit -n)"))
  }

  @Test func `descriptors run out: said once, others served, and then all is as before`() throws {
    let workspace = try Workspace(serving: ["example.com": association()])
    try workspace.write("server.json", "{}")
    let arguments =
      [
        "-c", #"ulimit -n 64 && exec "$@""#, "sh", Server.program, "serve", "--config",
        workspace.path("server.json"), "--domains", workspace.domains, "--certificates",
        workspace.certificates, "--http", "127.0.0.1:0", "--https", "none", "--threads", "1",
        "--max-connections", "1000",
      ]
    let child = try ChildProcess("/bin/sh", arguments)
    defer { child.signal(SIGKILL) }
    func output() -> String { String(decoding: child.now.output, as: UTF8.self) }
    #expect(eventually { output().contains("listening") })
    let line = output().split(separator: "\n").first { $0.hasPrefix("listening http:") }
    let port = try #require(line?.split(separator: ":").last.flatMap { Int($0) })
    var clients: [RawClient] = []
    try attackedAt(port) {
      for _ in 0..<200 {
        let client = try RawClient(port: port)
        try client.send(request())
        try #expect(client.receive().status == 200)
        clients.append(client)
      }
    }
    clients = []
    let last = try RawClient(port: port)
    try last.send(request())
    try #expect(last.receive().status == 200)
    child.signal(SIGTERM)
    try #expect(child.waitForExit() == 0)
    let reported = String(decoding: child.now.errors, as: UTF8.self).split(separator: "\n")
      .filter { !$0.hasSuffix("[H016]") }
    #expect(reported.count <= 1, "\(reported)")
  }

  @Test func `a thousand signals to reload are few reloads`() throws {
    try serving { server in
      let load = Load(on: server.http, host: "example.com", persistent: 2, fresh: 1)
      for index in 0..<1_000 {
        server.process.signal(SIGHUP)
        if index % 100 == 0 {
          try server.workspace.write("domains/example.com.json", association("B"))
        }
      }
      try server.workspace.write("domains/example.com.json", association("C"))
      let isServed = try eventually {
        try server.served("example.com") == association("C")
      }
      #expect(isServed)
      let result = try load.stop()
      #expect(result.failures == [])
      #expect(server.outputLines.filter { $0.hasPrefix("reloaded") }.count < 100)
    }
  }
}
