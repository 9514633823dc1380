import Catalog
import Diagnostics
import HTTP
import Posix
import Settings
import TLS
import Testing

@testable import Server

@Suite struct ServerMetricsTests {
  @Test func `answers are counted by status and class of client`() throws {
    let server = try RunningServer()
    let client = try TestClient(server)
    let requests = [
      request(), request("a.test", "User-Agent: AASA-Bot/1.0.0"), request("x.test"),
      request("broken.test"), request("large.test", "User-Agent: AASA-Bot/1.0.0"),
      request("a.test", "Connection: close"),
    ]
    client.send(requests.joined())
    let answers = try #require(client.receiveAll())
    server.stop()
    let metrics = server.server.metrics
    func count(_ status: String, _ fetcher: String) -> Double? {
      metrics.value("aasa_http_requests", ["status": status, "fetcher": fetcher])
    }
    #expect(count("200", "other") == 2)
    #expect(count("200", "apple-cdn") == 2)
    #expect(count("404", "other") == 1)
    #expect(count("503", "other") == 1)
    let durations = "aasa_http_request_duration_seconds"
    #expect(metrics.value(durations, suffix: "_count") == 6)
    #expect(metrics.value(durations, suffix: "_sum") ?? 0 > 0)
    #expect(metrics.value("aasa_http_response_bytes") == Double(answers.count))
    let bodies = metrics.value("aasa_http_response_body_bytes") ?? 0
    #expect(bodies > Double(TestCatalog.large.count + 3 * TestCatalog.small.count))
    #expect(metrics.value("aasa_connections_accepted", ["scheme": "http"]) == 1)
    #expect(metrics.value("aasa_connections_accepted", ["scheme": "https"]) == 0)
    // All have ended.
    for state in Connection.Kind.allCases {
      #expect(metrics.value("aasa_connections", ["state": state.name]) == 0, "\(state)")
    }
    #expect(metrics.lastFetch(.appleCDN) != nil)
    #expect(metrics.lastFetch(.google) == nil)
  }

  @Test func `connections are counted by state`() throws {
    let server = try RunningServer()
    let idle = try TestClient(server)
    idle.send(request())
    #expect(idle.receive()?.isEmpty == false)
    let reading = try TestClient(server)
    reading.send("GET / HT")
    var seen: (idle: Double, reading: Double) = (0, 0)
    var turns = 0
    while seen != (1, 1), turns < 3_000 {
      seen = (server.connections(.idle), server.connections(.readingHead))
      turns += 1
      _ = idle.hasInput(within: 10)
    }
    #expect(seen == (1, 1))
    server.stop()
  }

  @Test func `the duration of a request counts from its first byte`() throws {
    let server = try RunningServer()
    let client = try TestClient(server)
    let text = request()
    client.send(String(text.prefix(20)))
    var turns = 0
    while server.connections(.readingHead) == 0, turns < 3_000 {
      turns += 1
      _ = client.hasInput(within: 10)
    }
    #expect(!client.hasInput(within: 50))
    client.send(String(text.dropFirst(20)))
    #expect(client.receive(responses: 1)?.count == 1)
    server.stop()
    let sum = server.server.metrics.value("aasa_http_request_duration_seconds", suffix: "_sum")
    #expect(sum ?? 0 >= 0.05)
  }

  @Test func `timeouts and limits are counted`() throws {
    let server = try RunningServer {
      $0.connections.headTimeout = 50
      $0.connections.maxConnectionsPerClient = 1
      $0.countsLoopback = true
    }
    do {
      let first = try TestClient(server)
      first.send("GET / HT")
      #expect(first.receiveAll()?.isEmpty == false)
    }
    let metrics = server.server.metrics
    #expect(metrics.value("aasa_connection_timeouts", ["state": "reading-head"]) == 1)
    #expect(metrics.value("aasa_http_requests", ["status": "408", "fetcher": "other"]) == 1)

    // The second is closed at once, while a first is still there.
    let kept = try #require(try Self.served(server))
    let second = try TestClient(server)
    second.send(request())
    #expect(second.receiveAll()?.isEmpty != false)
    #expect(metrics.value("aasa_limits_hit", ["limit": "connections-per-client"]) ?? 0 >= 1)
    #expect(metrics.value("aasa_limits_hit", ["limit": "connections"]) == 0)
    kept.send(request())
    #expect(kept.receive(responses: 1)?.count == 1)
    server.stop()
  }

  /// A client whose first request is answered: the connection before it may still be counted.
  private static func served(_ server: RunningServer) throws -> TestClient? {
    let end = Clock.monotonicMilliseconds() + 60_000
    while Clock.monotonicMilliseconds() < end {
      let client = try TestClient(server)
      client.send(request())
      if client.receive(responses: 1)?.count == 1 { return client }
      Thread.pause(milliseconds: 2)
    }
    return nil
  }

  @Test func `a duration is in the first bucket that has room for it`() {
    let rows: [(nanoseconds: UInt64, bucket: Int)] = [
      (0, 0), (100_000, 0), (100_001, 1), (10_000_000, 6), (10_000_001, 7),
      (10_000_000_000, 9), (10_000_000_001, 10), (.max, 10),
    ]
    for (nanoseconds, bucket) in rows {
      #expect(DurationHistogram.bucket(of: nanoseconds) == bucket)
    }
    let bounds = DurationHistogram.boundsInSeconds.map { UInt64((Double($0) ?? 0) * 1e9 + 0.5) }
    #expect(bounds == DurationHistogram.bounds)
  }

  @Test func `an index without a counter changes nothing and does not trap`() {
    let counters = LoopCounters()
    for index in [ServerLimit.allCases.count, .max, -1, .min] {
      counters.limits.add(index)
      counters.limits.set(index, to: 1)
      #expect(counters.limits[index] == 0)
    }
    counters.limits.add(ServerLimit.allCases.count - 1, 3)
    #expect(counters.limits.values == [0, 0, 3])
  }

  /// The sets that counters are indexed by may grow.
  @Test func `there is a counter for each case`() {
    let counters = LoopCounters()
    #expect(counters.requests.size == Status.allCases.count * FetcherClass.allCases.count)
    #expect(counters.paths.size > WellKnownFiles.most)
    #expect(Status.allCases.map(\.index) == Array(Status.allCases.indices))
    #expect(counters.lastFetches.size == FetcherClass.allCases.count)
    #expect(counters.open.size == Connection.Kind.allCases.count)
    #expect(counters.timeouts.size == Connection.Kind.allCases.count)
    #expect(counters.handshakes.size == TLSVersion.allCases.count * 2)
    #expect(counters.handshakeFailures.size == TLSFailure.Reason.allCases.count)
    #expect(counters.limits.size == ServerLimit.allCases.count)
  }
}

extension RunningServer {
  fileprivate func connections(_ state: Connection.Kind) -> Double {
    server.metrics.value("aasa_connections", ["state": state.name]) ?? 0
  }
}

extension ServerMetrics {
  /// The value of a sample; nil if there is none.
  fileprivate func value(
    _ name: String, _ labels: [String: String] = [:], suffix: String = ""
  ) -> Double? {
    families.first { $0.name == name }?.samples.first { sample in
      sample.suffix == suffix
        && labels.allSatisfy { key, value in
          sample.labels.contains { $0 == (key, value) }
        }
    }.flatMap { Double($0.value) }
  }
}
