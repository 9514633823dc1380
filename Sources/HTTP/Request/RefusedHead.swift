internal import Bytes

/// Returns the host of a refused request, for the log. Nil if the received bytes contain no valid
/// host, or several hosts.
///
/// A head is checked from its beginning, so most faults are found before the Host field is read.
/// Therefore, this function searches all lines for the Host field. The host that it finds has no
/// effect on the answer.
///
/// - Parameters:
///   - bytes: All bytes received, which may be only a part of the head.
///   - start: The beginning of the head.
package func hostOfRefused(
  _ bytes: Span<UInt8>, from start: Int, limits: RequestLimits
) -> Range<Int>? {
  let end = min(bytes.count, start + limits.headBytes)
  var found: Range<Int>?
  var lineStart = start
  while lineStart < end {
    var lineEnd = lineStart
    while lineEnd < end, bytes[lineEnd] != ASCII.lineFeed { lineEnd += 1 }
    // If a line has no line end, the client may not have sent the whole line.
    if lineEnd == end { break }
    var valueEnd = lineEnd
    while valueEnd > lineStart, bytes[valueEnd - 1].isLineEnd { valueEnd -= 1 }
    // An empty line is the end of the head, unless it comes before the request line.
    if valueEnd == lineStart, lineStart > start { break }
    if let host = host(bytes, inLine: lineStart..<valueEnd) {
      if found != nil { return nil }
      found = host
    }
    lineStart = lineEnd + 1
  }
  return found
}

/// Returns whether the request at `start` is a HEAD, even if the rest of its head is invalid. The
/// answer to HEAD has no content (RFC 9110 section 9.3.2).
package func isHeadRequest(_ bytes: Span<UInt8>, from start: Int) -> Bool {
  var index = start
  // An empty line may come before the request line.
  if bytes.count &- index >= 2, bytes[index] == ASCII.carriageReturn { index += 2 }
  guard bytes.count &- index >= 5 else { return false }
  for (offset, byte) in "HEAD ".utf8.enumerated() where bytes[index + offset] != byte {
    return false
  }
  return true
}

private func host(_ bytes: Span<UInt8>, inLine line: Range<Int>) -> Range<Int>? {
  guard line.count > 5, bytes[line.lowerBound + 4] == UInt8(ascii: ":"),
    foldedWord(bytes, at: line.lowerBound, count: 4) == Word.host
  else { return nil }
  var start = line.lowerBound + 5
  var end = line.upperBound
  while start < end, bytes[start].isWhitespace { start += 1 }
  while end > start, bytes[end - 1].isWhitespace { end -= 1 }
  return Authority(bytes, from: start, to: end)?.host
}

extension UInt8 {
  fileprivate var isLineEnd: Bool { self == ASCII.carriageReturn || self == ASCII.lineFeed }
}
