internal import Bytes
package import HTTP

/// The kind of client that fetches an association file. The class is derived from a request's
/// User-Agent field and, for Apple's own clients, from the form of the request. The class never
/// decides whether a client gets a file, because any client can send any User-Agent.
package enum FetcherClass: UInt8, Sendable, CaseIterable {
  /// Apple's CDN, which fetches for all devices: `AASA-Bot/1.0.0`.
  case appleCDN
  /// A device that fetches from the host itself, because the device is managed or in developer
  /// mode: `swcd (unknown version) CFNetwork/1490.0.4 Darwin/23.2.0`.
  case appleDevice
  /// `GoogleAssociationService`, which reads asset links, and Google's crawlers.
  case google
  /// A browser that a person uses.
  case browser
  /// A validator of association files. The commands of this program belong to this class, even if
  /// they imitate another client.
  case validator
  /// A monitoring service or a health probe.
  case monitor
  case other

  /// The name in logs and metrics, for example `apple-cdn`.
  package var name: String {
    switch self {
    case .appleCDN: "apple-cdn"
    case .appleDevice: "apple-device"
    case .google: "google"
    case .browser: "browser"
    case .validator: "validator"
    case .monitor: "monitor"
    case .other: "other"
    }
  }

  /// Only this many bytes at the start of a User-Agent field determine the class. It is rare that
  /// two User-Agent fields differ only in later bytes.
  static let userAgentBytes = 256

  /// Determines the class from the value of a User-Agent field (RFC 9110 section 10.1.5).
  package init(userAgent: Span<UInt8>) {
    let agent =
      userAgent.count > Self.userAgentBytes
      ? userAgent.extracting(first: Self.userAgentBytes) : userAgent
    let first = agent.count >= 8 ? foldedWord(agent, at: 0, count: 8) : 0
    if first == AgentWord.robot, agent.count == 8 || agent[8] == UInt8(ascii: "/") {
      self = isImitation(agent) ? .validator : .appleCDN
    } else if first & 0xFFFF_FFFF == AgentWord.device, isDevice(agent) {
      self = isImitation(agent) ? .validator : .appleDevice
    } else {
      self = markedClass(agent, isBrowserLike: first == AgentWord.mozilla)
    }
  }
}

extension FetcherClass {
  /// Determines the class of the client that sent a request. `userAgent` is the range of the
  /// User-Agent value in `bytes`, and `path` is the range of the path.
  @inline(__always)
  package init(
    userAgent: Range<Int>, method: Method, path: Range<Int>, in bytes: Span<UInt8>
  ) {
    if userAgent.isEmpty {
      self = .other
    } else if isUsualDevice(bytes, from: userAgent.lowerBound, to: userAgent.upperBound) {
      self = isDevicesRequest(method, path, bytes) ? .appleDevice : .other
    } else {
      let found = FetcherClass(userAgent: bytes.extracting(userAgent))
      switch found {
      case .appleDevice where !isDevicesRequest(method, path, bytes),
        .appleCDN where !isGet(method):
        self = .other
      default: self = found
      }
    }
  }
}

extension RequestHead {
  /// Returns the class of the client that sent this head, which was read from `bytes`.
  package func fetcherClass(in bytes: Span<UInt8>) -> FetcherClass {
    FetcherClass(userAgent: userAgent, method: method, path: target.path, in: bytes)
  }
}

/// Whether a request has the form of a device's request: a GET for a path that begins with `/.`.
/// Devices fetch only from `.well-known`, but Apple's CDN also fetches from the root.
@inline(__always)
private func isDevicesRequest(
  _ method: Method, _ path: Range<Int>, _ bytes: Span<UInt8>
) -> Bool {
  isGet(method) && path.count > 1 && bytes[path.lowerBound &+ 1] == UInt8(ascii: ".")
}

/// Whether the method is GET. Matching a pattern is faster than `==`, which would be a call into
/// another module.
@inline(__always)
private func isGet(_ method: Method) -> Bool {
  if case .get = method { return true }
  return false
}

/// Words in the form that `foldedWord` returns: up to eight bytes in lower case.
private enum AgentWord {
  static var robot: UInt64 { letters("aasa-bot") }
  static var mozilla: UInt64 { letters("mozilla/") }
  static var program: UInt64 { letters("aasa/") }
  static var device: UInt64 { letters("swcd") }
  static var network: UInt64 { letters("cfnetwor") }
  static var system: UInt64 { letters("darwin/") }
}

/// Whether the last word of the User-Agent begins with `aasa/`. If a command of this program
/// imitates another client, it adds this word to that client's User-Agent.
private func isImitation(_ agent: Span<UInt8>) -> Bool {
  var start = agent.count
  while start > 0, agent[start - 1] != UInt8(ascii: " ") { start -= 1 }
  return start > 0 && agent.count - start > 5
    && foldedWord(agent, at: start, count: 5) == AgentWord.program
}

/// Whether the User-Agent begins with `swcd`, in any version, and contains `CFNetwork` and
/// `Darwin`, the two products that Apple's network library adds.
private func isDevice(_ agent: Span<UInt8>) -> Bool {
  guard agent.count >= 24 else { return false }
  var hasNetwork = false
  var hasSystem = false
  for index in 4..<(agent.count - 7) where agent[index - 1] == UInt8(ascii: " ") {
    hasNetwork = hasNetwork || foldedWord(agent, at: index, count: 8) == AgentWord.network
    hasSystem = hasSystem || foldedWord(agent, at: index, count: 7) == AgentWord.system
  }
  return hasNetwork && hasSystem
}

/// Whether the User-Agent begins with `swcd` and contains `CFNetwork` and `Darwin` at their usual
/// offsets. This check is fast, because it reads only three words.
@inline(__always)
private func isUsualDevice(_ bytes: Span<UInt8>, from start: Int, to end: Int) -> Bool {
  let fold = repeated(0x20)
  guard end &- start >= 45, let first = word(bytes, at: start),
    (first | fold) & 0xFFFF_FFFF == AgentWord.device, let network = word(bytes, at: start &+ 23),
    network | fold == AgentWord.network, let system = word(bytes, at: end &- 14)
  else { return false }
  // Whether the User-Agent ends with `Darwin/` and a version that is six or seven bytes long.
  let folded = system | fold
  return folded & 0x00FF_FFFF_FFFF_FFFF == AgentWord.system || folded >> 8 == AgentWord.system
}

/// The first letters of a word in a User-Agent field, and the class that they identify.
private struct Mark: Sendable {
  let word: UInt64
  let mask: UInt64
  let fetcher: FetcherClass

  /// - Parameter text: The beginning of the word in lower case. Only its first eight bytes are
  ///   used.
  init(_ text: String, _ fetcher: FetcherClass) {
    let bytes = Array(text.utf8.prefix(8))
    mask = UInt64.max >> UInt64(64 - 8 * bytes.count)
    word = foldedWord(bytes.span, at: 0, count: bytes.count)
    self.fetcher = fetcher
  }
}

/// The beginnings of words that identify a class. `markedClass` compares them in this order with
/// each word of a User-Agent field.
private let marks: [Mark] =
  // Google's probes must precede the mark `google`, because this mark would match the probes too.
  ["googlehc", "googlest", "uptimerobot", "uptime-kuma", "uptime-", "better u", "betterst"]
  .map { Mark($0, .monitor) }
  + [
    "pingdom", "statuscake", "kube-probe", "prometheus", "blackbox", "datadog", "newrelic",
    "site24x7", "checkly", "elb-healthchecker", "amazon-route53", "consul h", "hetrixtools",
    "check_http", "nagios", "zabbix", "gatus", "updown.io", "freshping", "haproxy",
  ].map { Mark($0, .monitor) }
  + ["validator", "aasa/", "yurl", "branch", "w3c_vali", "w3c-chec", "applinks"]
  .map { Mark($0, .validator) }
  + [Mark("google", .google), Mark("apis-goo", .google), Mark("adsbot-g", .google)]
  // Some clients send a browser's User-Agent and add one of these words. The word shows that the
  // client is not a browser.
  + ["compatible", "bot", "applebot", "crawler", "spider", "headless"].map { Mark($0, .other) }

/// Searches for the first matching mark whose class is not `other`, and returns its class. If no
/// mark matches at all and the User-Agent begins with `Mozilla/`, returns `browser`. In all other
/// cases, returns `other`.
private func markedClass(_ agent: Span<UInt8>, isBrowserLike: Bool) -> FetcherClass {
  var isRobot = false
  var index = 0
  // A word begins at each letter that does not follow a letter, and at each capital letter.
  var isAfterLetter = false
  while index < agent.count {
    let byte = agent[index]
    let isLetter = byte.isLetter
    if isLetter && (!isAfterLetter || byte < UInt8(ascii: "a")) {
      let word = foldedWord(agent, at: index, count: min(8, agent.count - index))
      for mark in marks where word & mark.mask == mark.word {
        if mark.fetcher != .other { return mark.fetcher }
        isRobot = true
        break
      }
    }
    isAfterLetter = isLetter
    index += 1
  }
  return isBrowserLike && !isRobot ? .browser : .other
}
