/// The Date field (RFC 9110 section 6.6.1), formatted once per second for all responses.
package struct DateField: Sendable {
  /// `Date: Sun, 06 Nov 1994 08:49:37 GMT` and CRLF: always 37 bytes.
  package private(set) var bytes: [UInt8]
  /// The line in `bytes`, followed by the empty line that ends a head.
  package private(set) var lastBytes: [UInt8]
  private var second: Int64

  /// The length of `bytes`.
  package static let length = 37

  /// - Parameter now: Seconds since 1970.
  package init(now: Int64) {
    second = now
    bytes = []
    bytes.reserveCapacity(Self.length)
    lastBytes = []
    lastBytes.reserveCapacity(Self.length + 2)
    format()
  }

  /// Updates the field to `now`, in seconds since 1970. Does nothing within the same second.
  package mutating func refresh(now: Int64) {
    if now != second {
      second = now
      format()
    }
  }

  private mutating func format() {
    bytes.removeAll(keepingCapacity: true)
    bytes.append(contentsOf: "Date: ".utf8)
    HTTPDate.append(second, to: &bytes)
    bytes.append(contentsOf: "\r\n".utf8)
    lastBytes.removeAll(keepingCapacity: true)
    lastBytes += bytes
    lastBytes.append(contentsOf: "\r\n".utf8)
  }
}
