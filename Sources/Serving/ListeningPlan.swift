internal import Posix
internal import Server
internal import Settings

/// The addresses to listen on, from the configuration. Sockets that a service manager opened
/// replace these addresses.
struct ListeningPlan {
  var endpoints: [Server.Endpoint] = []
  var inherited: [Server.Inherited] = []

  /// Whether any listener uses TLS.
  var isSecure: Bool {
    endpoints.contains(where: \.isSecure) || inherited.contains(where: \.isSecure)
  }

  /// Whether there are no addresses to listen on. If so, this process only issues certificates for
  /// other servers.
  var isEmpty: Bool { endpoints.isEmpty && inherited.isEmpty }

  /// - Parameter sockets: The sockets that the service manager opened. If there is at least one
  ///   such socket, the addresses in the configuration are not used.
  init(_ configuration: Configuration, _ sockets: [InheritedSocket]) {
    inherited = sockets.map {
      Server.Inherited(socket: $0, isSecure: Self.isSecure($0, configuration))
    }
    if !sockets.isEmpty { return }
    endpoints =
      Self.endpoints(configuration.http, isSecure: false)
      + Self.endpoints(configuration.https, isSecure: true)
  }

  /// Returns whether a socket that a service manager opened uses TLS. A socket with the name
  /// `https` uses TLS, and a socket with the name `http` does not. If the setting `https` is empty,
  /// no other socket uses TLS. Otherwise, a socket with another name uses TLS if `https` contains
  /// the socket's address. It also uses TLS if neither `https` nor `http` contains the address, and
  /// its port is 443 or 8443.
  private static func isSecure(_ socket: InheritedSocket, _ configuration: Configuration) -> Bool {
    switch socket.name {
    case "http": return false
    case "https": return true
    default: break
    }
    if configuration.https.isEmpty { return false }
    if configuration.https.flatMap(\.addresses).contains(socket.address) { return true }
    if configuration.http.flatMap(\.addresses).contains(socket.address) { return false }
    return [443, 8443].contains(socket.address.port)
  }

  private static func endpoints(
    _ addresses: [ListenAddress], isSecure: Bool
  ) -> [Server.Endpoint] {
    addresses.flatMap { address in
      address.addresses.enumerated().map { index, address in
        Server.Endpoint(address: address, isSecure: isSecure, isOptional: index > 0)
      }
    }
  }
}
