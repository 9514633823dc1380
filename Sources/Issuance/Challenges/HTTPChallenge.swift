internal import Client
internal import HTTP
internal import Posix
internal import TLS

/// `http-01`: the server answers a request on port 80 (RFC 8555 section 8.3). The answer needs only
/// the account's thumbprint, so every server that has the thumbprint can answer.
struct HTTPChallenge: Challenge {
  func preflight(_ host: String, _ check: NameCheck) throws(IssuanceFailure) -> Bool {
    try check.ask(host, port: 80, toPassOn: "/.well-known/acme-challenge/") { address in
      var addressResult = NameCheck.AddressResult.here
      // Ask several times, because a load balancer can choose a different server each time.
      for _ in 0..<check.rivals.askings(at: address) where addressResult == .here {
        addressResult = check.rivals.addressResult(
          after: Self.addressResult(at: address, host, check), at: address)
      }
      return addressResult
    }
  }

  static func addressResult(
    at address: SocketAddress, _ host: String, _ check: NameCheck
  ) -> NameCheck.AddressResult {
    let token = base64url(randomBytes(24))
    let path = "/.well-known/acme-challenge/\(token)"
    guard var request = FetchRequest(.http, host: host, port: address.port, path: path)
    else { return .elsewhere("cannot be asked") }
    var options = FetchOptions()
    options.origin = address
    options.goesOnUntrusted = true
    // Follow as many redirects as Let's Encrypt does.
    for _ in 0...10 {
      options.timeout = check.deadline.millisecondsLeft
      let exchange = fetch(request, options, context: check.context)
      guard let (head, body) = exchange.response else {
        return addressResult(without: exchange.fault)
      }
      if head.isRedirect, let location = head.value(of: "location"),
        let next = Self.target(location, from: request)
      {
        switch check.redirectDecision(to: next, from: request, at: options.origin ?? address) {
        case .allowed(let address): options.origin = address
        case .refused(let reason):
          return .elsewhere("redirects to \(visible(location)), and \(reason)")
        }
        request = next
        continue
      }
      if body == Array("\(token).\(check.thumbprint)".utf8), head.status == 200 { return .here }
      if let account = head.value(of: "aasa-account"), account != check.thumbprint {
        return .rival(visible(account))
      }
      let server = head.value(of: "server").map { " as \"\(visible($0))\"" } ?? ""
      return .elsewhere("answers\(server) with the status \(head.status), unlike this server")
    }
    return .elsewhere("redirects the request too often")
  }

  private static func target(_ location: String, from request: FetchRequest) -> FetchRequest? {
    if location.hasPrefix("/"), !location.hasPrefix("//") {
      return FetchRequest(request.scheme, host: request.host, port: request.port, path: location)
    }
    return Issuance.request(location)
  }

  private static func addressResult(without fault: FetchFault?) -> NameCheck.AddressResult {
    switch fault {
    // A timeout is no fault: the router may lack hairpin NAT, or this machine may lack IPv6.
    case .timedOut(.connect, _, _): return .unknown
    case .unreachable(let attempts):
      guard let error = attempts.last?.error else { return .unknown }
      return error.isUnreachable ? .unknown : .silent("accepts no connection: \(error.reason)")
    case let fault?: return .silent("does not answer like this server: \(fault.description)")
    case nil: return .unknown
    }
  }
}
