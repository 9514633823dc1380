/// A Last-Modified field (RFC 9110 section 8.8.2) with its CRLF, or none.
///
/// In place and not in an array: each answer has it, and an array would be taken hold of each time.
package struct LastModifiedField: Sendable {
  /// All of it when it is there: always as long.
  package let bytes: [46 of UInt8]
  package let isPresent: Bool

  /// The length of `bytes`.
  package static let length = 46

  package static let none = LastModifiedField()

  private init() {
    bytes = .init(repeating: 0)
    isPresent = false
  }

  /// - Parameter seconds: since 1970.
  package init(_ seconds: Int64) {
    var text = Array("Last-Modified: ".utf8)
    HTTPDate.append(seconds, to: &text)
    text += [0x0D, 0x0A]
    bytes = [46 of UInt8] { text[$0] }
    isPresent = true
  }
}
