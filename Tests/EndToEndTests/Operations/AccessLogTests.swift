import Foundation
import TestRunning
import Testing

@testable import EndToEnd

@Suite(.manyAtOnce) struct AccessLogTests {
  /// A line of the access log that is JSON.
  struct Line: Decodable, Equatable {
    let time: String
    let host: String
    let path: String
    let status: Int
    let bytes: Int
    let durationUs: Int
    let tls: String?
    let fetcher: String
    let client: String?
  }

  static func lines(_ texts: [String]) throws -> [Line] {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    return try texts.filter { $0.hasPrefix("{") }.map {
      try decoder.decode(Line.self, from: Data($0.utf8))
    }
  }

  static func text(_ path: String) -> String {
    (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
  }

  /// Waits for this many lines in a file.
  static func lines(of path: String, count: Int) throws -> [Line] {
    let texts = eventually(within: .seconds(30)) { () -> [String]? in
      let texts = text(path).split(separator: "\n").map(String.init)
      return texts.count >= count ? texts : nil
    }
    return try lines(texts ?? text(path).split(separator: "\n").map(String.init))
  }

  static func workspace() throws -> Workspace {
    let workspace = try Workspace(serving: ["example.com": association()])
    return workspace
  }

  @Test func `each answer is a line of JSON on standard output`() throws {
    let size = association().utf8.count
    let path = associationPaths[0]
    // The request, and its line.
    let rows:
      [(request: String, host: String, path: String, status: Int, bytes: Int, who: String)] =
        [
          (
            request(fields: ["User-Agent: AASA-Bot/1.0.0"]), "example.com", path, 200, size,
            "apple-cdn"
          ),
          // the query may hold secrets
          (
            request("GET", associationPaths[1] + "?token=secret", host: "EXAMPLE.com:80"),
            "EXAMPLE.com", associationPaths[1], 200, size, "other"
          ),
          (
            request(
              fields: ["User-Agent: swcd (unknown version) CFNetwork/1490.0.4 Darwin/23.2.0"]),
            "example.com", path, 200, size, "apple-device"
          ),
          // devices fetch
          (
            request(
              "HEAD",
              fields: ["User-Agent: swcd (unknown version) CFNetwork/1490.0.4 Darwin/23.2.0"]),
            "example.com", path, 200, 0, "other"
          ),
          (
            request("GET", "/secret?a=b", fields: ["User-Agent: curl/8"]), "example.com", "other",
            404,
            10, "other"
          ),
          (
            request("GET", "/.well-known/assetlinks.json", fields: ["User-Agent: Googlebot"]),
            "example.com", "/.well-known/assetlinks.json", 404, 10, "google"
          ),
          (
            request("POST", fields: ["Content-Length: 2"]) + "ab", "example.com", path, 405, 32,
            "other"
          ),
        ]
    let workspace = try Self.workspace()
    try withServer(workspace, ["--access-log", "stdout"]) { server in
      for row in rows {
        let client = try RawClient(port: server.http)
        try client.send(row.request)
        _ = try client.receive(to: row.bytes == 0 ? "HEAD" : "GET")
      }
      let client = try RawClient(port: server.http)
      try client.send("GET /\u{1}secret HTTP/1.1\r\nHost: x\"y\r\n\r\n")
      _ = try client.receiveAll()
      // Each connection may be another loop's, so that the lines have no order.
      let found = eventually(within: .seconds(30)) { () -> [Line]? in
        let lines = (try? Self.lines(server.outputLines)) ?? []
        return lines.count == rows.count + 1 ? lines : nil
      }
      let lines = try #require(found, "\(server.outputLines)")
      for row in rows {
        #expect(
          lines.contains {
            $0.host == row.host && $0.path == row.path && $0.status == row.status
              && $0.bytes == row.bytes && $0.fetcher == row.who
          }, "\(row)")
      }
      #expect(lines.contains { $0.status == 400 && $0.host == "" && $0.path == "other" })
      for line in lines {
        #expect(line.client == "127.0.0.0")
        #expect(line.tls == nil)
        #expect(line.durationUs >= 0)
        #expect(line.time.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/) != nil)
      }
      #expect(!server.outputLines.joined().contains("secret"))
    }
  }

  @Test(arguments: [
    (
      [],
      #"^\{.*"host":"example.com","path":"other","status":400,.*"refused":"the request target is not valid"\}$"#
    ),
    (
      ["--log-format", "text"],
      #"^.* example.com other 400 .* refused: the request target is not valid$"#
    ),
  ])
  func `a refused request is in the log, with its host and the reason`(
    flags: [String], pattern: String
  ) throws {
    try withServer(try Self.workspace(), ["--access-log", "stdout"] + flags) { server in
      let client = try RawClient(port: server.http)
      try client.send("GET /{ HTTP/1.1\r\nHost: example.com\r\n\r\n")
      _ = try client.receiveAll()
      let expression = try Regex(pattern)
      #expect(
        eventually { server.outputLines.contains { $0.contains(expression) } },
        "\(server.outputLines)")
    }
  }

  @Test(.needs(.openssl))
  func `the version of TLS is logged`() throws {
    let workspace = try Self.workspace()
    try workspace.makeFolder("logs")
    let file = workspace.path("logs/access")
    // With one loop the lines have the order of the requests.
    let flags = ["--access-log", file, "--threads", "1"]
    try withServer(workspace, https: true, flags) { server in
      server.allow(stderr: "uses a self-signed certificate")
      for flag in ["-tls1_2", "-tls1_3"] {
        let run = try run(
          Tool.openssl.path ?? "",
          [
            "s_client", "-quiet", "-connect", "127.0.0.1:\(server.https)", "-servername",
            "example.com", flag, "-ign_eof",
          ],
          input: request(fields: ["Connection: close"]))
        #expect(run.text.contains("200 OK"))
      }
      let lines = try Self.lines(of: file, count: 2)
      #expect(lines.map(\.tls) == ["TLSv1.2", "TLSv1.3"])
    }
  }

  static let forms: [(flags: [String], line: String)] = [
    (
      ["--log-format", "text"],
      "example.com /apple-app-site-association 200 # #us - other 127.0.0.0"
    ),
    (
      ["--log-format", "text", "--log-addresses", "full"],
      "example.com /apple-app-site-association 200 # #us - other 127.0.0.1"
    ),
    (
      ["--log-format", "text", "--log-addresses", "none"],
      "example.com /apple-app-site-association 200 # #us - other"
    ),
  ]

  @Test(arguments: forms)
  func `lines have the form and the addresses that are asked for`(
    _ form: (flags: [String], line: String)
  ) throws {
    let workspace = try Self.workspace()
    let file = workspace.path("access")
    try withServer(workspace, ["--access-log", file] + form.flags) { server in
      _ = try server.get(associationPaths[1])
      let line = eventually(within: .seconds(30)) { () -> String? in
        let text = Self.text(file)
        return text.hasSuffix("\n") ? text : nil
      }
      // Without the time and numbers that are not known.
      let shown = line.map {
        String($0.dropFirst(25).dropLast()).replacing(#/ \d+ \d+us/#, with: " # #us")
      }
      #expect(shown == form.line)
    }
  }

  @Test func `a renamed file keeps the old lines, a new one gets the next`() throws {
    let workspace = try Self.workspace()
    let file = workspace.path("access")
    try withServer(workspace, ["--access-log", file]) { server in
      _ = try server.get()
      try #expect(Self.lines(of: file, count: 1).count == 1)
      #expect(rename(file, file + ".1") == 0)
      _ = try server.get()
      try #expect(Self.lines(of: file + ".1", count: 2).count == 2)
      server.process.signal(SIGUSR1)
      #expect(eventually(within: .seconds(30)) { access(file, F_OK) == 0 })
      _ = try server.get("/elsewhere")
      try #expect(Self.lines(of: file, count: 1).map(\.status) == [404])
      try #expect(Self.lines(of: file + ".1", count: 2).map(\.status) == [200, 200])
    }
  }

  @Test func `its file is beside server.json when it says so, and not for everybody`() throws {
    let workspace = try Self.workspace()
    try workspace.makeFolder("logs")
    try workspace.write("server.json", #"{"accessLog": "logs/access"}"#)
    try withServer(workspace, environment: ["AASA_ACCESS_LOG": ""]) { server in
      _ = try server.get()
      let file = workspace.path("logs/access")
      try #expect(Self.lines(of: file, count: 1).map(\.status) == [200])
      let attributes = try FileManager.default.attributesOfItem(atPath: file)
      let mode = try #require(attributes[.posixPermissions] as? Int)
      // It has the addresses of clients.
      #expect(mode & 0o007 == 0, "\(String(mode, radix: 8))")
    }
  }

  @Test func `SIGUSR1 does no harm without a file`() throws {
    let workspace = try Self.workspace()
    for target in ["none", "stdout"] {
      try withServer(workspace, ["--access-log", target]) { server in
        server.process.signal(SIGUSR1)
        for _ in 0..<3 { try #expect(server.get().status == 200) }
      }
    }
  }

  @Test func `lines of many connections are whole, and none is lost`() throws {
    let workspace = try Self.workspace()
    let file = workspace.path("access")
    let served = try withServer(workspace, ["--access-log", file]) { server in
      let load = Load(on: server.http, host: "example.com", persistent: 4, fresh: 2)
      _ = eventually(within: .seconds(30)) { load.now.served > 2_000 }
      let result = try load.stop()
      #expect(result.failures == [])
      // One connection's answers have an order, and so have their lines.
      let client = try RawClient(port: server.http)
      for index in 0..<200 {
        try client.send(
          request("GET", index % 2 == 0 ? "/even" : associationPaths[0], host: "one.test"))
        _ = try client.receive()
      }
      return result.served + 200
    }
    // The server wrote the waiting lines before it ended.
    let lines = try Self.lines(of: file, count: served)
    #expect(lines.count == served)
    let one = lines.filter { $0.host == "one.test" }.map(\.path)
    #expect(one == (0..<200).map { $0 % 2 == 0 ? "other" : associationPaths[0] })
  }

  @Test func `a full disk loses lines and no requests`() throws {
    let workspace = try Self.workspace()
    try withServer(workspace, ["--access-log", "/dev/full"]) { server in
      for _ in 0..<5 { try #expect(server.get().status == 200) }
      server.expect(stderr: "the access log lost", "No space left", within: .seconds(30))
      for _ in 0..<5 { try #expect(server.get().status == 200) }
      // The rest is reported at the end.
      server.allow(stderr: "the access log lost")
    }
  }

  @Test func `a reader that stops reading stalls nothing`() throws {
    let workspace = try Self.workspace()
    let pipe = workspace.path("pipe")
    #expect(mkfifo(pipe, 0o600) == 0)
    let reader = open(pipe, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    #expect(reader >= 0)
    try withServer(workspace, ["--access-log", pipe]) { server in
      // A pipe holds 64 KiB, which is some hundred lines.
      let client = try RawClient(port: server.http)
      for _ in 0..<100 {
        try client.send(String(repeating: request(), count: 20))
        for _ in 0..<20 { try #expect(client.receive().status == 200) }
      }
      // Nor does one that has gone.
      close(reader)
      for _ in 0..<20 { try #expect(server.get().status == 200) }
      server.allow(stderr: "the access log lost")
    }
  }

  /// Paths that cannot be written to, and the help.
  @Test(arguments: [
    (path: "missing/access", says: "No such file or directory", help: "create the folder"),
    ("fifo", "No such device or address", "start the program that reads this pipe"),
    ("folder", "Is a directory", "give a file in this folder"),
    ("file/access", "Not a directory", "create the folder"),
  ]) func `a file that cannot be opened is reported at the start, with help`(
    path: String, says: String, help: String
  ) throws {
    let workspace = try Self.workspace()
    try workspace.write("server.json", "{}")
    try workspace.write("file", "")
    try workspace.makeFolder("folder")
    try #require(mkfifo(workspace.path("fifo"), 0o600) == 0)
    let arguments = [
      "serve", "--config", workspace.path("server.json"), "--domains", workspace.domains,
      "--http", "127.0.0.1:0", "--https", "none", "--admin", "none",
      "--access-log", workspace.path(path),
    ]
    let text = try run(Server.program, arguments)
    #expect(text.exitCode == 1)
    let start = "error: cannot write the access log to \(workspace.path(path)): \(says); \(help)"
    text.errors.says(.start(start), .end("[H041]\n"))
    let json = try run(Server.program, arguments + ["--log-format", "json"])
    #expect(json.errors.contains(#""code":"H041""#) && json.errors.contains(#""help":"\#(help)"#))
  }
}
