internal import ArgumentParser
internal import Bytes
internal import Client
internal import Diagnostics
internal import Posix
internal import Reporting
internal import Settings

/// The address of a running server's admin listener. The address is from the flag `--admin` or, if
/// the user gave no such flag, from the server's settings.
struct AdminOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "the running server's admin listener (default: from the server's settings)",
      valueName: "ADDRESS:PORT"))
  var admin: [String] = []
  @Option(help: ArgumentHelp("the configuration file, unless --admin is given", valueName: "FILE"))
  var config: String?

  /// The addresses from the flag `--admin`. The flag also accepts the URL that a server prints for
  /// its admin listener.
  private var named: [String] {
    admin.map { text in
      guard text.hasPrefix("http://") else { return text }
      let rest = text.dropFirst("http://".count)
      return String(rest.hasSuffix("/") ? rest.dropLast() : rest)
    }
  }

  /// Returns the possible addresses of the admin listener of one server, in the order in which to
  /// try these addresses.
  ///
  /// - Throws: `AdminFault` if the address of the listener is not known, or if the user gave
  ///   several servers.
  func addresses() throws(AdminFault) -> [SocketAddress] {
    if admin.count > 1 {
      throw .unknownAddress(
        "this command can query only one server",
        help: "pass --admin once; aasa status accepts several addresses")
    }
    return try Self.addresses(in: resolve())
  }

  /// Returns the addresses of the admin listener for each server that the user gave, in the order
  /// in which to try them. If a host name has several addresses, each address is a separate server.
  func servers() throws(AdminFault) -> [[SocketAddress]] {
    var servers: [[SocketAddress]] = admin.isEmpty ? [try addresses()] : []
    for text in named {
      var found: [[SocketAddress]] = []
      if case (let host, let port?)? = hostAndPort(text), host.lowercased() != "localhost",
        SocketAddress(literal: host, port: port) == nil
      {
        let deadline = Deadline(afterMilliseconds: 10_000)
        do throws(ResolutionFault) {
          found = try Posix.resolve(host, port: port, until: deadline).map { [$0] }
        } catch {
          throw .unknownAddress(error.description, help: "give the address of an admin listener")
        }
      } else {
        var one = self
        one.admin = [text]
        found = [try one.addresses()]
      }
      servers += found.filter { !servers.contains($0) }
    }
    return servers
  }

  /// Returns the addresses of the admin listener from the server's settings, in the order in which
  /// to try them.
  static func addresses(in configuration: Configuration) throws(AdminFault) -> [SocketAddress] {
    guard let listen = configuration.admin else {
      throw .unknownAddress(
        "the admin listener is turned off (\(configuration.origin(of: \.admin)))",
        help: "start the server with --admin 127.0.0.1:12272, or pass its address here with --admin"
      )
    }
    guard listen.port != 0 else {
      throw .unknownAddress(
        "the server chooses a free port for its admin listener"
          + " (\(configuration.origin(of: \.admin)))",
        help: "find the address in the server's output, after \"admin\", and pass it with --admin")
    }
    return listen.addresses.flatMap(reachable)
  }

  /// Returns the server's settings. Replaces faulty settings and prints their faults as warnings,
  /// because a running server also ignores faulty settings. Reads no file if the user gave the flag
  /// `--admin`.
  ///
  /// - Parameter state: The state folder from a flag; nil if the user gave no such flag.
  func resolve(state: String? = nil) throws(AdminFault) -> Configuration {
    var flags =
      named.last.map { ["admin": [$0]] } ?? config.map { ["config": [$0]] } ?? [:]
    if let state { flags["state"] = [state] }
    let isNamed = !admin.isEmpty
    let resolution = Configuration.resolve(
      flags: flags, environment: isNamed ? [:] : environmentVariables()
    ) { (path: String) throws(SystemError) -> [UInt8] in
      // With `--admin`, treat server.json as missing (ENOENT).
      if isNamed { throw SystemError("open", path, code: 2) }
      return try readFile(path, limit: Configuration.largestFile)
    }
    if let configuration = resolution.configuration { return configuration }
    let faults = resolution.diagnostics.filter { $0.severity == .error }
    if isNamed { throw .settings(faults.map(\.line)) }
    for var fault in faults {
      fault.severity = .warning
      printError(fault.line)
    }
    return resolution.readable
  }

  /// Returns the addresses at which this machine can reach a listener. For an unspecified address,
  /// returns the loopback addresses. For `::`, returns the loopback addresses of IPv4 and IPv6,
  /// because a listener on `::` also accepts IPv4, or only IPv4 on a machine without IPv6.
  static func reachable(_ address: SocketAddress) -> [SocketAddress] {
    guard address.isUnspecified else { return [address] }
    let loopback: [IPAddress] = address.isIPv4 ? [.loopbackIPv4] : [.loopbackIPv4, .loopbackIPv6]
    return loopback.map { SocketAddress($0, port: address.port) }
  }
}
