internal import Bytes
internal import LibC

#if os(Linux)
  /// Whether a connection to one of these addresses waits that cannot be accepted yet: its client has
  /// sent nothing, or the TCP handshake is not complete. Both are in the state SYN_RECV in
  /// `/proc/net/tcp` (proc(5)). True if the kernel does not tell.
  package func mayHaveUnaccepted(at addresses: [SocketAddress]) -> Bool {
    let ports = addresses.map(\.port)
    let areIPv4 = addresses.allSatisfy(\.isIPv4)
    if ports.isEmpty { return false }
    if hasUnaccepted("/proc/net/tcp", ports) ?? true { return true }
    // Absent on a machine without IPv6.
    return !areIPv4 && hasUnaccepted("/proc/net/tcp6", ports) ?? false
  }

  /// Searches one of the kernel's tables piece by piece: with 100,000 connections a table has 15 MB.
  /// Returns nil if the table cannot be read.
  private func hasUnaccepted(_ path: String, _ ports: [UInt16]) -> Bool? {
    let (number, code) = retrying { unsafe open(path, O_RDONLY | O_CLOEXEC) }
    guard code == 0 else { return nil }
    let descriptor = FileDescriptor(owning: number)
    var buffer = [UInt8](repeating: 0, count: 65_536)
    var search = UnacceptedSearch(ports: ports)
    while !search.isFound {
      let (count, code) = unsafe buffer.withUnsafeMutableBytes { buffer in
        retrying { unsafe read(descriptor.rawValue, buffer.baseAddress, buffer.count) }
      }
      guard code == 0 else { return nil }
      if count == 0 { break }
      search.take(Array(buffer[..<count]))
    }
    return search.isFound
  }

  /// Searches a table that comes in pieces for a connection in the state SYN_RECV. A line is
  /// `sl local_address rem_address st …`. Its numbers are hexadecimal, and an address ends with a
  /// colon and the port.
  struct UnacceptedSearch {
    private let ports: [UInt16]
    private var field = 0
    /// Whether a byte of the field was seen.
    private var isInField = false
    /// The field's value, or what follows its last colon.
    private var value: UInt32 = 0
    private var isOurPort = false
    private(set) var isFound = false

    init(ports: [UInt16]) { self.ports = ports }

    mutating func take(_ piece: [UInt8]) {
      for byte in piece {
        if byte == UInt8(ascii: "\n") {
          endField()
          field = 0
        } else if field > 3 {
          // No field after the state matters.
          continue
        } else if byte == UInt8(ascii: " ") {
          endField()
        } else if byte == UInt8(ascii: ":") {
          (isInField, value) = (true, 0)
        } else {
          isInField = true
          value = byte.hexValue.map { value << 4 | UInt32($0) } ?? .max
        }
      }
    }

    private mutating func endField() {
      guard isInField else { return }
      switch field {
      case 1: isOurPort = ports.contains { $0 == value }
      case 3: isFound = isFound || isOurPort && value == 3
      default: break
      }
      (field, isInField, value) = (field + 1, false, 0)
    }
  }
#else
  /// Always false: only Linux holds back connections whose clients have sent nothing.
  package func mayHaveUnaccepted(at addresses: [SocketAddress]) -> Bool { false }
#endif
