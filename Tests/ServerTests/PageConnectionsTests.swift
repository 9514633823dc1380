import Foundation
import Posix
import Testing

@testable import Server

/// The places of a listener of pages, which are few.
@Suite struct PageConnectionsTests {
  /// Two connections that fill a listener, and the other ends of both.
  private final class Pair {
    let connections: PageConnections
    private(set) var numbers: [Int] = []
    private var peers: [Int32] = []

    init() throws {
      connections = try PageConnections(limit: 2)
      for _ in 0..<2 {
        var pair: [Int32] = [0, 0]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair) == 0)
        peers.append(pair[1])
        numbers.append(connections.add(PageSocket(FileDescriptor(owning: pair[0]))))
      }
    }

    deinit { for peer in peers { close(peer) } }

    /// The connections that have ended, by their place.
    var ended: [Int] {
      var byte: UInt8 = 0
      return peers.indices.filter { recv(peers[$0], &byte, 1, Int32(MSG_DONTWAIT)) == 0 }
    }
  }

  @Test func `a newcomer takes the place of one connection, not of several`() throws {
    let pair = try Pair()
    // It asks again and again while the first is still ending.
    for _ in 0..<3 { #expect(!pair.connections.makeRoom()) }
    #expect(pair.ended == [0])
    pair.connections.remove(pair.numbers[0])
    #expect(pair.connections.makeRoom() && pair.ended == [0])
  }

  @Test func `a connection that becomes idle while another is ending for a newcomer stays`() throws
  {
    let pair = try Pair()
    #expect(!pair.connections.makeRoom())
    // An idle one is the first to go, but only if another place is needed.
    pair.connections.note(.idle, of: pair.numbers[1])
    #expect(!pair.connections.makeRoom())
    #expect(pair.ended == [0])
  }
}
