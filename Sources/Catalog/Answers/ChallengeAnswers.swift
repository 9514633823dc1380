internal import Bytes
internal import HTTP
internal import Synchronization

/// The responses to a CA that uses HTTP-01 (RFC 8555 section 8.3) to check whether a name points to
/// this server.
///
/// The response to a token consists of the token and the thumbprint of the account's key. The
/// thumbprint is the same for all orders. Therefore, any server that knows the thumbprint can
/// respond for any name, and no server has to store tokens.
package final class ChallengeAnswers: Sendable {
  private let state: Mutex<[UInt8]?>

  /// - Parameter thumbprint: The thumbprint of the account's key (RFC 7638); nil if there is no
  ///   account.
  package init(thumbprint: String? = nil) {
    state = Mutex(thumbprint.map { Array($0.utf8) })
  }

  package var thumbprint: String? {
    get { state.withLock { $0 }.map { String(decoding: $0, as: UTF8.self) } }
    set { state.withLock { $0 = newValue.map { Array($0.utf8) } } }
  }

  /// The field that contains the thumbprint in each response.
  package static let accountField = "Aasa-Account"
  static let path = Array("/.well-known/acme-challenge/".utf8)
  /// The accepted lengths of a token in bytes. RFC 8555 section 8.3 requires at least 128 bits of
  /// entropy, encoded as base64url.
  static let tokenLength = 20...128

  /// Returns the response to a request for `path`, a range of `bytes`. Returns nil if the path does
  /// not belong to a challenge, or if there is no account. The token is the only part of a request
  /// that ever appears in a response.
  func representation(
    _ bytes: Span<UInt8>, path: Range<Int>, _ status: Status = .ok
  ) -> Representation? {
    let prefix = Self.path
    guard Self.tokenLength.contains(path.count - prefix.count) else { return nil }
    for index in prefix.indices where bytes[path.lowerBound + index] != prefix[index] {
      return nil
    }
    var body: [UInt8] = []
    for index in path.dropFirst(prefix.count) {
      guard bytes[index].isBase64URLDigit else { return nil }
      body.append(bytes[index])
    }
    guard let thumbprint = state.withLock({ $0 }) else { return nil }
    body.append(UInt8(ascii: "."))
    body += thumbprint
    var head = ResponseHead(status: status)
    // Use a type that browsers do not show as a page, because an attacker can choose the token.
    head.addPrepared("Content-Type", "application/octet-stream")
    head.addPrepared("Content-Length", String(body.count))
    head.addPrepared("Cache-Control", "no-store")
    head.addPrepared("X-Content-Type-Options", "nosniff")
    // This field tells a server with another account which account this server uses.
    head.addPrepared(Self.accountField, String(decoding: thumbprint, as: UTF8.self))
    return Representation(commonHead: head.bytes, notModifiedHead: [], body: body)
  }
}
