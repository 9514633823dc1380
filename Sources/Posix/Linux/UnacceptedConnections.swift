internal import Bytes
internal import LibC

#if os(Linux)
  /// Whether a connection to one of these addresses is waiting but cannot be accepted yet. Either
  /// its client has sent nothing, or the TCP handshake is not complete. `/proc/net/tcp` shows both
  /// cases as the state SYN_RECV (proc(5)). Also true if the table cannot be read.
  package func mayHaveUnaccepted(at addresses: [SocketAddress]) -> Bool {
    let ports = addresses.map(\.port)
    let areIPv4 = addresses.allSatisfy(\.isIPv4)
    if ports.isEmpty { return false }
    if hasUnaccepted("/proc/net/tcp", ports) ?? true { return true }
    // On a machine without IPv6, the table for IPv6 is absent.
    return !areIPv4 && hasUnaccepted("/proc/net/tcp6", ports) ?? false
  }

  /// Searches one of the kernel's tables in pieces, because 100,000 connections fill 15 MB. Returns
  /// nil if the table cannot be read.
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
      search.take(buffer[..<count])
    }
    return search.isFound
  }

  /// Searches a table, piece by piece, for a connection in the state SYN_RECV. A line has the form
  /// `sl local_address rem_address st …`. Its numbers are hexadecimal, and each address ends with a
  /// colon and the port.
  struct UnacceptedSearch {
    private let ports: [UInt16]
    /// The incomplete line at the end of the last piece.
    private var rest: [UInt8] = []
    private(set) var isFound = false

    init(ports: [UInt16]) { self.ports = ports }

    mutating func take(_ piece: ArraySlice<UInt8>) {
      let newline = UInt8(ascii: "\n")
      let text = rest + piece
      rest = Array(text[((text.lastIndex(of: newline) ?? -1) + 1)...])
      // First search the whole piece for the state: of thousands of connections, at most a few have
      // this state.
      let hasState = unsafe text.withUnsafeBytes { text in
        unsafe memmem(text.baseAddress, UInt(text.count), " 03 ", 4) != nil
      }
      guard hasState else { return }
      isFound =
        isFound
        || text.split(separator: newline).contains { line in
          let fields = String(decoding: line, as: UTF8.self).split(separator: " ")
          guard fields.count > 3, fields[3] == "03",
            let port = fields[1].split(separator: ":").last.flatMap({ UInt16($0, radix: 16) })
          else { return false }
          return ports.contains(port)
        }
    }
  }
#else
  /// Always false, because only Linux delays connections whose clients have sent nothing.
  package func mayHaveUnaccepted(at addresses: [SocketAddress]) -> Bool { false }
#endif
