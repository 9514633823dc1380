internal import Posix
internal import Server
internal import Settings

/// The addresses to listen on: the configuration's, or the sockets that a service manager opened
/// instead.
struct ListeningPlan {
  var endpoints: [Server.Endpoint] = []
  var inherited: [Server.Inherited] = []

  /// Whether any listener uses TLS.
  var isSecure: Bool {
    endpoints.contains(where: \.isSecure) || inherited.contains(where: \.isSecure)
  }

  /// Whether nothing is served, because this process only issues certificates for other servers.
  var isEmpty: Bool { endpoints.isEmpty && inherited.isEmpty }

  /// - Parameter sockets: The service manager's sockets. If there are any, they replace the
  ///   configuration's addresses.
  init(_ configuration: Configuration, _ sockets: [InheritedSocket]) {
    inherited = sockets.map {
      Server.Inherited(socket: $0, isSecure: Self.isSecure($0, configuration))
    }
    if !sockets.isEmpty { return }
    endpoints =
      Self.endpoints(configuration.http, isSecure: false)
      + Self.endpoints(configuration.https, isSecure: true)
  }

  /// Whether a socket uses TLS: by its name, else by its address in the configuration, else by its
  /// port.
  private static func isSecure(_ socket: InheritedSocket, _ configuration: Configuration) -> Bool {
    switch socket.name {
    case "http": return false
    case "https": return true
    default: break
    }
    let port = Int(socket.address.port)
    if configuration.https.isEmpty { return false }
    if configuration.https.contains(where: { has($0, socket.address) }) { return true }
    if configuration.http.contains(where: { has($0, socket.address) }) { return false }
    return port == 443 || port == 8443
  }

  private static func has(_ wanted: ListenAddress, _ address: SocketAddress) -> Bool {
    wanted.literals.contains { SocketAddress(literal: $0, port: wanted.port) == address }
  }

  private static func endpoints(
    _ addresses: [ListenAddress], isSecure: Bool
  ) -> [Server.Endpoint] {
    addresses.flatMap { address in
      address.literals.enumerated().compactMap { index, literal in
        SocketAddress(literal: literal, port: address.port).map {
          Server.Endpoint(address: $0, isSecure: isSecure, isOptional: index > 0)
        }
      }
    }
  }
}
