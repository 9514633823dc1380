import Foundation
import TestRunning
import Testing

@testable import EndToEnd

/// The status of a running server, and the output of `aasa status`.
@Suite("status", .manyAtOnce) struct StatusTests {
  private static let robot = ["User-Agent: AASA-Bot/1.0.0"]

  private func workspace() throws -> Workspace {
    let workspace = try Workspace(serving: ["example.com": association()])
    return workspace
  }

  private func fetch(_ server: Server, _ domain: String, _ fetcher: String) throws
    -> [String: Any]?
  {
    (try server.status(of: domain)["fetches"] as? [String: Any])?[fetcher] as? [String: Any]
  }

  @Test func `the status says whether Apple has fetched the new version`() throws {
    let workspace = try workspace()
    try withServer(workspace, withAdmin) { server in
      try server.aasa("status", "example.com").says(
        .start("example.com: served\n"), "  Apple's CDN  never\n", "  devices      never\n",
        exit: 0, errors: .nothing)

      let tag = try #require(try server.get(associationPaths[0], Self.robot)["ETag"])
      try #expect(
        server.becomes {
          try fetch(server, "example.com", "apple-cdn")?["current"] as? Bool == true
        })
      let version = try #require(try server.status(of: "example.com")["version"] as? String)
      #expect(tag.contains(version))
      let second = try server.aasa("status", "example.com")
      #expect(second.text.contains("  version      \(version), since 20"))
      let line = second.text.split(separator: "\n").first { $0.hasPrefix("  Apple's CDN  20") }
      #expect(line?.contains("the current version, status 200, once") == true, "\(second.text)")

      try workspace.write("domains/example.com.json", association("N"))
      try #expect(
        server.becomes { try server.status(of: "example.com")["version"] as? String != version })
      let third = try server.aasa("status", "example.com")
      #expect(third.text.contains("an older version, \(version), status 200, once"))
      // For many domains the same in a line each.
      try server.aasa("status").says("(an older version), devices never", exit: 0)
      try server.aasa("status", "--json").says("\"fetches\":{\"apple-cdn\":{", exit: 0)
      try server.aasa("status", "--format", "junit").says(
        #"<testcase classname="aasa" name="example.com"/>"#, exit: 0)
    }
  }

  @Test func `the answers of several servers become one report`() throws {
    let (one, other) = (try workspace(), try workspace())
    try withServer(one, withAdmin) { first in
      try withServer(other, withAdmin) { second in
        for server in [first, second, second] {
          try #expect(server.get(associationPaths[0], Self.robot).status == 200)
        }
        let admin = ["--admin", "127.0.0.1:\(first.admin)"]
        func report(_ more: String...) throws -> Finished {
          try second.aasa(["status"] + more + admin)
        }
        try #expect(
          second.becomes {
            try report("example.com").text.contains(", the current version, 3 times")
          })
        let text = try report("example.com").text
        text.says(
          .start("2 of 2 servers are ready\n"), "\n\nexample.com: served\n  version      ",
          ", at all servers\n", "\n  devices      never\n", "\n  Apple's CDN  20")
        try report().says("at 2 of 2 servers  CDN ", exit: 0)

        // Another version at one of them is the newest, and Apple has not fetched it. Times are in
        // seconds.
        let since = try #require(try first.status(of: "example.com")["since"] as? Int)
        #expect(eventually { Int(Date().timeIntervalSince1970) > since })
        try other.write("domains/example.com.json", association("N"))
        let version = try fetch(first, "example.com", "apple-cdn")?["version"] as? String ?? ""
        try #expect(
          second.becomes {
            try report("example.com").text.contains("an older version, \(version), 3 times")
          })
        let lines = try report("example.com").text.split(separator: "\n")
        #expect(
          lines.count { $0.hasPrefix("  version ") } == 2
            && lines.contains { $0.hasSuffix("\(version), at 127.0.0.1:\(first.admin)") },
          "\(lines)")
        let object =
          try JSONSerialization.jsonObject(
            with: Data(report("--json", "example.com").output)) as? [String: Any]
        let entry = (object?["list"] as? [[String: Any]])?.first
        let cdn = (entry?["fetches"] as? [String: [String: Any]])?["apple-cdn"]
        #expect(cdn?["count"] as? Int == 3 && cdn?["current"] as? Bool == false)
        #expect((entry?["versions"] as? [[String: Any]])?.count == 2)

        // One that does not answer is named, and the others still answer.
        let run = try second.aasa(["status", "--admin", "127.0.0.1:1"])
        run.says(.start("1 of 2 servers are ready\n  127.0.0.1:1"), "cannot reach", exit: 1)
        try report("--format", "markdown").says("\n| ✅ example.com | served |\n", exit: 0)
        try second.aasa("status", "--admin", "127.0.0.1:1", "--format", "junit").says(
          #"<testsuites tests="3" failures="1" errors="0">"#, "cannot reach", exit: 1)
        try second.aasa("healthcheck", "--admin", "127.0.0.1:1").says(
          exit: 1, errors: .part("this command can query only one server"))
      }
    }
  }

  @Test func `the page's address is printed, and opened where there is a desktop`() throws {
    let workspace = try workspace()
    try workspace.write(
      "bin/xdg-open", "#!/bin/sh\necho \"$1\" > \"$0.part\"; mv \"$0.part\" \"$0.txt\"\n")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755], ofItemAtPath: workspace.path("bin/xdg-open"))
    let path = workspace.path("bin") + ":/usr/bin:/bin"
    let opened = workspace.path("bin/xdg-open.txt")
    try withServer(workspace, withAdmin) { server in
      func open(_ domain: [String], display: String) throws -> Finished {
        try run(
          Server.program, ["status", "--open", "--admin", "127.0.0.1:\(server.admin)"] + domain,
          environment: ["PATH": path, "DISPLAY": display])
      }
      let page = "http://127.0.0.1:\(server.admin)/"
      try open([], display: "").says(.start(page + "\n"), exit: 0, errors: .nothing)
      let domain = page + "domain?name=example.com\n"
      try open(["example.com"], display: ":0").says(.start(domain), exit: 0, errors: .nothing)
      // Only the second was opened, though the command may have ended before.
      let isOpened = eventually { (try? String(contentsOfFile: opened, encoding: .utf8)) == domain }
      #expect(isOpened)
      try open(["a.example", "b.example"], display: "").says(exit: 2, errors: "pass at most one")
    }
  }

  @Test func `the status and the settings say what limits the connections`() throws {
    let (flags, sentence) = (
      ["--max-connections", "500"], "at most 500 connections, as set by maxConnections"
    )
    try withServer(try workspace(), withAdmin + flags) { server in
      let lines = try server.aasa("status").text.split(separator: "\n")
      #expect(lines.contains { $0 == sentence }, "\(lines)")
      let room = try server.status()["connections"] as? [String: Any]
      #expect(room?["most"] as? Int == 500, "\(String(describing: room))")
      #expect(room?["because"] as? String == "as set by maxConnections")
    }
    let settings = try run(Server.program, ["config"] + flags)
    settings.text.says(.part(sentence))
  }

  @Test func `too few open files are reported at the start`() throws {
    let few = ["/bin/sh", "-c", #"ulimit -n 60; exec "$@""#, "sh"]
    try withServer(try workspace(), ["--threads", "1"], through: few) { server in
      server.expect(stderr: "[H054]")
      server.allow(stderr: "[H054]")
      try #expect(server.get().status == 200)
    }
  }

  @Test func `times are UTC, whatever the time zone is`() throws {
    let format = DateFormatter()
    (format.locale, format.timeZone) = (Locale(identifier: "en_US_POSIX"), .gmt)
    format.dateFormat = "yyyy-MM-dd'T'HH:mm:ss.SSS'Z'"
    let faulty = try run(
      Server.program, ["serve"],
      environment: [
        "TZ": "Asia/Tokyo", "AASA_LOG_FORMAT": "json", "AASA_MAX_CONNECTIONS": "x",
      ])
    let fields = try JSONSerialization.jsonObject(with: Data(faulty.errors.utf8)) as? [String: Any]
    let time = (fields?["time"] as? String).flatMap(format.date)
    #expect(abs(time?.timeIntervalSinceNow ?? .infinity) < 600, "\(faulty)")
  }

  @Test
  func `a faulty file is reported with its fault, and since when the good one is served`() throws {
    let workspace = try workspace()
    try withServer(workspace, withAdmin) { server in
      let before = try server.status(of: "example.com")
      try workspace.write("domains/example.com.json", "{\n  \"applinks\": 7\n")
      try #expect(
        server.becomes { try server.status(of: "example.com")["state"] as? String == "last-good" })
      server.expect(stderr: "last good version", within: .seconds(30))
      let after = try server.status(of: "example.com")
      #expect(after["version"] as? String == before["version"] as? String)
      #expect(after["since"] as? Int == before["since"] as? Int)
      try server.aasa("status", "example.com").says(
        "the last good version is served", "example.com.json:3:1: error: ", "    help: ", exit: 1)
      // It is reported without its name too.
      try server.aasa("status").says(
        "1 served with the last good version", "example.com.json:3:1: error: ", exit: 1)

      try workspace.write("domains/example.com.json", association())
      try #expect(
        server.becomes { try server.status(of: "example.com")["state"] as? String == "served" })
      try server.aasa("status").says(exit: 0)
    }
  }

  /// One row per domain: its report, and the exit code.
  private static let domains: [(name: String, has: String, code: Int32)] = [
    ("example.com", "example.com: served\n", 0),
    ("EXAMPLE.com", "example.com: served\n", 0),
    ("*.example.org", "*.example.org: served\n", 0),
    ("a.b.example.org", "a.b.example.org: belongs to *.example.org\n", 0),
    ("www.example.com", "www.example.com: belongs to example.com\n", 0),
    ("broken.example", "broken.example: REFUSED", 1),
    ("android.example", "android.example: served, but another file of this domain is faulty", 1),
    ("empty.example", "empty.example: there is no association file", 0),
    (
      "unknown.example",
      "unknown.example: unknown, because no file in the domains folder serves this name", 1
    ),
    ("_default", "_default: unknown", 1),
  ]

  @Test func `a domain is found by any of its names`() throws {
    let workspace = try workspace()
    try workspace.write("domains/*.example.org.json", association("W"))
    try workspace.write("domains/broken.example.json", "{")
    try workspace.write("domains/android.example.json", association())
    try workspace.write("domains/android.example.assetlinks.json", "{")
    try workspace.makeFolder("domains/empty.example")
    let flags = withAdmin + ["--alias", "www.example.com=example.com"]
    try withServer(workspace, flags) { server in
      server.allow(stderr: "broken.example.json")
      server.allow(stderr: "android.example.assetlinks.json")
      server.allow(stderr: "[H008]")
      for row in Self.domains {
        try server.aasa("status", row.name)
          .says(.start(row.has), exit: row.code, errors: .nothing)
      }
      // The worst of several counts.
      try server.aasa("status", "example.com", "unknown.example")
        .says("example.com: served", "unknown, because no file", exit: 1)
      let json = try server.aasa("status", "example.com", "--json")
      let root = try JSONSerialization.jsonObject(with: Data(json.output)) as? [String: Any]
      #expect((root?["list"] as? [Any])?.count == 1)
    }
  }

  @Test(.needs(.openssl)) func `the certificate of a domain is reported with its days`() throws {
    let workspace = try workspace()
    try workspace.write("domains/expired.example.json", association())
    try workspace.write("domains/bare.example.json", association())
    let good = try makeCertificate(names: ["example.com"], validity: -1...40)
    try workspace.install(good, as: "good")
    let expired = try makeCertificate(
      names: ["expired.example"], validity: -90 ... -10)
    try workspace.install(expired, as: "expired")
    try workspace.write("certificates/faulty.crt", "nonsense")
    try workspace.write("domains/early.example.json", association())
    let early = try makeCertificate(names: ["early.example"], validity: 35...100)
    try workspace.install(early, as: "early")
    try withServer(workspace, https: true, withAdmin) { server in
      server.allow(stderr: "[T")
      server.allow(stderr: "[H014]")
      try server.aasa("status", "early.example")
        .says(
          "certificates/early.crt, NOT YET VALID: clients refuse this certificate until 20", exit: 1
        )
      try server.aasa("status", "example.com")
        .says("certificates/good.crt, expires in 40 days (20", exit: 0)
      try server.aasa("status", "expired.example")
        .says("certificates/expired.crt, EXPIRED 9 days ago", exit: 1)
      let bare = try server.aasa("status", "bare.example")
      #expect(bare.text.contains("no certificate covers this domain: HTTPS clients are refused"))
      try server.aasa("status").says(
        "3 certificates: expired.crt expired 9 days ago", "  faulty.crt: faulty, and not served",
        "  expired.crt: faulty, and served to hosts without a better certificate", exit: 1)
    }
  }

  @Test(.needs(.openssl)) func `a list is its hosts, and its entry without a dot is none`() throws {
    let workspace = try Workspace(serving: ["links": association()])
    try workspace.write("domains/links.hosts", "good.example\nnone1.example\nnone2.example\n")
    try workspace.install(try makeCertificate(names: ["good.example"]), as: "good.example")
    try withServer(workspace, https: true, withAdmin) { server in
      for host in ["none1.example", "none2.example"] {
        server.expect(stderr: "no certificate covers \(host)", "[H014]")
      }
      server.allow(stderr: "[T0")
      #expect(
        server.outputLines.contains { $0.hasPrefix("serving 3 hosts in 1 entry (links) from") })
      try #expect(server.sample("aasa_hosts") == 3)
      try #expect(server.sample(#"aasa_domains{state="served"}"#) == 1)
      let good = try server.aasa("status", "good.example").text
      #expect(good.contains("good.example: belongs to links"))
      good.says("good.example.crt, expires")
      try #expect(
        server.aasa("status", "none1.example").text.contains("no certificate covers this domain"))
      try #expect(!server.aasa("status", "links").text.contains("no certificate covers"))
      try #expect(server.aasa("status").text.contains(" for 3 hosts: 1 served"))
    }
  }

  @Test func `why there is only a self-signed certificate is reported`() throws {
    let workspace = try workspace()
    try workspace.write("certificates/faulty.crt", "nonsense")
    try withServer(workspace, https: true, withAdmin) { server in
      server.expect(
        stderr: "faulty.crt", "the certificate is not served until the file is fixed", "[T001]")
      server.allow(stderr: "[T003]")
      server.allow(stderr: "[H021]")
      try server.aasa("status").says(
        "HTTPS uses a self-signed certificate", "  faulty.crt: faulty, and not served", "[T001]",
        exit: 1)
      // As the help says: the server is not ready.
      try server.aasa("status", "example.com").says("is not ready", exit: 1)
    }
  }

  @Test func `of many domains those with problems come first, within the limit`() throws {
    let workspace = try Workspace()
    for number in 100..<400 {
      try workspace.write("domains/host\(number).example.json", association())
    }
    try workspace.write("domains/zz.broken.example.json", "{")
    try withServer(workspace, withAdmin) { server in
      server.allow(stderr: "zz.broken.example.json")
      let finished = try server.aasa("status")
      #expect(finished.exitCode == 1)
      #expect(finished.text.contains("301 domains in "))
      #expect(finished.text.contains("300 served, 1 refused"))
      let lines = finished.text.split(separator: "\n")
      let problem = lines.firstIndex { $0.hasPrefix("zz.broken.example: REFUSED") }
      let first = lines.firstIndex { $0.hasPrefix("host100.example ") }
      #expect(try #require(problem) < #require(first))
      #expect(lines.last == "and 281 more domains: give a domain, or raise --limit")
      #expect(lines.count < 40)
      let more = try server.aasa("status", "--limit", "1000")
      #expect(more.text.contains("host399.example"))
    }
  }

  @Test func `a name cannot steer the terminal or the request`() throws {
    try withServer(try workspace(), withAdmin) { server in
      for name in ["a\u{1B}[2J", "a b", "a&limit=3", "a\r\nHost: x", "ä.example", ""] {
        let finished = try server.aasa("status", name)
        #expect(finished.exitCode == 2, "\(name)")
        #expect(!finished.errors.contains("\u{1B}"))
      }
    }
  }

  @Test func `the admin address may be given as the server prints it`() throws {
    try withServer(try workspace(), withAdmin) { server in
      let address = "http://127.0.0.1:\(server.admin)"
      for address in [address, address + "/"] {
        let finished = try run(Server.program, ["status", "--admin", address])
        #expect(finished.text.contains("example.com"), "\(finished)")
      }
    }
  }

  @Test
  func `a server that does not answer is reported with help, and the exit code is 2`() throws {
    let workspace = try Workspace()
    let port = try RawClient.freePort()
    for (arguments, said) in [
      (["--admin", "127.0.0.1:\(port)"], "cannot reach the server at 127.0.0.1:\(port)"),
      (["--admin", "none"], "the admin listener is turned off (--admin)"),
      (["--admin", "127.0.0.1:0"], "chooses a free port"),
    ] {
      try workspace.aasa(["status"] + arguments)
        .says(.nothing, exit: 2, errors: "error: ", "help: ", .part(said))
    }
    // Not an admin listener.
    try withServer(try self.workspace()) { server in
      try run(Server.program, ["status", "--admin", "127.0.0.1:\(server.http)"])
        .says(exit: 2, errors: "is not aasa's admin listener")
    }
  }

  @Test func `a URL is answered with the name of its host`() throws {
    try run(Server.program, ["status", "https://a.example/buy"])
      .says(exit: 2, errors: "did you mean a.example?")
  }
}
