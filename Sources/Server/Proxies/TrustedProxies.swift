package import Bytes
internal import HTTP
package import Posix

/// The proxies whose information about requests and connections the server trusts.
package struct TrustedProxies: Sendable {
  private let networks: [Network]

  package init(_ networks: [Network] = []) { self.networks = networks }

  package var isEmpty: Bool { networks.isEmpty }

  package func contains(_ address: IPAddress) -> Bool {
    networks.contains { $0.contains(address) }
  }
}

/// The information about a request that trusted proxies added to its fields.
struct ForwardedRequest {
  /// The client that sent the request to the first proxy; nil if the fields contain no address of
  /// this client.
  var client: IPAddress?
  /// The host that the client requested, as a range in the request's bytes. The server uses this
  /// host only if no entry of the catalog matches the Host field. Otherwise a client could poison a
  /// cache with another domain's file, because many proxies forward this value from the client
  /// unchecked.
  var host: Range<Int>?
  var isHTTPS = false
}

extension TrustedProxies {
  /// Reads the forwarding fields of a request from a trusted proxy. If any X-Forwarded field is
  /// present, ignores `Forwarded`: a proxy that writes X-Forwarded fields may pass on a `Forwarded`
  /// field that the client wrote.
  ///
  /// Each proxy appends an address to a list, and the client may have forged the beginning of the
  /// list. So the last address that does not belong to a trusted proxy is taken as the client's.
  ///
  /// - Throws: If the forwarded host is invalid.
  func forwarded(
    _ head: borrowing RequestHead, _ bytes: Span<UInt8>, peer: IPAddress?
  ) throws(RequestFault) -> ForwardedRequest {
    var result = ForwardedRequest(client: peer)
    let names = head.names
    let isOld =
      names.contains(.xForwardedFor) || names.contains(.xForwardedHost)
      || names.contains(.xForwardedProto)
    if !isOld {
      try forwardedElement(head, bytes, &result)
      return result
    }
    if let host = head.lastMember(.xForwardedHost, bytes) {
      result.host = try self.host(bytes, in: host)
    }
    if let proto = head.lastMember(.xForwardedProto, bytes) {
      result.isHTTPS = isHTTPSScheme(bytes, in: proto)
    }
    if names.contains(.xForwardedFor) {
      var choice = Choice()
      for member in head.forwardedFor(bytes) { choice.take(node(bytes, member), self) }
      result.client = choice.address ?? result.client
    }
    return result
  }

  private func forwardedElement(
    _ head: borrowing RequestHead, _ bytes: Span<UInt8>, _ result: inout ForwardedRequest
  ) throws(RequestFault) {
    var choice = Choice()
    var chosen: ForwardedMember?
    for member in head.forwarded(bytes) {
      var address: IPAddress?
      if let range = member.node { address = node(bytes, range) }
      if choice.take(address, self) { chosen = member }
    }
    guard let chosen else { return }
    result.client = choice.address ?? result.client
    if let host = chosen.host { result.host = try self.host(bytes, in: host) }
    if let proto = chosen.proto { result.isHTTPS = isHTTPSScheme(bytes, in: proto) }
  }

  private func host(
    _ bytes: Span<UInt8>, in range: Range<Int>
  ) throws(RequestFault) -> Range<Int> {
    guard let host = hostOfAuthority(bytes, in: range) else { throw .malformedForwardedHost }
    return host
  }

  /// Finds the client's address in a list: the last address that does not belong to a trusted
  /// proxy. If all addresses belong to trusted proxies, finds the first address.
  private struct Choice {
    private(set) var address: IPAddress?
    private var hasAny = false

    /// Processes the next element of the list. Returns whether this element is now the chosen
    /// address. An element without an address is not treated as a trusted proxy, because a client
    /// may have written the element.
    @discardableResult
    mutating func take(_ next: IPAddress?, _ proxies: TrustedProxies) -> Bool {
      let isTrusted = next.map(proxies.contains) ?? false
      if isTrusted && hasAny { return false }
      hasAny = true
      address = next
      return true
    }
  }

  /// Parses the address of a node (RFC 7239 section 6): `192.0.2.1`, `192.0.2.1:80`, `2001:db8::1`,
  /// `[2001:db8::1]`, `[2001:db8::1]:80`. Nil for `unknown` and for obfuscated names.
  private func node(_ bytes: Span<UInt8>, _ range: Range<Int>) -> IPAddress? {
    var start = range.lowerBound
    var end = range.upperBound
    if start < end, bytes[start] == UInt8(ascii: "[") {
      start += 1
      var index = start
      while index < end, bytes[index] != UInt8(ascii: "]") { index += 1 }
      if index == end { return nil }
      end = index
    } else {
      var colons = 0
      var lastColon = end
      for index in start..<end where bytes[index] == UInt8(ascii: ":") {
        colons += 1
        lastColon = index
      }
      // A single colon precedes a port. An IPv6 address has at least two colons.
      if colons == 1 { end = lastColon }
    }
    return IPAddress(bytes.extracting(start..<end))?.unmapped
  }
}
