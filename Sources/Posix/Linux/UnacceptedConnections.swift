#if os(Linux)
  /// Whether the kernel has connections to a port that cannot be accepted yet, because the client
  /// has sent nothing or the handshake is under way (SYN_RECV in `/proc/net/tcp`, proc(5)). True if
  /// the kernel does not tell.
  func mayHaveUnaccepted(port: UInt16) -> Bool {
    // A list of 100,000 connections takes 15 MB.
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
