import Foundation
import TestRunning
import Testing

@testable import EndToEnd

/// Whoever invents challenges and names costs nothing that lasts: no memory, no file, no request at
/// the CA.
@Suite("issuance: strangers", .manyAtOnce, .needsPebble, .needsNameServer) struct StrangerTests {
  /// As many as `AASA_FLOOD` says, for a measurement.
  private static let count =
    ProcessInfo.processInfo.environment["AASA_FLOOD"].flatMap { Int($0) }
    ?? rounds(2_000, stress: 100_000)

  @Test func `invented challenges and server names leave no trace`() throws {
    let issuance = try Issuance(["example.com"])
    try issuance.serve { server in
      #expect(eventually { issuance.steps.contains("example.com served") }, "\(issuance.steps)")
      // What is reserved once, for the first connections, counts for nobody.
      try askForChallenges(server, 1_000)
      try connectToNames(server, 200)
      let before = Resources(of: server.process)
      let (files, requests) = try (contents(issuance.state), issuance.pebble.requests())
      try askForChallenges(server, Self.count)
      try connectToNames(server, Self.count)
      #expect(
        Resources.areBack(server.process, to: before),
        "before \(String(describing: before)), now \(String(describing: Resources(of: server.process)))"
      )
      let now = try contents(issuance.state)
      let changed = Set(now.keys).union(files.keys).filter { now[$0] != files[$0] }
      // The issuer writes every 30 s that it is there.
      #expect(changed.subtracting(["acme/holder"]).isEmpty)
      #expect(issuance.pebble.requests() == requests)
      #expect(server.isTrusted("example.com", roots: issuance.pebble.roots))
    }
  }

  /// One hundred on each connection: of a host that is served and of one that is not, with tokens that
  /// could be a CA's and others.
  private func askForChallenges(_ server: Server, _ count: Int) throws {
    for start in stride(from: 0, to: count, by: 100) {
      let client = try RawClient(port: server.http)
      var text = ""
      for index in start..<start + 100 {
        let token = randomText(index % 3 == 0 ? 10 : 43) + (index % 5 == 0 ? "%2e" : "")
        text += request(
          "GET", "/.well-known/acme-challenge/\(token)",
          host: index % 2 == 0 ? "example.com" : randomText(10) + ".example")
      }
      try client.send(text)
      for index in start..<start + 100 {
        let isAnswered = index % 2 == 0 && index % 3 != 0 && index % 5 != 0
        let status = try client.receive().status
        if status != (isAnswered ? 200 : 404) { Issue.record("\(index): \(status)") }
      }
    }
  }

  private func connectToNames(_ server: Server, _ count: Int) throws {
    for _ in 0..<count {
      let client = try RawClient(port: server.https)
      try client.send(ClientHello.bytes(serverName: randomText(12) + ".example"))
      let (bytes, _) = try client.receiveAll()
      // An alert: fatal, unrecognized_name.
      if bytes.first != 0x15 || bytes.last != 112 { Issue.record("\(bytes.prefix(20))") }
    }
  }

  private func randomText(_ count: Int) -> String {
    String((0..<count).compactMap { _ in "abcdefghijklmnopqrstuvwxyz0123456789".randomElement() })
  }

  /// The files below a folder, with what is in them.
  private func contents(_ folder: String) throws -> [String: Data] {
    var result: [String: Data] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: folder) {
      result[name] = FileManager.default.contents(atPath: folder + "/" + name)
    }
    return result
  }
}
