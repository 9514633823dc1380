internal import CResolver

/// The name servers gave no answer.
package struct RecordQueryFault: Error, Sendable, Equatable {}

/// The DNS message that answers a question for records of a type (RFC 1035 section 4); empty if
/// there are none. Blocks for some seconds at most.
///
/// - Parameter type: The number of the type, such as 257 for CAA.
package func queryRecords(
  _ name: String, type: Int32
) throws(RecordQueryFault) -> [UInt8] {
  var answer = [UInt8](repeating: 0, count: 65_536)
  let count = unsafe aasa_dns_query(name, type, &answer, Int32(answer.count))
  guard count >= 0 else { throw RecordQueryFault() }
  return Array(answer.prefix(Int(count)))
}
