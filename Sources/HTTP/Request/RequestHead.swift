/// The head of one request: request line and fields, judged by RFC 9112 sections 2 to 7 and
/// RFC 9110.
///
/// It holds no bytes, only positions in the buffer that was parsed, counted from that buffer's
/// beginning; they are good until the buffer changes. One value serves all requests of a loop:
/// `parse` overwrites it, and the field array keeps its storage, so a request allocates nothing.
/// After a fault its content means nothing.
package struct RequestHead: Sendable {
  package internal(set) var method = Method.unknown
  package internal(set) var target = RequestTarget()
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

  /// All field lines in order.
  package internal(set) var fields: [FieldLine] = []
  /// Which known fields there are, so that absent ones cost nothing.
  package internal(set) var names = FieldNames()

  /// What the fields that steer the message itself have said so far.
  var control = ControlFields()

  package init() {
    fields.reserveCapacity(32)
  }

  /// Reads the head that `HeadFramer` found, from where it was told to start to where it says
  /// the head ends.
  ///
  /// It relies on the framer for nothing but the bounds: every byte is judged here too.
  package mutating func parse(
    _ bytes: Span<UInt8>, from start: Int, to end: Int, limits: RequestLimits
  ) throws(RequestFault) {
    reset()
    var index = start
    if end &- index >= 2, bytes[index] == ASCII.carriageReturn,
      bytes[index &+ 1] == ASCII.lineFeed
    {
      index &+= 2
    }
    index = try parseRequestLine(bytes, from: index, to: end)
    while index < end, bytes[index] != ASCII.carriageReturn {
      if fields.count >= limits.fieldLines { throw .tooManyFields }
      index = try parseFieldLine(bytes, from: index, to: end)
    }
    guard try skipLineEnd(bytes, at: index, to: end) == end else { throw .repeatedEmptyLine }
    try finish()
  }

  private mutating func reset() {
    fields.removeAll(keepingCapacity: true)
    names = FieldNames()
    control = ControlFields()
    host = 0..<0
    hostPort = nil
  }

  /// request-line = method SP request-target SP HTTP-version (RFC 9112 section 3), with exactly
  /// these spaces: the leniency that the RFC allows is how two servers come to disagree.
  private mutating func parseRequestLine(
    _ bytes: Span<UInt8>, from start: Int, to end: Int
  ) throws(RequestFault) -> Int {
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
    guard end &- start >= 8 else { throw .malformedVersion }
    let version = word(bytes, at: start)
    // "HTTP/" in the five low bytes, "." in the seventh
    guard version & 0x00FF_00FF_FFFF_FFFF == 0x002E_002F_5054_5448 else { throw .malformedVersion }
    let major = bytes[start &+ 5]
    let minor = bytes[start &+ 7]
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
    var index = start
    while index < end, ByteClass.token.contains(bytes[index]) { index &+= 1 }
    let nameEnd = index
    guard nameEnd > start, nameEnd < end, bytes[nameEnd] == UInt8(ascii: ":") else {
      throw faultOfName(bytes, from: start, at: nameEnd, to: end)
    }
    index &+= 1
    while index < end, bytes[index].isWhitespace { index &+= 1 }
    let valueStart = index
    let lineEnd = try skipValue(bytes, from: index, to: end)
    var valueEnd = lineEnd
    while valueEnd > valueStart, bytes[valueEnd &- 1].isWhitespace { valueEnd &-= 1 }
    index = try skipLineEnd(bytes, at: lineEnd, to: end)

    let name = FieldName(bytes, from: start, to: nameEnd)
    let line = FieldLine(
      nameStart: UInt32(truncatingIfNeeded: start), nameEnd: UInt32(truncatingIfNeeded: nameEnd),
      valueStart: UInt32(truncatingIfNeeded: valueStart),
      valueEnd: UInt32(truncatingIfNeeded: valueEnd), name: name)
    fields.append(line)
    names.insert(name)
    switch name {
    case .host: try takeHost(bytes, from: valueStart, to: valueEnd)
    case .connection: control.takeConnection(bytes, from: valueStart, to: valueEnd)
    case .contentLength: try control.takeLength(bytes, from: valueStart, to: valueEnd)
    case .transferEncoding: try control.takeCodings(bytes, from: valueStart, to: valueEnd)
    case .expect: control.takeExpectation(bytes, from: valueStart, to: valueEnd)
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
