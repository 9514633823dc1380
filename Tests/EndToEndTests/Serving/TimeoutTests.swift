import Foundation
import TestRunning
import Testing

@testable import EndToEnd

/// Every state of a connection has its time. The times are short here; one that is not under test
/// is long, so that it cannot be mistaken for the other.
@Suite("HTTP: timeouts", .manyAtOnce) struct TimeoutTests {
  private static let long = [
    "--head-timeout", "600s", "--body-timeout", "600s", "--idle-timeout", "600s", "--write-timeout",
    "600s", "--handshake-timeout", "600s",
  ]

  private func serving(
    _ flag: String, _ time: String = "300ms", https: Bool = false, _ body: (Server) throws -> Void
  ) throws {
    let workspace = try Workspace(serving: [
      "example.com": association("A"), "large.example": association(ofBytes: 130_000),
    ])
    var flags = Self.long
    if let index = flags.firstIndex(of: flag) { flags[index + 1] = time }
    try withServer(workspace, https: https, flags) { server in
      if https { server.expect(stderr: "no certificate") }
      try body(server)
    }
  }

  @Test func `a head that does not end is answered with 408`() throws {
    try serving("--head-timeout") { server in
      let start = ContinuousClock.now
      let client = try RawClient(port: server.http)
      try client.send("GET / HTTP/1.1\r\n")
      let (bytes, end) = try client.receiveAll()
      let responses = try Response.all(in: bytes)
      #expect(responses.map(\.status) == [408])
      #expect(responses.first?["Connection"] == "close")
      #expect(end == .closed)
      #expect(ContinuousClock.now - start >= .milliseconds(250))
    }
  }

  @Test func `the time for a head runs from its first byte, not from each`() throws {
    try serving("--head-timeout") { server in
      let client = try RawClient(port: server.http)
      try client.send("GET / HTTP/1.1\r\n")
      // One byte every few milliseconds for as long as the server listens.
      let deadline = Deadline(within: patience)
      while try client.isQuiet(for: .milliseconds(20)), !deadline.isOver { try? client.send("x") }
      try #expect(client.receive().status == 408)
    }
  }

  @Test func `a connection without a request is closed without a word`() throws {
    try serving("--idle-timeout") { server in
      let fresh = try RawClient(port: server.http).receiveAll()
      #expect(fresh.bytes.isEmpty)
      #expect(fresh.end == .closed)

      let start = ContinuousClock.now
      let used = try RawClient(port: server.http)
      try used.send(request())
      try #expect(used.receive().status == 200)
      let (bytes, end) = try used.receiveAll()
      #expect(bytes.isEmpty)
      #expect(end == .closed)
      #expect(ContinuousClock.now - start >= .milliseconds(250))
    }
  }

  @Test func `each request restarts the idle time`() throws {
    // Far apart, because a busy machine delays requests.
    try serving("--idle-timeout", "8s") { server in
      let client = try RawClient(port: server.http)
      for _ in 1...4 {
        try client.send(request())
        try #expect(client.receive().status == 200)
        try #expect(client.isQuiet(for: .milliseconds(2200)))
      }
    }
  }

  @Test func `a body that does not end is answered with 408`() throws {
    try serving("--body-timeout") { server in
      let client = try RawClient(port: server.http)
      try client.send(request("GET", fields: ["Content-Length: 10"]) + "12345")
      let (bytes, end) = try client.receiveAll()
      try #expect(Response.all(in: bytes).map(\.status) == [408])
      #expect(end == .closed)
    }
  }

  @Test func `a client that does not read is dropped`() throws {
    try serving("--write-timeout") { server in
      let client = try RawClient(port: server.http)
      client.shrinkReceiveBuffer()
      // More answers than all buffers hold; after them the server stops reading.
      try client.send(String(repeating: request(host: "large.example"), count: 200))
      let isDropped = eventually {
        // Fails once the server has closed, for unread bytes make it a reset.
        (try? client.send("GET")) == nil
      }
      #expect(isDropped)
      try #expect(server.get().status == 200)
    }
  }

  @Test func `a client that takes its answers too slowly is dropped`() throws {
    try serving("--write-timeout", "1s") { server in
      let client = try RawClient(port: server.http)
      client.shrinkReceiveBuffer()
      try client.send(String(repeating: request(host: "large.example"), count: 200))
      // Some hundred bytes now and then, far fewer than 16 KiB a second.
      let isDropped = eventually {
        for _ in 0..<100 { client.takeByte() }
        return (try? client.send("GET")) == nil
      }
      #expect(isDropped)
    }
  }

  @Test func `a handshake that does not end is given up`() throws {
    try serving("--handshake-timeout", https: true) { server in
      for bytes: [UInt8] in [[], [0x16, 0x03, 0x01, 0x02, 0x00, 0x01]] {
        let client = try RawClient(port: server.https)
        try client.send(bytes)
        try #expect(client.receiveAll().end != .stillOpen)
      }
    }
  }

  @Test func `a slow client does not delay others`() throws {
    try serving("") { server in
      var slow: [RawClient] = []
      for text in ["G", "GET / HTTP/1.1\r\n", request("GET", fields: ["Content-Length: 9"]), ""] {
        for _ in 1...20 {
          let client = try RawClient(port: server.http)
          try client.send(text)
          slow.append(client)
        }
      }
      // Slow clients have ten minutes each.
      for _ in 1...20 { try #expect(server.get().status == 200) }
      #expect(slow.count == 80)
    }
  }
}
