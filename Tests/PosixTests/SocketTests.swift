import Bytes
import Foundation
import Testing

@testable import Posix

@Suite struct SocketAddressTests {
  struct Row: CustomTestStringConvertible {
    let literal: String
    let shown: String
    let isIPv4: Bool
    let isUnspecified: Bool
    var testDescription: String { literal }
  }

  static let addresses = [
    Row(literal: "127.0.0.1", shown: "127.0.0.1:80", isIPv4: true, isUnspecified: false),
    Row(literal: "0.0.0.0", shown: "0.0.0.0:80", isIPv4: true, isUnspecified: true),
    Row(
      literal: "255.255.255.255", shown: "255.255.255.255:80", isIPv4: true, isUnspecified: false),
    Row(literal: "::", shown: "[::]:80", isIPv4: false, isUnspecified: true),
    Row(literal: "::1", shown: "[::1]:80", isIPv4: false, isUnspecified: false),
    // shown in the shortest form (RFC 5952)
    Row(literal: "2001:DB8:0:0::1", shown: "[2001:db8::1]:80", isIPv4: false, isUnspecified: false),
    // IPv4-mapped stays IPv6, because the socket's family follows it
    Row(
      literal: "::ffff:1.2.3.4", shown: "[::ffff:1.2.3.4]:80", isIPv4: false, isUnspecified: false),
  ]

  @Test(arguments: addresses)
  func `an address literal is read and shown`(_ row: Row) throws {
    let address = try #require(SocketAddress(literal: row.literal, port: 80))
    #expect(address.description == row.shown)
    #expect(address.isIPv4 == row.isIPv4)
    #expect(address.isUnspecified == row.isUnspecified)
    #expect(SocketAddress(literal: address.host, port: 80) == address)
  }

  @Test(arguments: [
    "",  // nothing
    "localhost",  // a name
    "[::1]",  // brackets belong to the notation with a port
    "127.0.0.1:80",  // so does the port
    "1.2.3",  // three numbers
    "1.2.3.256",  // too large a number
    "01.2.3.4",  // a leading zero: octal for some
    "::1%lo",  // a zone
    "1::2::3",  // shortened twice
    " ::1",  // white space
  ])
  func `anything but an address literal is refused`(_ literal: String) {
    #expect(SocketAddress(literal: literal, port: 80) == nil)
  }
}

let loopback = SocketAddress(literal: "127.0.0.1", port: 0)

@Suite struct ListenerTests {
  @Test func `port 0 becomes a number, and connections are accepted`() throws {
    let listener = try Listener(#require(loopback))
    #expect(listener.address.port != 0)
    #expect(listener.address.host == "127.0.0.1")
    var peer: IPAddress?
    guard case .none = listener.accept(peer: &peer) else {
      Issue.record("accepted before anybody connected")
      return
    }
    let client = try connect(to: listener.address)
    let server = try acceptOne(listener)
    #expect(fcntl(server.rawValue, F_GETFL) & O_NONBLOCK != 0)
    #expect(fcntl(server.rawValue, F_GETFD) & FD_CLOEXEC != 0)
    withExtendedLifetime(client) {}
  }

  @Test func `an address that is listened on is not free, and is free afterwards`() throws {
    let address: SocketAddress
    do {
      let listener = try Listener(#require(loopback))
      address = listener.address
      #expect(throws: SystemError("bind", address.description, code: EADDRINUSE)) {
        try Listener.checkFree(address)
      }
      withExtendedLifetime(listener) {}
    }
    try Listener.checkFree(address)
  }

  @Test func `shared listeners share an address`() throws {
    let first = try Listener(#require(loopback))
    let second = try Listener(first.address)
    #expect(first.address == second.address)
    let client = try connect(to: first.address)
    // The kernel chose one of the two, and hands it over with the client's first bytes.
    var taken = 0
    var peer: IPAddress?
    for _ in 0..<1_000 where taken == 0 {
      if case .connection = first.accept(peer: &peer) { taken += 1 }
      if case .connection = second.accept(peer: &peer) { taken += 1 }
    }
    #expect(taken == 1)
    withExtendedLifetime(client) {}
  }

  @Test func `on the unspecified IPv6 address IPv4 is served too`() throws {
    let any = try #require(SocketAddress(literal: "::", port: 0))
    let listener: Listener
    do throws(SystemError) {
      listener = try Listener(any)
    } catch {
      // A machine without IPv6 cannot show it.
      #expect(error.isNoSuchAddress)
      return
    }
    let address = try #require(SocketAddress(literal: "127.0.0.1", port: listener.address.port))
    let client = try connect(to: address)
    _ = try acceptOne(listener)
    withExtendedLifetime(client) {}
  }

  @Test func `an address that is not the machine's is refused`() throws {
    // Reserved for documentation (RFC 5737).
    let foreign = try #require(SocketAddress(literal: "192.0.2.1", port: 0))
    #expect(throws: SystemError("bind", "192.0.2.1:0", code: EADDRNOTAVAIL)) {
      _ = try Listener(foreign)
    }
  }
}

@Suite struct TransferTests {
  @Test func `two spans arrive as one, in pieces or not`() throws {
    let pair = try SocketPair()
    let first = [UInt8](repeating: 1, count: 700_001)
    let second = [UInt8](repeating: 2, count: 900_003)
    var sent = 0
    var received: [UInt8] = []
    var pieces = 0
    while sent < first.count + second.count {
      let outcome =
        sent < first.count
        ? pair.left.send(first.span.extracting(sent...), second.span)
        : pair.left.send(second.span.extracting((sent - first.count)...))
      switch outcome {
      case .moved(let count):
        #expect(count > 0)
        sent += count
        pieces += 1
      case .wantsWrite: received += drain(pair.right)
      default:
        Issue.record("\(outcome)")
        return
      }
    }
    received += drain(pair.right)
    #expect(received == first + second)
    // More than a socket's buffer holds: it did not go at once.
    #expect(pieces > 1)
  }

  @Test func `without bytes a socket wants to be read later`() throws {
    let pair = try SocketPair()
    #expect(receive(pair.left, 10).outcome == .wantsRead)
    withExtendedLifetime(pair) {}
  }

  @Test func `the peer's end is reported after its last bytes`() throws {
    let pair = try SocketPair()
    let bytes: [UInt8] = [1, 2, 3]
    #expect(send(pair.left, bytes) == .moved(3))
    pair.left.shutdownSending()
    let (outcome, received) = receive(pair.right, 10)
    #expect(outcome == .moved(3))
    #expect(received == bytes)
    #expect(receive(pair.right, 10).outcome == .ended)
    // The other direction still works.
    #expect(send(pair.right, bytes) == .moved(3))
    #expect(receive(pair.left, 10).outcome == .moved(3))
  }

  @Test func `sending to a peer that is gone fails and raises no signal`() throws {
    let pair = try SocketPair()
    close(pair.right.release())
    // With the default action SIGPIPE would end this process.
    #expect(send(pair.left, [1]) == .failed)
    let bytes: [UInt8] = [1]
    let outcome = pair.left.send(bytes.span, bytes.span)
    #expect(outcome == .failed)
  }

  @Test func `a file in memory arrives, in pieces or not`() throws {
    let pair = try SocketPair()
    let bytes = (0..<1_500_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
    guard let file = MemoryFile(bytes) else {
      // A system without such files has no other behaviour to show.
      return
    }
    var sent = 0
    var received: [UInt8] = []
    while sent < bytes.count {
      switch pair.left.send(file, from: sent) {
      case .moved(let count): sent += count
      case .wantsWrite: received += drain(pair.right)
      case let outcome:
        Issue.record("\(outcome)")
        return
      }
    }
    received += drain(pair.right)
    #expect(received == bytes)
  }

  @Test func `a connection that was reset fails to be read`() throws {
    let listener = try Listener(#require(loopback))
    let client = try connect(to: listener.address)
    let server = try acceptOne(listener)
    #expect(receive(server, 1).outcome == .moved(1))
    // Closing at once, before the bytes have been sent, resets it.
    var now = linger(l_onoff: 1, l_linger: 0)
    setsockopt(
      client.descriptor, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
    client.close()
    var outcome = receive(server, 1).outcome
    let end = Posix.Clock.monotonicMilliseconds() + 60_000
    while outcome == .wantsRead && Posix.Clock.monotonicMilliseconds() < end {
      outcome = receive(server, 1).outcome
    }
    #expect(outcome == .failed)
  }
}

// MARK: Helpers

/// A connected client, blocking.
final class Client {
  private(set) var descriptor: Int32

  init(_ descriptor: Int32) { self.descriptor = descriptor }

  func close() {
    if descriptor >= 0 { Glibc.close(descriptor) }
    descriptor = -1
  }

  deinit { close() }
}

/// Connects and sends a byte, because a listener accepts clients that have sent something.
func connect(to address: SocketAddress) throws -> Client {
  let client = Client(socket(address.family, Int32(SOCK_STREAM.rawValue), 0))
  let result = address.withKernelForm { Glibc.connect(client.descriptor, $0, $1) }
  guard result == 0 else { throw SystemError("connect", address.description, code: errno) }
  var byte: UInt8 = 0
  guard Glibc.send(client.descriptor, &byte, 1, 0) == 1 else {
    throw SystemError("send", address.description, code: errno)
  }
  return client
}

func acceptOne(_ listener: borrowing Listener) throws -> FileDescriptor {
  var peer: IPAddress?
  for _ in 0..<1_000_000 {
    if case .connection(let descriptor) = listener.accept(peer: &peer) { return descriptor }
  }
  throw SystemError("accept", code: ETIMEDOUT)
}

/// Two ends of one connection, non-blocking.
struct SocketPair: ~Copyable {
  let left: FileDescriptor
  let right: FileDescriptor

  init() throws {
    var numbers: [Int32] = [-1, -1]
    let type = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, type, 0, &numbers) == 0 else {
      throw SystemError("socketpair", code: errno)
    }
    left = FileDescriptor(owning: numbers[0])
    right = FileDescriptor(owning: numbers[1])
  }
}

func send(_ descriptor: borrowing FileDescriptor, _ bytes: [UInt8]) -> TransferOutcome {
  descriptor.send(bytes.span)
}

func receive(
  _ descriptor: borrowing FileDescriptor, _ limit: Int
) -> (outcome: TransferOutcome, bytes: [UInt8]) {
  var buffer = [UInt8](repeating: 0, count: limit)
  var span = buffer.mutableSpan
  let outcome = descriptor.receive(into: &span)
  guard case .moved(let count) = outcome else { return (outcome, []) }
  return (outcome, Array(buffer[..<count]))
}

/// All that is there now.
func drain(_ descriptor: borrowing FileDescriptor) -> [UInt8] {
  var result: [UInt8] = []
  while case (.moved, let bytes) = receive(descriptor, 65_536) { result += bytes }
  return result
}

/// Waits for a condition, which is checked each millisecond; false after a minute.
func eventually(_ condition: () -> Bool) -> Bool {
  let end = Posix.Clock.monotonicMilliseconds() + 60_000
  while Posix.Clock.monotonicMilliseconds() < end {
    if condition() { return true }
    _ = poll(nil, 0, 1)
  }
  return condition()
}
