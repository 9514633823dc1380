/// The domain that a file was served for: a host, or `*.` and a host for all its subdomains.
package struct Domain: Sendable, Equatable {
  /// The host in lower case, without `*.`.
  private let host: [UInt8]
  private let isWildcard: Bool
  private let port: Int?

  /// Parses `example.com`, `*.example.com`, `example.com:8443`. Nil if there is no host.
  package init?(_ text: String) {
    var bytes = text.utf8.map(lowerCase)
    isWildcard = bytes.starts(with: "*.".utf8)
    if isWildcard { bytes.removeFirst(2) }
    if let colon = bytes.lastIndex(of: UInt8(ascii: ":")), !bytes[colon...].contains(0x5D) {
      guard let number = Int(String(decoding: bytes[(colon + 1)...], as: UTF8.self)) else {
        return nil
      }
      port = number
      bytes.removeSubrange(colon...)
    } else {
      port = nil
    }
    guard !bytes.isEmpty else { return nil }
    host = bytes
  }

  /// Whether the URL belongs to the domain, ignoring ASCII case. A reference without a host always
  /// does. The port counts only if the domain has a port.
  package func contains(_ parts: URLParts, of url: Span<UInt8>) -> Bool {
    guard let range = parts.host else { return true }
    if let port, parts.port != port { return false }
    let difference = range.count - host.count
    guard difference >= 0 else { return false }
    if isWildcard {
      // The wildcard needs at least one character and the dot.
      guard difference >= 2, url[range.lowerBound + difference - 1] == UInt8(ascii: ".") else {
        return false
      }
    } else if difference != 0 {
      return false
    }
    let start = range.lowerBound + difference
    for index in host.indices where lowerCase(url[start + index]) != host[index] { return false }
    return true
  }
}

private func lowerCase(_ byte: UInt8) -> UInt8 {
  byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte
}
