internal import HTTP
internal import Hosting
internal import Posix

/// One answer, as the access log tells of it. Never the query of a target: it may hold secrets.
struct AccessLine {
  /// Where the host is among those of the turn.
  var host: Range<Int>
  /// Which of `AnswerSelector.paths`; negative for any other.
  var path: Int8
  var status: Status
  /// Of the body.
  var bytes: Int
  /// Nanoseconds of the monotonic clock.
  var start: Int64
  var version: MetricsSnapshot.TLSVersion?
  var fetcher: FetcherClass
  var client: PeerAddress?
}

/// Writes lines as text or JSON into memory that stays.
struct AccessLineWriter: Sendable {
  private(set) var output = LineBuffer()
  private let format: AccessLogOptions.Format
  private let addresses: AccessLogOptions.Addresses
  /// What every line of a turn begins with; its time is written over the last one.
  private var prefix: [UInt8]
  private let timeOffset: Int
  private var millisecond: Int64 = .min
  /// What follows the host, by path; the last one is for any other.
  private let paths: [[UInt8]]
  private let afterStatus: [UInt8]
  private let afterBytes: [UInt8]
  /// What follows the duration, by TLS version and class of fetcher.
  private let tails: [[UInt8]]
  private let end: [UInt8]
  private let noClient: [UInt8]

  init(_ format: AccessLogOptions.Format, _ addresses: AccessLogOptions.Addresses) {
    self.format = format
    self.addresses = addresses
    let pathNames =
      AnswerSelector.paths.map { String(decoding: $0, as: UTF8.self) } + ["other"]
    let versions = MetricsSnapshot.TLSVersion.allCases.map { Optional($0) } + [nil]
    let isJSON = format == .json
    let time = Array("0000-00-00T00:00:00.000Z".utf8)
    prefix =
      isJSON ? Array(#"{"time":""#.utf8) + time + Array(#"","host":""#.utf8) : time + [0x20]
    timeOffset = isJSON ? 9 : 0
    paths = pathNames.map { Array((isJSON ? #"","path":"\#($0)","status":"# : " \($0) ").utf8) }
    afterStatus = Array((isJSON ? #","bytes":"# : " ").utf8)
    afterBytes = Array((isJSON ? #","duration_us":"# : " ").utf8)
    tails = versions.flatMap { version in
      FetcherClass.allCases.map { fetcher in
        let name = version?.name
        return Array(
          (isJSON
            ? #","tls":\#(name.map { "\"\($0)\"" } ?? "null"),"fetcher":"\#(fetcher.name)""#
              + (addresses == .none ? "" : #","client":"#)
            : "us \(name ?? "-") \(fetcher.name)" + (addresses == .none ? "" : " ")).utf8)
      }
    }
    end = Array((isJSON ? "}\n" : "\n").utf8)
    noClient = Array((isJSON ? "null" : "-").utf8)
  }

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
      let rest = Int(now % 1000)
      prefix[timeOffset + 20] = digit(rest / 100)
      prefix[timeOffset + 21] = digit(rest / 10 % 10)
      prefix[timeOffset + 22] = digit(rest % 10)
    }
    millisecond = now
  }

  /// - Parameters:
  ///   - hosts: what `line.host` is a range of.
  ///   - end: when the line's answer was sent: nanoseconds of the monotonic clock.
  mutating func append(_ line: AccessLine, hosts: [UInt8], end: Int64) {
    let isJSON = format == .json
    output.append(prefix)
    if line.host.isEmpty {
      if !isJSON { output.append(UInt8(ascii: "-")) }
    } else {
      output.appendEscaped(hosts, line.host)
    }
    output.append(paths[line.path >= 0 ? Int(line.path) : paths.count - 1])
    output.append(decimal: UInt64(line.status.code))
    output.append(afterStatus)
    output.append(decimal: UInt64(line.bytes))
    output.append(afterBytes)
    output.append(decimal: UInt64(max(0, end - line.start)) / 1000)
    let version = line.version?.rawValue ?? MetricsSnapshot.TLSVersion.allCases.count
    output.append(tails[version * FetcherClass.allCases.count + Int(line.fetcher.rawValue)])
    appendClient(line.client, isJSON: isJSON)
    output.append(self.end)
  }

  private mutating func appendClient(_ client: PeerAddress?, isJSON: Bool) {
    if addresses == .none { return }
    guard let client else { return output.append(noClient) }
    if isJSON { output.append(UInt8(ascii: "\"")) }
    output.append(addresses == .truncated ? client.network : client)
    if isJSON { output.append(UInt8(ascii: "\"")) }
  }

  mutating func removeAll() { output.removeAll() }
}

extension PeerAddress {
  /// The /24 of an IPv4 address, the /48 of an IPv6 one.
  var network: PeerAddress {
    isIPv4
      ? PeerAddress(high: high, low: low & ~0xFF) : PeerAddress(high: high & ~0xFFFF, low: 0)
  }
}

@inline(__always)
private func digit(_ value: Int) -> UInt8 { UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: value) }
