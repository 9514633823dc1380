import Foundation
import TestRunning
import Testing

@testable import EndToEnd

/// Somebody sets the clock. Deadlines do not mind; dates and certificates follow it.
@Suite("trust: the clock is set", .manyAtOnce, .needsInterposer) struct ClockTests {
  private static let year = 365 * 86_400

  private func withClock(
    https: Bool = false, _ flags: [String], _ body: (Server, Interposer) throws -> Void
  ) throws {
    let workspace = try Workspace(serving: ["example.com": association("A")])
    try workspace.setModified("domains/example.com.json", 784_111_777)
    let interposer = try Interposer(in: workspace)
    if https {
      let certificate = try makeCertificate(names: ["example.com"])
      try workspace.install(certificate, as: "example.com")
    }
    try withServer(workspace, https: https, flags, environment: interposer.environment) { server in
      server.allow(stderr: "[T012]")
      try body(server, interposer)
    }
  }

  /// How far the server's Date is from ours, in seconds.
  private func dateOffset(_ response: Response) throws -> Int {
    let format = DateFormatter()
    format.locale = Locale(identifier: "en_US_POSIX")
    format.timeZone = TimeZone(identifier: "GMT")
    format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
    let date = try #require(response["Date"].flatMap { format.date(from: $0) })
    return Int(date.timeIntervalSinceNow.rounded())
  }

  @Test(arguments: [-20 * year, -3600, 3600, 20 * year])
  func `an idle connection neither ends at once nor never, and Date follows`(seconds: Int) throws {
    try withClock(["--idle-timeout", "20s"]) { server, interposer in
      let client = try RawClient(port: server.http)
      try client.send(request())
      try #expect(client.receive().status == 200)
      try interposer.setClock(by: seconds)
      // Others are answered, and each turn of the loop ends what has timed out.
      for _ in 0..<20 { try #expect(server.get().status == 200) }
      // A loop reads the wall clock a few times a second.
      try #expect(eventually { try abs(dateOffset(server.get()) - seconds) < 60 })
      try client.send(request())
      try #expect(client.receive().text == association("A"))
    }
    try withClock(["--idle-timeout", "1s", "--head-timeout", "1s"]) { server, interposer in
      let idle = try RawClient(port: server.http)
      try idle.send(request())
      try #expect(idle.receive().status == 200)
      let slow = try RawClient(port: server.http)
      try slow.send("GET / HT")
      try interposer.setClock(by: seconds)
      try #expect(idle.receiveAll(within: .seconds(30)).end == .closed)
      let (bytes, end) = try slow.receiveAll(within: .seconds(30))
      try #expect(Response.all(in: bytes).map(\.status) == [408])
      #expect(end == .closed)
    }
  }

  @Test func `changes are served after the clock was set back`() throws {
    try withClock([]) { server, interposer in
      try interposer.setClock(by: -Self.year)
      try server.workspace.write("domains/example.com.json", association("B"))
      let isServed = try eventually {
        try server.served("example.com") == association("B")
      }
      #expect(isServed)
      // The file is of the future now: RFC 9110 8.8.2.1 permits no such date.
      let response = try server.get()
      #expect(response["Last-Modified"] != nil)
      let seen = try server.get(
        associationPaths[0], ["If-Modified-Since: \(response["Last-Modified"] ?? "")"])
      #expect(seen.status == 304)
    }
  }

  @Test(.needs(.openssl)) func `a certificate that the clock makes invalid is reported`() throws {
    // Checked whenever the keys of tickets change.
    try withClock(https: true, ["--ticket-lifetime", "1s"]) { server, interposer in
      try interposer.setClock(by: Self.year)
      server.expect(stderr: "example.com.crt", "error", "expired", within: .seconds(60))
      // Nothing better has the name.
      try #expect(server.sClient("-servername", "example.com").exitCode == 0)
      try interposer.setClock(by: -Self.year)
      server.expect(stderr: "example.com.crt", "error", "not valid before", within: .seconds(60))
    }
  }
}
