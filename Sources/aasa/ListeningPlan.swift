internal import Hosting
internal import Posix
internal import Server

/// What is listened on: the addresses of the configuration, or the sockets that a service manager
/// opened instead of them.
struct ListeningPlan {
  var endpoints: [Server.Endpoint] = []
  var inherited: [Server.Inherited] = []

  /// Whether TLS is spoken anywhere.
  var isSecure: Bool {
    endpoints.contains(where: \.isSecure) || inherited.contains(where: \.isSecure)
  }

  /// - Parameter sockets: with any, none of the configuration's addresses is opened: whoever handed
  ///   them over decides what is listened on.
  init(_ configuration: Configuration, _ sockets: [InheritedSocket]) {
    inherited = sockets.map {
      Server.Inherited(socket: $0, isSecure: Self.isSecure($0, configuration))
    }
    if !sockets.isEmpty { return }
    endpoints =
      Self.endpoints(configuration.http, isSecure: false)
      + Self.endpoints(configuration.https, isSecure: true)
  }

  /// By its name; by the address of the configuration that it has; else by its port.
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
