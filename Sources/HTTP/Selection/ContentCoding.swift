internal import Bytes

/// The content coding of the answer to a request (RFC 9110 section 12.5.3).
package enum ContentCoding: UInt8, Sendable, CaseIterable {
  case identity
  case gzip
  /// No available coding is acceptable to the client. The server then answers with the status 406.
  case notAcceptable
}

/// Chooses the content coding of the answer from the Accept-Encoding lines of a request.
///
/// If the request has no Accept-Encoding field or an empty one, the answer is not encoded.
/// Otherwise the coding with the higher weight is chosen. At equal weights gzip is chosen, because
/// gzip content is smaller. If the field lists neither `identity` nor `*`, `identity` is
/// acceptable, but a listed gzip is preferred. If a coding is listed twice, its highest weight
/// applies. `x-gzip` means gzip. A malformed member, or a member with a malformed weight, is
/// ignored.
///
/// - Parameter gzipAvailable: Whether the server has the file compressed with gzip.
package func acceptEncoding(
  _ head: borrowing RequestHead, _ bytes: Span<UInt8>, gzipAvailable: Bool
) -> ContentCoding {
  guard head.names.contains(.acceptEncoding) else { return .identity }
  return head.weighCodings(bytes).choice(gzipAvailable: gzipAvailable)
}

extension RequestHead {
  fileprivate func weighCodings(_ bytes: Span<UInt8>) -> CodingWeights {
    var weights = CodingWeights()
    var next = 0
    while let index = nextField(.acceptEncoding, from: next) {
      next = index &+ 1
      let value = knownLines[index].valueRange
      weights.take(bytes, from: value.lowerBound, to: value.upperBound)
    }
    return weights
  }
}

/// The weights in an Accept-Encoding field, in thousandths; -1 for a coding that is not listed.
private struct CodingWeights: Sendable {
  private var gzip: Int16 = -1
  private var identity: Int16 = -1
  private var any: Int16 = -1

  mutating func take(_ bytes: Span<UInt8>, from start: Int, to end: Int) {
    var index = start
    while index < end {
      if bytes[index] == UInt8(ascii: ",") || bytes[index].isWhitespace {
        index &+= 1
        continue
      }
      let nameEnd = skipToken(bytes, from: index, to: end)
      var memberEnd = nameEnd
      while memberEnd < end, bytes[memberEnd] != UInt8(ascii: ",") { memberEnd &+= 1 }
      takeMember(bytes, index, nameEnd, memberEnd)
      index = memberEnd
    }
  }

  @inline(__always)
  private mutating func takeMember(
    _ bytes: Span<UInt8>, _ start: Int, _ nameEnd: Int, _ end: Int
  ) {
    let count = nameEnd &- start
    guard count >= 1, count <= 8 else { return }
    let name = foldedWord(bytes, at: start, count: count)
    guard
      name == Word.gzip || name == Word.xGzip || name == Word.identity
        || name == Word.any,
      let weight = nameEnd == end ? 1000 : parseWeight(bytes, from: nameEnd, to: end)
    else { return }
    switch name {
    case Word.identity: identity = max(identity, weight)
    case Word.any: any = max(any, weight)
    default: gzip = max(gzip, weight)
    }
  }

  func choice(gzipAvailable: Bool) -> ContentCoding {
    let gzipWeight = !gzipAvailable ? 0 : gzip >= 0 ? gzip : max(any, 0)
    let listedIdentity = identity >= 0 ? identity : any
    if gzipWeight > 0 && gzipWeight >= listedIdentity { return .gzip }
    return listedIdentity == 0 ? .notAcceptable : .identity
  }
}

/// Parses weight = OWS ";" OWS "q=" qvalue (RFC 9110 section 12.4.2), which must fill `start..<end`
/// except for surrounding white space. Returns the weight in thousandths; 1,000 if there are no
/// bytes, and nil if the bytes are not a weight.
private func parseWeight(_ bytes: Span<UInt8>, from start: Int, to end: Int) -> Int16? {
  var index = start
  while index < end, bytes[index].isWhitespace { index &+= 1 }
  if index == end { return 1000 }
  var end = end
  while bytes[end &- 1].isWhitespace { end &-= 1 }
  guard bytes[index] == UInt8(ascii: ";") else { return nil }
  index &+= 1
  while index < end, bytes[index].isWhitespace { index &+= 1 }
  guard end &- index >= 3, bytes[index] | 0x20 == UInt8(ascii: "q"),
    bytes[index &+ 1] == UInt8(ascii: "=")
  else { return nil }
  index &+= 2

  // qvalue = ( "0" [ "." 0*3DIGIT ] ) / ( "1" [ "." 0*3("0") ] )
  let whole = bytes[index] &- UInt8(ascii: "0")
  guard whole <= 1 else { return nil }
  index &+= 1
  var thousandths = Int16(whole) &* 1000
  if index == end { return thousandths }
  guard bytes[index] == UInt8(ascii: "."), end &- index <= 4 else { return nil }
  index &+= 1
  var unit: Int16 = 100
  while index < end {
    guard bytes[index].isDigit else { return nil }
    thousandths &+= Int16(bytes[index] &- UInt8(ascii: "0")) &* unit
    unit /= 10
    index &+= 1
  }
  return thousandths <= 1000 ? thousandths : nil
}
