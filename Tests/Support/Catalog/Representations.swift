package import Catalog
package import HTTP

extension Representation {
  /// Status line and fields of the 200 answer.
  package var head: [UInt8] { commonHead + lines }
  /// The same of the 304 answer.
  package var conditionalHead: [UInt8] { notModifiedHead + lines[contentFields.entityTagLine...] }
  package var entityTag: [UInt8] { Array(lines[contentFields.entityTagRange]) }

  private var lines: [UInt8] { (0..<contentFields.count).map { contentFields.bytes[$0] } }
}

extension LastModifiedField {
  package var text: [UInt8] { isPresent ? bytes.indices.map { bytes[$0] } : [] }
}

extension Answer {
  package var head: [UInt8] {
    (isNotModified ? representation.conditionalHead : representation.head)
      + lastModified.text
  }

  package var body: [UInt8] { omitsBody ? [] : representation.body }
}
