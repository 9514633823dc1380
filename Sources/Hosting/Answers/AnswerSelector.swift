package import HTTP

/// Chooses the answer to a request: by target, host, method, coding and preconditions.
package struct AnswerSelector: Sendable {
  /// The answers that do not come from files.
  package let fixed: FixedAnswers

  private static let associationPaths = [
    Array("/.well-known/apple-app-site-association".utf8),
    Array("/apple-app-site-association".utf8),
  ]
  private static let assetLinksPath = Array("/.well-known/assetlinks.json".utf8)

  package init(fixed: FixedAnswers) {
    self.fixed = fixed
  }

  /// - Parameters:
  ///   - bytes: the buffer that the positions in `head` mean.
  ///   - catalog: what is served now.
  ///   - isMisdirected: the connection's certificate does not cover the request's host, or the
  ///     target names a scheme that this connection is not (RFC 9110 15.5.20).
  ///   - now: seconds since 1970.
  package func answer(
    to head: borrowing RequestHead, in bytes: Span<UInt8>, catalog: Catalog, isMisdirected: Bool,
    now: Int64
  ) -> Answer {
    let method = head.method
    let closes = !head.allowsReuse
    let isHead = method == .head
    if method == .unknown { return fixed.answer(.notImplemented, closes: closes) }
    if isMisdirected {
      return fixed.answer(.misdirectedRequest, omitsBody: isHead, closes: closes)
    }
    // RFC 9112 3.2.4: an absolute target without a path means the whole server, as `*` does.
    if method == .options && head.target.path.isEmpty {
      return fixed.answer(.noContent, closes: closes)
    }

    let availability = availability(head, bytes, catalog)
    switch (method, availability) {
    case (_, .absent):
      return fixed.answer(.notFound, omitsBody: isHead, closes: closes)
    case (.options, _):
      return fixed.answer(.noContent, closes: closes)
    case (.get, .served(let file)), (.head, .served(let file)):
      return answer(with: file, to: head, in: bytes, closes: closes, now: now)
    case (.get, .unavailable), (.head, .unavailable):
      return fixed.answer(.serviceUnavailable, omitsBody: isHead, closes: closes)
    default:
      return fixed.answer(.methodNotAllowed, closes: closes)
    }
  }

  private func availability(
    _ head: borrowing RequestHead, _ bytes: Span<UInt8>, _ catalog: Catalog
  ) -> Availability {
    guard let path = knownPath(head, bytes),
      let site = head.host.isEmpty ? catalog.fallback : catalog.site(for: bytes, in: head.host)
    else { return .absent }
    switch path {
    case .association: return site.association
    case .assetLinks: return site.assetLinks
    }
  }

  private enum KnownPath { case association, assetLinks }

  private func knownPath(_ head: borrowing RequestHead, _ bytes: Span<UInt8>) -> KnownPath? {
    let path = head.target.path
    for known in Self.associationPaths where pathEquals(bytes, path, known) { return .association }
    return pathEquals(bytes, path, Self.assetLinksPath) ? .assetLinks : nil
  }

  private func answer(
    with file: ServedFile, to head: borrowing RequestHead, in bytes: Span<UInt8>, closes: Bool,
    now: Int64
  ) -> Answer {
    let content = file.content
    let representation: Representation
    switch acceptEncoding(head, bytes, gzipAvailable: content.gzip != nil) {
    case .identity: representation = content.identity
    case .gzip: representation = content.gzip ?? content.identity
    case .notAcceptable:
      return fixed.answer(.notAcceptable, omitsBody: head.method == .head, closes: closes)
    }
    let entityTag = representation.entityTag
    switch Preconditions.evaluate(
      head, bytes, entityTag: entityTag.span, lastModified: file.lastModified,
      now: now)
    {
    case .proceed:
      return Answer(
        head: representation.head, lastModifiedLine: file.lastModifiedLine,
        body: head.method == .head ? [] : representation.body, closes: closes)
    case .notModified:
      return Answer(
        head: representation.notModifiedHead, lastModifiedLine: file.lastModifiedLine, body: [],
        closes: closes)
    case .failed:
      return fixed.answer(
        .preconditionFailed, omitsBody: head.method == .head, closes: closes)
    }
  }
}
