import Foundation
import Testing

@testable import Posix

@Suite struct ClientSocketTests {
  @Test func `a deadline is never negative and can be brought forward`() {
    let over = Deadline(afterMilliseconds: -5)
    #expect(over.isOver && over.millisecondsLeft == 0)
    let far = Deadline(afterMilliseconds: 60_000)
    #expect(!far.isOver && far.capped(toMilliseconds: 0).isOver)
    #expect(far.capped(toMilliseconds: 120_000) == far)
  }

  @Test func `a connection is made, and readiness is waited for`() throws {
    let listener = try Listener(#require(loopback))
    let deadline = Deadline(afterMilliseconds: 10_000)
    let client = try FileDescriptor.connected(to: listener.address, until: deadline)
    #expect(fcntl(client.rawValue, F_GETFL) & O_NONBLOCK != 0)
    let canWrite = client.waitUntilReady(forWriting: true, until: deadline)
    let canRead = client.waitUntilReady(forWriting: false, until: Deadline(afterMilliseconds: 20))
    #expect(canWrite && !canRead)
  }

  @Test func `a connection that is refused says so`() throws {
    let free = try Listener(#require(loopback)).address
    #expect(throws: SystemError("connect", free.description, code: ECONNREFUSED)) {
      _ = try FileDescriptor.connected(to: free, until: Deadline(afterMilliseconds: 10_000))
    }
  }

  @Test func `a name has its addresses, each once`() throws {
    let deadline = Deadline(afterMilliseconds: 10_000)
    let addresses = try resolve("localhost", port: 80, until: deadline)
    #expect(!addresses.isEmpty && Set(addresses).count == addresses.count)
    #expect(addresses.allSatisfy { ["127.0.0.1", "::1"].contains($0.host) && $0.port == 80 })
    #expect(
      try resolve("192.0.2.1", port: 1, until: deadline).map(\.description) == ["192.0.2.1:1"])
    #expect(try resolve("[::1]", port: 1, until: deadline).map(\.description) == ["[::1]:1"])
  }

  @Test func `a name that is not resolved in time is reported`() throws {
    #expect(throws: ResolutionFault.self) {
      _ = try resolve("none.invalid", port: 80, until: Deadline(afterMilliseconds: 0))
    }
  }

  @Test(arguments: [
    ("10.1.2.3", true), ("172.16.0.1", true), ("172.32.0.1", false), ("192.168.1.1", true),
    ("127.0.0.1", true), ("169.254.169.254", true), ("100.64.0.1", true), ("100.128.0.1", false),
    ("0.0.0.0", true), ("192.0.2.1", true), ("8.8.8.8", false), ("224.0.0.1", true),
    ("255.255.255.255", true), ("198.18.0.1", true), ("::1", true), ("::", true),
    ("fd00::1", true), ("fe80::1", true), ("2001:db8::1", true), ("2606:4700::1", false),
    ("ff02::1", true), ("::ffff:10.0.0.1", true), ("::ffff:8.8.8.8", false),
    ("64:ff9b::10.0.0.1", true), ("64:ff9b::8.8.8.8", false), ("2002:a00:1::1", true),
    ("2002:808:808::1", false), ("::10.0.0.1", true),
  ])
  func `addresses that the internet does not lead to are named`(
    literal: String, isPrivate: Bool
  ) throws {
    let address = try #require(SocketAddress(literal: literal, port: 443))
    #expect((address.privateKind != nil) == isPrivate)
  }
}
