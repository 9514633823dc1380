/// Distinguishes TLS from plain HTTP by the first bytes of a connection, before TLS is set up.
package enum FirstRecord: Equatable, Sendable {
  /// Too few bytes to decide. All bytes so far can be the beginning of a TLS handshake record.
  case incomplete
  /// The header of a handshake record (RFC 8446 section 5.1).
  ///
  /// - Parameter length: The length of the whole record, including its header.
  case handshake(length: Int)
  /// A byte that can begin an HTTP method, or an empty line before the method (RFC 9112 sections
  /// 2.2 and 3). The client speaks HTTP without TLS, or another text protocol.
  case plainHTTP
  /// Neither TLS nor text.
  case garbage

  /// The length of a record's header.
  package static let headerBytes = 5

  /// The type of a handshake record.
  private static let handshakeType: UInt8 = 22
  /// The major version: 3 in all versions from SSL 3.0 (3.0) to TLS 1.3 (3.4).
  private static let majorVersion: UInt8 = 3

  /// - Parameter bytes: All bytes received so far. Bytes after a header are ignored.
  package init(_ bytes: Span<UInt8>) {
    if bytes.isEmpty {
      self = .incomplete
    } else if bytes[0] != Self.handshakeType {
      self = Self.mayBeginHTTP(bytes[0]) ? .plainHTTP : .garbage
    } else if bytes.count > 1 && bytes[1] != Self.majorVersion {
      self = .garbage
    } else if bytes.count < Self.headerBytes {
      self = .incomplete
    } else {
      let length = Int(bytes[3]) << 8 | Int(bytes[4])
      // A handshake record is never empty. The first record is not encrypted, so its length has the
      // limit for unencrypted records.
      let isPossible = (1...TLSLimits.plainRecordBytes).contains(length)
      self = isPossible ? .handshake(length: Self.headerBytes + length) : .garbage
    }
  }

  /// Returns whether the byte can be part of a token (RFC 9110 section 5.6.2), or is CR or LF.
  private static func mayBeginHTTP(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "\r"), UInt8(ascii: "\n"):
      true
    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
  }
}
