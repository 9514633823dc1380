internal import Bytes
internal import Diagnostics
internal import HTTP
internal import JSON

/// A CA's explanation of a refusal (RFC 8555 section 6.7, RFC 9457).
struct ProblemDocument: Sendable, Equatable {
  /// The part of the type after `urn:ietf:params:acme:error:`. If the type begins differently, the
  /// whole type.
  let type: String
  let detail: String
  var status = 0
  /// The number of seconds to wait before any request is repeated.
  var retryAfter: Int64?
}

extension ProblemDocument {
  init?(_ value: Value?) {
    guard let value, let type = value.text("type") else { return nil }
    let prefix = "urn:ietf:params:acme:error:"
    self.type = visible(type.hasPrefix(prefix) ? String(type.dropFirst(prefix.count)) : type)
    let parts = value.member("subproblems")?.elements.compactMap { $0.text("detail") }
    let details = [value.text("detail")].compactMap(\.self) + (parts ?? [])
    detail = visible(details.joined(separator: "; "))
    status = value.member("status")?.integer ?? 0
  }

  /// Whether a rate limit of the CA was reached.
  var isLimit: Bool { type == "rateLimited" || status == 429 }

  /// Whether the CA will also refuse other requests for a while.
  var freezes: Bool { isLimit || needsAction || status == 503 && retryAfter != nil }

  /// Whether a person must act at the CA.
  var needsAction: Bool { type == "userActionRequired" }

  /// Whether the CA has a problem that usually ends without action.
  var isTransient: Bool { type == "serverInternal" || status >= 500 }
}

/// Returns untrusted text as one line of limited length.
func visible(_ text: String) -> String { visibleText(text.utf8, limit: 500) }
