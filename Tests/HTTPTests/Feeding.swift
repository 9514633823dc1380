import HTTP
import TestRunning
import Testing

/// The content of a head, in values that can be compared.
struct Reading: Equatable, CustomStringConvertible {
  var method: Method
  var form: RequestTarget.Form
  var path: String
  var query: String?
  var host: String
  var port: UInt16?
  var minorVersion: UInt8
  var allowsReuse: Bool
  var body: BodyFraming
  var expectsContinue: Bool
  /// Those with known names.
  var fields: [String]
  var fieldCount: Int
  /// How many bytes the head took.
  var length: Int

  var description: String {
    "\(method) \(form) \(path) \(query ?? "-") \(host) \(port ?? 0) 1.\(minorVersion) "
      + "\(allowsReuse) \(body) \(expectsContinue) \(fields) \(length)"
  }
}

enum Outcome: Equatable {
  case head(Reading)
  case fault(RequestFault)
  case needsMore

  var reading: Reading? {
    if case .head(let reading) = self { reading } else { nil }
  }
  var fault: RequestFault? {
    if case .fault(let fault) = self { fault } else { nil }
  }
}

func text(_ bytes: [UInt8], _ range: Range<Int>) -> String {
  String(decoding: bytes[range], as: UTF8.self)
}

/// Reads the head at `start`, the bytes arriving up to each of `arrivals` in turn.
func read(
  _ bytes: [UInt8], from start: Int = 0, arrivals: some Sequence<Int>,
  limits: RequestLimits = RequestLimits()
) -> Outcome {
  var head = RequestHead()
  do throws(RequestFault) {
    for arrival in arrivals {
      let span = bytes.span.extracting(0..<arrival)
      let end = try head.read(span, from: start, limits: limits)
      if let end { return .head(reading(head, bytes, start, end)) }
    }
    return .needsMore
  } catch {
    return .fault(error)
  }
}

private func reading(
  _ head: borrowing RequestHead, _ bytes: [UInt8], _ start: Int, _ end: Int
) -> Reading {
  Reading(
    method: head.method, form: head.target.form, path: text(bytes, head.target.path),
    query: head.target.query.map { text(bytes, $0) }, host: text(bytes, head.host),
    port: head.hostPort, minorVersion: head.minorVersion, allowsReuse: head.allowsReuse,
    body: head.body, expectsContinue: head.expectsContinue,
    fields: head.knownFields.map {
      "\(text(bytes, $0.nameRange)): \(text(bytes, $0.valueRange))"
    }, fieldCount: head.fieldCount,
    length: end - start)
}

/// Byte by byte; of a long head only its ends, unless there is time for all.
private func arrivals(_ count: Int) -> [Int] {
  if count < 2000 || isStress { return Array(0...count) }
  return Array(0..<300) + stride(from: 300, to: count - 300, by: 61) + Array(count - 300...count)
}

/// The outcome of a head that is fed whole, byte by byte, split at every position, and behind
/// other bytes; nil when these differ.
func outcome(_ bytes: [UInt8], limits: RequestLimits = RequestLimits()) -> Outcome? {
  let whole = read(bytes, arrivals: CollectionOfOne(bytes.count), limits: limits)
  guard read(bytes, arrivals: arrivals(bytes.count), limits: limits) == whole else { return nil }
  if bytes.count < 2000 {
    for split in bytes.indices {
      guard read(bytes, arrivals: [split, bytes.count], limits: limits) == whole else { return nil }
    }
  }
  let shifted = Array("earlier\r\n".utf8) + bytes
  let behind = read(shifted, from: 9, arrivals: CollectionOfOne(shifted.count), limits: limits)
  return behind == whole ? whole : nil
}

func outcome(_ text: String, limits: RequestLimits = RequestLimits()) -> Outcome? {
  outcome(Array(text.utf8), limits: limits)
}

/// A GET of `/` with these field lines, each without its CRLF.
func request(_ fields: String..., version: String = "HTTP/1.1") -> String {
  "GET / \(version)\r\n" + fields.map { $0 + "\r\n" }.joined() + "\r\n"
}

/// The same with a Host field first.
func hosted(_ fields: String..., version: String = "HTTP/1.1") -> String {
  "GET / \(version)\r\nHost: a.example\r\n" + fields.map { $0 + "\r\n" }.joined() + "\r\n"
}

/// A row of a table of heads that are refused.
struct Refusal: CustomTestStringConvertible, Sendable {
  var text: String
  var fault: RequestFault
  var why: String

  init(_ text: String, _ fault: RequestFault, _ why: String) {
    self.text = text
    self.fault = fault
    self.why = why
  }

  var testDescription: String { why }
}
