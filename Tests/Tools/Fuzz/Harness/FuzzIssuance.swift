import Bytes
import Diagnostics
import HTTP
import JSON
import Posix
import Settings

@testable import Issuance

/// Records of a name: the input is a DNS message, and the text of a TXT record.
@Sendable func fuzzDNS(_ bytes: [UInt8]) {
  let caaIdentity = CAAIdentity(
    identities: ["ca.example"], account: "https://ca.example/acct/1", methods: [.http])
  if let records = authorizationRecords(in: bytes) {
    let fault = obstacle(in: records, of: "a.example", for: caaIdentity, isWildcard: true)
    precondition(isVisible(fault?.text ?? ""))
  }
  let texts = (textRecords(in: bytes) ?? []) + [String(decoding: bytes, as: UTF8.self)]
  for now in [0, CivilTime.seconds.upperBound] {
    let fault = recordFault(texts, for: "*.a.example", caaIdentity, now: now)
    precondition(isVisible(fault?.text ?? ""))
  }
}

/// What a CA answers: problem document, order, authorization, directory, renewal window, Retry-After.
@Sendable func fuzzACME(_ bytes: [UInt8]) {
  let head = Array("HTTP/1.1 503 x\r\nretry-after: ".utf8) + bytes + Array("\r\n\r\n".utf8)
  var reader = ResponseReader(isHead: true)
  _ = try? reader.take(head.span)
  if let head = reader.head, let seconds = head.retryAfter(now: 1_800_000_000) {
    precondition((1...604_800).contains(seconds))
  }
  guard let value = try? Document(parsing: SourceText(path: "", bytes: bytes)).root else { return }
  _ = ACMEDirectory(value)
  for problem in [ProblemDocument(value), Order(value)?.problem, Authorization(value)?.problem] {
    guard let problem else { continue }
    let scope = limitScope(of: problem, host: "a.example.com", isOrder: true)
    precondition(LimitScope(rawValue: scope.rawValue) == scope)
    precondition(pause(after: .refused(problem), failures: 1) > 0)
    precondition(isVisible(IssuanceFailure.refused(problem).text))
  }
  if let window = RenewalWindow(value, serial: "0a") {
    precondition((window.start..<window.end).contains(window.moment))
    _ = dueTime(
      Validity(notBefore: 0, notAfter: CivilTime.seconds.upperBound), window: window, now: 0)
  }
}

/// A file of the state folder, whichever it is.
@Sendable func fuzzState(_ bytes: [UInt8]) {
  _ = (IssuedFile(bytes, for: "a.example"), OrderRecord(bytes, host: "a.example"))
  if let entry = Journal.Entry(bytes) {
    _ = dueTime(nil, issues: [PastIssue(time: entry.time, life: 0)], now: 1_800_000_000)
  }
  guard let value = stateObject(bytes) else { return }
  let authority = Authority(name: "letsencrypt", url: "https://ca.example/dir")
  var limits = RateLimits(authority)
  limits.read(value)
  limits.settle(now: 1_800_000_000_000)
  precondition((0...270).contains(limits.budget?.remaining(now: 1_800_000_000_000) ?? -1))
  precondition(
    limits.nextTime(for: "a.example", isNew: true, now: 1_800_000_000) <= 1_800_000_000 + 604_800)
  // It is read as it was written.
  var again = RateLimits(authority)
  if let value = stateObject(Array(limits.text(now: 0).utf8)) { again.read(value) }
  precondition(again == limits)
}
