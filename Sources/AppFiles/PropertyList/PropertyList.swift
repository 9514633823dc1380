/// A value of a property list, with the kinds that entitlements use.
package indirect enum PropertyList: Equatable, Sendable {
  case text(String)
  case truth(Bool)
  case list([PropertyList])
  case dictionary([String: PropertyList])
  /// A number, a date or bytes, which are not used.
  case other

  /// Reads the XML form or the binary form.
  ///
  /// - Parameter start: Where the XML form begins.
  package init(_ bytes: [UInt8], from start: Int = 0) throws(AppFileFault) {
    if bytes.starts(with: "bplist".utf8) {
      var reader = try BinaryPropertyList(bytes)
      self = try reader.read()
    } else {
      var reader = XMLPropertyList(bytes, from: start)
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

  /// The elements of an array; empty for other values.
  var elements: [PropertyList] {
    if case .list(let elements) = self { elements } else { [] }
  }

  /// The strings in an array, skipping other elements; nil for other values.
  var strings: [String]? {
    if case .list(let elements) = self { elements.compactMap(\.text) } else { nil }
  }
}

/// Faults of a property list.
extension AppFileFault {
  static let tooDeep = content(
    "the property list has more than \(AppFileLimits.depth) nested values")
  static let tooMany = content("the property list has more than \(AppFileLimits.values) values")
  static let tooLong = content(
    "the texts of the property list have more than \(AppFileLimits.listTextBytes) bytes")
}
