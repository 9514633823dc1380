internal import Bytes

/// A field that cannot be sent.
package enum FieldFault: Error, Sendable, Equatable {
  /// The name is not a token (RFC 9110 section 5.1).
  case malformedName
  /// The value contains a control character, or begins or ends with white space (RFC 9110 section
  /// 5.5).
  case malformedValue
}

/// The head of a response, made when files are loaded.
///
/// The stored bytes do not include the fields that differ between requests. The server appends the
/// Date field, the Connection field if the response needs one, and the empty line.
package struct ResponseHead: Sendable {
  /// Status line and field lines so far, each with its CRLF.
  package private(set) var bytes: [UInt8]

  package init(status: Status) {
    bytes = Array("HTTP/1.1 \(status.code) \(status.reasonPhrase)\r\n".utf8)
  }

  /// Adds a field line with this name and value.
  ///
  /// - Throws: If a byte of the name or value could end the line or violate the line's grammar. So
  ///   a value from the configuration cannot add lines to the response.
  package mutating func add(_ name: String, _ value: String) throws(FieldFault) {
    guard !name.isEmpty, name.utf8.allSatisfy(ByteClass.token.contains) else {
      throw .malformedName
    }
    guard value.utf8.allSatisfy(ByteClass.fieldValue.contains),
      value.utf8.first?.isWhitespace != true, value.utf8.last?.isWhitespace != true
    else { throw .malformedValue }
    bytes.append(contentsOf: name.utf8)
    bytes.append(contentsOf: ": ".utf8)
    bytes.append(contentsOf: value.utf8)
    bytes.append(contentsOf: "\r\n".utf8)
  }
}
