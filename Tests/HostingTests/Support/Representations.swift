import HTTP

@testable import Hosting

extension Representation {
  /// Status line and fields of the 200 answer.
  var head: [UInt8] { commonHead + lines }
  /// The same of the 304 answer.
  var conditionalHead: [UInt8] { notModifiedHead + lines[contentFields.entityTagLine...] }
  var entityTag: [UInt8] { Array(lines[contentFields.entityTagRange]) }

  private var lines: [UInt8] { (0..<contentFields.count).map { contentFields.bytes[$0] } }
}

extension LastModifiedField {
  var text: [UInt8] { isPresent ? bytes.indices.map { bytes[$0] } : [] }
}

extension Answer {
  var head: [UInt8] {
    (isNotModified ? representation.conditionalHead : representation.head)
      + lastModified.text
  }

  var body: [UInt8] { omitsBody ? [] : representation.body }
}
