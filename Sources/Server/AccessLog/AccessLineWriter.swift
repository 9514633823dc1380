internal import HTTP
internal import Hosting
internal import Posix

/// Writes lines of the access log into memory that stays. Of a target only its path's class is
/// told, never a query: it may hold secrets.
///
/// Nearly all of a line is put together when the writer is made, for there is one for each request.
struct AccessLineWriter: Sendable {
  /// What is written are its first `count` bytes.
  private(set) var memory: [UInt8] = []
  private(set) var count = 0

  private let isJSON: Bool
  private let addresses: AccessLogOptions.Addresses
  /// What every line of a turn begins with; its time is written over the last one.
  private var prefix: [UInt8]
  private let timeOffset: Int
  private var millisecond: Int64 = .min
  /// What follows the host, by path and status; the last path is any other.
  private let answers: [[UInt8]]
  private let afterBytes: [UInt8]
  /// What follows the duration, by TLS version and class of fetcher.
  private let tails: [[UInt8]]
  private let noHost: [UInt8]
  /// No line is longer without its host.
  private let lineBytes: Int

  init(_ format: AccessLogOptions.Format, _ addresses: AccessLogOptions.Addresses) {
    let isJSON = format == .json
    self.isJSON = isJSON
    self.addresses = addresses
    let time = Array("0000-00-00T00:00:00.000Z".utf8)
    prefix =
      isJSON ? Array(#"{"time":""#.utf8) + time + Array(#"","host":""#.utf8) : time + [0x20]
    timeOffset = isJSON ? 9 : 0
    let paths = AnswerSelector.paths.map { String(decoding: $0, as: UTF8.self) } + ["other"]
    answers = paths.flatMap { path in
      Status.allCases.map { status in
        Array(
          (isJSON
            ? #"","path":"\#(path)","status":\#(status.code),"bytes":"#
            : " \(path) \(status.code) ").utf8)
      }
    }
    afterBytes = Array((isJSON ? #","duration_us":"# : " ").utf8)
    let versions = MetricsSnapshot.TLSVersion.allCases.map { Optional($0.name) } + [nil]
    tails = versions.flatMap { version in
      FetcherClass.allCases.map { fetcher in
        Array(
          (isJSON
            ? #","tls":\#(version.map { "\"\($0)\"" } ?? "null"),"fetcher":"\#(fetcher.name)""#
            : "us \(version ?? "-") \(fetcher.name)").utf8)
      }
    }
    noHost = isJSON ? [] : [UInt8(ascii: "-")]
    let longest = (answers.map(\.count).max() ?? 0) + (tails.map(\.count).max() ?? 0)
    lineBytes = prefix.count + longest + afterBytes.count + 2 * LineText.numberBytes
  }

  mutating func removeAll() { count = 0 }

  /// Lines that follow are of this time: nanoseconds since 1970.
  mutating func setTime(_ nanoseconds: Int64) {
    let now = nanoseconds / 1_000_000
    if now == millisecond { return }
    if now / 1000 != millisecond / 1000 || now < 0 {
      var text: [UInt8] = []
      text.reserveCapacity(24)
      InternetDate.append(milliseconds: now, to: &text)
      for index in text.indices { prefix[timeOffset + index] = text[index] }
    } else {
      let rest = UInt64(now % 1000)
      prefix[timeOffset + 20] = LineText.digit(rest / 100)
      prefix[timeOffset + 21] = LineText.digit(rest / 10 % 10)
      prefix[timeOffset + 22] = LineText.digit(rest % 10)
    }
    millisecond = now
  }

  /// - Parameters:
  ///   - host: one that `Authority` has accepted, so that nothing in it needs to be escaped; empty
  ///     when none is known.
  ///   - path: which of `AnswerSelector.paths`; negative for any other.
  ///   - bytes: of the body.
  ///   - client: what `end(client:)` made.
  mutating func append(
    host: Span<UInt8>, path: Int8, status: Status, bytes: Int, microseconds: UInt64,
    version: MetricsSnapshot.TLSVersion?, fetcher: FetcherClass, client: [UInt8]
  ) {
    let start = count
    let needed = lineBytes + max(host.count, 1) + client.count
    if start + needed > memory.count {
      memory += Array(repeating: 0, count: max(needed, memory.count, 4096))
    }
    let place = path >= 0 ? Int(path) : AnswerSelector.paths.count
    let row = version?.rawValue ?? MetricsSnapshot.TLSVersion.allCases.count
    count = Self.write(
      prefix, host, noHost, answers[place &* Self.statuses &+ status.index], UInt64(bytes),
      afterBytes, microseconds, tails[row &* Self.fetchers &+ Int(fetcher.rawValue)], client,
      to: &memory, at: start)
  }

  private static let statuses = Status.allCases.count
  private static let fetchers = FetcherClass.allCases.count

  /// Writes the parts of a line where room for it is, and returns where it ends.
  private static func write(
    _ prefix: [UInt8], _ host: Span<UInt8>, _ noHost: [UInt8], _ answer: [UInt8], _ bytes: UInt64,
    _ afterBytes: [UInt8], _ microseconds: UInt64, _ tail: [UInt8], _ client: [UInt8],
    to memory: inout [UInt8], at start: Int
  ) -> Int {
    var space = memory.mutableSpan
    var end = space.copy(prefix, at: start)
    end = host.isEmpty ? space.copy(noHost, at: end) : space.copy(host, at: end)
    end = space.copy(answer, at: end)
    end = LineText.write(bytes, to: &space, at: end)
    end = space.copy(afterBytes, at: end)
    end = LineText.write(microseconds, to: &space, at: end)
    end = space.copy(tail, at: end)
    return space.copy(client, at: end)
  }

  /// How the lines of a client's end: its address as far as it is to be told, and the line's end.
  func end(client: PeerAddress?) -> [UInt8] {
    let lineEnd = isJSON ? "}\n" : "\n"
    if addresses == .none { return Array(lineEnd.utf8) }
    guard let client else {
      return Array(((isJSON ? #","client":null"# : " -") + lineEnd).utf8)
    }
    let text = LineText.text(of: addresses == .truncated ? client.network : client)
    return Array(((isJSON ? #","client":"\#(text)""# : " \(text)") + lineEnd).utf8)
  }
}

extension PeerAddress {
  /// The /24 of an IPv4 address, the /48 of an IPv6 one.
  fileprivate var network: PeerAddress {
    isIPv4
      ? PeerAddress(high: high, low: low & ~0xFF) : PeerAddress(high: high & ~0xFFFF, low: 0)
  }
}

/// Numbers and addresses as text.
enum LineText {
  /// The most digits of a number.
  static let numberBytes = 20

  @inline(__always)
  static func digit(_ value: UInt64) -> UInt8 {
    UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: value)
  }

  /// Writes a decimal number, and returns the index behind it.
  @inline(__always)
  static func write(_ number: UInt64, to space: inout MutableSpan<UInt8>, at start: Int) -> Int {
    var digits = 1
    var rest = number
    while rest >= 10 {
      rest /= 10
      digits &+= 1
    }
    let end = start &+ digits
    var index = end
    rest = number
    repeat {
      index &-= 1
      space[index] = digit(rest % 10)
      rest /= 10
    } while index > start
    return end
  }

  /// An address in its usual form (RFC 5952).
  static func text(of address: PeerAddress) -> String {
    if address.isIPv4 {
      return [24, 16, 8, 0].map { String(address.low >> UInt64($0) & 0xFF) }
        .joined(separator: ".")
    }
    let groups = (0..<8).map { index in
      let half = index < 4 ? address.high : address.low
      return UInt16(truncatingIfNeeded: half >> UInt64(48 - index % 4 * 16))
    }
    func joined(_ part: ArraySlice<UInt16>) -> String {
      part.map { String($0, radix: 16) }.joined(separator: ":")
    }
    // The first of the longest runs of zeros, if it is one of at least two.
    var longest = 0..<0
    var start = 0
    for (index, group) in groups.enumerated() {
      if group != 0 {
        start = index + 1
      } else if index + 1 - start > longest.count {
        longest = start..<(index + 1)
      }
    }
    if longest.count < 2 { return joined(groups[...]) }
    return joined(groups[..<longest.lowerBound]) + "::" + joined(groups[longest.upperBound...])
  }
}
