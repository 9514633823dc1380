/// The `server_name` extension of a ClientHello (RFC 6066 section 3).
///
///     struct { NameType name_type; opaque HostName<1..2^16-1>; } ServerName;
///     struct { ServerName server_name_list<1..2^16-1> } ServerNameList;
enum ServerNameExtension {
  enum Outcome: Equatable {
    /// The host name in lower case.
    case name([UInt8])
    /// A well-formed list without a host name. An IP address is not a host name ("literal IPv4 and
    /// IPv6 addresses are not permitted"): a client that sends an address is served as if it had
    /// sent no name.
    case noName
    /// The extension is not a ServerNameList, or the name is not a host name. The server answers
    /// with the alert `decode_error`.
    case malformed
  }

  static func parse(_ bytes: Span<UInt8>) -> Outcome {
    guard bytes.count > 2, length(in: bytes, at: 0) == bytes.count - 2 else { return .malformed }
    var found: [UInt8]?
    var position = 2
    while position < bytes.count {
      guard bytes.count - position > 3 else { return .malformed }
      let type = bytes[position]
      let count = length(in: bytes, at: position + 1)
      let start = position + 3
      guard count > 0, count <= bytes.count - start else { return .malformed }
      position = start + count
      // A name of any type begins with a 16-bit length, so names of unknown types can be skipped.
      if type != hostName { continue }
      // "MUST NOT contain more than one name of the same name_type."
      guard found == nil, let name = lowerCased(bytes.extracting(start..<position)) else {
        return .malformed
      }
      found = name
    }
    guard let found else { return .noName }
    return ipAddress(found.span) == nil ? .name(found) : .noName
  }

  private static let hostName: UInt8 = 0
  private static let dot = UInt8(ascii: ".")

  private static func length(in bytes: Span<UInt8>, at position: Int) -> Int {
    Int(bytes[position]) << 8 | Int(bytes[position + 1])
  }

  /// Returns the name without a final dot. Clients must not send a final dot, but some clients send
  /// a URL's host unchanged.
  ///
  /// Returns nil if the name is too long or contains a byte that is not printable ASCII. Names are
  /// logged, and no host name contains such a byte.
  private static func lowerCased(_ bytes: Span<UInt8>) -> [UInt8]? {
    let count = bytes[bytes.count - 1] == dot ? bytes.count - 1 : bytes.count
    guard count > 0, count <= TLSLimits.serverNameBytes, bytes[count - 1] != dot else { return nil }
    var name: [UInt8] = []
    name.reserveCapacity(count)
    for index in 0..<count {
      let byte = bytes[index]
      guard byte > 0x20, byte < 0x7F else { return nil }
      name.append(byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte)
    }
    return name
  }
}
