internal import Bytes

/// Returns bytes in a form visible on a terminal: printable UTF-8 as it is, line ends as `\r` and
/// `\n`, and any other byte in the form `\x1b`.
///
/// - Parameter limit: The maximum number of bytes to show. `…` replaces the rest.
package func visibleText(_ bytes: some Sequence<UInt8>, limit: Int = .max) -> String {
  var shown = Array(bytes.prefix(limit == .max ? .max : limit + 1))
  let isCut = shown.count > limit
  if isCut { shown.removeLast() }
  var result = ""
  var decoder = UTF8()
  var rest = shown[...]
  while !rest.isEmpty {
    var iterator = rest.makeIterator()
    decoder = UTF8()
    if case .scalarValue(let scalar) = decoder.decode(&iterator), !scalar.isInvisible {
      result.unicodeScalars.append(scalar)
      rest = rest.dropFirst(UTF8.width(scalar))
    } else {
      result += escape(rest[rest.startIndex])
      rest = rest.dropFirst()
    }
  }
  return result + (isCut ? "…" : "")
}

private func escape(_ byte: UInt8) -> String {
  switch byte {
  case ASCII.carriageReturn: return "\\r"
  case ASCII.lineFeed: return "\\n"
  case ASCII.horizontalTab: return "\\t"
  default: return "\\x" + [byte].hexText
  }
}
