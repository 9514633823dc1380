/// A whole ClientHello of TLS 1.3 in its record (RFC 8446 4.1.2), written down byte by byte: for
/// clients that stop in the middle of it.
enum ClientHello {
  static func bytes(serverName: String = "example.com") -> [UInt8] {
    let name = Array(serverName.utf8)
    let serverNames = [0] + sized(name)  // host_name
    let keyShare: [UInt8] = [0x00, 0x1D] + sized(Array(repeating: 9, count: 32))  // x25519
    let extensions =
      field(0x0000, sized(serverNames)) + field(0x002B, [2, 0x03, 0x04])
      + field(0x000D, sized([0x04, 0x03, 0x08, 0x04])) + field(0x000A, sized([0x00, 0x1D]))
      + field(0x0033, sized(keyShare))
    let body: [UInt8] =
      [0x03, 0x03] + Array(repeating: 7, count: 32) + [0] + sized([0x13, 0x01, 0x13, 0x02])
      + [1, 0] + sized(extensions)
    let message: [UInt8] = [1, 0] + sized(body)
    return [0x16, 0x03, 0x01] + sized(message)
  }

  /// With its length in two bytes before it.
  private static func sized(_ bytes: [UInt8]) -> [UInt8] {
    [UInt8(bytes.count >> 8), UInt8(bytes.count & 0xFF)] + bytes
  }

  private static func field(_ kind: UInt16, _ content: [UInt8]) -> [UInt8] {
    [UInt8(kind >> 8), UInt8(kind & 0xFF)] + sized(content)
  }
}
