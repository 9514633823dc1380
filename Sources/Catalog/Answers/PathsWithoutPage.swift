internal import HTTP

/// Paths where clients do not expect a page. Pages are never served there.
private let beginnings = [
  "/.well-known/", "/apple-app-site-association", "/favicon.ico", "/robots.txt",
  "/apple-touch-icon",
].map { Array($0.utf8) }

/// Whether a page for people without the app is never served at a path.
package func isWithoutPage(_ path: Range<Int>, _ bytes: Span<UInt8>) -> Bool {
  // A client that joins origin and path carelessly sends two slashes.
  var start = path.lowerBound
  while start + 1 < path.upperBound, bytes[start + 1] == UInt8(ascii: "/") { start += 1 }
  for beginning in beginnings where pathBegins(bytes, start..<path.upperBound, beginning) {
    return true
  }
  return false
}

/// Returns the link of a request. It is matched against the host's own file.
///
/// - Parameter target: The range of path and query in `bytes`.
package func pageLink(_ target: Range<Int>, _ bytes: Span<UInt8>) -> [UInt8] {
  // The rules do not depend on the host. But two slashes at the beginning of a bare path would
  // begin a host.
  var link = anyOrigin
  link.reserveCapacity(link.count + target.count)
  for position in target { link.append(bytes[position]) }
  return link
}

private let anyOrigin = Array("https://host".utf8)
