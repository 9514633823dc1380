internal import Bytes

/// The head of a response as received (RFC 9112 section 2.1).
package struct ReceivedHead: Sendable, Equatable {
  /// 0 for HTTP/1.0, 1 for HTTP/1.1.
  package let minorVersion: UInt8
  /// Three digits, 100 to 999.
  package let status: UInt16
  /// The text after the status, in visible form (see `visibleText`); empty if there is no text.
  package let reason: String
  /// All fields in the order received, including repeated fields.
  package let fields: [ReceivedField]
  /// All bytes of the head, including its empty line.
  package let bytes: [UInt8]

  /// The status line as received, without its line end, in visible form.
  package var statusLine: String {
    visibleText(bytes.prefix { $0 != ASCII.lineFeed && $0 != ASCII.carriageReturn }, limit: 200)
  }

  /// Whether the status redirects to another URL: 3xx except 304 (RFC 9110 section 15.4).
  package var isRedirect: Bool { (300..<400).contains(status) && status != 304 }

  /// Returns all values of a field, given its name in lower case.
  package func values(of name: String) -> [[UInt8]] {
    fields.filter { $0.name == name }.map(\.value)
  }

  /// Returns the value of a field in visible form, or its values joined as a list (RFC 9110 section
  /// 5.3); nil if the field is absent.
  package func value(of name: String) -> String? {
    let values = values(of: name)
    return values.isEmpty ? nil : values.map { visibleText($0) }.joined(separator: ", ")
  }

  /// The media type in lower case, without its parameters (RFC 9110 section 8.3.1); nil if there is
  /// no Content-Type.
  package var mediaType: String? {
    guard let value = value(of: "content-type") else { return nil }
    let type = value.prefix { $0 != ";" && $0 != "," }
    return String(type.filter { $0 != " " }).lowercased()
  }
}

/// One field line of a response.
package struct ReceivedField: Sendable, Equatable {
  /// The name in lower case, in visible form.
  package let name: String
  /// The value without surrounding white space; may contain any byte.
  package let value: [UInt8]

  /// The value in visible form.
  package var text: String { visibleText(value) }
}
