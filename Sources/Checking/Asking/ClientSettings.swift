package import Client
internal import Posix

/// The settings for all requests of one command.
package struct ClientSettings: Sendable {
  package var options: FetchOptions
  let world: World
  private let resolutions: [Resolution]
  private let variables: [String: String]

  package init(
    options: FetchOptions, world: World, resolutions: [Resolution] = [],
    variables: [String: String]
  ) {
    self.options = options
    self.world = world
    self.resolutions = resolutions
    self.variables = variables
  }

  /// Makes a request. Uses the proxy in the environment variable HTTPS_PROXY, unless NO_PROXY lists
  /// the host.
  ///
  /// - Parameters:
  ///   - isOwn: Whether the request goes to the server that is being checked. The address
  ///     `options.origin` applies only to this server.
  ///   - kept: Before the call, contains the connection that an earlier request left open, so that
  ///     this request can use it. After the call, contains the connection that this request left
  ///     open.
  package func fetch(
    _ request: FetchRequest, isOwn: Bool = true, keeping kept: KeptConnection? = nil
  ) -> Exchange {
    var options = options
    if !isOwn { options.origin = nil }
    if options.origin == nil { options.origin = resolution(request.host, request.port) }
    options.proxy = ProxyAddress(for: request.host, in: variables)
    let exchange = world.fetch(request, options, kept)
    // The server may close an open connection at any time. This is not a fault, so repeat the
    // request on a new connection.
    guard kept != nil, exchange.fault != nil, exchange.address == nil, exchange.attempts.isEmpty,
      !exchange.sent.isEmpty
    else { return exchange }
    return world.fetch(request, options, nil)
  }

  /// Whether the user gave an address for the host of a target.
  func isResolved(_ target: HostTarget) -> Bool {
    options.origin != nil
      || target.request(path: "/").flatMap { resolution($0.host, $0.port) } != nil
  }

  private func resolution(_ host: String, _ port: UInt16) -> SocketAddress? {
    resolutions.first { $0.host == host && $0.port == port }?.address
  }
}

extension ClientSettings {
  /// An address that the user gave for a host, to use in place of the address in DNS.
  package struct Resolution: Sendable {
    package let host: String
    let port: UInt16
    let address: SocketAddress

    /// Parses `example.com:443:192.0.2.1`, `example.com:443:192.0.2.1:8443` or
    /// `example.com:443:[2001:db8::1]:8443`. The second port is an extension of curl's format,
    /// which allows only the first port.
    package init(_ text: String) throws(UsageFault) {
      let parts = text.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      let fault = UsageFault("--resolve \(text) is not of the form example.com:443:192.0.2.1")
      guard parts.count == 3, let port = UInt16(parts[1]), port > 0,
        let request = FetchRequest(host: String(parts[0]))
      else { throw fault }
      let rest = parts[2]
      let isBare = !rest.hasPrefix("[") && rest.count(where: { $0 == ":" }) > 1
      guard let (literal, own) = isBare ? (String(rest), nil) : hostAndPort(rest),
        let address = SocketAddress(literal: literal, port: own ?? port)
      else { throw fault }
      host = request.host
      self.port = port
      self.address = address
    }
  }
}
