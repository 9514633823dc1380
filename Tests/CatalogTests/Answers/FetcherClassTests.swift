import HTTP
import Testing

@testable import Catalog
@testable import Settings

@Suite struct FetcherClassTests {
  static let rows: [(agent: String, expected: FetcherClass)] = [
    // as the CDN sends it, and its next version
    ("AASA-Bot/1.0.0", .appleCDN),
    ("AASA-Bot/2.1", .appleCDN),
    ("AASA-Bot", .appleCDN),
    // another word
    ("AASA-Botany/1.0", .other),
    ("not AASA-Bot/1.0.0", .other),
    // as devices send it, old and new
    ("swcd (unknown version) CFNetwork/808.2.16 Darwin/15.6.0", .appleDevice),
    ("swcd (unknown version) CFNetwork/1490.0.4 Darwin/23.2.0", .appleDevice),
    ("swcd/1.0 CFNetwork/3826.400.120 Darwin/24.3.0", .appleDevice),
    // clients that resemble them, and say so
    ("AASA-Bot/1.0.0 aasa/0.1.0", .validator),
    ("swcd (unknown version) CFNetwork/1490.0.4 Darwin/23.2.0 aasa/0.1.0", .validator),
    ("AASA-Bot/1.0.0 aasa/", .appleCDN),
    ("AASA-Bot/1.0.0 aasa", .appleCDN),
    // an app of somebody's, on the same system
    ("Example/12 CFNetwork/1490.0.4 Darwin/23.2.0", .other),
    ("swcd (unknown version)", .other),
    ("swcd CFNetwork/1490.0.4 Linux/6.1.0.0", .other),
    ("GoogleAssociationService", .google),
    ("Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)", .google),
    ("Mozilla/5.0 (compatible; GoogleAssociationService)", .google),
    ("APIs-Google (+https://developers.google.com/webmasters/APIs-Google.html)", .google),
    ("AdsBot-Google (+http://www.google.com/adsbot.html)", .google),
    (
      "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) "
        + "Version/17.0 Safari/605.1.15", .browser
    ),
    (
      "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) "
        + "Chrome/126.0.0.0 Mobile Safari/537.36", .browser
    ),
    ("Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0", .browser),
    // resemble browsers, and say that they are not
    ("Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)", .other),
    (
      "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_5) AppleWebKit/605.1.15 (KHTML, like Gecko) "
        + "Version/13.1.1 Safari/605.1.15 (Applebot/0.1; +http://www.apple.com/go/applebot)", .other
    ),
    ("Mozilla/5.0 (X11; Linux x86_64) AhrefsBot/7.0", .other),
    ("yURL/1.0 (+https://yurl.chayev.com)", .validator),
    ("AASAValidator/1.2", .validator),
    ("branch-aasa-validator", .validator),
    ("aasa/1.0", .validator),
    ("W3C_Validator/1.3", .validator),
    ("Mozilla/5.0+(compatible; UptimeRobot/2.0; http://www.uptimerobot.com/)", .monitor),
    ("Uptime-Kuma/1.23.11", .monitor),
    ("Better Uptime Bot Mozilla/5.0 (Macintosh)", .monitor),
    ("Pingdom.com_bot_version_1.4_(http://www.pingdom.com/)", .monitor),
    ("kube-probe/1.29", .monitor),
    ("Prometheus/2.45.0", .monitor),
    ("Blackbox Exporter/0.24.0", .monitor),
    ("GoogleHC/1.0", .monitor),
    ("GoogleStackdriverMonitoring-UptimeChecks(https://cloud.google.com/monitoring)", .monitor),
    ("ELB-HealthChecker/2.0", .monitor),
    ("check_http/v2.3.3 (monitoring-plugins 2.3.3)", .monitor),
    ("Zabbix", .monitor),
    // everything else
    ("curl/8.5.0", .other),
    ("Wget/1.21.3", .other),
    ("python-requests/2.31.0", .other),
    ("Mozilla", .other),
    ("", .other),
    ("a", .other),
    ("bot", .other),
  ]

  @Test(arguments: rows)
  func `an agent is recognized by its words`(_ row: (agent: String, expected: FetcherClass)) {
    let bytes = Array(row.agent.utf8)
    let found = FetcherClass(userAgent: bytes.span)
    #expect(found == row.expected, "\(row.agent)")
    // Products are compared without regard to case, as everything else here.
    let capitals = Array(row.agent.uppercased().utf8)
    let inCapitals = FetcherClass(userAgent: capitals.span)
    // Only the beginnings of words inside of words are lost.
    #expect(
      inCapitals == row.expected || row.agent.contains("Validator") || row.expected == .google)
  }

  @Test func `only the beginning of a long agent counts`() {
    let limit = FetcherClass.userAgentBytes
    for (offset, expected) in [(limit - 8, FetcherClass.google), (limit, .other)] {
      let bytes = Array(repeating: UInt8(ascii: " "), count: offset) + Array("Googlebot".utf8)
      let found = FetcherClass(userAgent: bytes.span)
      #expect(found == expected, "at \(offset)")
    }
  }

  @Test func `any bytes have a class`() {
    var state: UInt64 = 3
    for length in 0..<300 {
      let bytes = (0..<length).map { _ in
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return UInt8(truncatingIfNeeded: state >> 56)
      }
      let found = FetcherClass(userAgent: bytes.span)
      #expect(FetcherClass.allCases.contains(found))
    }
  }

  /// The requests of Apple's clients: both fetch from `.well-known`, and only the CDN from the
  /// root.
  @Test func `Apple's agents are believed for requests that Apple makes`() throws {
    let robot = "AASA-Bot/1.0.0"
    let device = "swcd (unknown version) CFNetwork/1490.0.4 Darwin/23.2.0"
    let oldDevice = "swcd/1.0 CFNetwork/3826.400.120 Darwin/24.3.0"
    for (request, agent, expected) in [
      ("GET /.well-known/apple-app-site-association", robot, FetcherClass.appleCDN),
      ("GET /apple-app-site-association", robot, .appleCDN),
      ("HEAD /.well-known/apple-app-site-association", robot, .other),
      ("GET /.well-known/apple-app-site-association", device, .appleDevice),
      ("GET /.well-known/apple-app-site-association?a", device, .appleDevice),
      ("GET http://a.test/.well-known/apple-app-site-association", device, .appleDevice),
      ("GET /apple-app-site-association", device, .other),
      ("GET /", device, .other),
      ("GET http://a.test", device, .other),
      ("HEAD /.well-known/apple-app-site-association", device, .other),
      ("OPTIONS *", device, .other),
      ("GET /.well-known/apple-app-site-association", oldDevice, .appleDevice),
      ("GET /apple-app-site-association", oldDevice, .other),
      ("POST /.well-known/apple-app-site-association", oldDevice, .other),
    ] {
      let bytes = Array("\(request) HTTP/1.1\r\nHost: a.test\r\nUser-Agent: \(agent)\r\n\r\n".utf8)
      var head = RequestHead(expectedTargets: [
        Array("/.well-known/apple-app-site-association".utf8),
        Array("/apple-app-site-association".utf8),
      ])
      _ = try head.read(bytes.span, from: 0, limits: RequestLimits())
      let found = head.fetcherClass(in: bytes.span)
      #expect(found == expected, "\(request), \(agent)")
    }
  }

  @Test func `a head without the field is of no known class`() throws {
    for (field, expected) in [
      ("", FetcherClass.other), ("User-Agent: AASA-Bot/1.0.0\r\n", .appleCDN),
      ("user-agent:  kube-probe/1.29 \r\n", .monitor),
    ] {
      let bytes = Array("GET / HTTP/1.1\r\nHost: a.test\r\n\(field)\r\n".utf8)
      var head = RequestHead()
      _ = try head.read(bytes.span, from: 0, limits: RequestLimits())
      let found = head.fetcherClass(in: bytes.span)
      #expect(found == expected, "\(field)")
    }
  }
}
