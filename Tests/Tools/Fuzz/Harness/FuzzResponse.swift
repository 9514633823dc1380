internal import HTTP

/// A response, all bytes at once and one by one alike.
@Sendable func fuzzResponse(_ bytes: [UInt8]) {
  precondition(reading(bytes, step: max(1, bytes.count)) == reading(bytes, step: 1))
  precondition(reading(bytes, step: 7) == reading(bytes, step: 1))
}

private struct Reading: Equatable {
  var head: ReceivedHead?
  var body: [UInt8] = []
  var flaws: [ResponseFlaw] = []
  var fault: ResponseFault?
}

private func reading(_ bytes: [UInt8], step: Int) -> Reading {
  var limits = ResponseLimits()
  limits.headBytes = 2000
  limits.bodyBytes = 500
  limits.fieldLines = 20
  limits.chunks = 50
  var reader = ResponseReader(limits: limits)
  var reading = Reading()
  do throws(ResponseFault) {
    var position = 0
    while position < bytes.count {
      let next = min(position + step, bytes.count)
      if try reader.take(bytes.span.extracting(position..<next)) { break }
      position = next
    }
    try reader.end()
    precondition(reader.isComplete && reader.head != nil)
  } catch {
    // It shows the bytes received by then.
    if case .notHTTP = error { reading.fault = .notHTTP(start: "") } else { reading.fault = error }
    precondition(isVisible(error.description))
  }
  reading.head = reader.head
  reading.body = reader.body
  precondition(reader.body.count <= limits.bodyBytes)
  precondition(reader.head?.fields.count ?? 0 <= limits.fieldLines)
  reading.flaws = reader.flaws.filter { if case .bytesBehind = $0 { false } else { true } }
  for flaw in reader.flaws { precondition(isVisible(flaw.description)) }
  for field in reader.head?.fields ?? [] { precondition(isVisible(field.name + field.text)) }
  return reading
}

/// Text in a report must not control the terminal.
func isVisible(_ text: String) -> Bool {
  text.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) }
}
