/// Returns the contents of the records of a type in the answer section of a DNS message (RFC 1035
/// section 4); nil if the message is malformed.
func records(of type: Int32, in message: [UInt8]) -> [ArraySlice<UInt8>]? {
  if message.isEmpty { return [] }
  guard message.count >= 12 else { return nil }
  func number(_ index: Int) -> Int? {
    index + 1 < message.count ? Int(message[index]) << 8 | Int(message[index + 1]) : nil
  }
  guard let questions = number(4), let answers = number(6) else { return nil }
  var position = 12
  for _ in 0..<questions {
    guard let end = endOfName(message, position) else { return nil }
    position = end + 4
  }
  var contents: [ArraySlice<UInt8>] = []
  for _ in 0..<answers {
    guard let end = endOfName(message, position), let found = number(end),
      let length = number(end + 8), end + 10 + length <= message.count
    else { return nil }
    let content = message[end + 10..<end + 10 + length]
    position = content.endIndex
    if found == Int(type) { contents.append(content) }
  }
  return contents
}

/// Returns the end of a name: labels, or a pointer to labels (RFC 1035 section 4.1.4).
private func endOfName(_ message: [UInt8], _ start: Int) -> Int? {
  var position = start
  while position < message.count {
    let length = Int(message[position])
    if length & 0xC0 == 0xC0 { return position + 2 <= message.count ? position + 2 : nil }
    if length == 0 { return position + 1 }
    position += 1 + length
  }
  return nil
}
