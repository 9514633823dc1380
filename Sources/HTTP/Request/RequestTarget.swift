internal import Bytes

/// The target of a request (RFC 9112 section 3.2). This value contains positions in the parsed
/// bytes instead of the bytes.
package struct RequestTarget: Sendable, Equatable {
  package enum Scheme: UInt8, Sendable {
    case http, https
  }

  package enum Form: Sendable, Equatable {
    /// A path and possibly a query. Clients send this form to an origin server.
    case origin
    /// A complete URI. Clients send this form to a proxy, but every server must accept it.
    case absolute(Scheme)
    /// `*`: the server as a whole, for OPTIONS only.
    case asterisk
    /// Host and port, for CONNECT only.
    case authority
  }

  package var form = Form.origin
  /// The path as the client sent it. Empty in asterisk-form and in authority-form. Also empty in
  /// absolute-form if the URI has no path: the request is then for `/`, or for `*` if the method is
  /// OPTIONS (RFC 9110 section 4.2.3, RFC 9112 section 3.2.4).
  package var path: Range<Int> = 0..<0
  /// The query: all bytes after the first `?`. Nil if the target has no `?`.
  package var query: Range<Int>?

  package init() {}
}

extension RequestHead {
  /// Reads the target at `start`, and sets `target`. If the target contains a host, also sets the
  /// host of the request.
  ///
  /// - Returns: The index of the byte after the target. The caller checks that this byte is a
  ///   space.
  @inline(__always)
  mutating func parseTarget(
    _ bytes: Span<UInt8>, from start: Int, to end: Int
  ) throws(RequestFault) -> Int {
    let pathEnd: Int
    if start < end, bytes[start] == UInt8(ascii: "/"), method != .connect {
      target.form = .origin
      pathEnd = try skipPath(
        bytes, from: start, to: end, acceptsBrowserPaths: acceptsBrowserPaths)
      target.path = start..<pathEnd
    } else {
      let pathStart = try parseRareTarget(bytes, from: start, to: end)
      guard case .absolute = target.form else { return pathStart }
      return try parsePathOfAbsolute(bytes, from: pathStart, to: end)
    }
    return parseQuery(bytes, from: pathEnd, to: end)
  }

  private mutating func parsePathOfAbsolute(
    _ bytes: Span<UInt8>, from start: Int, to end: Int
  ) throws(RequestFault) -> Int {
    let hasPath = start < end && bytes[start] == UInt8(ascii: "/")
    let pathEnd =
      hasPath
      ? try skipPath(bytes, from: start, to: end, acceptsBrowserPaths: acceptsBrowserPaths) : start
    target.path = start..<pathEnd
    return parseQuery(bytes, from: pathEnd, to: end)
  }

  /// Reads a query. No answer depends on the query. So the parser also accepts a bare `%` and the
  /// bytes that RFC 3986 section 3.4 requires to be encoded, because browsers send some of them
  /// unencoded. The query ends where the target or the line ends. The query also ends at `#`,
  /// because a client must not send a fragment.
  @inline(__always)
  private mutating func parseQuery(_ bytes: Span<UInt8>, from start: Int, to end: Int) -> Int {
    guard start < end, bytes[start] == UInt8(ascii: "?") else {
      target.query = nil
      return start
    }
    var index = start &+ 1
    while index < end, bytes[index] > ASCII.space, bytes[index] != ASCII.delete,
      bytes[index] != UInt8(ascii: "#")
    {
      index &+= 1
    }
    target.query = start &+ 1..<index
    return index
  }

  /// Skips the bytes of a path, including percent-encoded bytes (RFC 3986 sections 2.1 and 3.3).
  @inline(__always)
  private func skipPath(
    _ bytes: Span<UInt8>, from start: Int, to end: Int, acceptsBrowserPaths: Bool
  ) throws(RequestFault) -> Int {
    var index = start
    while true {
      // Most bytes of a path are letters, digits, `-`, `.` and `/`.
      index = skipCommon(upTo: UInt8(ascii: "9"), in: bytes, from: index, to: end)
      while index < end, ByteClass.path.contains(bytes[index]) { index &+= 1 }
      guard index < end else { return index }
      if bytes[index] == UInt8(ascii: "%"), end &- index > 2,
        ByteClass.hexDigit.contains(bytes[index &+ 1]),
        ByteClass.hexDigit.contains(bytes[index &+ 2])
      {
        index &+= 3
      } else if acceptsBrowserPaths, isBrowserByte(bytes[index]) {
        index &+= 1
      } else if bytes[index] == UInt8(ascii: "%") {
        throw .malformedTarget
      } else {
        return index
      }
    }
  }

  /// Checks that the path contains no bytes that RFC 3986 requires to be encoded. Browsers send
  /// some of these bytes unencoded.
  ///
  /// - Throws: ``RequestFault/malformedTarget``
  package func requireEncodedPath(_ bytes: Span<UInt8>) throws(RequestFault) {
    let path = target.path
    let end = try skipPath(
      bytes, from: path.lowerBound, to: path.upperBound, acceptsBrowserPaths: false)
    if end != path.upperBound { throw .malformedTarget }
  }

  /// Whether a path from a browser may contain this byte: every byte except control characters, the
  /// space, and the bytes `?` and `#`, which end a path.
  private func isBrowserByte(_ byte: UInt8) -> Bool {
    byte > ASCII.space && byte != ASCII.delete && byte != UInt8(ascii: "?")
      && byte != UInt8(ascii: "#")
  }

  /// Reads a target in asterisk-form or authority-form. Of a target in absolute-form, reads only
  /// the scheme and the authority.
  @inline(never)
  private mutating func parseRareTarget(
    _ bytes: Span<UInt8>, from start: Int, to end: Int
  ) throws(RequestFault) -> Int {
    target.query = nil
    guard start < end else { throw .malformedTarget }
    if method == .connect {
      // authority-form = uri-host ":" port; the port must not be empty (RFC 9110 section 9.3.6)
      let authorityEnd = skipAuthority(bytes, from: start, to: end)
      guard let authority = Authority(bytes, from: start, to: authorityEnd),
        authority.port != nil
      else { throw .malformedTarget }
      target.form = .authority
      target.path = authorityEnd..<authorityEnd
      take(authority)
      return authorityEnd
    }
    if bytes[start] == UInt8(ascii: "*") {
      target.form = .asterisk
      target.path = start &+ 1..<start &+ 1
      return start &+ 1
    }
    // absolute-form = absolute-URI; a scheme is case-insensitive (RFC 3986 section 3.1).
    var colon = start
    while colon < end, colon &- start < 6, bytes[colon] != UInt8(ascii: ":") { colon &+= 1 }
    let scheme: RequestTarget.Scheme
    switch colon &- start {
    case 4 where foldedWord(bytes, at: start, count: 4) == Word.http: scheme = .http
    case 5 where foldedWord(bytes, at: start, count: 5) == Word.https: scheme = .https
    default: throw .malformedTarget
    }
    guard end &- colon > 3, bytes[colon] == UInt8(ascii: ":"),
      bytes[colon &+ 1] == UInt8(ascii: "/"), bytes[colon &+ 2] == UInt8(ascii: "/")
    else { throw .malformedTarget }
    // This check also refuses user information (`user@host`), because no valid host contains an `@`
    // (RFC 9110 section 4.2.4).
    let authorityEnd = skipAuthority(bytes, from: colon &+ 3, to: end)
    guard let authority = Authority(bytes, from: colon &+ 3, to: authorityEnd) else {
      throw .malformedTarget
    }
    target.form = .absolute(scheme)
    take(authority)
    return authorityEnd
  }

  /// Returns the index after an authority that begins at `start` in a target.
  private func skipAuthority(_ bytes: Span<UInt8>, from start: Int, to end: Int) -> Int {
    var index = start
    while index < end {
      switch bytes[index] {
      case UInt8(ascii: "/"), UInt8(ascii: "?"), ASCII.space, ASCII.carriageReturn: return index
      default: index &+= 1
      }
    }
    return index
  }
}
