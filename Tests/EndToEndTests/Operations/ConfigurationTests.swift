import Foundation
import TestRunning
import Testing

@testable import EndToEnd

/// The sources of settings, and the diagnostics of wrong ones.
@Suite("configuration", .manyAtOnce) struct ConfigurationTests {
  private func aasa(
    _ arguments: String..., in workspace: Workspace, environment: [String: String] = [:]
  ) throws -> Finished {
    try run(Server.program, arguments, environment: environment, folder: workspace.root)
  }

  @Test func `a flag is stronger than a variable, and a variable than the file`() throws {
    let workspace = try Workspace(serving: ["example.com": association()])
    try workspace.write(
      "server.json", #"{"cacheControl": "max-age=1", "retryAfter": "10s", "http": "none"}"#)
    func cacheControl(_ flags: [String], _ environment: [String: String]) throws -> String? {
      try withServer(workspace, flags, environment: environment) { server in
        try server.get()["Cache-Control"]
      }
    }
    let variable = ["AASA_CACHE_CONTROL": "max-age=2"]
    try #expect(cacheControl([], [:]) == "max-age=1")
    try #expect(cacheControl([], variable) == "max-age=2")
    try #expect(cacheControl(["--cache-control", "max-age=3"], variable) == "max-age=3")
  }

  @Test func `aasa config prints each value and where it comes from`() throws {
    let workspace = try Workspace()
    try workspace.write("server.json", "{\n  \"retryAfter\": \"10s\",\n  \"threads\": 3\n}")
    let finished = try aasa(
      "config", "--config", "server.json", "--http", "127.0.0.1:8081", in: workspace,
      environment: ["AASA_THREADS": "5"])
    #expect(finished.exitCode == 0)
    #expect(finished.errors == "")
    func line(_ key: String) -> String {
      finished.text.split(separator: "\n").first { $0.hasPrefix(key + " ") }.map(String.init) ?? ""
    }
    #expect(line("http").contains("127.0.0.1:8081") && line("http").contains("--http"))
    #expect(line("threads").contains("= 5") && line("threads").contains("AASA_THREADS"))
    #expect(line("retryAfter").contains("10s") && line("retryAfter").contains("server.json:2"))
    #expect(line("headBytes").contains("16KiB") && line("headBytes").contains("default"))
  }

  @Test func `a server.json may have 8 MiB, and with one byte more it is refused`() throws {
    let workspace = try Workspace()
    let limit = 8 * 1_048_576
    let text = #"{"threads": 3}"#
    for excess in [0, 1] {
      try workspace.write(
        "server.json", text + String(repeating: " ", count: limit + excess - text.utf8.count))
      let finished = try aasa("config", "--config", "server.json", in: workspace)
      #expect(finished.exitCode == (excess == 0 ? 0 : 2))
      if excess == 1 {
        #expect(
          finished.errors
            == "server.json: error: cannot read the configuration: File too large; the file may "
            + "have at most 8 MiB [C006]\n")
      }
    }
  }

  /// One row per faulty server.json: parts of the one line that is reported.
  static let faults: [(text: String, reported: [String])] = [
    ("{\n  \"htpp\": \"8080\"\n}", ["server.json:2:3: error", "`htpp`", "did you mean `http`?"]),
    ("{\"gracePeriode\": 1}", ["server.json:1:2: error", "did you mean `gracePeriod`?"]),
    ("{\"zzzzzz\": 1}", ["server.json:1:2: error", "`zzzzzz`", "aasa config"]),
    ("{\"threads\": \"two\"}", ["server.json:1:13: error", "threads"]),
    ("{\"domains\": 7}", ["server.json:1:13: error", "domains"]),
    ("{\"http\": \"example.com:80\"}", ["server.json:1:10: error", "example.com:80"]),
    ("{\"http\": \"[::1:80\"}", ["server.json:1:10: error"]),
    ("{\"http\": \"127.0.0.1:70000\"}", ["server.json:1:10: error", "70000"]),
    ("{\"http\": [\"8080\", \"8080\"]}", ["server.json:1:19: error", "repeated"]),
    ("{\"headTimeout\": \"10 parsecs\"}", ["server.json:1:17: error"]),
    ("{\"http\": \"8080\" \"https\": \"none\"}", ["server.json:1:16: error", "comma"]),
    ("{\"threads\": 1, \"threads\": 2}", ["server.json:1:16: error", "repeated"]),
    ("[]", ["server.json:1:1: error", "object"]),
    ("{\"http\": \"none\", \"https\": \"none\"}", ["error", "nothing to serve"]),
  ]

  @Test func `a fault in server.json is reported with its place, and the exit code is 2`() throws {
    for command in ["serve", "config"] {
      for fault in Self.faults {
        let workspace = try Workspace()
        try workspace.write("server.json", fault.text)
        let finished = try aasa(command, "--config", "server.json", in: workspace)
        #expect(finished.exitCode == 2, "\(fault.text)")
        let lines = finished.errors.split(separator: "\n")
        #expect(lines.count == 1, "\(fault.text): \(lines)")
        for part in fault.reported { #expect(finished.errors.contains(part), "\(finished.errors)") }
        #expect(finished.text == "")
      }
    }
  }

  @Test func `all faults are reported at once, from all sources`() throws {
    let workspace = try Workspace()
    try workspace.write(
      "server.json",
      """
      {
        "htttp": "8080",
        "threads": -1,
        "domains": "domains",
        "headBytes": "1"
      }
      """)
    let finished = try aasa(
      "serve", "--config", "server.json", "--https", "nowhere", in: workspace,
      environment: ["AASA_IDLE_TIMEOUT": "soon", "AASA_RETRY_AFTR": "1s"])
    #expect(finished.exitCode == 2)
    let parts: [[String]] = [
      ["server.json:2:3: error", "did you mean `http`?"], ["server.json:3:14: error"],
      ["server.json:5:16: error"], ["--https: error", "nowhere"],
      ["AASA_IDLE_TIMEOUT: error", "soon"],
      ["AASA_RETRY_AFTR: warning", "did you mean `AASA_RETRY_AFTER`?"],
    ]
    let lines = finished.errors.split(separator: "\n")
    for part in parts {
      #expect(lines.contains { line in part.allSatisfy { line.contains($0) } }, "\(part) \(lines)")
    }
    #expect(lines.count == parts.count)
  }

  /// One row per wrong usage.
  static let usages: [(arguments: [String], reported: String)] = [
    (["serve", "--htpp", "8080"], "--http"),
    (["serve", "--threads"], "--threads"),
    (["serve", "--threads", "many"], "--threads"),
    (["serve", "extra"], "extra"),
    (["serv"], "serv"),
    (["serve", "--config", "missing.json"], "missing.json"),
  ]

  @Test func `wrong usage is reported, and the exit code is 2`() throws {
    let workspace = try Workspace()
    for usage in Self.usages {
      try workspace.aasa(usage.arguments)
        .says(.nothing, exit: 2, errors: .part(usage.reported))
    }
  }

  @Test func `help and version are printed on standard output, with exit code 0`() throws {
    let workspace = try Workspace()
    for arguments in [["--help"], ["serve", "--help"], ["config", "--help"], ["--version"]] {
      try workspace.aasa(arguments).says(.something, exit: 0, errors: .nothing)
    }
  }

  @Test func `a port in use is reported with help, and the exit code is 1`() throws {
    let workspace = try Workspace(serving: ["example.com": association()])
    try withServer(workspace) { server in
      let address = "127.0.0.1:\(server.http)"
      // Two faults, reported at once.
      let finished = try aasa(
        "serve", "--domains", workspace.domains, "--http", address, "--https", address + "1",
        "--https", "192.0.2.1:8443", in: workspace)
      // One port has one digit too many, or is free: only the others are sure.
      if finished.exitCode == 2 { return }
      #expect(finished.exitCode == 1)
      #expect(finished.errors.contains("http://\(address)"))
      #expect(finished.errors.contains("in use"))
      #expect(finished.errors.contains("--http"))
      #expect(finished.errors.contains("192.0.2.1:8443"))
      #expect(!finished.text.contains("listening"))
    }
    // A server that was just stopped leaves its port free.
    try withServer(workspace) { _ in }
  }

  @Test(.needsOrdinaryUser) func `a forbidden port is reported with help`() throws {
    let workspace = try Workspace(serving: ["example.com": association()])
    try aasa(
      "serve", "--domains", workspace.domains, "--http", "127.0.0.1:1", "--https", "none",
      in: workspace
    ).says(exit: 1, errors: "127.0.0.1:1", "Permission denied", "CAP_NET_BIND_SERVICE")
  }

  @Test func `each of several addresses is reported with its actual port`() throws {
    let workspace = try Workspace(serving: ["example.com": association()])
    try workspace.write("server.json", "{}")
    let arguments = [
      "serve", "--config", workspace.path("server.json"), "--http", "127.0.0.1:0", "--http",
      "127.0.0.1:0", "--https", "none",
    ]
    try withServer(workspace, arguments: arguments, addresses: 2) { server in
      let ports = server.listening.compactMap { address in
        address.split(separator: ":").last.flatMap { Int($0) }
      }
      #expect(Set(ports).count == 2)
      for port in ports {
        let client = try RawClient(port: port)
        try client.send(request())
        try #expect(client.receive().status == 200)
      }
      #expect(server.listening.allSatisfy { $0.hasPrefix("http://127.0.0.1:") })
    }
  }

  @Test(.needsInterposer) func `a machine without IPv6 serves IPv4`() throws {
    let workspace = try Workspace(serving: ["example.com": association()])
    try workspace.write("server.json", "{}")
    let port = try RawClient.freePort()
    let environment = try Interposer(in: workspace).environment
      .merging(["TEST_NO_IPV6": "1"]) { $1 }
    // The name stands for both addresses, one of which is absent.
    try withServer(
      workspace,
      arguments: [
        "serve", "--config", workspace.path("server.json"), "--domains", workspace.domains,
        "--http", "localhost:\(port)", "--https", "none",
      ], addresses: 1, environment: environment
    ) { server in
      #expect(server.listening.count == 1)
      try #expect(server.get().status == 200)
    }
  }

  /// The package's own folder `Config`, as the README's first command uses it.
  private static let example = repositoryFile("Config")

  @Test(.needs(.curl)) func `aasa serve without arguments serves the example`() throws {
    let workspace = try Workspace()
    try FileManager.default.copyItem(
      atPath: Self.example, toPath: workspace.path("Config"))
    let environment = ["AASA_HTTP": "[::]:0", "AASA_HTTPS": "[::]:0"]
    try withServer(
      workspace, arguments: ["serve"], addresses: 2, environment: environment,
      folder: workspace.root
    ) { server in
      server.expect(stderr: "there is no certificate", "devices refuse")
      #expect(server.outputLines.contains { $0.hasPrefix("serving 2 domains") })
      let file = try Data(
        contentsOf: URL(filePath: Self.example + "/domains/example.com.json"))
      for (scheme, flags) in [("http", []), ("https", ["--insecure"])] {
        for path in associationPaths {
          // IPv4 is included in [::].
          let run = try server.curl(flags + ["\(scheme)://localhost\(path)"])
          #expect(run.exitCode == 0, "\(run.errors)")
          #expect(run.response?.status == 200)
          #expect(run.response?["Content-Type"] == "application/json")
          #expect(run.response?.body == Array(file))
        }
      }
    }
  }

  @Test(arguments: [["--log-format", "json"], []])
  func `a faulty setting is reported in the format that another one names`(_ flags: [String]) throws
  {
    let workspace = try Workspace()
    try workspace.write("server.json", #"{"htps": "none"}"#)
    let variables = flags.isEmpty ? ["AASA_LOG_FORMAT": "json"] : [:]
    let finished = try run(
      Server.program, ["serve", "--config", workspace.path("server.json")] + flags,
      environment: variables)
    #expect(finished.exitCode == 2)
    let lines = finished.errors.split(separator: "\n")
    #expect(!lines.isEmpty && lines.allSatisfy { $0.hasPrefix(#"{"time":""#) }, "\(finished)")
  }
}
