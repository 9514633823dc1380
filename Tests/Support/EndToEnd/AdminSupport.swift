import Foundation
import Testing

extension Server {
  /// One request to the admin listener, on a connection of its own.
  func askAdmin(
    _ target: String, host: String? = "localhost", method: String = "GET",
    version: String = "HTTP/1.1", _ fields: [String] = []
  ) throws -> Response {
    let client = try RawClient(port: admin, within: .seconds(30))
    try client.send(request(method, target, host: host, version: version, fields: fields))
    return try client.receive(to: method)
  }

  /// `/status`, read.
  func status(_ query: String = "") throws -> [String: Any] {
    let response = try askAdmin("/status" + query)
    guard response.status == 200,
      let object = try JSONSerialization.jsonObject(with: Data(response.body)) as? [String: Any]
    else { throw Failure("no status: \(response.text)") }
    return object
  }

  /// The part of `/status` about a domain.
  func status(of domain: String) throws -> [String: Any] {
    guard let list = try status("?domain=\(domain)")["list"] as? [[String: Any]], list.count == 1
    else { throw Failure("no status of \(domain)") }
    return list[0]
  }

  /// The value of a sample at `/metrics`, written with its labels; nil when there is none.
  func sample(_ name: String) throws -> Double? {
    try askAdmin("/metrics").text.split(separator: "\n").first { $0.hasPrefix(name + " ") }
      .flatMap { $0.split(separator: " ").last.flatMap { Double($0) } }
  }

  /// Runs a command that asks this server.
  func aasa(_ arguments: String...) throws -> Finished { try aasa(arguments) }

  func aasa(_ arguments: [String]) throws -> Finished {
    try run(Self.program, arguments + ["--admin", "127.0.0.1:\(admin)"])
  }

  /// Waits until the server answers a question so.
  func becomes(_ holds: () throws -> Bool) rethrows -> Bool { try eventually(holds) }

  /// Waits until a sample has this value; nil: until there is none.
  func expectSample(
    _ name: String, _ value: Double?, at location: SourceLocation = #_sourceLocation
  ) throws {
    let isSo = try becomes { try sample(name) == value }
    #expect(isSo, "\(name)", sourceLocation: location)
  }

  /// Waits until `aasa status` exits with this code: a change is served a moment before the status
  /// shows it.
  func expectStatus(_ code: Int32, at location: SourceLocation = #_sourceLocation) throws {
    var last: Finished?
    let isSo = try eventually {
      last = try aasa("status")
      return last?.exitCode == code
    }
    #expect(isSo, "\(last.map { "\($0)" } ?? "")", sourceLocation: location)
  }
}

/// For servers whose admin listener is asked.
let withAdmin = ["--admin", "127.0.0.1:0"]
