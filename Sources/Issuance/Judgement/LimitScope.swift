internal import Bytes

/// The requests that a CA's rate limit covers. In files, `authority` means every request, and
/// `orders` means all new orders of the account. `domain NAME` means new orders for a domain and
/// the hosts below it. `host NAME` means new orders for one host.
package struct LimitScope: RawRepresentable, Hashable, Sendable {
  package let rawValue: String

  package init?(rawValue: String) {
    let words = rawValue.split(separator: " ")
    let count = ["authority": 1, "orders": 1, "domain": 2, "host": 2]
    guard let kind = words.first, count[String(kind)] == words.count else { return nil }
    self.init(rawValue)
  }

  private init(_ text: String) { rawValue = text }

  package static let authority = Self("authority")
  package static let orders = Self("orders")
  package static func domain(_ name: String) -> Self { Self("domain " + name) }
  package static func host(_ name: String) -> Self { Self("host " + name) }

  /// The kind of the scope in one word, for metrics.
  var kind: String { String(rawValue.prefix { $0 != " " }) }
}

/// Derives the scope of a rate limit error from the error's text. Only the texts of Let's Encrypt
/// are known. For any other text, the scope is every request.
///
/// - Parameter isOrder: Whether the CA refused a new order, not another request.
func limitScope(of problem: ProblemDocument, host: String, isOrder: Bool) -> LimitScope {
  guard isOrder else { return .authority }
  let text = problem.detail.lowercased()
  // The words of the text that look like host names.
  let names =
    text
    .split { !($0.isASCII && ($0.isLetter || $0.isNumber)) && $0 != "-" && $0 != "." }
    .map { word in String(word.trimmed { $0 == "." }) }
    .filter { $0.contains(".") }
  if let domain = names.first(where: { host.hasSuffix("." + $0) }) { return .domain(domain) }
  if names.contains(host) {
    return text.contains("already issued") ? .domain(host) : .host(host)
  }
  if text.contains("exact set") { return .host(host) }
  return text.contains("new orders") ? .orders : .authority
}
