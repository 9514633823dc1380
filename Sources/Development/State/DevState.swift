internal import AppSiteAssociation
internal import Diagnostics
internal import HTTP
internal import Posix
internal import Server
internal import Synchronization

/// Something that happened, for the terminal.
enum DevEvent: Sendable {
  case request(RequestRecord)
  /// The file was saved.
  case file(DevFacts)
  /// The tunnel, the public name, or what stands in its way.
  case site(DevFacts)
  /// A device has fetched the file, or what it has fetched is not the newest any more.
  case fetch(DevFacts)
}

/// Everything that changes while `aasa dev` runs. Any thread reads and writes it; whoever follows the
/// inspector's stream gets each change in its order.
final class DevState: Sendable {
  private struct Content {
    var facts: DevFacts
    /// The newest last; between once and twice the limit.
    var requests: [RequestRecord] = []
    var total = 0
    var streams: [PageStream] = []
  }

  private let content: Mutex<Content>
  /// Held by whoever reads the case file, changes it and writes it.
  private let caseFile = Mutex(())
  private let tell: @Sendable (DevEvent) -> Void

  /// - Parameter tell: called after each change, by the thread that made it.
  init(_ facts: DevFacts, tell: @escaping @Sendable (DevEvent) -> Void) {
    content = Mutex(Content(facts: facts))
    self.tell = tell
  }

  var facts: DevFacts { content.withLock { $0.facts } }

  // MARK: Requests

  func record(_ record: RequestRecord) {
    let (numbered, fetched) = content.withLock { content -> (RequestRecord, DevFacts?) in
      content.total += 1
      var record = record
      record.number = content.total
      content.requests.append(record)
      if content.requests.count >= 2 * DevLimits.requests {
        content.requests.removeFirst(DevLimits.requests)
      }
      if !content.streams.isEmpty {
        Self.push(event("request", id: record.number, record.json), to: &content.streams)
      }
      guard record.isFetch, let version = record.version else { return (record, nil) }
      content.facts.fetch = Fetch(
        fetcher: record.fetcher, time: record.time, version: version)
      Self.pushState(&content)
      return (record, content.facts)
    }
    tell(.request(numbered))
    if let fetched { tell(.fetch(fetched)) }
  }

  /// Nil when it is forgotten, or has not been yet.
  func request(number: Int) -> RequestRecord? {
    content.withLock { content in
      content.requests.suffix(DevLimits.requests).first { $0.number == number }
    }
  }

  // MARK: The file

  /// Takes what was found in the file. What has errors is shown, and not served.
  func take(_ found: Examination) {
    let changed = content.withLock { content -> (facts: DevFacts, isFetchOlder: Bool)? in
      if content.facts.source.bytes == found.source.bytes,
        content.facts.diagnostics == found.diagnostics
      {
        return nil
      }
      content.facts.source = found.source
      content.facts.diagnostics = found.diagnostics
      var isFetchOlder = false
      if let version = found.version, version.bytes != content.facts.version?.bytes {
        if let old = content.facts.version {
          content.facts.changes = changeLines(old, version, host: content.facts.site.host)
          content.facts.earlier = content.facts.earlier.suffix(DevLimits.earlier) + [old.name]
          isFetchOlder = content.facts.fetch?.version == old.name
        }
        content.facts.version = version
      }
      Self.pushState(&content)
      return (content.facts, isFetchOlder)
    }
    guard let changed else { return }
    tell(.file(changed.facts))
    if changed.isFetchOlder { tell(.fetch(changed.facts)) }
  }

  /// One change of the case file after the other: none undoes another one.
  func changingCases<Result: Sendable>(_ change: () -> Result) -> Result {
    caseFile.withLock { _ in change() }
  }

  func take(_ cases: CaseList) {
    content.withLock { content in
      content.facts.cases = cases
      Self.pushState(&content)
    }
  }

  // MARK: The public name

  func changeSite(_ change: (inout PublicName) -> Void) {
    let changed = content.withLock { content -> DevFacts? in
      let old = content.facts.site
      change(&content.facts.site)
      if content.facts.site == old { return nil }
      Self.pushState(&content)
      return content.facts
    }
    if let changed { tell(.site(changed)) }
  }

  // MARK: Streams

  /// Begins a stream with how things stand and what has been.
  ///
  /// - Parameter last: the number of the request that the reader has seen last.
  func subscribe(after last: Int, limit: Int) -> PageStream {
    content.withLock { content in
      var first = event("state", content.facts.json(total: content.total))
      for record in content.requests.suffix(DevLimits.requests) where record.number > last {
        first += event("request", id: record.number, record.json)
      }
      let stream = PageStream(first: first, limit: limit, heartbeat: Array(":\n\n".utf8))
      content.streams.append(stream)
      return stream
    }
  }

  private static func pushState(_ content: inout Content) {
    if content.streams.isEmpty { return }
    push(event("state", content.facts.json(total: content.total)), to: &content.streams)
  }

  private static func push(_ event: [UInt8], to streams: inout [PageStream]) {
    streams.removeAll { !$0.push(event) }
  }
}

/// An event of a stream (HTML Living Standard, section 9.2.6).
///
/// - Parameter data: on one line.
private func event(_ name: String, id: Int? = nil, _ data: String) -> [UInt8] {
  Array(("event: \(name)\n" + (id.map { "id: \($0)\n" } ?? "") + "data: \(data)\n\n").utf8)
}

/// What changes for users from one version to the next, a line each.
private func changeLines(_ old: SiteVersion, _ new: SiteVersion, host: String?) -> [String] {
  let report = DifferenceReport(old.document, new.document, host: host)
  let lines = report.text.split(separator: "\n").filter { !$0.hasPrefix("  ") }.map(String.init)
  let rest = lines.count - DevLimits.changes
  return lines.prefix(DevLimits.changes) + (rest > 0 ? ["and \(rest) more"] : [])
}
