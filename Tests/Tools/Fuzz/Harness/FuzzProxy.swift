internal import Posix
internal import Proxies

/// The header of the PROXY protocol: the result is the same byte by byte, and does not depend on
/// the bytes after it.
@Sendable func fuzzProxy(_ bytes: [UInt8]) {
  let whole = ProxyHeader(bytes.span)
  if case .complete(let length, _) = whole {
    precondition(length <= bytes.count && length <= ProxyHeader.longestBinary)
  }
  if case .incomplete = whole { precondition(bytes.count < ProxyHeader.longestBinary) }
  var isDecided = false
  for count in 0...min(bytes.count, ProxyHeader.longestBinary) {
    let part = ProxyHeader(bytes.span.extracting(first: count))
    switch part {
    case .incomplete: precondition(!isDecided)
    case .complete(let length, _):
      precondition(part == whole && length <= count && (isDecided || length == count))
      isDecided = true
    case .malformed:
      precondition(whole == .malformed)
      isDecided = true
    }
  }
}
