package import HTTP
package import Settings

/// Selects the response to a request by its target, host, method, accepted codings and
/// preconditions.
///
/// The selector is a class, so that an event loop can pass the selector as a single reference.
package final class AnswerSelector: Sendable {
  /// The responses that do not come from files.
  package let fixed: FixedAnswers
  /// The responses to the challenges of CAs; nil if this server responds to no challenges.
  private let challenges: ChallengeAnswers?

  /// The two paths of the association file, and the path of `assetlinks.json`.
  package static let paths = Array(WellKnownFiles().paths.prefix(3))
  private let paths: [[UInt8]]

  package init(
    fixed: FixedAnswers, wellKnown: WellKnownFiles = WellKnownFiles(),
    challenges: ChallengeAnswers? = nil
  ) {
    self.fixed = fixed
    self.challenges = challenges
    paths = wellKnown.paths
  }

  /// - Parameters:
  ///   - bytes: The buffer that the positions in `head` refer to.
  ///   - host: The host of the request, from the head or from a trusted proxy.
  ///   - catalog: The current catalog.
  ///   - isMisdirected: Whether the connection's certificate does not cover the request's host, or
  ///     the target's scheme differs from that of the connection (RFC 9110 section 15.5.20).
  ///   - now: Seconds since 1970.
  package func answer(
    to head: borrowing RequestHead, for host: Range<Int>, in bytes: Span<UInt8>, catalog: Catalog,
    isMisdirected: Bool, now: Int64
  ) -> Answer {
    var subject = AnswerSubject(path: knownPath(head, bytes))
    var answer = select(
      &subject, head, host, bytes, catalog, isMisdirected: isMisdirected, now: now)
    answer.subject = subject
    return answer
  }

  @inline(__always)
  private func select(
    _ subject: inout AnswerSubject, _ head: borrowing RequestHead, _ host: Range<Int>,
    _ bytes: Span<UInt8>, _ catalog: Catalog, isMisdirected: Bool, now: Int64
  ) -> Answer {
    let method = head.method
    let closes = !head.allowsReuse
    // `isHead` matches a pattern in this module. The operator `==` would be slower, because it
    // would be a call into another module.
    let isHead = method.isHead
    switch method {
    // RFC 9110 section 9.3.6: an origin server does not open tunnels, so it rejects CONNECT.
    case .unknown, .connect: return fixed.answer(.notImplemented, closes: closes)
    default: break
    }
    if isMisdirected {
      return fixed.answer(.misdirectedRequest, omitsBody: isHead, closes: closes)
    }
    // RFC 9112 section 3.2.4: OPTIONS with an absolute target that has no path asks about the whole
    // server, like `OPTIONS *`.
    if head.target.path.isEmpty, case .options = method {
      return fixed.answer(.noContent, closes: closes)
    }

    let availability = availability(&subject, head, host, bytes, catalog)
    // Test for `absent` separately, because a single switch over all cases would increment the
    // file's reference count twice.
    if case .absent = availability {
      if let challenges, let answer = answer(by: challenges, head, host, bytes, catalog) {
        return answer
      }
      return fixed.answer(.notFound, omitsBody: isHead, closes: closes)
    }
    switch method {
    case .get, .head: break
    case .options: return fixed.answer(.noContent, closes: closes)
    default: return fixed.answer(.methodNotAllowed, closes: closes)
    }
    guard case .served(let file) = availability else {
      return fixed.answer(.serviceUnavailable, omitsBody: isHead, closes: closes)
    }
    return answer(with: file, to: head, in: bytes, closes: closes, now: now)
  }

  @inline(__always)
  private func availability(
    _ subject: inout AnswerSubject, _ head: borrowing RequestHead, _ host: Range<Int>,
    _ bytes: Span<UInt8>, _ catalog: Catalog
  ) -> Availability {
    guard subject.path >= 0 else { return page(&subject, head, host, bytes, catalog) }
    guard let index = catalog.siteIndex(for: bytes, in: host) else {
      return catalog.isIncomplete ? .unavailable : .absent
    }
    let number = subject.file
    if number < Site.countedFiles {
      switch head.method {
      case .get, .head: subject.site = index
      default: break
      }
    }
    return catalog.site(at: index).availability(of: number)
  }

  /// Returns the page for people without the app if the host's association file opens the requested
  /// URL in an app; otherwise returns `absent`.
  @inline(never)
  private func page(
    _ subject: inout AnswerSubject, _ head: borrowing RequestHead, _ host: Range<Int>,
    _ bytes: Span<UInt8>, _ catalog: Catalog
  ) -> Availability {
    let path = head.target.path
    // The page is the last file in `WellKnownFiles`.
    let subjectIfServed = AnswerSubject(path: Int8(truncatingIfNeeded: paths.count &- 1))
    guard !path.isEmpty, !isWithoutPage(path, bytes),
      let index = catalog.siteIndex(for: bytes, in: host),
      let opensApp = catalog.site(at: index).opensApp,
      case .served(let file) = catalog.site(at: index).availability(
        of: subjectIfServed.file)
    else { return .absent }
    let end = head.target.query?.upperBound ?? path.upperBound
    guard opensApp(pageLink(path.lowerBound..<end, bytes)) else { return .absent }
    subject = subjectIfServed
    return .served(file)
  }

  /// Returns the response to a CA's challenge; nil if the request is not a challenge. For a host that
  /// is not served, the status is 404, but the account is there for other servers to see.
  private func answer(
    by challenges: ChallengeAnswers, _ head: borrowing RequestHead, _ host: Range<Int>,
    _ bytes: Span<UInt8>, _ catalog: Catalog
  ) -> Answer? {
    let status: Status = catalog.siteIndex(for: bytes, in: host) == nil ? .notFound : .ok
    guard let found = challenges.representation(bytes, path: head.target.path, status)
    else { return nil }
    let closes = !head.allowsReuse
    switch head.method {
    case .get: return Answer(status, found, omitsBody: false, closes: closes)
    case .head: return Answer(status, found, omitsBody: true, closes: closes)
    case .options: return fixed.answer(.noContent, closes: closes)
    default: return fixed.answer(.methodNotAllowed, closes: closes)
    }
  }

  /// Returns the index of the request's path in `WellKnownFiles.paths`; -1 for every other path.
  @inline(__always)
  private func knownPath(_ head: borrowing RequestHead, _ bytes: Span<UInt8>) -> Int8 {
    if let expected = head.expectedTarget { return Int8(truncatingIfNeeded: expected) }
    let path = head.target.path
    for index in paths.indices where pathEquals(bytes, path, paths[index]) {
      return Int8(truncatingIfNeeded: index)
    }
    return -1
  }

  private func answer(
    with file: ServedFile, to head: borrowing RequestHead, in bytes: Span<UInt8>, closes: Bool,
    now: Int64
  ) -> Answer {
    let content = file.content
    let representation: Representation
    switch head.names.contains(.acceptEncoding)
      ? acceptEncoding(head, bytes, gzipAvailable: content.hasGzip) : .identity
    {
    case .identity: representation = content.identity
    case .gzip: representation = content.gzip ?? content.identity
    case .notAcceptable:
      return fixed.answer(.notAcceptable, omitsBody: head.method.isHead, closes: closes)
    }
    let isHead = head.method.isHead
    var isNotModified = false
    if head.names.containsConditions {
      let lines = representation.contentFields
      switch Preconditions.evaluate(
        head, bytes, entityTag: lines.bytes.span.extracting(lines.entityTagRange),
        lastModified: file.lastModified, now: now)
      {
      case .proceed: break
      case .notModified: isNotModified = true
      case .failed:
        return fixed.answer(.preconditionFailed, omitsBody: isHead, closes: closes)
      }
    }
    return Answer(
      .ok, representation, lastModified: file.lastModifiedField,
      isNotModified: isNotModified, omitsBody: isHead, closes: closes)
  }
}

extension Method {
  @inline(__always)
  fileprivate var isHead: Bool {
    if case .head = self { return true }
    return false
  }
}
