import Foundation
import TLSTestSupport
import TestRunning
import Testing

@testable import EndToEnd

/// How requests follow each other on one connection.
@Suite("HTTP: connections", .manyAtOnce) struct ConnectionTests {
  private func serving(_ flags: [String] = [], _ body: (Server) throws -> Void) throws {
    let workspace = try Workspace(serving: [
      "example.com": association("A"), "other.example": association("B"),
    ])
    try withServer(workspace, flags) { try body($0) }
  }

  @Test func `one connection serves many requests, for any host`() throws {
    try serving { server in
      let client = try RawClient(port: server.http)
      for index in 0..<100 {
        let host = index.isMultiple(of: 2) ? "example.com" : "other.example"
        try client.send(request(host: host))
        let response = try client.receive()
        #expect(response.text == association(index.isMultiple(of: 2) ? "A" : "B"))
        #expect(response["Connection"] == nil)
      }
    }
  }

  @Test func `pipelined requests are answered in their order`() throws {
    try serving { server in
      let client = try RawClient(port: server.http)
      var sent = ""
      var expected: [(method: String, status: Int)] = []
      for _ in 0..<50 {
        sent += request() + request("HEAD") + request("GET", "/other")
        sent += request("POST", fields: ["Content-Length: 5"]) + "GET /" + request("OPTIONS")
        sent += request(host: "other.example") + request("BREW")
        expected += [("GET", 200), ("HEAD", 200), ("GET", 404), ("POST", 405), ("OPTIONS", 204)]
        expected += [("GET", 200), ("BREW", 501)]
      }
      try client.send(sent)
      for row in expected {
        try #expect(client.receive(to: row.method).status == row.status, "\(row)")
      }
    }
  }

  @Test func `a request in any pieces is the same request`() throws {
    try serving { server in
      let text =
        request("GET", fields: ["Accept-Encoding: gzip", "Content-Length: 3"]) + "abc" + request()
      for size in [1, 2, 3, 7, 64] {
        let client = try RawClient(port: server.http)
        let bytes = Array(text.utf8)
        for start in stride(from: 0, to: bytes.count, by: size) {
          try client.send(Array(bytes[start..<min(start + size, bytes.count)]))
        }
        try #expect(client.receive().status == 200)
        try #expect(client.receive().status == 200)
      }
    }
  }

  /// One row per request: whether the connection stays open, and the Connection field of the
  /// response.
  static let persistence: [(version: String, fields: [String], stays: Bool, field: String?)] = [
    ("HTTP/1.1", [], true, nil),
    ("HTTP/1.1", ["Connection: keep-alive"], true, nil),
    ("HTTP/1.1", ["Connection: close"], false, "close"),
    ("HTTP/1.1", ["Connection: CLOSE"], false, "close"),
    ("HTTP/1.1", ["Connection: x, close"], false, "close"),
    ("HTTP/1.1", ["Connection: x", "Connection: close"], false, "close"),
    ("HTTP/1.1", ["Connection: keep-alive, close"], false, "close"),
    ("HTTP/1.1", ["Connection: closed"], true, nil),
    ("HTTP/1.0", [], false, "close"),
    ("HTTP/1.0", ["Connection: keep-alive"], true, "keep-alive"),
    ("HTTP/1.0", ["Connection: Keep-Alive"], true, "keep-alive"),
    ("HTTP/1.0", ["Connection: close"], false, "close"),
    ("HTTP/1.0", ["Connection: close, keep-alive"], false, "close"),
  ]

  @Test func `the connection stays open or is closed as version and Connection say`() throws {
    try serving { server in
      for row in Self.persistence {
        let client = try RawClient(port: server.http)
        // A request after a close is never answered.
        let again = request("GET", version: row.version, fields: row.fields)
        try client.send(again + again)
        let first = try client.receive()
        #expect(first.status == 200, "\(row)")
        #expect(first.version == "HTTP/1.1", "\(row)")
        #expect(first["Connection"] == row.field, "\(row)")
        if row.stays {
          try #expect(client.receive().status == 200, "\(row)")
        } else {
          let (bytes, end) = try client.receiveAll()
          #expect(bytes.isEmpty, "\(row)")
          #expect(end == .closed, "\(row)")
        }
      }
    }
  }

  @Test func `HTTP/1.0 without Host is served by the default alone`() throws {
    try serving { server in
      let client = try RawClient(port: server.http)
      try client.send(request("GET", host: nil, version: "HTTP/1.0"))
      try #expect(client.receive().status == 404)
      try server.workspace.write("domains/_default.json", association("Z"))
      let isServed = try eventually {
        let client = try RawClient(port: server.http)
        try client.send(request("GET", host: nil, version: "HTTP/1.0"))
        return try client.receive().text == association("Z")
      }
      #expect(isServed)
    }
  }

  @Test func `100-continue is sent before a body that has not come`() throws {
    try serving { server in
      let client = try RawClient(port: server.http)
      let fields = ["Expect: 100-continue", "Content-Length: 5"]
      try client.send(request("GET", fields: fields))
      let interim = try client.receive()
      #expect(interim.status == 100)
      try #expect(client.isQuiet(for: .milliseconds(50)))
      try client.send("hello")
      try #expect(client.receive().status == 200)

      // With the body at hand it is left out (RFC 9110 section 10.1.1).
      try client.send(request("GET", fields: fields) + "hello")
      try #expect(client.receive().status == 200)
      // Without a body there is nothing to wait for.
      try client.send(request("GET", fields: ["Expect: 100-continue"]))
      try #expect(client.receive().status == 200)
      // HTTP/1.0 knows no interim responses.
      try client.send(
        request("GET", version: "HTTP/1.0", fields: fields + ["Connection: keep-alive"]) + "he")
      try #expect(client.isQuiet(for: .milliseconds(50)))
      try client.send("llo")
      try #expect(client.receive().status == 200)
    }
  }

  @Test func `a body over the limit is refused without asking for it`() throws {
    try serving { server in
      let client = try RawClient(port: server.http)
      try client.send(request("GET", fields: ["Expect: 100-continue", "Content-Length: 65537"]))
      let (bytes, end) = try client.receiveAll()
      try #expect(Response.all(in: bytes).map(\.status) == [413])
      #expect(end == .closed)
    }
  }

  @Test(.needs(.curl)) func `curl's uploads are answered`() throws {
    try serving { server in
      try server.workspace.write("body", String(repeating: "x", count: 60_000))
      let url = "http://example.com/apple-app-site-association"
      let body = "@" + server.workspace.path("body")
      let known = try server.curl("--request", "GET", "--data-binary", body, url)
      #expect(known.response?.status == 200, "\(known.errors)")
      let chunked = try server.curl(
        "--request", "GET", "--header", "Transfer-Encoding: chunked", "--header",
        "Expect: 100-continue", "--data-binary", body, url)
      #expect(chunked.responses.map(\.status) == [100, 200], "\(chunked.errors)")
      let post = try server.curl("--data-binary", body, url)
      #expect(post.response?.status == 405)
      let many = try server.curl(url, url, url)
      #expect(many.responses.map(\.status) == [200, 200, 200])
    }
  }

  /// A body that looks like a request must never be answered.
  @Test func `a body is never taken for a request`() throws {
    let inner = request("GET", "/smuggled", fields: ["X: y"])
    let length = inner.utf8.count
    let chunked = String(length, radix: 16) + "\r\n" + inner + "\r\n0\r\n\r\n"
    let bodies: [([String], String)] = [
      (["Content-Length: \(length)"], inner),
      (["Transfer-Encoding: chunked"], chunked),
      (["Transfer-Encoding: chunked"], "0\r\nX: y\r\n\r\n"),
      (["Transfer-Encoding: chunked"], "1;\(String(repeating: "e", count: 100))\r\nx\r\n0\r\n\r\n"),
    ]
    try serving { server in
      for method in ["GET", "HEAD", "POST", "OPTIONS", "DELETE"] {
        for (fields, body) in bodies {
          let client = try RawClient(port: server.http)
          try client.send(request(method, fields: fields) + body + request("GET", "/marker"))
          let first = try client.receive(to: method)
          #expect(first.status != 404, "\(method) \(fields)")
          try #expect(client.receive().status == 404, "\(method) \(fields)")
          try #expect(client.isQuiet(for: .milliseconds(10)), "\(method) \(fields)")
        }
      }
    }
  }

  @Test func `a client that has sent its last may still read the answers`() throws {
    try serving { server in
      let client = try RawClient(port: server.http)
      try client.send(request() + request("GET", "/other"))
      client.finishSending()
      let (bytes, end) = try client.receiveAll()
      try #expect(Response.all(in: bytes).map(\.status) == [200, 404])
      #expect(end == .closed)
    }
  }

  @Test func `what follows the last request does not cost its answer`() throws {
    try serving { server in
      let client = try RawClient(port: server.http)
      // More than the server reads at once, so that the rest is there when it ends the connection.
      let rest = String(repeating: "x", count: 100_000)
      try client.send(request(fields: ["Connection: close"]) + rest)
      let (bytes, end) = try client.receiveAll()
      try #expect(Response.all(in: bytes).map(\.status) == [200])
      #expect(end == .closed)
    }
  }

  @Test func `a client that disconnects in the middle of anything does no harm`() throws {
    try serving { server in
      let texts = [
        "", "G", "GET / HTTP/1.1\r\nHo", request("GET", fields: ["Content-Length: 9"]) + "x",
      ]
      for text in texts + [String(repeating: request(), count: 1000)] {
        for _ in 1...5 {
          let client = try RawClient(port: server.http)
          try client.send(text)
        }
      }
      try #expect(server.get().status == 200)
    }
  }

  @Test func `beyond the limit of connections the idlest is closed, the new one served`() throws {
    try serving(["--max-connections", "16", "--threads", "1"]) { server in
      var clients: [RawClient] = []
      for _ in 0..<40 {
        let client = try RawClient(port: server.http)
        try client.send(request())
        try #expect(client.receive().status == 200)
        clients.append(client)
      }
      let first = try clients[0].receiveAll()
      #expect(first.end == .closed)
      try clients[39].send(request())
      try #expect(clients[39].receive().status == 200)
    }
  }

  @Test func `a ClientHello that does not end is refused before it fills memory`() throws {
    let workspace = try Workspace(serving: ["example.com": association("A")])
    try withServer(workspace, https: true) { server in
      server.allow(stderr: "uses a self-signed certificate")
      let client = try Self.sendEndlessHello(to: server)
      let (bytes, end) = try client.receiveAll()
      // A fatal alert, illegal_parameter.
      #expect(bytes == [0x15, 0x03, 0x03, 0x00, 0x02, 0x02, 0x2F] && end == .closed)
    }
  }

  /// OpenSSL itself takes a ClientHello of 131,396 bytes.
  private static func sendEndlessHello(to server: Server) throws -> RawClient {
    let client = try RawClient(port: server.https)
    let start: [UInt8] = [0x01, 0x01, 0xFF, 0x00]
    for index in 0..<3 {
      let content = index == 0 ? start : []
      try client.send(
        [0x16, 0x03, 0x01, 0x40, 0x00] + content
          + Array(repeating: 7, count: 16_384 - content.count))
    }
    return client
  }

  @Test(.enabled(if: ProcessInfo.processInfo.environment["ASAN_OPTIONS"] == nil, "takes memory"))
  func `a refused ClientHello is forgotten before its client closes`() throws {
    let workspace = try Workspace(serving: ["example.com": association("A")])
    try withServer(workspace, https: true, ["--linger-timeout", "600s"]) { server in
      server.allow(stderr: "uses a self-signed certificate")
      func memory() -> Int { Resources(of: server.process)?.memory ?? 0 }
      let before = memory()
      let clients = try (0..<300).map { _ in
        let client = try Self.sendEndlessHello(to: server)
        try #expect(client.receiveAll().end == .closed)
        return client
      }
      #expect(memory() < before + (12 << 20))
      withExtendedLifetime(clients) {}
    }
  }

  @Test func `a kept connection that makes room ends with close_notify`() throws {
    let workspace = try Workspace(serving: ["example.com": association("A")])
    let flags = ["--max-connections", "2", "--threads", "1"]
    try withServer(workspace, https: true, flags) { server in
      server.allow(stderr: "uses a self-signed certificate")
      let (first, descriptor) = try connectedClient(port: server.https)
      _ = first.write(Array(request().utf8))
      var others: [OpenDescriptor] = []
      for _ in 0..<3 { others.append(try idleConnection(port: server.https)) }
      let deadline = Deadline(within: .seconds(30))
      while first.read().step == .waiting, !deadline.isOver {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        poll(&entry, 1, deadline.milliseconds)
      }
      #expect(first.isClosedByServer)
    }
  }

  @Test func `TLS sent to the plain port is closed cleanly`() throws {
    try serving { server in
      let client = try RawClient(port: server.http)
      // The beginning of a ClientHello (RFC 8446 section 5.1).
      try client.send([0x16, 0x03, 0x01, 0x00, 0x05, 0x01, 0x00, 0x00, 0x01, 0x00])
      let (bytes, end) = try client.receiveAll()
      #expect(bytes.isEmpty)
      #expect(end == .closed)
    }
  }
}
