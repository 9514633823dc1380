/// A Last-Modified field (RFC 9110 section 8.8.2) with its CRLF, or no field.
///
/// The bytes are an inline array. If they were an ordinary array, every answer would have to change
/// its reference count.
package struct LastModifiedField: Sendable {
  /// The whole field; its length is constant.
  package let bytes: [46 of UInt8]
  package let isPresent: Bool

  /// The length of `bytes`.
  package static let length = 46

  package static let none = LastModifiedField()

  private static let name = Array("Last-Modified: ".utf8)

  private init() {
    bytes = .init(repeating: 0)
    isPresent = false
  }

  /// - Parameter seconds: Seconds since 1970.
  package init(_ seconds: Int64) {
    let (name, date) = (Self.name, HTTPDate.text(seconds))
    var bytes = [46 of UInt8](repeating: 0x0D)
    for index in name.indices { bytes[index] = name[index] }
    for index in date.indices { bytes[name.count &+ index] = date[index] }
    bytes[45] = 0x0A
    self.bytes = bytes
    isPresent = true
  }
}
