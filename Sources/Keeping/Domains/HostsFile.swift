package import Diagnostics
internal import Posix
package import Settings

/// A list `NAME.hosts` of further hosts for which an entry's files are served. Each line contains
/// one host. A comment begins with `#`.
///
/// For example, a platform with 100,000 customer domains needs one association file and one list of
/// hosts.
final class HostsFile: Sendable {
  /// The size limit of the file, in bytes. A file of this size can contain about a million hosts.
  static let largestFile = 32 << 20
  /// The maximum number of hosts in one list, and in all lists together. A memory limit of the
  /// process can lower this maximum, because a list takes 1,200 bytes for each host while it is
  /// replaced.
  static let mostHosts = min(1_000_000, (MemoryLimit.own?.bytes ?? .max) / 1_200)
  /// The maximum number of faulty lines that are reported for one file.
  static let reportedLines = 20

  let path: String
  /// The bytes of the file, without a byte order mark, for a comparison with the bytes of later
  /// versions.
  let bytes: [UInt8]
  /// The hosts of the file, in order and without duplicates.
  let hosts: [DomainName]
  /// The faults of single lines. Lines without faults are used.
  let diagnostics: [Diagnostic]
  /// Whether the last line is not used, because it has no line end yet and its host may be
  /// incomplete.
  let isLastLineOpen: Bool
  /// Whether the file has more hosts than permitted. If so, it was not read to its end.
  let isTooLong: Bool
  /// How much of the limit for all lists this list uses, as a number of hosts. The bytes of the
  /// file stay in memory too, so a large file with few hosts uses more than its number of hosts.
  var weight: Int { max(hosts.count, bytes.count / 400) }

  /// - Parameters:
  ///   - isWritten: Whether somebody may still be writing the file.
  ///   - limit: The maximum number of hosts.
  init(_ source: SourceText, isWritten: Bool = false, limit: Int = HostsFile.mostHosts) {
    let source = source.withoutByteOrderMark ?? source
    path = source.path
    bytes = source.bytes
    isLastLineOpen = isWritten && bytes.last.map { $0 != 0x0A } ?? false
    var reading = HostsReading(source)
    isTooLong = !reading.run(withoutLastLine: isLastLineOpen, limit: limit)
    hosts = reading.hosts
    diagnostics = reading.diagnostics
  }
}

extension HostsFile {
  /// Whether this file is the beginning of `whole` and ends within a line. This is the case after
  /// an incomplete copy.
  func isCut(from whole: HostsFile) -> Bool {
    guard !bytes.isEmpty, bytes.count < whole.bytes.count, whole.bytes.starts(with: bytes) else {
      return false
    }
    return bytes.last != 0x0A && ![0x0A, 0x0D].contains(whole.bytes[bytes.count])
  }

  /// Returns the bytes of the file with further hosts at the end, one on each line.
  func bytes(with hosts: [DomainName]) -> [UInt8] {
    if hosts.isEmpty { return bytes }
    return bytes + [0x0A] + hosts.flatMap { Array("\($0.entryName)\n".utf8) }
  }
}

private struct HostsReading {
  private let source: SourceText
  private(set) var hosts: [DomainName] = []
  private(set) var diagnostics: [Diagnostic] = []
  private var seen: Set<DomainName> = []
  private var omitted = 0

  init(_ source: SourceText) { self.source = source }

  /// Reads the lines. Returns false if there are more hosts than the limit.
  mutating func run(withoutLastLine: Bool, limit: Int) -> Bool {
    let end =
      withoutLastLine
      ? source.bytes.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0 : source.bytes.count
    forEachLine(of: source.bytes[..<end]) { line, _ in
      take(line)
      return hosts.count <= limit
    }
    if hosts.count > limit { return false }
    if omitted > 0 {
      diagnostics.append(
        Diagnostic(
          .faultyLineOfHosts, "more lines with faults in this file: \(omitted)",
          at: .init(path: source.path)
        ).withoutHelp)
    }
    return true
  }

  private mutating func take(_ line: ArraySlice<UInt8>) {
    let content = line.prefix { $0 != UInt8(ascii: "#") }
    guard let first = content.firstIndex(where: { !isBlank($0) }),
      let last = content.lastIndex(where: { !isBlank($0) })
    else { return }
    let text = String(decoding: line[first...last], as: UTF8.self)
    let range = first..<(last + 1)
    if SocketAddress(literal: text, port: 0) != nil {
      return report(
        range, "\(text) is an IP address, but app links need a host name",
        help: "write the name of the host, such as links.example.com")
    }
    guard let host = HostsList.host(text) else {
      return report(range, "this line is not a host name")
    }
    guard seen.insert(host).inserted else {
      return report(range, "\(host) is in this file twice", help: "remove one of the two lines")
    }
    hosts.append(host)
  }

  private mutating func report(_ range: Range<Int>, _ message: String, help: String? = nil) {
    guard diagnostics.count < HostsFile.reportedLines else {
      omitted += 1
      return
    }
    diagnostics.append(
      Diagnostic(.faultyLineOfHosts, message, at: source.location(of: range), help: help))
  }
}

/// Calls `visit` with each nonempty line and the line's number, until `visit` returns false. The
/// function makes no array of all lines, because the array would take more memory than the file.
private func forEachLine(
  of bytes: ArraySlice<UInt8>, _ visit: (_ line: ArraySlice<UInt8>, _ number: Int) -> Bool
) {
  var start = bytes.startIndex
  var number = 1
  while start < bytes.endIndex {
    let end = bytes[start...].firstIndex(of: 0x0A) ?? bytes.endIndex
    if end > start, !visit(bytes[start..<end], number) { return }
    (start, number) = (end + 1, number + 1)
  }
}

private func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }

extension HostsFile {
  /// Returns a diagnostic for each host that is in the file and in `messages`, with the line number
  /// of the host. Reads the lines only once.
  func diagnostics(_ messages: [DomainName: String]) -> [Diagnostic] {
    if messages.isEmpty { return [] }
    var result: [Diagnostic] = []
    forEachLine(of: bytes[...]) { line, number in
      let words = line.prefix { $0 != UInt8(ascii: "#") }.split(whereSeparator: isBlank)
      if let word = words.first,
        let host = DomainName(entryName: String(decoding: word, as: UTF8.self)),
        let message = messages[host]
      {
        // Before the host, the line contains only white space, so each byte there is one column.
        let place = Diagnostic.Place(
          range: word.startIndex..<word.endIndex, line: number,
          column: word.startIndex - line.startIndex + 1)
        result.append(Diagnostic(.hostElsewhere, message, at: .init(path: path, place: place)))
      }
      return result.count < messages.count
    }
    return result
  }
}

/// An editor for a `NAME.hosts` file. The editor leaves comments and all other lines unchanged.
package struct HostsList: Sendable {
  package private(set) var bytes: [UInt8]
  /// The hosts of the file, in order and without duplicates.
  package private(set) var hosts: [DomainName]
  /// The faults of single lines. Lines without faults are used.
  package let diagnostics: [Diagnostic]

  /// The size limit of the file, in bytes; the server reads no larger file.
  package static let largestFile = HostsFile.largestFile

  package init(_ source: SourceText) {
    let file = HostsFile(source)
    bytes = file.bytes
    hosts = file.hosts
    diagnostics = file.diagnostics
  }

  /// Returns the host in a line of a list of hosts; nil if the line contains no valid host.
  package static func host(_ text: String) -> DomainName? {
    DomainName(entryName: text).flatMap { $0 == .any ? nil : $0 }
  }

  /// Adds hosts at the end. Returns the hosts that were new.
  package mutating func add(_ wanted: [DomainName]) -> [DomainName] {
    var known = Set(hosts)
    let new = wanted.filter { known.insert($0).inserted }
    if new.isEmpty { return [] }
    if let last = bytes.last, last != 0x0A { bytes.append(0x0A) }
    for host in new { bytes += Array((host.description + "\n").utf8) }
    hosts += new
    return new
  }

  /// Removes the lines that contain these hosts. Returns the hosts that were removed.
  package mutating func remove(_ unwanted: [DomainName]) -> [DomainName] {
    let gone = Set(unwanted).intersection(hosts)
    if gone.isEmpty { return [] }
    var kept: [UInt8] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      let end = rest.firstIndex(of: 0x0A).map { $0 + 1 } ?? rest.endIndex
      let line = rest[..<end]
      rest = rest[end...]
      let words = line.prefix { $0 != UInt8(ascii: "#") }.split { $0 <= 0x20 }
      let host = words.first.flatMap { Self.host(String(decoding: $0, as: UTF8.self)) }
      if let host, words.count == 1, gone.contains(host) { continue }
      kept += line
    }
    bytes = kept
    hosts.removeAll { gone.contains($0) }
    return unwanted.filter { gone.contains($0) }
  }
}
