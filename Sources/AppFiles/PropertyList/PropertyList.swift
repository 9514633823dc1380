/// A value of a property list, with the kinds that entitlements use.
package indirect enum PropertyList: Equatable, Sendable {
  case text(String)
  case truth(Bool)
  case list([PropertyList])
  case dictionary([String: PropertyList])
  /// A number, a date or bytes; none of them is used.
  case other

  /// Reads the XML form or the binary one.
  package init(_ bytes: [UInt8]) throws(PropertyListFault) {
    if bytes.starts(with: "bplist".utf8) {
      var reader = try BinaryPropertyList(bytes)
      self = try reader.read()
    } else {
      var reader = XMLPropertyList(bytes)
      self = try reader.read()
    }
  }

  /// The value for a key of a dictionary.
  package subscript(key: String) -> PropertyList? {
    if case .dictionary(let entries) = self { entries[key] } else { nil }
  }

  package var text: String? {
    if case .text(let text) = self { text } else { nil }
  }

  /// The strings in an array, skipping other elements; nil for other values.
  package var strings: [String]? {
    if case .list(let elements) = self { elements.compactMap(\.text) } else { nil }
  }
}

/// The reason why bytes cannot be read as a property list.
package struct PropertyListFault: Error, Equatable {
  /// The message: one lower-case sentence without a full stop.
  package let message: String

  static let tooDeep = PropertyListFault(
    message: "the property list has more than \(AppFileLimits.depth) values within each other")
  static let tooMany = PropertyListFault(
    message: "the property list has more than \(AppFileLimits.values) values")
  static let tooLong = PropertyListFault(
    message: "the texts of the property list have more than \(AppFileLimits.listTextBytes) bytes")
  static let cutOff = PropertyListFault(message: "the property list is cut off")
}
