internal import Bytes

/// Bytes in a form that is visible on a terminal: printable UTF-8 as it is, any other byte as
/// `\x1b`, line ends as `\r` and `\n`.
///
/// - Parameter limit: The number of bytes that are shown; a mark shows that there are more.
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
    if case .scalarValue(let scalar) = decoder.decode(&iterator), isVisible(scalar) {
      result.unicodeScalars.append(scalar)
      rest = rest.dropFirst(UTF8.width(scalar))
    } else {
      result += escape(rest[rest.startIndex])
      rest = rest.dropFirst()
    }
  }
  return result + (isCut ? "…" : "")
}

/// Whether the scalar is neither a control nor one that changes the direction of its neighbours
/// (UTR 36).
private func isVisible(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar.properties.generalCategory {
  case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned:
    false
  default: true
  }
}

private func escape(_ byte: UInt8) -> String {
  switch byte {
  case ASCII.carriageReturn: return "\\r"
  case ASCII.lineFeed: return "\\n"
  case ASCII.horizontalTab: return "\\t"
  default: return "\\x" + [byte].hexText
  }
}
