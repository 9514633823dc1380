/// One CAA record (RFC 8659 section 4).
package struct AuthorizationRecord: Sendable, Equatable {
  package let isCritical: Bool
  /// The property tag, in lower case.
  package let tag: String
  package let value: String

  /// The number of the record type.
  package static let type: Int32 = 257

  package init(isCritical: Bool = false, tag: String, value: String) {
    (self.isCritical, self.tag, self.value) = (isCritical, tag, value)
  }
}

/// Returns the CAA records in the answer section of a DNS message (RFC 1035 section 4); nil if the
/// message is malformed.
package func authorizationRecords(in message: [UInt8]) -> [AuthorizationRecord]? {
  guard let contents = records(of: AuthorizationRecord.type, in: message) else { return nil }
  var found: [AuthorizationRecord] = []
  for content in contents {
    guard content.count >= 2 else { return nil }
    let tagEnd = content.startIndex + 2 + Int(content[content.startIndex + 1])
    guard tagEnd <= content.endIndex else { return nil }
    found.append(
      AuthorizationRecord(
        isCritical: content[content.startIndex] & 0x80 != 0,
        tag: String(decoding: content[content.startIndex + 2..<tagEnd], as: UTF8.self).lowercased(),
        value: String(decoding: content[tagEnd...], as: UTF8.self)))
  }
  return found
}

/// The number of the record type TXT.
package let textRecordType: Int32 = 16

/// Returns the texts of the TXT records in the answer section of a DNS message; nil if the message
/// is malformed.
package func textRecords(in message: [UInt8]) -> [String]? {
  guard let contents = records(of: textRecordType, in: message) else { return nil }
  return contents.map { content in
    // A TXT record consists of one or more strings. Each string is preceded by its length.
    var (rest, text) = (content, [UInt8]())
    while let length = rest.popFirst() {
      text += rest.prefix(Int(length))
      rest = rest.dropFirst(Int(length))
    }
    return String(decoding: text, as: UTF8.self)
  }
}
