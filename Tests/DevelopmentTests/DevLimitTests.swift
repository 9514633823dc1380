import AppSiteAssociation
import Diagnostics
import Server
import Synchronization
import Testing

@testable import Development

/// How much `aasa dev` shows and keeps: at each limit, and one past it.
@Suite struct DevLimitTests {
  private static let app = "K27TX9P4QD.org.swift.shop"

  private func examine(_ details: [String]) -> Examination {
    let text = #"{"applinks":{"details":[\#(details.joined(separator: ","))]}}"#
    return Examination(SourceText(path: "x", bytes: Array(text.utf8)), now: 0)
  }

  private func entry(_ app: String, rules count: Int) -> String {
    let rules = (0..<count).map { #"{"/":"/\#($0)"}"# }.joined(separator: ",")
    return #"{"appIDs":["\#(app)"],"components":[\#(rules)]}"#
  }

  private func count(_ text: String, in other: String) -> Int {
    other.split(separator: text, omittingEmptySubsequences: false).count - 1
  }

  @Test(arguments: [(500, 500, false), (501, 500, true)])
  func `the number of rules of a trial is limited`(rules: Int, shown: Int, isTruncated: Bool) {
    let version = examine([entry(Self.app, rules: rules)]).version
    let json = Trial("/none", version, publicHost: nil).json(nil).description
    #expect(count(#""result":"no match""#, in: json) == shown)
    #expect(json.hasSuffix(#""truncated":\#(isTruncated)}"#))
  }

  @Test func `pages do not drive out requests for the association file`() {
    let state = DevState(DevFacts(examine([]))) { _ in }
    func record(_ kind: RequestRecord.Kind) {
      state.record(
        RequestRecord(PageRequest(path: "/"), PageAnswer(text: ""), kind: kind, time: 0))
    }
    record(.association)
    for _ in 0...DevLimits.requests { record(.page) }
    #expect(state.requests.count == DevLimits.requests + 1)
    #expect(state.request(number: 1)?.kind == .association)
    #expect(state.request(number: 2) == nil && state.request(number: 3) != nil)
    for _ in 1...DevLimits.requests { record(.association) }
    #expect(state.request(number: 1) == nil && state.request(number: 3) != nil)
  }

  @Test func `the rule that decides is first, however many do not match`() {
    let version = examine([
      entry("K27TX9P4QD.org.swift.a", rules: 600), entry(Self.app, rules: 600),
    ])
    .version
    let json = Trial("/599", version, publicHost: nil).json(nil).description
    #expect(count(#""result":"matches""#, in: json) == 1)
    let some = Trial("/7", version, publicHost: nil).json(nil).description
    #expect(
      some.contains(#""rules":[{"app":"K27TX9P4QD.org.swift.a","line":1,"rule":"{\"/\":\"/7\"}""#))
  }

  @Test(arguments: [(10, 10), (11, 10)])
  func `the number of links for one app is limited`(rules: Int, links: Int) {
    #expect(examine([entry(Self.app, rules: rules)]).version?.examples.count == links)
  }

  @Test(arguments: [(100, 100), (101, 100)])
  func `the number of links is limited`(count: Int, shown: Int) {
    let text = (0..<count).map { "/\($0) browser\n" }.joined()
    let list = CaseList(path: "x", bytes: Array(text.utf8))
    #expect(list.links(on: "a.example", nil).count == shown)
    let made = (0..<count).map { entry("K27TX9P4QD.org.swift.a\($0)", rules: 1) }
    var facts = DevFacts(examine(made))
    facts.site.host = "a.example"
    #expect(facts.links.count == shown)
  }

  @Test(arguments: [(256, true), (257, false)])
  func `an app identifier has a length`(count: Int, isTaken: Bool) {
    let app = String(repeating: "a", count: count)
    let bytes = try? CaseList(path: "x").adding("/a", opens: app, nil, publicHost: nil)
    #expect((bytes != nil) == isTaken)
  }

  @Test(arguments: [(8_192, false), (8_193, true)])
  func `a head is kept up to a limit`(count: Int, isCut: Bool) {
    let start = "GET / HTTP/1.1\r\nX: \r\n\r\n".utf8.count
    let request = PageRequest(
      path: "/", fields: [("X", String(repeating: "x", count: count - start))])
    #expect(request.head.count == count)
    let record = RequestRecord(
      request, PageAnswer(text: ""), kind: .page, version: nil, isOwn: false, time: 0)
    #expect(record.requestHead.hasSuffix("…") == isCut)
  }

  @Test(arguments: [(20, 20), (21, 21)])
  func `the number of lines about changes is limited`(apps: Int, lines: Int) {
    let events = Events()
    let base = entry("K27TX9P4QD.org.swift.base", rules: 1)
    let state = DevState(DevFacts(examine([base]))) { events.note($0) }
    state.take(examine([base] + (0..<apps).map { entry("K27TX9P4QD.org.swift.a\($0)", rules: 1) }))
    let changes = state.facts.changes
    #expect(changes.count == lines)
    #expect((changes.last == "and 1 more") == (apps > 20))
    #expect(events.count == 1)
    // Nothing has changed.
    state.take(examine([base] + (0..<apps).map { entry("K27TX9P4QD.org.swift.a\($0)", rules: 1) }))
    #expect(events.count == 1)
  }

  @Test(arguments: [(262_144, 262_144), (262_145, 262_144)])
  func `the file is shown up to a limit`(count: Int, shown: Int) {
    let text = String(repeating: "~", count: count)
    let found = Examination(SourceText(path: "x", bytes: Array(text.utf8)), now: 0)
    #expect(self.count("~", in: DevFacts(found).json(total: 0).description) == shown)
  }

  private final class Events: Sendable {
    private let all = Mutex<[DevEvent]>([])

    func note(_ event: DevEvent) { all.withLock { $0.append(event) } }

    var count: Int { all.withLock { $0.count } }
  }
}

extension DevFacts {
  /// Those of a file that was just found.
  fileprivate init(_ found: Examination) {
    self.init(
      version: found.version, path: nil, source: found.source, diagnostics: found.diagnostics,
      site: PublicName(tunnel: "none", state: .none))
  }
}
