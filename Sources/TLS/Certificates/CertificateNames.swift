internal import Bytes

/// The names in a certificate's subjectAltName (RFC 5280 section 4.2.1.6). The common name is
/// ignored, because clients ignore it.
package struct CertificateNames: Sendable, Hashable {
  /// The host names in lower case. A wildcard has `*` as its whole leftmost label.
  package let hosts: [String]
  /// The IP addresses, of 4 or 16 bytes each.
  package let addresses: [[UInt8]]

  /// Ignores names that are neither host names nor addresses. The order of the names, and repeated
  /// names, do not matter.
  package init(hosts: [[UInt8]], addresses: [[UInt8]]) {
    // Nearly all certificates have only one name. Do not make a set for a single name, because a
    // set takes more time.
    let names = hosts.compactMap(Self.hostName)
    self.hosts = names.count < 2 ? names : Set(names).sorted()
    if addresses.isEmpty {
      self.addresses = []
      return
    }
    self.addresses = Set(addresses.filter { $0.count == 4 || $0.count == 16 }).sorted {
      $0.lexicographicallyPrecedes($1)
    }
  }

  package var isEmpty: Bool { hosts.isEmpty && addresses.isEmpty }

  /// Returns whether the certificate covers `host` (lower case, no port, no trailing dot).
  package func covers(host: Span<UInt8>) -> Bool {
    if let address = ipAddress(host) { return addresses.contains(address) }
    for pattern in hosts where Self.matches(pattern.utf8.span, host) { return true }
    return false
  }

  /// Returns whether `host` matches the name `pattern`. A wildcard stands for exactly one label
  /// (RFC 9525 section 6.3).
  static func matches(_ pattern: Span<UInt8>, _ host: Span<UInt8>) -> Bool {
    guard pattern.count > 2, pattern[0] == UInt8(ascii: "*") else { return equal(pattern, host) }
    for index in host.indices where host[index] == UInt8(ascii: ".") {
      return index > 0 && equal(host.extracting(index...), pattern.extracting(1...))
    }
    return false
  }

  /// Returns the name in lower case; nil if it is not a host name.
  static func hostName(_ bytes: [UInt8]) -> String? {
    guard !bytes.isEmpty, bytes.count <= TLSLimits.serverNameBytes else { return nil }
    let name = bytes.map { $0 >= 0x41 && $0 <= 0x5A ? $0 | 0x20 : $0 }
    let rest = name.starts(with: "*.".utf8) ? name.dropFirst(2) : name[...]
    return !rest.isEmpty && rest.allSatisfy(isHostNameByte)
      ? String(decoding: name, as: UTF8.self) : nil
  }
}

/// Returns the bytes of an IP address in text form; nil if `host` is a name. An IPv6 address may
/// have brackets, as in a URI (RFC 3986 section 3.2.2), or no brackets.
func ipAddress(_ host: Span<UInt8>) -> [UInt8]? {
  var range = 0..<host.count
  var hasColon = false
  var hasLetter = false
  if range.count > 2, host[0] == UInt8(ascii: "["), host[range.count - 1] == UInt8(ascii: "]") {
    range = 1..<(range.count - 1)
  }
  for index in range {
    let byte = host[index]
    if byte == UInt8(ascii: ":") { hasColon = true }
    if byte > UInt8(ascii: "9"), byte != UInt8(ascii: ":") { hasLetter = true }
  }
  // This cheap test excludes nearly all host names, and nearly all inputs are host names.
  guard hasColon || (!hasLetter && range.count >= 7) else { return nil }
  return IPAddress(host.extracting(range))?.octets
}
