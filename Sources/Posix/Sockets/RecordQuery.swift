internal import LibC

/// No name server answered.
package struct RecordQueryFault: Error, Sendable, Equatable {}

/// Returns the DNS response to a query for records of one type (RFC 1035 section 4). If there are
/// no such records, returns an empty array.
///
/// - Parameters:
///   - type: The number of the record type, such as 257 for CAA.
///   - server: The name server; nil for the system's name servers.
package func queryRecords(
  _ name: String, type: Int32, by server: SocketAddress? = nil, until deadline: Deadline
) throws(RecordQueryFault) -> [UInt8] {
  guard let answer = try? timedAnswer(until: deadline, { response(name, type: type, server) }),
    let message = answer
  else { throw RecordQueryFault() }
  return message
}

/// Returns nil if no name server answered. May block for several seconds for each name server.
private func response(_ name: String, type: Int32, _ server: SocketAddress?) -> [UInt8]? {
  var answer = [UInt8](repeating: 0, count: 65_536)
  let size = Int32(answer.count)
  let count =
    if let server {
      unsafe server.withKernelForm { address, _ in
        unsafe aasa_dns_query(name, type, address, &answer, size)
      }
    } else {
      unsafe aasa_dns_query(name, type, nil, &answer, size)
    }
  return count < 0 ? nil : Array(answer.prefix(Int(count)))
}

/// Returns the contents of all records of a type in the answer section of a DNS message (RFC 1035
/// section 4); nil if the message is malformed.
package func records(of type: Int32, in message: [UInt8]) -> [ArraySlice<UInt8>]? {
  if message.isEmpty { return [] }
  func number(_ place: Int) -> Int? {
    place + 2 <= message.count ? Int(message[place]) << 8 | Int(message[place + 1]) : nil
  }
  guard message.count >= 12, let questions = number(4), let answers = number(6) else { return nil }
  var place = 12
  for _ in 0..<questions {
    guard let end = domainName(in: message, at: place)?.end else { return nil }
    place = end + 4
  }
  var contents: [ArraySlice<UInt8>] = []
  for _ in 0..<answers {
    guard let start = domainName(in: message, at: place)?.end, let found = number(start),
      let length = number(start + 8), start + 10 + length <= message.count
    else { return nil }
    place = start + 10 + length
    if found == Int(type) { contents.append(message[start + 10..<place]) }
  }
  return contents
}

/// Reads a name in a DNS message. Returns the name and the offset after it; nil if the name is
/// malformed or contains a loop.
package func domainName(
  in message: [UInt8], at start: Int
) -> (name: String, end: Int)? {
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
      // A pointer in a name must point backwards, so that the name cannot loop.
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
