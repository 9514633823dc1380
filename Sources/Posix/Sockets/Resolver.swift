internal import Bytes
internal import LibC

/// Why a name has no address.
package enum ResolutionFault: Error, Sendable, Equatable, CustomStringConvertible {
  /// The name does not exist, or has no address.
  case noAddress(host: String)
  /// The resolver did not answer in time.
  case timedOut(host: String)
  /// Any other failure, described by the resolver.
  case failed(host: String, reason: String)

  /// The fault in one lower-case sentence without a full stop.
  package var description: String {
    switch self {
    case .noAddress(let host): "the name \(host) has no address"
    case .timedOut(let host): "the name \(host) was not resolved in time"
    case .failed(let host, let reason): "the name \(host) cannot be resolved: \(reason)"
    }
  }
}

/// Returns all addresses of a host, IPv4 and IPv6, without duplicates, in the system's order of
/// preference.
///
/// - Parameters:
///   - host: A name, or an IP address with or without brackets.
///   - server: The name server to ask; nil to use this machine's resolver configuration.
///   - isComplete: Whether the name is complete. If so, the resolver does not append this machine's
///     search domains to the name. Otherwise, every name would seem to exist if a search domain has
///     a wildcard record.
package func resolve(
  _ host: String, port: UInt16, by server: SocketAddress? = nil, until deadline: Deadline,
  isComplete: Bool = false
) throws(ResolutionFault) -> [SocketAddress] {
  let bare = host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
  if let literal = SocketAddress(literal: bare, port: port) { return [literal] }
  if let server { return try addresses(of: bare, port: port, by: server, until: deadline) }
  // A complete name gets a final dot below. The resolver does not search the hosts file for such
  // names, so search the file here.
  let own = isComplete ? localAddresses(of: bare, port: port) : []
  if !own.isEmpty { return own }
  let found: Question.Answer?
  do throws(SystemError) {
    let question = Question(
      host: isComplete && !bare.hasSuffix(".") ? bare + "." : bare, port: port)
    found = try timedAnswer(until: deadline) { question.ask() }
  } catch {
    throw .failed(host: host, reason: error.description)
  }
  guard let answer = found else { throw .timedOut(host: host) }
  switch answer {
  case .addresses(let addresses):
    if addresses.isEmpty { throw .noAddress(host: host) }
    return addresses
  case .refused(let code, let reason):
    if isUnknownName(code) { throw .noAddress(host: host) }
    throw .failed(host: host, reason: reason)
  }
}

/// Returns the addresses in a name server's A and AAAA records (RFC 1035, RFC 3596).
private func addresses(
  of host: String, port: UInt16, by server: SocketAddress, until deadline: Deadline
) throws(ResolutionFault) -> [SocketAddress] {
  var found: [SocketAddress] = []
  for (type, length) in [(1 as Int32, 4), (28, 16)] {
    do throws(RecordQueryFault) {
      let message = try queryRecords(host, type: type, by: server, until: deadline)
      for octets in records(of: type, in: message) ?? [] where octets.count == length {
        func number<Number: FixedWidthInteger>(_ octets: ArraySlice<UInt8>) -> Number {
          octets.reduce(0) { $0 << 8 | Number($1) }
        }
        let address: IPAddress =
          length == 4
          ? .v4(number(octets)) : .v6(high: number(octets.prefix(8)), low: number(octets.suffix(8)))
        found.append(SocketAddress(address, port: port))
      }
    } catch {
      if deadline.isOver { throw .timedOut(host: host) }
      throw .failed(host: host, reason: "the name server \(server) does not answer")
    }
  }
  if found.isEmpty { throw .noAddress(host: host) }
  return found
}

private func isUnknownName(_ code: Int32) -> Bool {
  #if os(Linux)
    // EAI_NODATA is no longer in POSIX, but glibc still returns it.
    code == EAI_NONAME || code == -5
  #else
    code == EAI_NONAME || code == EAI_NODATA
  #endif
}

/// A question to the system's resolver.
private struct Question: Sendable {
  enum Answer: Sendable {
    case addresses([SocketAddress])
    case refused(code: Int32, reason: String)
  }

  let host: String
  let port: UInt16

  /// Blocks until the resolver has answered.
  func ask() -> Answer {
    var hints = unsafe addrinfo()
    unsafe hints.ai_socktype = streamType
    var list: UnsafeMutablePointer<addrinfo>?
    let code = unsafe getaddrinfo(host, nil, &hints, &list)
    defer { unsafe freeaddrinfo(list) }
    if code == 0 { return .addresses(unsafe addresses(list)) }
    let reason = unsafe gai_strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)"
    return .refused(code: code, reason: reason)
  }

  private func addresses(_ list: UnsafeMutablePointer<addrinfo>?) -> [SocketAddress] {
    var result: [SocketAddress] = []
    var next = unsafe list
    while let entry = unsafe next {
      var storage = sockaddr_storage()
      let length = unsafe min(Int(entry.pointee.ai_addrlen), MemoryLayout<sockaddr_storage>.size)
      if let address = unsafe entry.pointee.ai_addr {
        unsafe withUnsafeMutableBytes(of: &storage) { bytes in
          unsafe bytes.copyMemory(from: UnsafeRawBufferPointer(start: address, count: length))
        }
      }
      if var found = SocketAddress(storage) {
        found.port = port
        if !result.contains(found) { result.append(found) }
      }
      unsafe next = entry.pointee.ai_next
    }
    return result
  }
}
