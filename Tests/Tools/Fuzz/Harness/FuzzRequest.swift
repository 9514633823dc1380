internal import HTTP

/// Requests one after the other on one connection, all bytes at once and one by one alike.
@Sendable func fuzzRequest(_ bytes: [UInt8]) {
  precondition(ends(bytes, step: max(1, bytes.count)) == ends(bytes, step: 1))
}

/// Where each request's head and body end; -1 where a fault ends the connection.
private func ends(_ bytes: [UInt8], step: Int) -> [Int] {
  let limits = RequestLimits()
  var ends: [Int] = []
  var start = 0
  while start < bytes.count {
    var head = RequestHead()
    var position: Int?
    do throws(RequestFault) {
      var arrived = start
      while position == nil && arrived < bytes.count {
        arrived = min(arrived + step, bytes.count)
        let span = bytes.span.extracting(0..<arrived)
        position = try head.read(span, from: start, limits: limits)
      }
      guard var position else { return ends }
      precondition(start < position && position <= bytes.count)
      precondition(head.host.upperBound <= position)
      checkForwarding(head, bytes, start..<position)
      ends.append(position)
      var drain = try BodyDrain(head.body, limits: limits)
      while !drain.isComplete && position < bytes.count {
        let arrived = min(position + step, bytes.count)
        let span = bytes.span.extracting(0..<arrived)
        let (next, isComplete) = try drain.consume(span, from: position)
        precondition(isComplete ? position <= next && next <= arrived : next == arrived)
        position = next
      }
      guard drain.isComplete else { return ends }
      start = position
      ends.append(start)
    } catch {
      // A refused head may be searched for its host.
      let host = hostOfRefused(bytes.span, from: start, limits: limits)
      precondition(host.map { start <= $0.lowerBound && $0.upperBound <= bytes.count } ?? true)
      return ends + [-1]
    }
  }
  return ends
}

/// A proxy's information is within the head, and can be read whatever it is.
private func checkForwarding(
  _ head: borrowing RequestHead, _ bytes: [UInt8], _ place: Range<Int>
) {
  let span = bytes.span
  var found = head.forwardedFor(span)
  for name in [FieldName.xForwardedHost, .xForwardedProto] {
    if let range = head.lastMember(name, span) { found.append(range) }
  }
  for member in head.forwarded(span) {
    found += [member.node, member.host, member.proto].compactMap(\.self)
  }
  for range in found {
    precondition(place.lowerBound <= range.lowerBound && range.upperBound <= place.upperBound)
    let host = hostOfAuthority(span, in: range)
    precondition(host.map { range.lowerBound <= $0.lowerBound } ?? true)
    _ = isHTTPSScheme(span, in: range)
  }
}
