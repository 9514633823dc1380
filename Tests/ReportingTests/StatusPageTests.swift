import Catalog
import Diagnostics
import Foundation
import Server
import Settings
import TestRunning
import Testing

@testable import Keeping
@testable import Reporting

/// The pages of the admin listener for a browser, made from values.
@Suite struct StatusPageTests {
  private static let good =
    #"{"applinks":{"details":[{"appIDs":["A1B2C3D4E5.com.example.shop"],"components":[{"/":"/buy/*"}]}]}}"#

  private static func site(_ name: String, _ text: String? = good, since: Int64 = 0) -> Site {
    let maker = ContentMaker(cacheControl: "max-age=60")
    let answer = text.map {
      Availability.served(
        ServedFile(
          content: maker.content(of: Array($0.utf8), kind: .file(WellKnownFiles.association)),
          lastModified: 0))
    }
    return Site(
      name: DomainName(entryName: name) ?? .any, answers: answer.map { [$0] } ?? [], now: since)
  }

  private func pages(
    _ sites: [Site], now: Int64 = 1_000_000, fetches: FetchHistory? = nil,
    obstacles: [String] = [], checks: OutsideChecks? = nil,
    _ change: (inout HostingStatus) -> Void = { _ in }
  ) -> StatusPages {
    var status = HostingStatus()
    status.isLoaded = true
    status.folder = "domains"
    status.catalog = Catalog(sites: sites, material: nil)
    status.reloads.note(failed: false, isFirst: true, now: now - 60)
    change(&status)
    return StatusPages(
      document: StatusDocument(
        status: status, obstacles: obstacles, lastFetch: { _ in nil }, checks: checks, board: nil,
        started: now - 7_200, now: now, settingsFault: nil, connectionLimit: nil, acmeState: nil),
      fetches: fetches)
  }

  private func html(_ pages: StatusPages, _ path: String, _ query: String = "") throws -> String {
    let answer = try #require(pages.answer(to: PageRequest(path: path, query: query)))
    return String(decoding: answer.body, as: UTF8.self)
  }

  /// The names in the table, in order.
  private func names(_ pages: StatusPages, _ query: String) throws -> [String] {
    try html(pages, "/domains", query).components(separatedBy: #"<th scope="row"><a href=""#)
      .dropFirst().map { String($0.drop { $0 != ">" }.dropFirst().prefix { $0 != "<" }) }
  }

  @Test func `the first page says whether the server is ready, and why not`() throws {
    let ready = try html(pages([Self.site("a.example")]), "/")
    #expect(ready.contains(#"<p id="state">ready</p>"#))
    #expect(ready.contains("up for 2 h, files last read 60 s ago, without a fault"))
    #expect(ready.contains(#"data-state="current""#) && ready.contains("aasa \(programVersion)"))
    let not = try html(pages([], obstacles: ["the server is stopping"]), "/")
    #expect(not.contains(#"<p id="state">not ready</p>"#))
    #expect(
      not.contains("the server is stopping · aasa") && not.contains(#"data-state="broken""#))
  }

  @Test func `a hold has what is missing, since when, and the command that confirms it`() throws {
    let fault = Diagnostic(
      .needsAttention, severity: .error, "9 of 10 are missing",
      at: .init(path: "domains"))
    let publisher = StatusPublisher()
    var status = HostingStatus()
    status.holds = [Hold(id: "1f4a09c2", fault: fault)]
    publisher.publish(status)
    let first = try #require(publisher.current.heldSince["1f4a09c2"])
    status.holds.append(Hold(id: "00000000", fault: fault))
    publisher.publish(status)
    #expect(publisher.current.heldSince["1f4a09c2"] == first)
    let current = publisher.current
    let page = try html(pages([], now: first + 10_800) { $0 = current }, "/")
    #expect(page.contains("<code class=\"command\">aasa confirm 1f4a09c2</code>"))
    #expect(page.contains("9 of 10 are missing") && page.contains("(3 h ago)"))
    #expect(page.contains("ready, but see below"))
  }

  @Test func `domains by state are a bar, and a link to each state`() throws {
    let sites = [
      Self.site("a.example"), Self.site("b.example"), Self.site("c.example", nil),
      Site(name: .host("d.example"), answers: [.unavailable]),
    ]
    let page = try html(pages(sites), "/")
    #expect(page.contains(#"aria-label="2 served, 1 refused, 1 without a file""#))
    #expect(page.contains(#"<a href="/domains?state=refused">1 refused</a>"#))
    #expect(page.contains(#"<a href="/domain?name=d.example">d.example</a>: REFUSED"#))
  }

  @Test func `a domain without a certificate is to fix`() throws {
    let sites =
      (1...9).map { Self.site("a\($0).example") } + [
        Site(name: .host("z.example"), answers: [.unavailable])
      ]
    let page = try html(pages(sites) { $0.hasHTTPS = true }, "/")
    #expect(
      page.contains(
        "a1.example</a>: no certificate covers this domain, so HTTPS clients are refused"))
    #expect(page.contains("The first 8; the table below has all."))
    let plain = try html(pages(sites), "/")
    #expect(plain.contains("z.example</a>: REFUSED") && !plain.contains("a1.example</a>"))
    #expect(!plain.contains("The first 8"))
  }

  @Test func `fetches are lines of 24 hours, and a restart is said`() throws {
    var history = FetchHistory(now: 0)
    let none = FetcherClass.allCases.map { _ in UInt64(0) }
    var totals = none
    totals[Int(FetcherClass.appleCDN.rawValue)] = 5
    history.take(totals, now: 3_599)
    totals[Int(FetcherClass.appleCDN.rawValue)] = 7
    totals[Int(FetcherClass.browser.rawValue)] = 1
    history.take(totals, now: 3_600)
    #expect(Array(history.fetches(by: .appleCDN).suffix(3)) == [0, 5, 2])
    // A clock that is set back stays in its hour.
    totals[0] += 1
    history.take(totals, now: 0)
    #expect(Array(history.fetches(by: .appleCDN).suffix(3)) == [0, 5, 3])
    let page = try html(pages([], fetches: history), "/")
    #expect(page.contains("Fetches: 8 by Apple&#39;s CDN, 0 by devices, 0 by Google, 1 by others"))
    #expect(page.contains("Counted since this process started, 2 h ago."))
    history.take(totals, now: 24 * 3_600 + 3_599)
    #expect(history.fetches(by: .appleCDN).first == 3)
    history.take(totals, now: 1_000 * 3_600)
    #expect(history.fetches(by: .appleCDN) == Array(repeating: 0, count: 24))
  }

  @Test func `certificates are counted by the week in which they expire`() {
    let day: Int64 = 86_400
    let chart = Charts.weeks([-1, 0, 6 * day, 7 * day, 400 * day], now: 0)
    #expect(
      chart.contains(
        "Certificates: 1 expired, 2 expire in week 1, 1 expire in week 2, 1 expire later\""))
  }

  @Test func `the table can be searched, filtered, sorted and turned over`() throws {
    let sites = (0..<250).map { number in
      Self.site(
        "h\(String(1_000 + number)).example", number % 50 == 0 ? nil : Self.good,
        since: Int64(1_000 - number))
    }
    let pages = pages(sites.shuffled())
    #expect(try names(pages, "").count == 100)
    #expect(try names(pages, "").first == "h1000.example")
    #expect(try names(pages, "page=3").count == 50)
    #expect(try names(pages, "page=3").last == "h1249.example")
    #expect(try names(pages, "page=99") == names(pages, "page=3"))
    #expect(try names(pages, "search=H12%30").count == 10)
    #expect(try names(pages, "state=empty").count == 5)
    #expect(try names(pages, "sort=since").first == "h1249.example")
    #expect(try names(pages, "sort=since&order=down").first == "h1000.example")
    #expect(try names(pages, "sort=state").first == "h1000.example")
    #expect(try names(pages, "sort=state&order=down&page=3").last == "h1000.example")
    #expect(try names(pages, "search=nothing").isEmpty)
    // Anything else in the address is ignored.
    #expect(try names(pages, "sort=x&state=y&page=-1&order=z") == names(pages, ""))
    // A page keeps what was asked for.
    let page = try html(pages, "/domains", "search=example&sort=since")
    #expect(page.contains("/domains?search=example&amp;sort=since&amp;page=2"))
    #expect(page.contains(#"aria-sort="ascending""#))
  }

  @Test func `the table says whether Apple's CDN has the version that is served`() throws {
    let old = Self.site("a.example", "{}")
    old.noteFetches(of: 0, by: .appleCDN, time: 999_940, status: 200, count: 1)
    let new = Site(name: old.name, answers: Self.site("a.example").answers, after: old, now: 5)
    #expect(try html(pages([old]), "/domains").contains(">yes, 60 s ago<"))
    #expect(try html(pages([new]), "/domains").contains(">no, an older one, 60 s ago<"))
    let b = Self.site("b.example")
    #expect(try html(pages([b]), "/domains").contains(">never fetched<"))
    #expect(try names(pages([old, b]), "sort=cdn") == ["b.example", "a.example"])
  }

  @Test func `a page of 100,000 domains is made at once`() throws {
    let shared = Self.site("a.example")
    let sites = (0..<100_000).map { number in
      Site(
        name: .host("customer-\(number).example.com"), answers: shared.answers, now: Int64(number))
    }
    let pages = pages(sites.shuffled())
    for query in [
      "", "page=500", "search=99", "sort=since&order=down", "sort=cdn&page=1000", "state=served",
    ] {
      var body = 0
      let time = try processorTime { body = try html(pages, "/domains", query).utf8.count }
      #expect(body > 10_000 && body < 100_000, "\(query): \(body)")
      // 50 ms where the program is optimized.
      #expect(time < .seconds(5), "\(query): \(time)")
      print("domains?\(query): \(time)")
    }
    var size = 0
    let first = try processorTime { size = try html(pages, "/").utf8.count }
    #expect(size < 20_000)
    print("/: \(first)")
  }

  @Test func `a domain has its file, each diagnostic at its line, and what is left to do`() throws {
    let text = """
      {
        "applinks": { "details": [ {
          "appids": ["A1B2C3D4E5.com.example.shop"],
          "components": [ { "/": "/buy/*" } ]
        } ] }
      }

      """
    let page = try html(pages([Self.site("a.example", text)]), "/domain", "name=A.example")
    let line = try #require(page.range(of: #"id="line-3""#)?.lowerBound)
    let message = try #require(page.range(of: "[A019]: ")?.lowerBound)
    let next = try #require(page.range(of: #"id="line-4""#)?.lowerBound)
    #expect(line < message && message < next)
    #expect(page.contains(#"<mark data-severity="error">&quot;appids&quot;</mark>"#))
    #expect(page.contains("Apple&#39;s CDN</dt><dd>never"))
    #expect(page.contains("<code class=\"command\">aasa onboard a.example</code>"))
    #expect(page.contains("Nothing that this server knows of."))

    let problem = Problem(
      diagnostics: [Diagnostic(.needsAttention, severity: .error, "a comma is missing")],
      omitted: 0, isLastGood: true, hasErrors: true)
    let faulty = try html(
      pages([Self.site("a.example")]) { $0.problems[.host("a.example")] = problem }, "/domain",
      "name=a.example")
    #expect(faulty.contains("the last good version is served"))
    #expect(faulty.contains("<li><p>error: a comma is missing"))
    #expect(
      try html(pages([]), "/domain", "name=b.example").contains(
        "no file in the domains folder serves this name"))
  }

  @Test func `names and contents of files are text only`() throws {
    let mark = #""><script>alert('1')</script>&amp;"#
    let encoded = mark.utf8.map { "%" + String($0, radix: 16) }.joined()
    let text =
      #"{"applinks":{"details":[{"appIDs":["</code><img src=x onerror=alert(1)>"]}]},"\u202e":1}"#
      + "\u{202E}"
    let fault = Diagnostic(
      .needsAttention, severity: .error, mark, at: .init(path: mark), help: mark, note: mark)
    let problem = Problem(diagnostics: [fault], omitted: 1, isLastGood: true, hasErrors: true)
    let checks = OutsideChecks()
    let site = Self.site("a.example", text)
    checks.note(
      OutsideCheck(
        time: 1, version: site.checkedVersion, origin: .failing, copy: .other, age: 1, fault: mark),
      of: site.name)
    let pages = pages([site], obstacles: [mark], checks: checks) {
      $0.folder = mark
      $0.folderFault = fault
      $0.holds = [Hold(id: mark, fault: fault)]
      $0.problems[site.name] = problem
      $0.hasHTTPS = true
      $0.certificates = [
        CertificateStatus(name: mark, file: mark, certificate: nil, problem: problem)
      ]
    }
    for (path, query) in [
      ("/", ""), ("/domains", "search=\(encoded)"), ("/domains", "sort=\(encoded)"),
      ("/domain", "name=a.example"), ("/domain", "name=\(encoded)"),
    ] {
      let page = try html(pages, path, query)
      #expect(!page.contains("<script>") && !page.contains("<img"), "\(path) \(query)")
      #expect(!page.contains("\u{202E}") && !page.contains("&amp;amp;</code>&"), "\(path)")
      // The only script is the file that the page names, and no style is in the page.
      #expect(page.components(separatedBy: "<script").count == 2, "\(path) \(query)")
      #expect(!page.contains(" style=") && !page.contains("<style"), "\(path) \(query)")
    }
    #expect(try html(pages, "/").contains("&lt;script&gt;alert(&#39;1&#39;)"))
  }

  @Test func `every answer has a policy without inline scripts, and each file is there`() throws {
    let pages = pages([Self.site("a.example")])
    for path in [
      "/", "/domains", "/domain", "/common.css", "/status.css", "/status.js", "/favicon.svg",
    ] {
      let answer = try #require(pages.answer(to: PageRequest(path: path, query: "name=a.example")))
      let policy = answer.fields.first { $0.name == "Content-Security-Policy" }?.value ?? ""
      #expect(policy.contains("default-src 'none'; script-src 'self'; style-src 'self'"), "\(path)")
      #expect(!policy.contains("unsafe"), "\(path)")
      let text = String(decoding: answer.body, as: UTF8.self)
        .replacingOccurrences(of: "http://www.w3.org/2000/svg", with: "")
      for address in ["http://", "https://", "\"//", "@import", "url(", "innerHTML"] {
        #expect(!text.contains(address), "\(path) has \(address)")
      }
    }
    #expect(pages.answer(to: PageRequest(path: "/other")) == nil)
  }
}
