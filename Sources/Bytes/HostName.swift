// Three rules for three kinds of names, different on purpose:
//
// - `isHostName` for names that are hosted here: the rule of the DNS, in lower case;
// - `isHostNameByte` for names that others chose, in certificates and in our own requests: they are
//   safe to print and to send, whether or not the DNS can hold them;
// - HTTP's `Authority` for the host of a request: names of labels in the grammar of URLs.

/// Whether `name` can be a host in the DNS (RFC 1035 2.3.1, RFC 1123 2.1), in lower case.
/// Underscores are allowed because real host names have them.
package func isHostName(_ name: String) -> Bool {
  // The number of bytes since the last dot, and the byte before.
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

/// Letters, digits, hyphen, dot and underscore: the bytes of host names.
package func isHostNameByte(_ byte: UInt8) -> Bool {
  byte.isLetter || byte.isDigit || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
    || byte == UInt8(ascii: "_")
}
