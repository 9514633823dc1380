internal import AppSiteAssociation
internal import Client
internal import Diagnostics
internal import HTTP
internal import JSON

/// Asks once for what is waited for, and says how long to wait before asking again.
struct Waiting {
  let target: HostTarget
  let settings: ClientSettings
  let cdn: CDNAddress
  /// Whether that is Apple's.
  let isApple: Bool
  let goal: WaitGoal
  /// Nil: any file, or for the CDN that of the server.
  let wanted: Document?

  struct State {
    let isReached: Bool
    /// What is so, for the middle of a line.
    let words: String
    /// Milliseconds until it is worth asking again.
    var pause: Int64 = 10_000
  }

  mutating func ask() -> State {
    if goal != .cdnMatches || wanted == nil {
      let origin = askOrigin()
      guard let document = origin.document else {
        return State(isReached: false, words: origin.words)
      }
      switch goal {
      case .reachable: return State(isReached: true, words: "the file is served")
      case .originMatches:
        guard let wanted else { break }
        return isSame(document, wanted)
          ? State(isReached: true, words: "the server has the file that is waited for")
          : State(isReached: false, words: "the server has another file")
      case .cdnMatches: return askCDN(document)
      }
    }
    guard let wanted else { return State(isReached: false, words: "nothing is waited for") }
    return askCDN(wanted)
  }

  private func askOrigin() -> (document: Document?, words: String) {
    for path in associationPaths {
      guard let request = target.request(path: path) else { break }
      let exchange = settings.fetch(request)
      let isMissing = exchange.response.map { [404, 410].contains($0.head.status) } ?? false
      if isMissing { continue }
      if isFile(exchange), let document = servedDocument(exchange) { return (document, "") }
      return (nil, "the server gives \(whatCame(exchange))")
    }
    return (nil, "the server has no file")
  }

  private func askCDN(_ wanted: Document) -> State {
    guard let request = cdn.request(for: target.host) else {
      return State(isReached: false, words: "the CDN cannot be asked for this host")
    }
    let exchange = settings.fetch(request, isOwn: false)
    let left = exchange.head.flatMap(secondsLeft)
    if isFile(exchange), let copy = servedDocument(exchange) {
      if isSame(copy, wanted) {
        return State(isReached: true, words: "Apple's CDN has the file that is waited for")
      }
      let rest = left.map { $0 > 0 ? ", and keeps it for at most \(duration($0)) more" : "" } ?? ""
      return State(
        isReached: false, words: "Apple's CDN has another version" + rest, pause: pause(left))
    }
    if let reason = exchange.head?.value(of: "apple-failure-reason") {
      return State(
        isReached: false, words: "Apple's CDN has no file, because of \(reason)",
        pause: pause(left ?? 3_600))
    }
    return State(
      isReached: false, words: "Apple's CDN gives \(whatCame(exchange))", pause: pause(left))
  }

  /// No sooner than the copy may change, and Apple's CDN at most once a minute.
  private func pause(_ secondsLeft: Int?) -> Int64 {
    let least: Int64 = isApple ? 60_000 : 1_000
    return max(least, Int64(max(0, secondsLeft ?? 0)) * 1_000 + 500)
  }

  private func isSame(_ one: Document, _ other: Document) -> Bool {
    one.source.bytes == other.source.bytes || DifferenceReport(one, other, host: nil).isSame
  }
}
