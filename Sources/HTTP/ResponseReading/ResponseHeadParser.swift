internal import Bytes

/// Parses a complete head.
///
///     status-line = HTTP-version SP status-code SP [ reason-phrase ]   (RFC 9112 section 4)
///     field-line  = field-name ":" OWS field-value OWS                 (RFC 9112 section 5)
struct ResponseHeadParser {
  private(set) var flaws: [ResponseFlaw] = []
  private let bytes: [UInt8]
  private let limits: ResponseLimits
  private var fields: [ReceivedField] = []

  private static let shownBytes = 80

  /// - Parameter bytes: The head including its empty line.
  init(_ bytes: [UInt8], _ limits: ResponseLimits) {
    self.bytes = bytes
    self.limits = limits
  }

  mutating func parse() throws(ResponseFault) -> ReceivedHead {
    var position = 0
    let statusLine = nextLine(&position)
    let (version, status, reason) = try parseStatusLine(statusLine)
    while position < bytes.count {
      let line = nextLine(&position)
      if line.isEmpty { break }
      takeFieldLine(line)
      if fields.count > limits.fieldLines { throw .tooManyFields(limit: limits.fieldLines) }
    }
    return ReceivedHead(
      minorVersion: version, status: status, reason: reason, fields: fields, bytes: bytes)
  }

  private mutating func nextLine(_ position: inout Int) -> ArraySlice<UInt8> {
    let start = position
    while position < bytes.count && bytes[position] != ASCII.lineFeed { position += 1 }
    var end = position
    position += 1
    if end > start && bytes[end - 1] == ASCII.carriageReturn {
      end -= 1
    } else {
      note(.bareLineFeed)
    }
    return bytes[start..<end]
  }

  private func parseStatusLine(
    _ line: ArraySlice<UInt8>
  ) throws(ResponseFault) -> (UInt8, UInt16, String) {
    let malformed = ResponseFault.malformedStatusLine(visibleText(line, limit: Self.shownBytes))
    let line = Array(line)
    guard line.count >= 12, line.starts(with: "HTTP/1.".utf8), line[7].isDigit,
      line[8] == ASCII.space, line[9] >= UInt8(ascii: "1")
    else { throw malformed }
    var status: UInt16 = 0
    for digit in line[9..<12] {
      guard digit.isDigit else { throw malformed }
      status = status * 10 + UInt16(digit - UInt8(ascii: "0"))
    }
    guard line.count == 12 || line[12] == ASCII.space else { throw malformed }
    let reason = visibleText(line.dropFirst(13), limit: 200)
    return (line[7] - UInt8(ascii: "0"), status, reason)
  }

  private mutating func takeFieldLine(_ line: ArraySlice<UInt8>) {
    if let first = line.first, first.isWhitespace, let last = fields.popLast() {
      // obs-fold: the line end and white space become one space.
      note(.foldedField(last.name))
      let more = line.trimmed(\.isWhitespace)
      fields.append(
        ReceivedField(
          name: last.name, value: last.value + (more.isEmpty ? [] : [ASCII.space]) + more))
      return
    }
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else {
      return note(.malformedField(visibleText(line, limit: Self.shownBytes)))
    }
    let written = line[..<colon]
    let bare = written.trimmed(\.isWhitespace)
    guard !bare.isEmpty, bare.allSatisfy({ ByteClass.token.contains($0) }) else {
      return note(.malformedField(visibleText(line, limit: Self.shownBytes)))
    }
    let name = String(decoding: bare, as: UTF8.self).lowercased()
    if bare.count != written.count { note(.spaceBeforeColon(name)) }
    let value = Array(line[(colon + 1)...].trimmed(\.isWhitespace))
    if !value.allSatisfy({ ByteClass.fieldValue.contains($0) }) {
      note(.controlInField(name))
    }
    fields.append(ReceivedField(name: name, value: value))
  }

  private mutating func note(_ flaw: ResponseFlaw) {
    if flaws.count < 16, !flaws.contains(flaw) { flaws.append(flaw) }
  }
}
