internal import AppSiteAssociation
internal import Checking
internal import Client
internal import Diagnostics
internal import HTTP
internal import JSON
internal import Rules
internal import Synchronization

/// Fetches the CDN's copy of the association file for the public name. Devices that are not in
/// developer mode get this copy.
struct CDNComparison: Sendable {
  let client: ClientSettings
  /// The address of the CDN; nil to skip the comparison.
  let address: CDNAddress?
  private let fetches = Fetches()

  private final class Fetches: Sendable {
    let underWay = Atomic<Int>(0)
  }

  init(client: ClientSettings, address: CDNAddress?) {
    self.client = client
    self.address = address
  }

  /// Compares the CDN's copy with the version that `aasa dev` serves. Returns the result as JSON
  /// for the inspector's page, or nil if too many fetches from the CDN are in progress. Blocks
  /// during the fetch.
  func compare(_ facts: DevFacts) -> JSONTree? {
    defer { fetches.underWay.subtract(1, ordering: .relaxed) }
    let count = fetches.underWay.add(1, ordering: .relaxed).newValue
    return count > DevLimits.cdnFetches ? nil : fetched(facts)
  }

  private func fetched(_ facts: DevFacts) -> JSONTree {
    guard let address, let host = facts.site.host, let request = address.request(for: host) else {
      let reason =
        self.address == nil
        ? "--cdn none: no CDN is queried"
        : "the tunnel's public name is not known yet"
      return json("failed", reason)
    }
    let exchange = client.fetch(request, isOwn: false)
    guard let (head, body) = exchange.response else {
      return json(
        "offline",
        "Apple's CDN could not be queried: \(exchange.fault?.description ?? "no answer")")
    }
    if head.status == 200 { return copy(head, body, facts) }
    let reason = head.value(of: "apple-failure-reason")
    if head.status != 404 && reason == nil {
      return json(
        "failed",
        "Apple's CDN could not be queried: the CDN answers with status \(head.status)")
    }
    return json(
      "absent", "Apple's CDN has no file" + (reason.map { ", because of \($0)" } ?? ""),
      [
        "the CDN fetches a host's file when a device with the app first requests it",
        failureHelp(reason),
      ], head)
  }

  private func copy(_ head: ReceivedHead, _ body: [UInt8], _ facts: DevFacts) -> JSONTree {
    guard let version = facts.version else {
      return json("differs", "Apple's CDN has a file, but aasa dev serves no valid file", [], head)
    }
    let kept = age(of: head)
    if body == version.bytes {
      return json("same", "Apple's CDN has this version\(kept)", [], head)
    }
    var lines: [String] = []
    let source = SourceText(path: "Apple's CDN", bytes: body)
    if let old = try? Document(parsing: source) {
      let report = DifferenceReport(old, version.document, host: facts.site.host)
      if report.isSame {
        return json("same", "Apple's CDN has an equivalent file\(kept)", [], head)
      }
      lines = report.text.split(separator: "\n").prefix(DevLimits.changes).map(String.init)
    }
    return facts.earlier.contains(versionName(body))
      ? json("older", "Apple's CDN has an older version\(kept)", lines, head)
      : json("differs", "Apple's CDN has another file\(kept)", lines, head)
  }

  private func json(
    _ state: String, _ sentence: String, _ details: [String] = [], _ head: ReceivedHead? = nil
  ) -> JSONTree {
    let age = head.flatMap(Checking.age)
    let left = head.flatMap(secondsLeft)
    return [
      "state": state.json, "sentence": sentence.json, "details": details.json,
      "age": age?.json ?? .null, "mayChangeIn": left.map { max(0, $0) }?.json ?? .null,
    ]
  }
}
