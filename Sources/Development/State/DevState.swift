internal import AppSiteAssociation
internal import Catalog
internal import Diagnostics
internal import HTTP
internal import Posix
internal import Rules
internal import Server
internal import Synchronization

/// An event that the terminal shows.
enum DevEvent: Sendable {
  case request(RequestRecord)
  /// The association file was saved.
  case file(DevFacts)
  /// The tunnel's state, the public name, or the problem with the public name has changed.
  case site(DevFacts)
  /// A device has fetched the file, or the headline has changed.
  case headline(DevFacts)
  /// Apple's CDN has fetched the file.
  case cdn(DevFacts)
}

/// The state of `aasa dev`. Any thread may read and change the state. Readers of the inspector's
/// stream get all changes in order.
final class DevState: Sendable {
  private struct Content {
    var facts: DevFacts
    /// The stored requests, newest last.
    var requests: [RequestRecord] = []
    /// The number of stored requests for the association file.
    var associationCount = 0
    var total = 0
    var streams: [PageStream] = []
  }

  private let content: Mutex<Content>
  /// The lock for the case file. A thread acquires this lock before it reads, changes and writes
  /// the file.
  private let caseFile = Mutex(())
  private let report: @Sendable (DevEvent) -> Void

  /// - Parameter report: Called after each change, on the thread that made the change.
  init(_ facts: DevFacts, report: @escaping @Sendable (DevEvent) -> Void) {
    content = Mutex(Content(facts: facts))
    self.report = report
  }

  var facts: DevFacts { content.withLock { $0.facts } }

  // MARK: Requests

  func record(_ record: RequestRecord) {
    let (numbered, fetched) = content.withLock { content -> (RequestRecord, DevFacts?) in
      content.total += 1
      var record = record
      record.number = content.total
      Self.keep(record, &content)
      if !content.streams.isEmpty {
        Self.push(event("request", id: record.number, record.json), to: &content.streams)
      }
      guard record.isFetch, let version = record.version else { return (record, nil) }
      let fetch = SeenFetch(who: record.fetcher, time: record.time, version: version)
      if fetch.isByDevice { content.facts.device = fetch } else { content.facts.cdn = fetch }
      Self.pushState(&content)
      return (record, content.facts)
    }
    report(.request(numbered))
    guard let fetched else { return }
    report(numbered.fetcher == FetcherClass.appleDevice.name ? .headline(fetched) : .cdn(fetched))
  }

  /// Stores a record. The limit for requests for the association file is separate, so that many
  /// requests for pages cannot displace these requests.
  private static func keep(_ record: RequestRecord, _ content: inout Content) {
    let isAssociation = record.kind == .association
    content.requests.append(record)
    content.associationCount += isAssociation ? 1 : 0
    let count =
      isAssociation
      ? content.associationCount : content.requests.count - content.associationCount
    guard count > DevLimits.requests,
      let oldest = content.requests.firstIndex(where: {
        ($0.kind == .association) == isAssociation
      })
    else { return }
    content.requests.remove(at: oldest)
    content.associationCount -= isAssociation ? 1 : 0
  }

  /// Returns the request with this number; nil if no such request is stored.
  func request(number: Int) -> RequestRecord? {
    content.withLock { content in content.requests.first { $0.number == number } }
  }

  /// All stored requests, oldest first.
  var requests: [RequestRecord] { content.withLock { $0.requests } }

  // MARK: The association file and the case file

  /// Stores the result of examining the file. A file with errors is shown but not served.
  func take(_ found: Examination) {
    let changed = content.withLock { content -> (facts: DevFacts, headline: String)? in
      if content.facts.source.bytes == found.source.bytes,
        content.facts.diagnostics == found.diagnostics
      {
        return nil
      }
      let headline = content.facts.headline.sentence
      content.facts.source = found.source
      content.facts.diagnostics = found.diagnostics
      if let version = found.version, version.bytes != content.facts.version?.bytes {
        if let old = content.facts.version {
          content.facts.changes = changeLines(old, version, host: content.facts.site.host)
          content.facts.earlier = content.facts.earlier.suffix(DevLimits.earlier) + [old.name]
        }
        content.facts.version = version
      } else if found.version != nil {
        content.facts.changes = ["the file matches the served version again"]
      }
      Self.pushState(&content)
      return (content.facts, headline)
    }
    guard let changed else { return }
    report(.file(changed.facts))
    if changed.facts.headline.sentence != changed.headline { report(.headline(changed.facts)) }
  }

  /// Runs a function that changes the case file. Only one such function runs at a time, so that no
  /// change overwrites another.
  func changingCases<Result: Sendable>(_ change: () -> Result) -> Result {
    caseFile.withLock { _ in change() }
  }

  func take(_ cases: CaseList) {
    content.withLock { content in
      content.facts.cases = cases
      Self.pushState(&content)
    }
  }

  func take(_ siblings: SiblingFiles) {
    content.withLock { content in
      content.facts.siblings = siblings
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
    if let changed { report(.site(changed)) }
  }

  // MARK: Streams of events for the inspector

  /// Begins a stream of events. The first events are the current state, and the stored requests
  /// that the reader has not seen.
  ///
  /// - Parameter last: The number of the last request that the reader has seen; 0 if the reader has
  ///   seen no request.
  func subscribe(after last: Int, limit: Int) -> PageStream {
    content.withLock { content in
      var first = event("state", content.facts.json(total: content.total))
      for record in content.requests where record.number > last {
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

/// Formats a server-sent event (HTML Living Standard, section 9.2.6).
private func event(_ name: String, id: Int? = nil, _ data: JSONTree) -> [UInt8] {
  Array(("event: \(name)\n" + (id.map { "id: \($0)\n" } ?? "") + "data: \(data)\n\n").utf8)
}

/// Returns the effects on users of the change from the old version to the new version, one effect
/// per line.
private func changeLines(_ old: SiteVersion, _ new: SiteVersion, host: String?) -> [String] {
  let report = DifferenceReport(old.document, new.document, host: host)
  let lines = report.text.split(separator: "\n").filter { !$0.hasPrefix("  ") }.map(String.init)
  let rest = lines.count - DevLimits.changes
  return lines.prefix(DevLimits.changes) + (rest > 0 ? ["and \(rest) more"] : [])
}
