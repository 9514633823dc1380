internal import HTTP

/// Paths at which clients look for something else than a page, whatever the host's file permits.
private let beginnings = [
  "/.well-known/", "/apple-app-site-association", "/favicon.ico", "/robots.txt",
  "/apple-touch-icon",
].map { Array($0.utf8) }

/// Whether a page for people without the app is never served at a path.
package func isWithoutPage(_ path: Range<Int>, _ bytes: Span<UInt8>) -> Bool {
  // Clients that join origin and path carelessly send two slashes.
  var start = path.lowerBound
  while start + 1 < path.upperBound, bytes[start + 1] == UInt8(ascii: "/") { start += 1 }
  for beginning in beginnings where pathBegins(bytes, start..<path.upperBound, beginning) {
    return true
  }
  return false
}
