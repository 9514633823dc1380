internal import Bytes
internal import Checking
internal import Diagnostics
internal import Keeping
internal import Posix
internal import Settings

/// Checks each line of the lists of hosts. The server ignores a line without a valid host, so the
/// server does not serve the host that the user meant. Therefore `validate` reports such a line as
/// an error.
struct ListedHostJudge {
  /// The first list that contains each host.
  private var lists: [DomainName: String] = [:]
  /// The maximum number of faults that are reported for one list.
  private static let reported = 20

  /// Returns the diagnostics of a list. The server's diagnostics about single lines (`reported`)
  /// are replaced by more precise diagnostics.
  mutating func faults(of path: String, reported: [Diagnostic]) -> [Diagnostic] {
    guard let bytes = try? readContent(path, limit: HostsList.largestFile).bytes else {
      return reported
    }
    let source = SourceText(path: path, bytes: bytes)
    let text = source.withoutByteOrderMark ?? source
    var found: [Diagnostic] = []
    var seen: Set<DomainName> = []
    var number = 0
    for line in text.bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
      number += 1
      let content = line.prefix { $0 != UInt8(ascii: "#") }
      let word = content.trimmed { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
      if word.isEmpty { continue }
      let place = Diagnostic.Place(
        range: word.startIndex..<word.endIndex, line: number,
        column: word.startIndex - line.startIndex + 1)
      let name = String(decoding: word, as: UTF8.self)
      if let fault = fault(of: name, in: path, &seen, at: .init(path: path, place: place)) {
        found.append(fault)
      }
    }
    let left = found.count - Self.reported
    let more = Diagnostic(
      .faultyLineOfHosts, severity: found.dropFirst(Self.reported).map(\.severity).max(),
      "more lines with faults in this list: \(left)", at: .init(path: path)
    ).withoutHelp
    return reported.filter { !$0.isOf(.faultyLineOfHosts) } + found.prefix(Self.reported)
      + (left > 0 ? [more] : [])
  }

  private mutating func fault(
    of text: String, in path: String, _ seen: inout Set<DomainName>, at place: Diagnostic.Location
  ) -> Diagnostic? {
    if SocketAddress(literal: text, port: 0) != nil {
      return Diagnostic(
        .faultyLineOfHosts, severity: .error,
        "\(text) is an IP address, but app links need a host name",
        at: place, help: "write the name of the host, such as links.example.com")
    }
    guard let host = HostsList.host(text) else {
      return Diagnostic(
        .faultyLineOfHosts, severity: .error, "this is not a host name", at: place,
        help: probableHost(text).map { "did you mean \($0)?" })
    }
    guard seen.insert(host).inserted else {
      return Diagnostic(
        .faultyLineOfHosts, "\(host) is in this file twice", at: place,
        help: "remove one of the two lines")
    }
    guard let other = lists[host] else {
      lists[host] = path
      return nil
    }
    return Diagnostic(
      .hostElsewhere,
      "\(host) is in \(other) too, and only one of the two lists can serve this host",
      at: place)
  }
}

/// Returns the host that the user probably meant: the host of a URL, the text before a comma or a
/// final dot, or the ASCII form of an international name. If a line contains several hosts, returns
/// all these hosts, joined by `and`.
func probableHost(_ text: String) -> String? {
  if let host = hostsEntry(ofURL: text) { return host }
  let parts = text.split { " \t,;".contains($0) }.map { part in
    String(part.trimmed { "./\"'<>".contains($0) })
  }
  let hosts = parts.map { part -> String? in
    if let host = HostsList.host(part) { return host.description }
    guard let target = (try? CheckSubject(part))?.target, target.isPublicName else { return nil }
    return target.host
  }
  if hosts.isEmpty || hosts.contains(nil) { return nil }
  return hosts.compactMap(\.self).joined(separator: " and ")
}
