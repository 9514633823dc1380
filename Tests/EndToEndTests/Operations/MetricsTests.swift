import Foundation
import TestRunning
import Testing

@testable import EndToEnd

/// The numbers for scrapers.
@Suite("metrics", .manyAtOnce) struct MetricsTests {
  private func workspace() throws -> Workspace {
    let workspace = try Workspace(serving: [
      "example.com": association(), "other.example": association("B"),
    ])
    return workspace
  }

  /// The user agents of Apple's CDN and of a device.
  private static let robot = ["User-Agent: AASA-Bot/1.0.0"]
  private static let device = [
    "User-Agent: swcd (unknown version) CFNetwork/1490.0.4 Darwin/23.2.0"
  ]

  @Test func `requests and answers are counted`() throws {
    try withServer(try workspace(), withAdmin) { server in
      for _ in 1...3 { try #expect(server.get(Self.robot).status == 200) }
      try #expect(server.get(Self.device).status == 200)
      try #expect(server.get("/nothing").status == 404)
      let requests = "aasa_http_requests_total"
      #expect(
        try server.becomes {
          try server.sample(#"\#(requests){status="200",fetcher="apple-cdn"}"#) == 3
            && server.sample(#"\#(requests){status="200",fetcher="apple-device"}"#) == 1
            && server.sample(#"\#(requests){status="404",fetcher="other"}"#) == 1
        })
      try #expect(server.sample("aasa_http_request_duration_seconds_count") == 5)
      try #expect(
        server.sample(#"aasa_http_request_duration_seconds_bucket{le="+Inf"}"#) == 5)
      try #expect(server.sample(#"aasa_connections_accepted_total{scheme="http"}"#) == 5)
      let body = try #require(try server.sample("aasa_http_response_body_bytes_total"))
      #expect(body >= Double(4 * association().utf8.count))
      try #expect(server.sample("aasa_http_response_bytes_total") ?? 0 > body)
      let now = Date().timeIntervalSince1970
      try #expect(
        server.becomes {
          let last = try server.sample(#"aasa_last_fetch_timestamp_seconds{fetcher="apple-cdn"}"#)
          return abs((last ?? 0) - now) < 60
        })
    }
  }

  @Test func `answers are counted by path, the page's too`() throws {
    let workspace = try workspace()
    try workspace.write("domains/example.com.page.html", "<p>get the app")
    try workspace.write("domains/example.com.json", shopFile(components: #"[{"/":"/buy/*"}]"#))
    try withServer(workspace, withAdmin) { server in
      for (path, status) in [
        ("/buy/1", 200), ("/buy/2", 200), ("/sell", 404), (associationPaths[0], 200),
      ] {
        try #expect(server.get(path).status == status, "\(path)")
      }
      let paths = "aasa_http_requests_by_path_total"
      #expect(
        try server.becomes {
          try server.sample(#"\#(paths){path="page"}"#) == 2
            && server.sample(#"\#(paths){path="other"}"#) == 1
            && server.sample(#"\#(paths){path="\#(associationPaths[0])"}"#) == 1
        })
    }
  }

  @Test func `domains, reloads and the process have samples`() throws {
    let workspace = try workspace()
    try workspace.write("domains/broken.example.json", "{")
    try withServer(workspace, withAdmin) { server in
      server.expect(stderr: "broken.example.json", within: .seconds(30))
      try #expect(server.sample(#"aasa_domains{state="served"}"#) == 2)
      try #expect(server.sample(#"aasa_domains{state="refused"}"#) == 1)
      try #expect(server.sample("aasa_ready") == 1)
      try #expect(server.sample("aasa_last_reload_successful") == 0)
      try #expect(server.sample("aasa_last_reload_success_timestamp_seconds") == nil)
      for result in ["success", "failure"] {
        try #expect(server.sample(#"aasa_reloads_total{result="\#(result)"}"#) == 0)
      }

      try workspace.write("domains/broken.example.json", association("C"))
      try server.expectSample(#"aasa_domains{state="served"}"#, 3)
      try server.expectSample("aasa_last_reload_successful", 1)
      let successes = try server.sample(#"aasa_reloads_total{result="success"}"#) ?? 0
      #expect(successes >= 1)
      try #expect(server.sample(#"aasa_reloads_total{result="failure"}"#) == 0)
      try #expect(server.sample("aasa_last_reload_success_timestamp_seconds") != nil)

      try workspace.write("domains/broken.example.json", "[")
      #expect(
        try server.becomes { try server.sample(#"aasa_domains{state="last-good"}"#) == 1 })
      server.expect(stderr: "last good version", within: .seconds(30))
      try #expect(
        server.becomes { try server.sample(#"aasa_reloads_total{result="failure"}"#) ?? 0 >= 1 })
      try server.expectSample("aasa_last_reload_successful", 0)

      #if os(Linux)
        for name in ["open_fds", "max_fds", "resident_memory_bytes", "virtual_memory_bytes"] {
          try #expect(server.sample("process_\(name)") ?? 0 > 0, "\(name)")
        }
      #endif
      try #expect(server.sample("process_cpu_seconds_total") ?? 0 > 0)
      try server.askAdmin("/metrics").text.says("aasa_build_info{version=\"")
    }
  }

  /// Editors write another file and rename it, of which the folder has events too.
  @Test(arguments: ["auto", "poll"])
  func `a reload that has failed stays the last one until files are read again`(watch: String)
    throws
  {
    let workspace = try workspace()
    try withServer(workspace, withAdmin + ["--watch", watch]) { server in
      server.allow(stderr: "last good version")
      let successes = #"aasa_reloads_total{result="success"}"#
      try workspace.write("domains/example.com.json", "{")
      try server.expectSample(#"aasa_domains{state="last-good"}"#, 1)
      goOn(for: .milliseconds(500))
      try workspace.write("domains/.swp", "")
      goOn(for: .milliseconds(500))
      try #expect(server.sample("aasa_last_reload_successful") == 0)
      try #expect(server.sample(successes) == 0)
      try workspace.write("domains/example.com.json", association("C"))
      try server.expectSample("aasa_last_reload_successful", 1)
      try #expect(server.sample(successes) ?? 0 >= 1)
    }
  }

  @Test(.needs(.openssl)) func `certificates and handshakes have samples`() throws {
    let workspace = try workspace()
    let certificate = try makeCertificate(
      names: ["example.com", "other.example"], validity: -1...40)
    try workspace.install(certificate, as: "example.com")
    try withServer(workspace, https: true, withAdmin) { server in
      server.allow(stderr: "[T")
      let expiry = try server.sample(
        #"aasa_certificate_expiry_timestamp_seconds{certificate="example.com.crt"}"#)
      let days = ((expiry ?? 0) - Date().timeIntervalSince1970) / 86_400
      #expect(days > 39 && days < 42)
      try #expect(server.sample(#"aasa_certificates{state="valid"}"#) == 1)
      _ = try server.sClient("-servername", "example.com", "-tls1_3", input: "\n")
      _ = try server.sClient("-servername", "unknown.example", input: "\n")
      #expect(
        try server.becomes {
          try server.sample(#"aasa_tls_handshakes_total{version="TLSv1.3",resumed="false"}"#) == 1
            && server.sample(#"aasa_tls_handshake_failures_total{reason="unknown-server-name"}"#)
              == 1
        })
      let full = #"aasa_tls_handshakes_total{version="TLSv1.2",resumed="false"}"#
      let resumed = #"aasa_tls_handshakes_total{version="TLSv1.2",resumed="true"}"#
      try #expect(server.sample(resumed) == 0)
      let session = workspace.path("session")
      for option in ["-sess_out", "-sess_in"] {
        let run = try server.sClient(
          "-servername", "example.com", "-tls1_2", option, session, "-ign_eof",
          input: request(fields: ["Connection: close"]))
        #expect(run.exitCode == 0, "\(run.errors)")
      }
      #expect(
        try server.becomes { try server.sample(full) == 1 && server.sample(resumed) == 1 })
    }
  }

  @Test func `each domain has samples only on request`() throws {
    try withServer(try workspace(), withAdmin) { server in
      try #expect(server.get(Self.robot).status == 200)
      try #expect(!server.askAdmin("/metrics").text.contains("domain="))
    }
    try withServer(try workspace(), withAdmin + ["--metrics-per-domain", "on"]) { server in
      try #expect(server.get(Self.robot).status == 200)
      let labels = #"{domain="example.com",fetcher="apple-cdn"}"#
      #expect(try server.becomes { try server.sample("aasa_domain_fetches_total" + labels) == 1 })
      #expect(
        try server.becomes { try server.sample("aasa_domain_last_fetch_current" + labels) == 1 })
      try #expect(
        server.sample(#"aasa_domain_state{domain="other.example",state="served"}"#) == 1)
      // A new version that was not fetched yet.
      try server.workspace.write("domains/example.com.json", association("N"))
      #expect(
        try server.becomes { try server.sample("aasa_domain_last_fetch_current" + labels) == 0 })
    }
  }

  @Test func `of many domains the first thousand have samples`() throws {
    let workspace = try Workspace()
    try workspace.write("site.json", association())
    for number in 0..<1_005 {
      try workspace.link("domains/d\(number).example.json", to: "../site.json")
    }
    try withServer(workspace, withAdmin + ["--metrics-per-domain", "on"]) { server in
      try #expect(server.get(Self.robot).status == 404)
      let text = try server.askAdmin("/metrics").text
      for family in ["aasa_domain_state", "aasa_domain_version_timestamp_seconds"] {
        let count = text.split(separator: "\n").count { $0.hasPrefix(family + "{") }
        #expect(count == 1_000, "\(family)")
      }
      try #expect(server.sample(#"aasa_domains{state="served"}"#) == 1_005)
    }
  }

  @Test func `the form is the one that the scraper likes best`() throws {
    try withServer(try workspace(), withAdmin) { server in
      let plain = try server.askAdmin("/metrics")
      #expect(plain["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8")
      #expect(!plain.text.contains("# EOF"))
      let open = try server.askAdmin(
        "/metrics", ["Accept: application/openmetrics-text; version=1.0.0, text/plain;q=0.5"])
      #expect(
        open["Content-Type"] == "application/openmetrics-text; version=1.0.0; charset=utf-8")
      #expect(open.text.hasSuffix("\n# EOF\n"))
      #expect(open.text.contains("# TYPE aasa_http_requests counter\n"))
      #expect(open.text.contains("# UNIT process_cpu_seconds seconds\n"))
      #expect(open.text.contains("# TYPE aasa_build info\n"))
      #expect(open.text.contains("aasa_http_requests_total{"))
    }
  }

  @Test(.needs(.promtool)) func `promtool finds nothing to complain of`() throws {
    guard let promtool = Tool.promtool.path else { return }
    let workspace = try workspace()
    try workspace.write("domains/broken.example.json", "{")
    let flags = withAdmin + ["--metrics-per-domain", "on"]
    try withServer(workspace, https: true, flags) { server in
      server.allow(stderr: "[")
      _ = try server.get(Self.robot)
      let text = try server.askAdmin("/metrics").text
      let checked = try run(promtool, ["check", "metrics"], input: text)
      #expect(checked.exitCode == 0 && checked.text == "" && checked.errors == "")
    }
  }

  @Test(.needs(.promtool)) func `the rules for alerts do what their tests say`() throws {
    guard let promtool = Tool.promtool.path else { return }
    let tests = repositoryFile("Config/monitoring/alerts.test.yaml")
    let process = try ChildProcess(promtool, ["test", "rules", tests])
    // It takes seconds of a processor.
    let code = try process.waitForExit(within: .seconds(120))
    let state = process.now
    #expect(code == 0, "\(String(decoding: state.output + state.errors, as: UTF8.self))")
  }

  @Test func `alerts and the dashboard ask for metrics that are documented`() throws {
    func text(_ file: String) throws -> String {
      try String(contentsOfFile: repositoryFile(file), encoding: .utf8)
    }
    let documented = try ["Metrics", "Run"].map {
      try text("Documentation/\($0).md")
    }.joined()
    for file in ["alerts.yaml", "dashboard.json"] {
      let names = try Set(
        text("Config/monitoring/\(file)").matches(of: /aasa_[a-z_]+?(?=_bucket|[^a-z_])/)
          .map { String($0.output) })
      #expect(names.count > 5)
      for name in names { #expect(documented.contains(name), "\(name) in \(file)") }
    }
  }

  @Test(.needs(.prometheus)) func `a real Prometheus scrapes it`() throws {
    guard let prometheus = Tool.prometheus.path else { return }
    let workspace = try workspace()
    try withServer(workspace, withAdmin) { server in
      let port = try RawClient.freePort()
      try workspace.write(
        "prometheus.yml",
        """
        global: {scrape_interval: 1s, scrape_timeout: 1s}
        scrape_configs:
          - job_name: aasa
            static_configs: [{targets: ["127.0.0.1:\(server.admin)"]}]
        """)
      let process = try ChildProcess(
        prometheus,
        [
          "--config.file=prometheus.yml", "--storage.tsdb.path=data",
          "--web.listen-address=127.0.0.1:\(port)", "--log.level=warn",
        ], folder: workspace.root)
      defer {
        process.signal(SIGTERM)
        _ = try? process.waitForExit(within: .seconds(60))
      }
      func value(_ query: String) -> Double? {
        let encoded = query.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        guard let client = try? RawClient(port: port) else { return nil }
        let target = "/api/v1/query?query=\(encoded)"
        try? client.send(
          request("GET", target, host: "localhost", version: "HTTP/1.0"))
        guard let answer = try? client.receive(), answer.status == 200,
          let root = try? JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: Any],
          let data = root["data"] as? [String: Any],
          let result = (data["result"] as? [[String: Any]])?.first,
          let pair = result["value"] as? [Any]
        else { return nil }
        return pair.last.flatMap { $0 as? String }.flatMap { Double($0) }
      }
      try #expect(server.get(Self.robot).status == 200)
      let isUp = eventually(within: .seconds(60)) { value(#"up{job="aasa"}"#) == 1 }
      #expect(isUp, "\(String(decoding: process.now.errors, as: UTF8.self))")
      #expect(
        eventually(within: .seconds(60)) {
          value(#"aasa_http_requests_total{status="200",fetcher="apple-cdn"}"#) == 1
        })
      #expect(value(#"aasa_domains{state="served"}"#) == 2)
      #expect(value("histogram_quantile(0.5, aasa_http_request_duration_seconds_bucket)") != nil)
    }
  }
}

extension Server {
  fileprivate func get(_ fields: [String]) throws -> Response {
    try get(associationPaths[0], fields)
  }
}
