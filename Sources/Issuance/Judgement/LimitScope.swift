/// What a limit of a CA holds back.
package enum LimitScope: Hashable, Sendable {
  /// Every request.
  case authority
  /// New orders of the account.
  case orders
  /// New orders for a domain and the hosts below it.
  case domain(String)
  /// New orders for one host.
  case host(String)

  /// Whether a host's next request waits for it.
  ///
  /// - Parameter isNew: the host has no order under way.
  func covers(_ host: String, isNew: Bool) -> Bool {
    switch self {
    case .authority: true
    case .orders: isNew
    case .domain(let domain): isNew && (host == domain || host.hasSuffix("." + domain))
    case .host(let name): isNew && host == name
    }
  }
}

/// What a refusal because of a limit holds back, as far as the CA's words say it. They are those of
/// Let's Encrypt; what is not understood counts for everything.
///
/// - Parameter isOrder: a new order was refused, and not something else.
package func limitScope(of problem: ProblemDocument, host: String, isOrder: Bool) -> LimitScope {
  guard isOrder else { return .authority }
  let text = problem.detail.lowercased()
  let names = hostNames(in: text)
  if let domain = names.first(where: { host.hasSuffix("." + $0) }) { return .domain(domain) }
  if names.contains(host) {
    return text.contains("already issued") ? .domain(host) : .host(host)
  }
  if text.contains("exact set") { return .host(host) }
  if text.contains("new orders") { return .orders }
  return .authority
}
