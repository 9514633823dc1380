internal import Posix

/// The name that a CNAME record of a host leads to; nil if there is none, or if nobody could tell.
func alias(of host: String) -> String? {
  (try? queryRecords(host, type: 5, until: Deadline(afterMilliseconds: 3_000))).flatMap(aliasTarget)
}

/// The target of the first CNAME record in the answer section of a DNS message; nil if there is
/// none, or if the message is malformed.
package func aliasTarget(in message: [UInt8]) -> String? {
  guard let target = records(of: 5, in: message)?.first else { return nil }
  return domainName(in: message, at: target.startIndex)?.name
}
