internal import Bytes

/// The head of one request: the request line and the fields, checked against RFC 9112 sections 2 to
/// 7 and RFC 9110.
///
/// This value contains positions in the parsed buffer instead of bytes. The positions are valid
/// until the buffer changes. An event loop uses one value for all its requests: `read` overwrites
/// the value, so a request allocates nothing. The value can be borrowed but not copied, so its
/// storage is never shared. After a fault, the value is meaningless.
package struct RequestHead: ~Copyable, Sendable {
  package internal(set) var method = Method.unknown
  package internal(set) var target = RequestTarget()
  /// The index of the request's target in `expectedTargets`. Nil if the parser did not recognize
  /// the request line as an expected line.
  package private(set) var expectedTarget: Int?
  /// The minor version: the second digit of the HTTP version. The first digit is always 1.
  package internal(set) var minorVersion: UInt8 = 1

  /// The host of the request. In absolute-form and authority-form, this is the host of the target,
  /// otherwise the host of the Host field (RFC 9112 section 3.2.2). The host has no port, brackets
  /// or final dot, and its letter case is as the client sent it. Empty only if an HTTP/1.0 request
  /// contains no host.
  package internal(set) var host: Range<Int> = 0..<0
  /// The port that follows `host`; nil if the request contains no port.
  package internal(set) var hostPort: UInt16?

  /// Whether another request may follow on this connection, according to the version and the
  /// Connection field (RFC 9112 section 9.3).
  package internal(set) var allowsReuse = false
  /// The framing of the content after the head.
  package internal(set) var body = BodyFraming.none
  /// Whether the client waits for `100 Continue` before it sends its content (RFC 9110 section
  /// 10.1.1). Always false for requests without content and for HTTP/1.0.
  package internal(set) var expectsContinue = false

  /// The field lines with known names, in order: the first `knownCount` elements. The array's
  /// length never changes. (An `InlineArray` was slower: reading one element copied all of them.)
  private(set) var knownLines: [FieldLine]
  private(set) var knownCount = 0
  /// The number of all field lines, including those with unknown names.
  package private(set) var fieldCount = 0
  /// The known fields that are present. The set avoids a search for absent fields.
  package internal(set) var names = FieldNames()

  private let expectedTargets: ExpectedTargets
  /// The value of the first User-Agent field; empty if the request has no such field.
  package private(set) var userAgent = 0..<0
  /// The fields that control the message itself, as read so far.
  var control = ControlFields()

  /// Whether a path may contain bytes such as `[`, `|` and a bare `%`. Browsers send these bytes
  /// unencoded (URL Standard, path percent-encode set), although RFC 3986 section 3.3 requires that
  /// they be encoded.
  let acceptsBrowserPaths: Bool

  /// - Parameters:
  ///   - expectedTargets: The targets of most requests. The parser recognizes these targets faster
  ///     than others.
  ///   - acceptsBrowserPaths: Whether a path may contain bytes that browsers send unencoded; set
  ///     for listeners with pages. `requireEncodedPath` can still refuse such a path later.
  package init(expectedTargets: [[UInt8]] = [], acceptsBrowserPaths: Bool = false) {
    self.expectedTargets = ExpectedTargets(expectedTargets)
    self.acceptsBrowserPaths = acceptsBrowserPaths
    let nothing = FieldLine(
      nameStart: 0, nameEnd: 0, valueStart: 0, valueEnd: 0, name: .other)
    knownLines = Array(repeating: nothing, count: 64)
  }

  /// The field lines with known names, in order, as a new array. Too slow to be used for every
  /// request.
  package var knownFields: [FieldLine] { Array(knownLines[..<knownCount]) }

  /// Returns the index in `knownLines` of the next line with this name, from `index` on; nil if
  /// there is no such line.
  @inline(__always)
  func nextField(_ name: FieldName, from index: Int) -> Int? {
    var index = index
    while index < knownCount {
      if knownLines[index].name == name { return index }
      index &+= 1
    }
    return nil
  }

  /// Finds the end of the head that begins at `start`, and parses the lines of the head in the same
  /// pass (RFC 9112 section 2.1).
  ///
  /// Keeps nothing of an incomplete head: once more bytes have arrived, the caller must read the
  /// head again from its beginning. To avoid many repetitions, a caller should call again only
  /// after another line feed has arrived or the head has reached its size limit. Bytes that cannot
  /// begin a valid head are refused at the first wrong byte, even if the head is incomplete.
  ///
  /// - Parameters:
  ///   - bytes: All bytes that were received and not yet dropped.
  ///   - start: The beginning of this head in `bytes`.
  /// - Returns: The index after the head; nil if more bytes are needed.
  package mutating func read(
    _ bytes: Span<UInt8>, from start: Int, limits: RequestLimits
  ) throws(RequestFault) -> Int? {
    let end = min(bytes.count, start &+ limits.headBytes)
    if let next = try parseLines(bytes, from: start, to: end, limits: limits) { return next }
    if bytes.count &- start >= limits.headBytes { throw .headTooLarge }
    return nil
  }

  // Each function below reads one part of the head and returns the index after this part, or nil if
  // the part continues after `end`.

  /// Reads all lines up to the empty line.
  @inline(__always)
  private mutating func parseLines(
    _ bytes: Span<UInt8>, from start: Int, to end: Int, limits: RequestLimits
  ) throws(RequestFault) -> Int? {
    reset()
    guard let first = try skipEmptyLine(bytes, from: start, to: end),
      var index = try parseRequestLine(bytes, from: first, to: end, limits: limits)
    else { return nil }
    let fieldLines = limits.fieldLines
    while index < end, bytes[index] != ASCII.carriageReturn {
      if fieldCount >= fieldLines { throw .tooManyFields }
      guard let next = try parseFieldLine(bytes, from: index, to: end) else { return nil }
      index = next
    }
    guard let next = try skipLineEnd(bytes, at: index, to: end) else { return nil }
    try finish()
    return next
  }

  /// Skips one empty line before a request line, because old clients sent an empty line after
  /// content (RFC 9112 section 2.2). A second empty line is an error. Otherwise a client could send
  /// empty lines without end.
  @inline(__always)
  private func skipEmptyLine(
    _ bytes: Span<UInt8>, from start: Int, to end: Int
  ) throws(RequestFault) -> Int? {
    guard start < end else { return nil }
    if bytes[start] == ASCII.lineFeed { throw .lineFeedWithoutCarriageReturn }
    guard bytes[start] == ASCII.carriageReturn else { return start }
    guard let next = try skipLineEnd(bytes, at: start, to: end), next < end else { return nil }
    if bytes[next] == ASCII.lineFeed { throw .lineFeedWithoutCarriageReturn }
    if bytes[next] == ASCII.carriageReturn { throw .repeatedEmptyLine }
    return next
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

  /// request-line = method SP request-target SP HTTP-version (RFC 9112 section 3). Accepts only
  /// single spaces. The RFC also allows lenient parsing, but lenient servers do not agree on what
  /// to accept.
  private mutating func parseRequestLine(
    _ bytes: Span<UInt8>, from start: Int, to end: Int, limits: RequestLimits
  ) throws(RequestFault) -> Int? {
    if let found = expectedTargets.find(bytes, from: start), found.end <= end {
      expectedTarget = found.index
      method = .get
      target.form = .origin
      target.path = found.target
      target.query = nil
      minorVersion = 1
      if found.target.count > limits.targetBytes { throw .targetTooLong }
      return found.end
    }
    expectedTarget = nil
    var index = start
    while index < end, ByteClass.token.contains(bytes[index]) { index &+= 1 }
    if index &- start > limits.methodBytes { throw .methodTooLong }
    guard index < end else { return nil }
    guard index > start, bytes[index] == ASCII.space else { throw .malformedMethod }
    method = Method(bytes, from: start, to: index)

    index &+= 1
    guard let targetEnd = try findTargetEnd(bytes, from: index, to: end, limits: limits) else {
      return nil
    }
    guard try parseTarget(bytes, from: index, to: targetEnd) == targetEnd else {
      throw .malformedTarget
    }
    guard let versionEnd = try parseVersion(bytes, from: targetEnd &+ 1, to: end),
      let next = try skipLineEnd(bytes, at: versionEnd, to: end)
    else { return nil }
    // Make this check after the version was read. The preface of HTTP/2, `PRI * HTTP/2.0`, is then
    // refused because of its version.
    if target.form == .asterisk && method != .options { throw .malformedTarget }
    return next
  }

  /// Returns the index of the space after the target.
  private func findTargetEnd(
    _ bytes: Span<UInt8>, from start: Int, to end: Int, limits: RequestLimits
  ) throws(RequestFault) -> Int? {
    let found = firstByte(below: ASCII.space + 1, in: bytes, from: start, to: end)
    if found &- start > limits.targetBytes { throw .targetTooLong }
    guard found < end else { return nil }
    switch bytes[found] {
    case ASCII.space: return found
    // A request line that ends after the target has no version, as in HTTP/0.9. Refuse the line
    // immediately, without waiting for more bytes.
    case ASCII.carriageReturn: throw .malformedVersion
    case ASCII.lineFeed: throw .lineFeedWithoutCarriageReturn
    default: throw .controlCharacter
    }
  }

  /// HTTP-version = "HTTP" "/" DIGIT "." DIGIT, in capitals (RFC 9112 section 2.3). Also requires
  /// the CR after the version, because `HTTP/2.0x` is not a version.
  private mutating func parseVersion(
    _ bytes: Span<UInt8>, from start: Int, to end: Int
  ) throws(RequestFault) -> Int? {
    var index = start
    for expected in Self.versionPattern {
      guard index < end else { return nil }
      let byte = bytes[index]
      guard expected == UInt8(ascii: "0") ? byte.isDigit : byte == expected else {
        throw byte == ASCII.lineFeed ? .lineFeedWithoutCarriageReturn : .malformedVersion
      }
      index &+= 1
    }
    guard bytes[start &+ 5] == UInt8(ascii: "1") else { throw .unsupportedVersion }
    minorVersion = bytes[start &+ 7] &- UInt8(ascii: "0")
    return start &+ 8
  }

  /// The pattern of a version, in which a zero stands for any digit.
  private static let versionPattern = Array("HTTP/0.0\r".utf8)

  /// field-line = field-name ":" OWS field-value OWS (RFC 9112 section 5)
  @inline(__always)
  private mutating func parseFieldLine(
    _ bytes: Span<UInt8>, from start: Int, to end: Int
  ) throws(RequestFault) -> Int? {
    var (name, nameEnd) = FieldName.frequent(bytes, at: start)
    if name == .other {
      // Nearly all names consist of letters and hyphens. Besides letters, the fast skip accepts only
      // the bytes from `-` to `.`: the next byte in ASCII is `/`, which cannot be part of a token.
      nameEnd = skipCommon(upTo: UInt8(ascii: "."), in: bytes, from: start, to: end)
      while nameEnd < end, ByteClass.token.contains(bytes[nameEnd]) { nameEnd &+= 1 }
      guard nameEnd < end else { return nil }
      guard nameEnd > start, bytes[nameEnd] == UInt8(ascii: ":") else {
        throw faultOfName(bytes, from: start, at: nameEnd)
      }
      name = FieldName(bytes, from: start, to: nameEnd)
    } else if nameEnd >= end {
      return nil
    }
    var index = nameEnd &+ 1
    while index < end, bytes[index].isWhitespace { index &+= 1 }
    let valueStart = index
    let lineEnd = skipValue(bytes, from: index, to: end)
    var valueEnd = lineEnd
    while valueEnd > valueStart, bytes[valueEnd &- 1].isWhitespace { valueEnd &-= 1 }
    guard let next = try skipLineEnd(bytes, at: lineEnd, to: end) else { return nil }

    fieldCount &+= 1
    if name == .other { return next }
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
    return next
  }

  /// Reads the Host field, and stores its host unless the target contains a host. An
  /// HTTP/1.1 request must have a Host field. No request may have two, and the field must be valid
  /// even if the target contains a host (RFC 9112 section 3.2).
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

  /// Stores the host of the target, which overrides the Host field (RFC 9112 section 3.2.2).
  mutating func take(_ authority: Authority) {
    control.targetHasHost = true
    host = authority.host
    hostPort = authority.port
  }

  /// Makes the checks that are possible only after all fields were read.
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

/// Returns the end of a field value: the index of the first byte that is not part of the value.
@inline(__always)
func skipValue(_ bytes: Span<UInt8>, from start: Int, to end: Int) -> Int {
  var index = start
  while true {
    index = firstByte(below: ASCII.space, in: bytes, from: index, to: end)
    guard index < end, bytes[index] == ASCII.horizontalTab else { return index }
    index &+= 1
  }
}

/// Returns the index after the CRLF at `index`; nil if `end` comes first. Throws for any other
/// bytes.
@inline(__always)
func skipLineEnd(
  _ bytes: Span<UInt8>, at index: Int, to end: Int
) throws(RequestFault) -> Int? {
  if end &- index >= 2, bytes[index] == ASCII.carriageReturn,
    bytes[index &+ 1] == ASCII.lineFeed
  {
    return index &+ 2
  }
  guard index < end else { return nil }
  switch bytes[index] {
  case ASCII.carriageReturn:
    if index &+ 1 == end { return nil }
    throw .carriageReturnWithoutLineFeed
  case ASCII.lineFeed: throw .lineFeedWithoutCarriageReturn
  default: throw .controlCharacter
  }
}

/// Returns the fault of a line that does not begin with a field name and a colon. White space at
/// the beginning of the line means that the line is a folded line or an attempt at request
/// smuggling. If there is white space before the colon, different servers have read the field in
/// different ways (RFC 9112 sections 2.2, 5.1, 5.2).
func faultOfName(_ bytes: Span<UInt8>, from start: Int, at index: Int) -> RequestFault {
  let byte = bytes[index]
  if byte.isWhitespace { return index == start ? .foldedLine : .whitespaceBeforeColon }
  if byte == ASCII.lineFeed { return .lineFeedWithoutCarriageReturn }
  let isControl = byte < ASCII.space || byte == ASCII.delete
  return isControl && byte != ASCII.carriageReturn ? .controlCharacter : .malformedFieldName
}
