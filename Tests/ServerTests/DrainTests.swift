import Foundation
import Settings
import Testing

@testable import Server

/// What a stopping server still answers.
@Suite(.serialized) struct DrainTests {
  /// Long enough that a test fails that waits for any of them.
  private func patientServer(drainAllowance: Int64 = 1_000) throws -> RunningServer {
    try RunningServer {
      $0.connections.drainAllowance = drainAllowance
      $0.connections.gracePeriod = 600_000
      $0.connections.headTimeout = 600_000
      $0.connections.idleTimeout = 600_000
    }
  }

  /// Stops the server, and returns when it is stopping.
  private func beginToStop(_ server: RunningServer, _ kept: TestClient) -> DispatchSemaphore {
    let hasStopped = DispatchSemaphore(value: 0)
    Foundation.Thread {
      server.stop()
      hasStopped.signal()
    }.start()
    #expect(kept.receiveAll() == [])
    return hasStopped
  }

  private func served(_ server: RunningServer) throws -> TestClient {
    let client = try TestClient(server)
    client.send(request())
    #expect(client.receive(responses: 1)?.count == 1)
    return client
  }

  @Test func `clients that connected before it, and have not spoken, are answered`() throws {
    let server = try patientServer(drainAllowance: 5_000)
    let kept = try served(server)
    let silent = try (0..<20).map { _ in try TestClient(server) }
    let hasStopped = beginToStop(server, kept)
    for client in silent { client.send(request()) }
    for client in silent {
      let found = client.receiveAll().flatMap { responses(in: $0) }
      #expect(found?.map(\.status) == [200])
      #expect(found?.first?.has("Connection: close") == true)
    }
    #expect(hasStopped.wait(timeout: .now() + 45) == .success)
  }

  @Test func `a client that begins a head meanwhile has a moment for it, not its usual time`()
    throws
  {
    let server = try patientServer()
    let kept = try served(server)
    let client = try TestClient(server)
    let hasStopped = beginToStop(server, kept)
    client.send("GET / HTTP/1.1\r\n")
    #expect(client.receiveAll().flatMap { responses(in: $0) }?.map(\.status) == [408])
    #expect(hasStopped.wait(timeout: .now() + 45) == .success)
  }
}
