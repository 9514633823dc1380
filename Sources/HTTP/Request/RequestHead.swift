/// The head of one request: request line and fields, judged by RFC 9112 sections 2 to 7 and
/// RFC 9110.
///
/// It holds no bytes, only positions in the buffer that was parsed, counted from that buffer's
/// beginning; they are good until the buffer changes. One value serves all requests of a loop:
/// `parse` overwrites it, and a request allocates nothing. It cannot be copied,
/// only lent, so that its storage is never shared.
/// After a fault its content means nothing.
package struct RequestHead: ~Copyable, Sendable {
  package internal(set) var method = Method.unknown
  package internal(set) var target = RequestTarget()
  /// Which of the expected targets it is, when the request line is an expected one.
  package private(set) var expectedTarget: Int?
  /// The second digit of the version, the first being 1.
  package internal(set) var minorVersion: UInt8 = 1

  /// The host that the request is for: the target's in absolute and authority form, else the
  /// Host field's (RFC 9112 section 3.2.2). Without port, brackets, and the dot that may end a
  /// complete name; letters as they were sent. Empty only when an HTTP/1.0 request names none.
  package internal(set) var host: Range<Int> = 0..<0
  /// The port that goes with `host`, nil when none is given.
  package internal(set) var hostPort: UInt16?

  /// Whether another request may follow on this connection: by version and Connection field
  /// (RFC 9112 section 9.3).
  package internal(set) var allowsReuse = false
  /// How the content that follows the head is framed.
  package internal(set) var body = BodyFraming.none
  /// Whether the client waits for `100 Continue` before it sends its content (RFC 9110 section
  /// 10.1.1). False without content to wait for, and in HTTP/1.0.
  package internal(set) var expectsContinue = false

  /// The field lines with known names, in order, are its first `knownCount` elements; its length
  /// never changes. (An `InlineArray` was slower: reading one element copied them all.)
  private(set) var knownLines: [FieldLine]
  private(set) var knownCount = 0
  /// All field lines, known or not.
  package private(set) var fieldCount = 0
  /// Which known fields there are, so that absent ones cost nothing.
  package internal(set) var names = FieldNames()

  private var methodStart = 0
  private let expectedTargets: ExpectedTargets
  /// The value of the first User-Agent field; empty without one.
  package private(set) var userAgent = 0..<0
  /// What the fields that steer the message itself have said so far.
  var control = ControlFields()

  /// - Parameter expectedTargets: what most requests get; they are recognised faster.
  package init(expectedTargets: [[UInt8]] = []) {
    self.expectedTargets = ExpectedTargets(expectedTargets)
    let nothing = FieldLine(
      nameStart: 0, nameEnd: 0, valueStart: 0, valueEnd: 0, name: .other)
    knownLines = Array(repeating: nothing, count: 64)
  }

  /// The field lines with known names in order, in an array of its own: not for each request.
  package var knownFields: [FieldLine] { Array(knownLines[..<knownCount]) }

  /// Where the value of the first field line of that name is; nil without one.
  package func firstValue(_ name: FieldName) -> Range<Int>? {
    guard names.contains(name), let index = nextField(name, from: 0) else { return nil }
    return knownLines[index].valueRange
  }

  /// The index in `knownLines` of the first line of that name at or after `index`; nil without
  /// one.
  @inline(__always)
  func nextField(_ name: FieldName, from index: Int) -> Int? {
    var index = index
    while index < knownCount {
      if knownLines[index].name == name { return index }
      index &+= 1
    }
    return nil
  }

  /// Reads a head over any number of reads: what `HeadFramer.frame` and then `parse` do, with the
  /// same results, but a head that arrived whole is looked at once.
  ///
  /// Parsing is the stricter look, so what it accepts within the limits needs no framing. When it
  /// refuses, the framer says whether the head is only unfinished, or names the first fault.
  ///
  /// - Parameters:
  ///   - bytes: everything that was read and not yet dropped.
  ///   - start: where this head begins in `bytes`.
  ///   - framer: what was seen of this head in earlier calls.
  /// - Returns: the index after the head; nil when more bytes are needed.
  package mutating func read(
    _ bytes: Span<UInt8>, from start: Int, framer: inout HeadFramer, limits: RequestLimits
  ) throws(RequestFault) -> Int? {
    if framer.isEmpty {
      if start == bytes.count { return nil }
      if let end = parseWhole(bytes, from: start, limits: limits) { return end }
    }
    guard let end = try framer.frame(bytes, from: start, limits: limits) else { return nil }
    try parse(bytes, from: start, to: end, limits: limits)
    return end
  }

  /// The index after the head at `start`; nil when it is not whole, not valid or too large.
  @inline(__always)
  private mutating func parseWhole(
    _ bytes: Span<UInt8>, from start: Int, limits: RequestLimits
  ) -> Int? {
    do throws(RequestFault) {
      let end = try parseLines(bytes, from: start, to: bytes.count, limits: limits)
      let methodBytes = target.whole.lowerBound &- 1 &- methodStart
      guard end &- start <= limits.headBytes, target.whole.count <= limits.targetBytes,
        methodBytes <= limits.methodBytes
      else { return nil }
      return end
    } catch {
      return nil
    }
  }

  /// Reads the head that `HeadFramer` found, from where it was told to start to where it says
  /// the head ends.
  ///
  /// It relies on the framer for nothing but the limits of sizes: every byte is judged here too.
  package mutating func parse(
    _ bytes: Span<UInt8>, from start: Int, to end: Int, limits: RequestLimits
  ) throws(RequestFault) {
    let next = try parseLines(bytes, from: start, to: end, limits: limits)
    guard next == end else { throw .repeatedEmptyLine }
  }

  /// Reads all lines up to the empty one.
  ///
  /// - Returns: the index after the empty line.
  private mutating func parseLines(
    _ bytes: Span<UInt8>, from start: Int, to end: Int, limits: RequestLimits
  ) throws(RequestFault) -> Int {
    reset()
    var index = start
    if end &- index >= 2, bytes[index] == ASCII.carriageReturn,
      bytes[index &+ 1] == ASCII.lineFeed
    {
      index &+= 2
    }
    methodStart = index
    index = try parseRequestLine(bytes, from: index, to: end)
    let fieldLines = limits.fieldLines
    while index < end, bytes[index] != ASCII.carriageReturn {
      if fieldCount >= fieldLines { throw .tooManyFields }
      index = try parseFieldLine(bytes, from: index, to: end)
    }
    index = try skipLineEnd(bytes, at: index, to: end)
    try finish()
    return index
  }

  private mutating func reset() {
    fieldCount = 0
    knownCount = 0
    names = FieldNames()
    control = ControlFields()
    host = 0..<0
    hostPort = nil
    userAgent = 0..<0
  }

  /// request-line = method SP request-target SP HTTP-version (RFC 9112 section 3), with exactly
  /// these spaces: the leniency that the RFC allows is how two servers come to disagree.
  private mutating func parseRequestLine(
    _ bytes: Span<UInt8>, from start: Int, to end: Int
  ) throws(RequestFault) -> Int {
    if let found = expectedTargets.find(bytes, from: start), found.end <= end {
      expectedTarget = found.index
      method = .get
      target.form = .origin
      target.whole = found.target
      target.path = found.target
      target.query = nil
      minorVersion = 1
      return found.end
    }
    expectedTarget = nil
    var index = start
    while index < end, ByteClass.token.contains(bytes[index]) { index &+= 1 }
    guard index > start, index < end, bytes[index] == ASCII.space else { throw .malformedMethod }
    method = Method(bytes, from: start, to: index)

    index = try parseTarget(bytes, from: index &+ 1, to: end)
    guard index < end, bytes[index] == ASCII.space else {
      let endsLine = index < end && bytes[index] == ASCII.carriageReturn
      throw endsLine ? .malformedVersion : .malformedTarget
    }
    index = try parseVersion(bytes, from: index &+ 1, to: end)
    index = try skipLineEnd(bytes, at: index, to: end)
    // After the version, so that the preface of HTTP/2, `PRI * HTTP/2.0`, is told its version.
    if target.form == .asterisk && method != .options { throw .malformedTarget }
    return index
  }

  /// HTTP-version = "HTTP" "/" DIGIT "." DIGIT, in capitals (RFC 9112 section 2.3).
  private mutating func parseVersion(
    _ bytes: Span<UInt8>, from start: Int, to end: Int
  ) throws(RequestFault) -> Int {
    guard end &- start >= 8, let version = word(bytes, at: start) else {
      throw .malformedVersion
    }
    // "HTTP/" in the five low bytes, "." in the seventh
    guard version & 0x00FF_00FF_FFFF_FFFF == 0x002E_002F_5054_5448 else { throw .malformedVersion }
    let major = UInt8(truncatingIfNeeded: version &>> 40)
    let minor = UInt8(truncatingIfNeeded: version &>> 56)
    guard major.isDigit, minor.isDigit else { throw .malformedVersion }
    let next = start &+ 8
    // What follows must end the line before the version counts: `HTTP/2.0x` is no version.
    guard next < end, bytes[next] == ASCII.carriageReturn else { throw .malformedVersion }
    guard major == UInt8(ascii: "1") else { throw .unsupportedVersion }
    minorVersion = minor &- UInt8(ascii: "0")
    return next
  }

  /// field-line = field-name ":" OWS field-value OWS (RFC 9112 section 5)
  @inline(__always)
  private mutating func parseFieldLine(
    _ bytes: Span<UInt8>, from start: Int, to end: Int
  ) throws(RequestFault) -> Int {
    var (name, nameEnd) = FieldName.frequent(bytes, at: start)
    if name == .other {
      // Nearly all names are of letters and hyphens. A dot is a token's byte too, a slash is not.
      nameEnd = skipCommon(upTo: UInt8(ascii: "."), in: bytes, from: start, to: end)
      while nameEnd < end, ByteClass.token.contains(bytes[nameEnd]) { nameEnd &+= 1 }
      guard nameEnd > start, nameEnd < end, bytes[nameEnd] == UInt8(ascii: ":") else {
        throw faultOfName(bytes, from: start, at: nameEnd, to: end)
      }
      name = FieldName(bytes, from: start, to: nameEnd)
    } else if nameEnd >= end {
      throw .malformedFieldName
    }
    var index = nameEnd &+ 1
    while index < end, bytes[index].isWhitespace { index &+= 1 }
    let valueStart = index
    let lineEnd = try skipValue(bytes, from: index, to: end)
    var valueEnd = lineEnd
    while valueEnd > valueStart, bytes[valueEnd &- 1].isWhitespace { valueEnd &-= 1 }
    index = try skipLineEnd(bytes, at: lineEnd, to: end)

    fieldCount &+= 1
    if name == .other { return index }
    guard knownCount < knownLines.count else { throw .tooManyFields }
    knownLines[knownCount] = FieldLine(
      nameStart: UInt32(truncatingIfNeeded: start), nameEnd: UInt32(truncatingIfNeeded: nameEnd),
      valueStart: UInt32(truncatingIfNeeded: valueStart),
      valueEnd: UInt32(truncatingIfNeeded: valueEnd), name: name)
    knownCount &+= 1
    names.insert(name)
    switch name {
    case .host: try takeHost(bytes, from: valueStart, to: valueEnd)
    case .connection: control.takeConnection(bytes, from: valueStart, to: valueEnd)
    case .contentLength: try control.takeLength(bytes, from: valueStart, to: valueEnd)
    case .transferEncoding: try control.takeCodings(bytes, from: valueStart, to: valueEnd)
    case .expect: control.takeExpectation(bytes, from: valueStart, to: valueEnd)
    case .userAgent: if userAgent.isEmpty { userAgent = valueStart..<valueEnd }
    default: break
    }
    return index
  }

  /// Host: one line, valid, whatever the target says (RFC 9112 section 3.2).
  @inline(__always)
  private mutating func takeHost(
    _ bytes: Span<UInt8>, from start: Int, to end: Int
  ) throws(RequestFault) {
    if control.hasHost { throw .repeatedHost }
    control.hasHost = true
    guard let authority = Authority(bytes, from: start, to: end) else { throw .malformedHost }
    if !control.targetHasHost {
      host = authority.host
      hostPort = authority.port
    }
  }

  /// Takes the host of the target, which wins over the Host field (RFC 9112 section 3.2.2).
  mutating func take(_ authority: Authority) {
    control.targetHasHost = true
    host = authority.host
    hostPort = authority.port
  }

  /// What only all fields together say.
  @inline(__always)
  private mutating func finish() throws(RequestFault) {
    if minorVersion >= 1 && !control.hasHost { throw .missingHost }
    allowsReuse = control.allowsReuse(minorVersion: minorVersion)
    body = try control.bodyFraming(minorVersion: minorVersion)
    expectsContinue = false
    if control.expectation != .none && minorVersion >= 1 {
      if control.expectation == .unknown { throw .expectationFailed }
      expectsContinue = body != .none
    }
  }
}

/// Where a field value ends: at the first byte that is no part of one.
@inline(__always)
func skipValue(
  _ bytes: Span<UInt8>, from start: Int, to end: Int
) throws(RequestFault) -> Int {
  var index = start
  while true {
    index = firstByte(below: ASCII.space, in: bytes, from: index, to: end)
    guard index < end, bytes[index] == ASCII.horizontalTab else { return index }
    index &+= 1
  }
}

/// The index after the CRLF at `index`; anything else there is a fault.
@inline(__always)
func skipLineEnd(
  _ bytes: Span<UInt8>, at index: Int, to end: Int
) throws(RequestFault) -> Int {
  guard end &- index >= 2, bytes[index] == ASCII.carriageReturn,
    bytes[index &+ 1] == ASCII.lineFeed
  else { throw faultOfLineEnd(bytes, at: index, to: end) }
  return index &+ 2
}

private func faultOfLineEnd(_ bytes: Span<UInt8>, at index: Int, to end: Int) -> RequestFault {
  guard index < end else { return .carriageReturnWithoutLineFeed }
  switch bytes[index] {
  case ASCII.carriageReturn: return .carriageReturnWithoutLineFeed
  case ASCII.lineFeed: return .lineFeedWithoutCarriageReturn
  default: return .controlCharacter
  }
}

/// Why no field name with its colon stands at `start`. White space first is a folded line of old
/// or smuggled white space; before the colon it once let two servers read two different fields
/// (RFC 9112 sections 2.2, 5.1, 5.2).
func faultOfName(
  _ bytes: Span<UInt8>, from start: Int, at index: Int, to end: Int
) -> RequestFault {
  guard index < end, bytes[index].isWhitespace else { return .malformedFieldName }
  return index == start ? .foldedLine : .whitespaceBeforeColon
}
