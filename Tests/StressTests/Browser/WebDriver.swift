import Foundation

@testable import EndToEnd

/// A session of a browser, by W3C WebDriver: JSON over HTTP, to a driver that listens on loopback.
struct WebDriver {
  let port: Int
  /// `/session/…`, once there is one.
  var session = ""

  /// The driver's answer, without its envelope; its errors are thrown.
  @discardableResult
  func ask(_ method: String, _ path: String, _ document: [String: Any]? = nil) throws -> Any? {
    let content = try document.map { try JSONSerialization.data(withJSONObject: $0) } ?? Data()
    let client = try RawClient(port: port)
    let fields = [
      "Content-Type: application/json", "Content-Length: \(content.count)", "Connection: close",
    ]
    try client.send(request(method, session + path, host: "127.0.0.1:\(port)", fields: fields))
    try client.send(Array(content))
    let answer = try JSONSerialization.jsonObject(with: try body(from: client))
    let value = (answer as? [String: Any])?["value"]
    if let fault = value as? [String: Any], let name = fault["error"] as? String {
      let message = (fault["message"] as? String)?.split(separator: "\n").first ?? ""
      throw Failure("\(method) \(path): \(name): \(message)")
    }
    return value is NSNull ? nil : value
  }

  /// Chromium's driver writes no space after the colon of a field, and leaves connections open, so
  /// this reads by the length of the body and does not use the tests' own reader.
  private func body(from client: RawClient) throws -> Data {
    var received: [UInt8] = []
    let deadline = Deadline(within: patience)
    while !deadline.isOver {
      let more = try client.receiveSome()
      received += more
      let text = String(decoding: received.prefix(4096), as: UTF8.self)
      if let end = received.firstRange(of: Array("\r\n\r\n".utf8)),
        let field = text.lowercased().split(separator: "content-length:").dropFirst().first,
        let length = Int(field.drop { $0 == " " }.prefix { $0.isNumber }),
        received.count >= end.upperBound + length
      {
        return Data(received[end.upperBound..<(end.upperBound + length)])
      }
      if more.isEmpty { break }
    }
    throw Failure("the driver gives no whole answer: \(String(decoding: received, as: UTF8.self))")
  }
}
