internal import HTTP

/// If a path begins with one of these texts, the server never sends the page for people without the
/// app, because clients expect another file at the path.
private let beginnings = [
  "/.well-known/", "/apple-app-site-association", "/favicon.ico", "/robots.txt",
  "/apple-touch-icon",
].map { Array($0.utf8) }

/// Whether a path begins with one of `beginnings`, ignoring additional slashes. For such a path,
/// the server never sends the page for people without the app.
package func isWithoutPage(_ path: Range<Int>, _ bytes: Span<UInt8>) -> Bool {
  // Skip additional slashes. A client may send them if it joins origin and path carelessly.
  var start = path.lowerBound
  while start + 1 < path.upperBound, bytes[start + 1] == UInt8(ascii: "/") { start += 1 }
  for beginning in beginnings where pathBegins(bytes, start..<path.upperBound, beginning) {
    return true
  }
  return false
}

/// Returns the URL of a request, for comparison with the host's association file.
///
/// - Parameter target: The range of path and query in `bytes`.
package func pageLink(_ target: Range<Int>, _ bytes: Span<UInt8>) -> [UInt8] {
  // Put an origin before the path, because a path that begins with two slashes would be parsed as a
  // host. Any origin will do, because the rules do not depend on the host.
  var link = anyOrigin
  link.reserveCapacity(link.count + target.count)
  for position in target { link.append(bytes[position]) }
  return link
}

private let anyOrigin = Array("https://host".utf8)
