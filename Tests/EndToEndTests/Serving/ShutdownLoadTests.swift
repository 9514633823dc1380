import Foundation
import Synchronization
import TestRunning
import Testing

@testable import EndToEnd

/// How the server ends while clients come.
@Suite("shutdown under load", .manyAtOnce) struct ShutdownLoadTests {
  private func workspace() throws -> Workspace {
    let workspace = try Workspace(serving: ["a.example": association("A")])
    return workspace
  }

  @Test
  func `under load of new connections, all from before the request to stop are answered`() throws {
    for _ in 1...10 {
      try withServer(try workspace(), ["--grace-period", "60s"]) { server in
        let port = server.http
        let outcomes = Mutex<[(connected: ContinuousClock.Instant, status: Int?)]>([])
        let running = Atomic(4)
        for _ in 0..<4 {
          Thread {
            // Until nobody listens.
            while let client = try? RawClient(port: port) {
              let connected = ContinuousClock.now
              try? client.send(request(host: "a.example", fields: ["Connection: close"]))
              let status = try? client.receive().status
              outcomes.withLock { $0.append((connected, status)) }
            }
            running.wrappingSubtract(1, ordering: .releasing)
          }.start()
        }
        #expect(eventually { outcomes.withLock { $0.count } > 100 })
        let stop = ContinuousClock.now
        server.process.signal(SIGTERM)
        try #expect(server.process.waitForExit() == 0)
        #expect(eventually { running.load(ordering: .acquiring) == 0 })
        let before = outcomes.withLock { $0.filter { $0.connected < stop } }
        #expect(before.count > 100 && before.allSatisfy { $0.status == 200 }, "\(before.suffix(8))")
      }
    }
  }

  @Test func `under load no connection that was accepted is left without its answer`() throws {
    for _ in 1...3 {
      try withServer(try workspace()) { server in
        var clients: [RawClient] = []
        for _ in 1...50 {
          let client = try RawClient(port: server.http)
          try client.send(request(host: "a.example"))
          clients.append(client)
        }
        server.process.signal(SIGTERM)
        for client in clients {
          let (bytes, end) = try client.receiveAll()
          try #expect(Response.all(in: bytes).map(\.status) == [200])
          #expect(end == .closed)
        }
        try #expect(server.process.waitForExit() == 0)
      }
    }
  }
}
