import Checking
import HTTP

/// What a device recorded, a DNS message, and the fields of an answer: each input is read as all of
/// them.
@Sendable func fuzzChecking(_ bytes: [UInt8]) {
  _ = DeviceText(bytes)
  if let name = aliasTarget(in: bytes) { precondition(name.utf8.count <= 1_024) }
  var reader = ResponseReader(isHead: true)
  let head = Array("HTTP/1.1 200 OK\r\n".utf8) + bytes + Array("\r\n\r\n".utf8)
  _ = try? reader.take(head.span)
  guard let fields = reader.head else { return }
  if let age = age(fields) { precondition((0...100_000_000).contains(age)) }
  _ = (secondsLeft(fields), age(of: fields), contentTypeProblem(of: fields))
}
