import Foundation
import Testing

@testable import EndToEnd

/// One requirement of RFC 9110 or RFC 9112 for an origin server: a request and its required
/// outcome.
struct Requirement: Sendable, CustomStringConvertible {
  /// The document and the section in it.
  let section: String
  /// The requirement, in a few words.
  let what: String
  /// In the request, `TAG` stands for the representation's entity tag and `MODIFIED` for its
  /// Last-Modified.
  let sent: String
  /// The status of each answer, interim ones included.
  let statuses: [Int]
  /// Whether the bytes after it on the connection are still a request.
  let staysOpen: Bool
  /// A further condition for the last answer.
  let holds: @Sendable (Response) -> Bool

  var description: String { "\(section): \(what)" }

  init(
    _ section: String, _ what: String, _ sent: String, _ statuses: Int..., staysOpen: Bool = true,
    holds: @escaping @Sendable (Response) -> Bool = { _ in true }
  ) {
    self.section = section
    self.what = what
    self.sent = sent
    self.statuses = statuses
    self.staysOpen = staysOpen
    self.holds = holds
  }

  /// Sends the request, with one more after it, and checks all answers until the server has nothing
  /// more to say.
  func check(_ server: Server, _ representation: Response) throws {
    let tag = try #require(representation["ETag"])
    let modified = try #require(representation["Last-Modified"])
    let text = sent.replacingOccurrences(of: "TAG", with: tag)
      .replacingOccurrences(of: "MODIFIED", with: modified)
    let client = try RawClient(port: server.http, within: .seconds(30))
    // The server may close before it has taken all.
    try? client.send(text + request("GET", "/after"))
    client.finishSending()
    let (bytes, end) = try client.receiveAll()
    #expect(end == .closed, "\(self)")
    let methods = sent.components(separatedBy: "\r\n").filter { $0.contains(" HTTP/1.") }
      .compactMap { $0.split(separator: " ").first.map(String.init) }
    var answers = try Response.all(in: bytes, methods: methods)
    if staysOpen {
      #expect(answers.popLast()?.status == 404, "\(self): the request after it is answered")
    } else {
      #expect(answers.last?["Connection"] == "close", "\(self)")
    }
    #expect(answers.map(\.status) == statuses, "\(self)")
    if let last = answers.last { #expect(holds(last), "\(self): \(last)") }
    for answer in answers {
      Self.checkAlways(answer, self)
      // An interim response has no date.
      #expect((answer["Date"] != nil) == (answer.status >= 200), "9110 6.6.1 in \(self)")
    }
  }

  /// The conditions for each answer.
  private static func checkAlways(_ answer: Response, _ row: Requirement) {
    #expect(answer.version == "HTTP/1.1", "9110 6.2 in \(row)")
    #expect(answer.values("Transfer-Encoding").isEmpty, "9112 6.1 in \(row)")
    #expect(answer.status != 405 || answer["Allow"] != nil, "9110 10.2.1 in \(row)")
    #expect(answer.status != 204 || answer["Content-Length"] == nil, "9110 8.6 in \(row)")
    #expect(answer.status < 300 || answer.status >= 400 || answer.status == 304, "in \(row)")
    for name in Set(answer.fields.map { $0.name.lowercased() }) {
      // 9110 5.3: a field line is repeated only where the field is a list.
      #expect(answer.values(name).count == 1, "\(name) in \(row)")
    }
    for field in answer.fields {
      // 9110 5.5
      #expect(field.value.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F }, "\(field) in \(row)")
    }
  }
}
