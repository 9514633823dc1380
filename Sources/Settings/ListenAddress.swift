package import Bytes
package import Posix

/// An address to listen on: a literal address or `localhost`, and a port.
package struct ListenAddress: Sendable, Hashable, CustomStringConvertible {
  package enum Host: Sendable, Hashable {
    case address(IPAddress)
    /// 127.0.0.1 and ::1. The server never resolves the name `localhost`, because the resolver may
    /// not be running yet when the server starts.
    case localhost
  }

  package let host: Host
  /// The port; 0 to let the system choose a free port.
  package let port: UInt16

  package init(_ host: Host, port: UInt16) {
    self.host = host
    self.port = port
  }

  /// The address as a user would write it: `[::]:8080`, `127.0.0.1:8080` or `localhost:8080`.
  package var description: String {
    switch host {
    case .address(let address): SocketAddress(address, port: port).description
    case .localhost: "localhost:\(port)"
    }
  }

  /// The addresses to bind.
  package var addresses: [SocketAddress] {
    let addresses: [IPAddress] =
      switch host {
      case .address(let address): [address]
      case .localhost: [.loopbackIPv4, .loopbackIPv6]
      }
    return addresses.map { SocketAddress($0, port: port) }
  }
}

/// Parses a list of addresses. For the word `none`, returns an empty list.
func parseAddresses(_ texts: [String]) throws(Fault) -> [ListenAddress] {
  if texts == ["none"] { return [] }
  var list: [ListenAddress] = []
  for text in texts {
    if text == "none" {
      throw Fault(
        .badAddress, "`none` is combined with an address", help: "write either `none` or addresses")
    }
    let address = try parseAddress(text)
    if address.port != 0, list.contains(address) {
      throw Fault(.repeatedAddress, "`\(address)` is repeated in this setting")
    }
    list.append(address)
  }
  return list
}

/// Parses one address. For the word `none`, returns nil. A port without an address means the
/// loopback address.
func parseLocalAddress(_ text: String) throws(Fault) -> ListenAddress? {
  if text == "none" { return nil }
  let digits = text.hasPrefix(":") ? text.dropFirst() : text[...]
  return try parseAddress(digits.isDecimal ? "127.0.0.1:" + digits : text)
}

/// Parses the address of a name server. The default port is 53. For the word `none`, returns nil.
func parseNameServer(_ text: String) throws(Fault) -> SocketAddress? {
  if text == "none" { return nil }
  if let server = SocketAddress(literal: text, port: 53) { return server }
  guard case .address(let address)? = (try? parseAddress(text))?.host,
    let port = (try? parseAddress(text))?.port, port > 0, text.contains(".") || text.contains("[")
  else {
    throw Fault(
      .badAddress, "`\(text)` is not the address of a name server",
      help: "write for example 9.9.9.9, or [2620:fe::fe]:53")
  }
  return SocketAddress(address, port: port)
}

/// Parses an address that is written like `8080`, `:8080`, `127.0.0.1:8080`, `[::1]:8080` or
/// `localhost:8080`.
func parseAddress(_ text: String) throws(Fault) -> ListenAddress {
  let digits = text.hasPrefix(":") ? text.dropFirst() : Substring(text)
  if digits.isDecimal {
    return ListenAddress(.address(.v6(high: 0, low: 0)), port: try parsePort(digits, in: text))
  }
  guard let colon = text.lastIndex(of: ":") else { throw badAddress(text) }
  let host = text[..<colon]
  let port = text[text.index(after: colon)...]
  if host.hasPrefix("["), host.hasSuffix("]") {
    guard let address = ipv6(host.dropFirst().dropLast()) else { throw badAddress(text) }
    return ListenAddress(.address(address), port: try parsePort(port, in: text))
  }
  if host.contains(":") {
    let isHost = ipv6(host) != nil
    guard isHost || ipv6(text) != nil else { throw badAddress(text) }
    throw Fault(
      .badAddress, "the IPv6 address in `\(text)` is not in brackets",
      help: "write `[\(isHost ? String(host) : text)]:8080`")
  }
  if host.lowercased() == "localhost" {
    return ListenAddress(.localhost, port: try parsePort(port, in: text))
  }
  guard let address = IPAddress(String(host)), address.isIPv4 else { throw badAddress(text) }
  return ListenAddress(.address(address), port: try parsePort(port, in: text))
}

private func parsePort(_ digits: Substring, in text: String) throws(Fault) -> UInt16 {
  guard digits.isDecimal, let port = UInt16(digits) else {
    throw Fault(
      .badAddress, "`\(digits)` in `\(text)` is not a port",
      help: "write a port from 0 to 65535; 0 means any free port")
  }
  return port
}

private func badAddress(_ text: String) -> Fault {
  Fault(.badAddress, "`\(text)` is not an address to listen on")
}

/// Parses an IPv6 address. Refuses a zone, because a zone identifies a network interface of a
/// single machine.
private func ipv6(_ text: some StringProtocol) -> IPAddress? {
  IPAddress(String(text)).flatMap { $0.isIPv4 ? nil : $0 }
}
