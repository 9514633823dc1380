internal import Posix
internal import Proxies

/// The header of the PROXY protocol, as it comes: byte by byte it is what it is at once, and nothing
/// behind it changes it.
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
