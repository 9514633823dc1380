/// A value of a property list. Only the kinds of values that entitlements contain are
/// distinguished.
package indirect enum PropertyList: Equatable, Sendable {
  case text(String)
  case truth(Bool)
  case list([PropertyList])
  case dictionary([String: PropertyList])
  /// A number, a date or data. This program does not use such values.
  case other

  /// Reads a property list in XML or in the binary form.
  ///
  /// - Parameter start: The index at which the XML begins. Ignored for the binary form.
  package init(_ bytes: [UInt8], from start: Int = 0) throws(AppFileFault) {
    if bytes.starts(with: "bplist".utf8) {
      var reader = try BinaryPropertyList(bytes)
      self = try reader.read()
    } else {
      var reader = XMLPropertyList(bytes, from: start)
      self = try reader.read()
    }
  }

  /// The value for a key of a dictionary; nil if there is no such key, or this value is not a
  /// dictionary.
  package subscript(key: String) -> PropertyList? {
    if case .dictionary(let entries) = self { entries[key] } else { nil }
  }

  package var text: String? {
    if case .text(let text) = self { text } else { nil }
  }

  /// The elements if this value is an array; otherwise empty.
  var elements: [PropertyList] {
    if case .list(let elements) = self { elements } else { [] }
  }

  /// The strings in this array, without its other elements; nil if this value is not an array.
  var strings: [String]? {
    if case .list(let elements) = self { elements.compactMap(\.text) } else { nil }
  }
}

/// Faults that all forms of property lists can have.
extension AppFileFault {
  static let tooDeep = content(
    "the values of the property list are nested more than \(AppFileLimits.depth) levels deep")
  static let tooMany = content("the property list has more than \(AppFileLimits.values) values")
  static let tooLong = content(
    "the strings in the property list have more than \(AppFileLimits.listTextBytes) bytes "
      + "altogether")
}
