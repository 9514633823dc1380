@testable import Hosting

extension Representation {
  /// Status line and fields of the 200 answer.
  var head: [UInt8] { commonHead + ownLines }
  /// The same of the 304 answer.
  var conditionalHead: [UInt8] { notModifiedHead + ownLines[entityTagLine...] }
  var entityTag: [UInt8] { Array(ownLines[entityTagRange]) }
}

extension Answer {
  var head: [UInt8] {
    (isNotModified ? representation.conditionalHead : representation.head) + lastModifiedLine
  }

  var body: [UInt8] { omitsBody ? [] : representation.body }
}
