internal import HTTP
internal import Hosting
internal import Posix

/// Writes lines of the access log into memory that stays. Of a target only its path's class is
/// told, never a query: it may hold secrets.
///
/// Nearly all of a line is put together when the writer is made, for there is one for each request.
struct AccessLineWriter: Sendable {
  private(set) var lines = Lines()
  private var texts: Texts
  private let isJSON: Bool
  private let addresses: AccessLogOptions.Addresses
  private var millisecond: Int64 = .min

  init(_ format: AccessLogOptions.Format, _ addresses: AccessLogOptions.Addresses) {
    isJSON = format == .json
    self.addresses = addresses
    texts = Texts(isJSON: isJSON)
  }

  mutating func removeAll() { lines.count = 0 }

  /// Lines that follow are of this time: nanoseconds since 1970.
  mutating func setTime(_ nanoseconds: Int64) {
    let now = nanoseconds / 1_000_000
    if now == millisecond { return }
    if now / 1000 != millisecond / 1000 || now < 0 {
      var text: [UInt8] = []
      text.reserveCapacity(24)
      InternetDate.append(milliseconds: now, to: &text)
      for index in text.indices { texts.prefix[texts.timeOffset + index] = text[index] }
    } else {
      let rest = UInt64(now % 1000)
      texts.prefix[texts.timeOffset + 20] = LineText.digit(rest / 100)
      texts.prefix[texts.timeOffset + 21] = LineText.digit(rest / 10 % 10)
      texts.prefix[texts.timeOffset + 22] = LineText.digit(rest % 10)
    }
    millisecond = now
  }

  /// - Parameters:
  ///   - host: one that `Authority` has accepted, so that nothing in it needs to be escaped; empty
  ///     when none is known.
  ///   - path: which of `AnswerSelector.paths`; negative for any other.
  ///   - bytes: of the body.
  ///   - client: what `end(client:)` made.
  @inline(__always)
  mutating func append(
    host: Span<UInt8>, path: Int8, status: Status, bytes: Int, microseconds: UInt64,
    version: MetricsSnapshot.TLSVersion?, fetcher: FetcherClass, client: Span<UInt8>
  ) {
    lines.append(
      texts, host, texts.answer(path, status), UInt64(bytes), microseconds,
      texts.tail(version, fetcher), client)
  }

  /// Whole lines, in memory that stays.
  struct Lines {
    /// What is written are its first `count` bytes.
    private(set) var memory: [UInt8] = []
    fileprivate(set) var count = 0

    fileprivate mutating func append(
      _ texts: borrowing Texts, _ host: Span<UInt8>, _ answer: Texts.Place, _ bytes: UInt64,
      _ microseconds: UInt64, _ tail: Texts.Place, _ client: Span<UInt8>
    ) {
      let needed = texts.lineBytes &+ host.count &+ client.count
      if needed > memory.count &- count {
        memory += Array(repeating: 0, count: max(needed, memory.count, 4096))
      }
      let all = texts.all.span
      var end = count
      var space = memory.mutableSpan
      end = space.copy(texts.prefix.span, at: end)
      end = space.copy(host.isEmpty ? all.extracting(texts.noHost.range) : host, at: end)
      end = space.copy(all.extracting(answer.range), at: end)
      end = LineText.write(bytes, to: &space, at: end)
      end = space.copy(all.extracting(texts.afterBytes.range), at: end)
      end = LineText.write(microseconds, to: &space, at: end)
      end = space.copy(all.extracting(tail.range), at: end)
      end = space.copy(client, at: end)
      count = end
    }
  }

  /// The parts of lines that are put together once.
  fileprivate struct Texts {
    /// What every line of a turn begins with; its time is written over the last one.
    var prefix: [UInt8]
    let timeOffset: Int
    /// All others, one behind the other: an array in an array would be taken hold of for each line.
    let all: [UInt8]
    /// What follows the host, by path and status; the last path is any other.
    private let answers: [Place]
    let afterBytes: Place
    /// What follows the duration, by TLS version and class of fetcher.
    private let tails: [Place]
    let noHost: Place
    /// No line is longer without its host and its client.
    let lineBytes: Int

    /// Where a text is among all.
    struct Place {
      let start: Int32
      let end: Int32

      @inline(__always)
      var range: Range<Int> { Int(start)..<Int(end) }
    }

    private static let statuses = Status.allCases.count
    private static let fetchers = FetcherClass.allCases.count
    private static let paths = AnswerSelector.paths.count
    private static let versions = MetricsSnapshot.TLSVersion.allCases.count

    init(isJSON: Bool) {
      let time = Array("0000-00-00T00:00:00.000Z".utf8)
      prefix =
        isJSON ? Array(#"{"time":""#.utf8) + time + Array(#"","host":""#.utf8) : time + [0x20]
      timeOffset = isJSON ? 9 : 0
      var all: [UInt8] = []
      var longest = 0
      func place(_ text: String) -> Place {
        let start = Int32(all.count)
        all += Array(text.utf8)
        longest = max(longest, text.utf8.count)
        return Place(start: start, end: Int32(all.count))
      }
      let paths = AnswerSelector.paths.map { String(decoding: $0, as: UTF8.self) } + ["other"]
      answers = paths.flatMap { path in
        Status.allCases.map { status in
          place(
            isJSON
              ? #"","path":"\#(path)","status":\#(status.code),"bytes":"#
              : " \(path) \(status.code) ")
        }
      }
      afterBytes = place(isJSON ? #","duration_us":"# : " ")
      let versions = MetricsSnapshot.TLSVersion.allCases.map { Optional($0.name) } + [nil]
      tails = versions.flatMap { version in
        FetcherClass.allCases.map { fetcher in
          place(
            isJSON
              ? #","tls":\#(version.map { "\"\($0)\"" } ?? "null"),"fetcher":"\#(fetcher.name)""#
              : "us \(version ?? "-") \(fetcher.name)")
        }
      }
      noHost = place(isJSON ? "" : "-")
      self.all = all
      lineBytes = prefix.count + 4 * longest + 2 * LineText.numberBytes
    }

    @inline(__always)
    func answer(_ path: Int8, _ status: Status) -> Place {
      answers[(path >= 0 ? Int(path) : Self.paths) &* Self.statuses &+ status.index]
    }

    @inline(__always)
    func tail(_ version: MetricsSnapshot.TLSVersion?, _ fetcher: FetcherClass) -> Place {
      tails[(version?.rawValue ?? Self.versions) &* Self.fetchers &+ Int(fetcher.rawValue)]
    }
  }

  /// How the lines of a client's end: its address as far as the log has addresses, why its request was
  /// refused, and the line's end.
  func end(client: PeerAddress?, because fault: RequestFault? = nil) -> [UInt8] {
    var text = ""
    if addresses != .none {
      let address = client.map { LineText.text(of: addresses == .truncated ? $0.network : $0) }
      text = isJSON ? #","client":\#(address.map { "\"\($0)\"" } ?? "null")"# : " \(address ?? "-")"
    }
    if let fault {
      text += isJSON ? #","refused":"\#(fault.reason)""# : " refused: \(fault.reason)"
    }
    return Array((text + (isJSON ? "}\n" : "\n")).utf8)
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
