internal import Bytes
internal import Catalog
internal import HTTP
internal import Posix
internal import Settings

/// Writes lines of the access log into a reused buffer. A line contains a request's path only if
/// the path belongs to a well-known file; all other paths are logged as `other`. A line never
/// contains the request's query, which may contain secrets.
///
/// Most of each line's text is prepared in advance, to keep the work for each request small.
struct AccessLineWriter: Sendable {
  private(set) var lines = Lines()
  private var texts: Texts
  private let isJSON: Bool
  private let addresses: LogAddresses
  private var millisecond: Int64 = .min

  init(
    isJSON: Bool, _ addresses: LogAddresses, _ wellKnown: WellKnownFiles = WellKnownFiles()
  ) {
    self.isJSON = isJSON
    self.addresses = addresses
    texts = Texts(
      paths: wellKnown.paths.map { String(decoding: $0, as: UTF8.self) }, isJSON: isJSON)
  }

  mutating func removeAll() { lines.count = 0 }

  /// Sets the time that the following lines contain, in nanoseconds since 1970.
  mutating func setTime(_ nanoseconds: Int64) {
    let now = nanoseconds / 1_000_000
    if now == millisecond { return }
    if now / 1000 != millisecond / 1000 || now < 0 {
      for (index, byte) in InternetDate.text(milliseconds: now).utf8.enumerated() {
        texts.prefix[texts.timeOffset + index] = byte
      }
    } else {
      let rest = UInt64(now % 1000)
      texts.prefix[texts.timeOffset + 20] = LineText.digit(rest / 100)
      texts.prefix[texts.timeOffset + 21] = LineText.digit(rest / 10 % 10)
      texts.prefix[texts.timeOffset + 22] = LineText.digit(rest % 10)
    }
    millisecond = now
  }

  /// - Parameters:
  ///   - host: A host that `Authority` has accepted, so no character of the host must be escaped.
  ///     Empty if the host is unknown.
  ///   - path: The index of the path in `WellKnownFiles.paths`; negative if the path is not listed
  ///     there.
  ///   - bytes: The length of the response's body.
  ///   - client: The result of `end(client:)`.
  @inline(__always)
  mutating func append(
    host: Span<UInt8>, path: Int8, status: Status, bytes: Int, microseconds: UInt64,
    version: TLSVersion?, fetcher: FetcherClass, client: Span<UInt8>
  ) {
    lines.append(
      texts, host, texts.answer(path, status), UInt64(bytes), microseconds,
      texts.tail(version, fetcher), client)
  }

  /// A reused buffer that contains only complete lines.
  struct Lines {
    /// The buffer. Only its first `count` bytes are used.
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

  /// The parts of log lines that are prepared in advance.
  fileprivate struct Texts {
    /// The beginning of every line, which contains the time. Each turn of the event loop overwrites
    /// the time.
    var prefix: [UInt8]
    let timeOffset: Int
    /// All texts except `prefix`, joined into one array. An array of arrays would need a retain for
    /// each line.
    let all: [UInt8]
    /// The texts between the host and the length of the body in a line, by path and status. The
    /// last elements are for paths that are not in `WellKnownFiles.paths`.
    private let answers: [Place]
    /// The number of paths in `WellKnownFiles.paths`.
    private let paths: Int
    let afterBytes: Place
    /// The texts that follow the duration in a line, by TLS version and class of fetcher.
    private let tails: [Place]
    let noHost: Place
    /// The maximum length of a line in bytes, not counting its host and its client.
    let lineBytes: Int

    /// The range of a text in `all`.
    struct Place {
      let start: Int32
      let end: Int32

      @inline(__always)
      var range: Range<Int> { Int(start)..<Int(end) }
    }

    private static let statuses = Status.allCases.count
    private static let fetchers = FetcherClass.allCases.count
    private static let versions = TLSVersion.allCases.count

    init(paths: [String], isJSON: Bool) {
      self.paths = paths.count
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
      answers = (paths + ["other"]).flatMap { path in
        Status.allCases.map { status in
          place(
            isJSON
              ? #"","path":"\#(path)","status":\#(status.code),"bytes":"#
              : " \(path) \(status.code) ")
        }
      }
      afterBytes = place(isJSON ? #","duration_us":"# : " ")
      let versions = TLSVersion.allCases.map { Optional($0.name) } + [nil]
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
      answers[(path >= 0 ? Int(path) : paths) &* Self.statuses &+ status.index]
    }

    @inline(__always)
    func tail(_ version: TLSVersion?, _ fetcher: FetcherClass) -> Place {
      tails[(version?.rawValue ?? Self.versions) &* Self.fetchers &+ Int(fetcher.rawValue)]
    }
  }

  /// Returns the end of a line: the logged part of the client's address, the reason if the request
  /// was refused, and the line break.
  func end(client: IPAddress?, because fault: RequestFault? = nil) -> [UInt8] {
    var text = ""
    if addresses != .none {
      let address = client.map { (addresses == .truncated ? $0.network : $0).description }
      text = isJSON ? #","client":\#(address.map { "\"\($0)\"" } ?? "null")"# : " \(address ?? "-")"
    }
    if let fault {
      text += isJSON ? #","refused":"\#(fault.reason)""# : " refused: \(fault.reason)"
    }
    return Array((text + (isJSON ? "}\n" : "\n")).utf8)
  }
}

/// Writes the numbers in log lines as decimal digits.
enum LineText {
  /// The maximum number of decimal digits of a 64-bit number.
  static let numberBytes = 20

  @inline(__always)
  static func digit(_ value: UInt64) -> UInt8 {
    UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: value)
  }

  /// Writes a decimal number, and returns the index after it.
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
}
