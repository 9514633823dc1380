/// Returns the addresses of a name in this machine's hosts file; empty if the file cannot be read.
package func localAddresses(of host: String, port: UInt16) -> [SocketAddress] {
  let content = try? readContent("/etc/hosts", limit: 1 << 20)
  return addresses(of: host, port: port, inHostsFile: content?.bytes ?? [])
}

/// Returns the addresses of a name in a hosts file (hosts(5)).
///
/// Each line has an address followed by its names, in upper or lower case. `#` begins a comment.
/// The search compares bytes, which is faster than comparing strings: a hosts file that blocks
/// advertisements may have 100,000 lines.
package func addresses(
  of host: String, port: UInt16, inHostsFile text: [UInt8]
) -> [SocketAddress] {
  text.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }.compactMap { line in
    let words = line.prefix { $0 != UInt8(ascii: "#") }
      .split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
    let isNamed = words.dropFirst().contains {
      $0.count == host.utf8.count && String(decoding: $0, as: UTF8.self).lowercased() == host
    }
    return isNamed
      ? SocketAddress(literal: String(decoding: words[0], as: UTF8.self), port: port) : nil
  }
}
