import Diagnostics
import HTTP
import Testing

@testable import Server

/// The admin listener's handling of requests and of numbers.
@Suite struct AdminTests {
  /// Accept fields, and whether OpenMetrics is preferred.
  @Test(arguments: [
    ("", false), ("*/*", false), ("text/plain", false), ("application/openmetrics-text", true),
    ("application/openmetrics-text;version=1.0.0;q=0.5,text/plain;version=0.0.4;q=0.3", true),
    ("application/openmetrics-text;version=1.0.0;q=0.2,text/plain;version=0.0.4;q=0.3", false),
    ("text/plain, application/openmetrics-text", false),
    ("Application/OpenMetrics-Text; Version=1.0.0", true),
    // Another version is another language.
    ("application/openmetrics-text;version=2.0.0,*/*;q=0.1", false),
    // Not wanted at all.
    ("application/openmetrics-text;q=0", false), ("application/json", false),
    // The fields of Prometheus 2 and 3.
    (
      "application/openmetrics-text;version=1.0.0;q=0.5,application/openmetrics-text;"
        + "version=0.0.1;q=0.4,text/plain;version=0.0.4;q=0.3,*/*;q=0.2", true
    ),
    (
      "application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;"
        + "encoding=delimited;q=0.6,application/openmetrics-text;version=1.0.0;"
        + "escaping=allow-utf-8;q=0.5,text/plain;version=1.0.0;q=0.3,*/*;q=0.2", true
    ),
    // Garbage.
    (";;;,,,q=", false), ("application/openmetrics-text;q=x", true),
  ]) func `the format follows the scraper's preference`(accept: String, isOpen: Bool) {
    let format = MetricsWriter.Format(accept: accept)
    #expect((format == .openMetrics) == isOpen)
  }

  @Test func `both forms of the same numbers`() {
    let families = [
      MetricFamily(
        "a_seconds", .counter, unit: "seconds", "Time.",
        [.init(0.5, "name", "quote \" backslash \\ line\nend")]),
      MetricFamily("b", .info, "Facts.", [.init(1, "version", "1")]),
      MetricFamily(
        "c_seconds", unit: "seconds", "Durations.", bounds: ["0.1", "1"], counts: [2, 0, 3],
        sum: 4),
    ]
    func text(_ format: MetricsWriter.Format) -> String {
      String(decoding: MetricsWriter(families, as: format).bytes, as: UTF8.self)
    }
    let samples = (
      a: #"a_seconds_total{name="quote \" backslash \\ line\nend"} 0.5"#,
      b: #"b_info{version="1"} 1"#,
      c: """
      c_seconds_bucket{le="0.1"} 2
      c_seconds_bucket{le="1"} 2
      c_seconds_bucket{le="+Inf"} 5
      c_seconds_sum 4.0
      c_seconds_count 5
      """
    )
    #expect(
      text(.prometheus) == """
        # HELP a_seconds_total Time.
        # TYPE a_seconds_total counter
        \(samples.a)
        # HELP b_info Facts.
        # TYPE b_info gauge
        \(samples.b)
        # HELP c_seconds Durations.
        # TYPE c_seconds histogram
        \(samples.c)

        """)
    #expect(
      text(.openMetrics) == """
        # HELP a_seconds Time.
        # TYPE a_seconds counter
        # UNIT a_seconds seconds
        \(samples.a)
        # HELP b Facts.
        # TYPE b info
        \(samples.b)
        # HELP c_seconds Durations.
        # TYPE c_seconds histogram
        # UNIT c_seconds seconds
        \(samples.c)
        # EOF

        """)
  }

  /// Queries, and the values of `domain` in them.
  @Test(
    arguments: [
      ("", []), ("domain=a.b", ["a.b"]), ("domain=a&limit=3&domain=b", ["a", "b"]),
      ("domain", [""]), ("domain=", [""]), ("domains=a", []), ("&&domain=a&", ["a"]),
      ("domain=a=b", ["a=b"]), ("domain=%2A.a%2e", ["*.a."]), ("domain=%4", ["%4"]),
      ("domain=%", ["%"]), ("domain=%zz", ["%zz"]), ("domain=%FF", ["\u{FFFD}"]),
    ] as [(String, [String])])
  func `a query's values`(query: String, values: [String]) {
    #expect(PageRequest(path: "/status", query: query).values(of: "domain") == values)
  }

  @Test func `no request changes anything, from this machine or another`() {
    let requests = AdminRequests(hosts: ["aasa.internal"])
    for host in ["localhost", "127.0.0.1", "::1", "aasa.internal"] {
      for method in [Method.post, .put] {
        let refusal = requests.refusal(PageRequest(method, path: "/confirm", host: host))
        #expect(refusal?.status == .methodNotAllowed)
      }
    }
    #expect(requests.refusal(PageRequest(path: "/status", host: "10.1.2.3")) == nil)
  }
}
