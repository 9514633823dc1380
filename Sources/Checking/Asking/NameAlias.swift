internal import Posix

/// The name that a CNAME record of a host leads to; nil if there is none, or if nobody could tell.
func alias(of host: String) -> String? {
  (try? queryRecords(host, type: 5, until: Deadline(afterMilliseconds: 3_000))).flatMap(aliasTarget)
}

/// The target of the first CNAME record in the answer section of a DNS message (RFC 1035 section
/// 4); nil if there is none, or if the message is broken.
package func aliasTarget(in message: [UInt8]) -> String? {
  func number(_ place: Int) -> Int? {
    place + 2 <= message.count ? Int(message[place]) << 8 | Int(message[place + 1]) : nil
  }
  guard let questions = number(4), let answers = number(6) else { return nil }
  var place = 12
  for _ in 0..<questions {
    guard let end = domainName(in: message, at: place)?.end else { return nil }
    place = end + 4
  }
  for _ in 0..<answers {
    guard let end = domainName(in: message, at: place)?.end, let type = number(end),
      let length = number(end + 8)
    else { return nil }
    if type == 5 { return domainName(in: message, at: end + 10)?.name }
    place = end + 10 + length
  }
  return nil
}

/// Reads a name. Returns it and the offset after it, or nil if the name is broken or loops.
private func domainName(in message: [UInt8], at start: Int) -> (name: String, end: Int)? {
  var (place, end, labels, bytes): (Int, Int?, [String], Int) = (start, nil, [], 0)
  while place < message.count {
    let length = Int(message[place])
    if length == 0 {
      return (labels.joined(separator: ".").lowercased(), end ?? place + 1)
    }
    if length >= 0xC0 {
      guard place + 1 < message.count else { return nil }
      let target = (length & 0x3F) << 8 | Int(message[place + 1])
      end = end ?? place + 2
      // A pointer must lead backwards, so no name can loop.
      guard target < place else { return nil }
      place = target
      continue
    }
    bytes += length + 1
    guard length < 0x40, bytes <= 255, place + 1 + length <= message.count else { return nil }
    labels.append(String(decoding: message[(place + 1)..<(place + 1 + length)], as: UTF8.self))
    place += 1 + length
  }
  return nil
}
