package import Diagnostics
package import Settings

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
