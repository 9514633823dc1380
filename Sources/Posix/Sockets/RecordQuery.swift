internal import LibC

/// No name server answered.
package struct RecordQueryFault: Error, Sendable, Equatable {}

/// Returns the DNS response to a query for records of one type (RFC 1035 section 4); empty if there
/// are none.
///
/// - Parameter type: The number of the record type, such as 257 for CAA.
package func queryRecords(
  _ name: String, type: Int32, until deadline: Deadline
) throws(RecordQueryFault) -> [UInt8] {
  guard let answer = try? timedAnswer(until: deadline, { records(of: name, type: type) }),
    let message = answer
  else { throw RecordQueryFault() }
  return message
}

/// Nil if no name server answered. Blocks for some seconds for each server.
private func records(of name: String, type: Int32) -> [UInt8]? {
  var answer = [UInt8](repeating: 0, count: 65_536)
  let count = unsafe aasa_dns_query(name, type, &answer, Int32(answer.count))
  return count < 0 ? nil : Array(answer.prefix(Int(count)))
}
