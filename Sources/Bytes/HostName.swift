// This program has three rules for host names, which differ on purpose:
//
// - `isHostName` is for names that this server hosts. Such names follow the DNS rule, in lower case.
// - `isHostNameByte` is for names that others choose: names in certificates, and names of hosts to
//   which this program sends requests. The bytes that this rule allows are safe to print and to
//   send, even if the DNS does not allow them.
// - `Authority` in the module HTTP is for the host of a request. Its labels follow the URL grammar.

/// Whether `name` can be a host in the DNS (RFC 1035 2.3.1, RFC 1123 2.1), in lower case.
/// Underscores are allowed because real host names have them.
package func isHostName(_ name: String) -> Bool {
  // The number of bytes since the last dot, and the previous byte.
  var label = 0
  var last = UInt8(ascii: ".")
  var count = 0
  for byte in name.utf8 {
    count += 1
    if byte == UInt8(ascii: ".") {
      if label == 0 || label > 63 || last == UInt8(ascii: "-") { return false }
      label = 0
    } else {
      let isLetterOrDigit = byte &- 0x61 < 26 || byte.isDigit || byte == UInt8(ascii: "_")
      if !isLetterOrDigit && (byte != UInt8(ascii: "-") || label == 0) { return false }
      label += 1
    }
    last = byte
  }
  return (1...63).contains(label) && last != UInt8(ascii: "-") && count <= 253
}

/// Whether a byte can occur in a host name: a letter, digit, hyphen, dot or underscore.
package func isHostNameByte(_ byte: UInt8) -> Bool {
  byte.isLetter || byte.isDigit || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
    || byte == UInt8(ascii: "_")
}
