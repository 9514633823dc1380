#if os(Linux)
  /// Whether the kernel has connections to a port that nobody can accept yet, because their clients
  /// have not spoken or the handshake is under way (SYN_RECV in proc(5), `/proc/net/tcp`). True if
  /// that cannot be known.
  func mayHaveUnaccepted(port: UInt16) -> Bool {
    // A list of 100,000 connections has 15 MB.
    let limit = 32 * 1024 * 1024
    guard let four = try? readContent("/proc/net/tcp", limit: limit) else { return true }
    // Absent on a machine without IPv6.
    let six = try? readContent("/proc/net/tcp6", limit: limit)
    return [four, six].compactMap(\.self).contains { hasUnaccepted($0.bytes, port: port) }
  }

  /// A line is `sl local_address rem_address st …`, with the port in hexadecimal after a colon.
  func hasUnaccepted(_ table: [UInt8], port: UInt16) -> Bool {
    let digits = String(port, radix: 16, uppercase: true)
    let wanted = Array((String(repeating: "0", count: 4 - digits.count) + digits).utf8)
    return table.split(separator: UInt8(ascii: "\n")).contains { line in
      let fields = line.split(separator: UInt8(ascii: " "), maxSplits: 4)
      return fields.count > 3 && fields[3].elementsEqual("03".utf8)
        && fields[1].suffix(5).elementsEqual([UInt8(ascii: ":")] + wanted)
    }
  }
#endif
