import Foundation
import Posix
import Testing

@testable import Server

/// The places of a listener of pages, which are few.
@Suite struct PageConnectionsTests {
  @Test func `a newcomer takes the place of one connection, not of several`() throws {
    let connections = try PageConnections(limit: 2)
    var peers: [Int32] = []
    var numbers: [Int] = []
    for _ in 0..<2 {
      var pair: [Int32] = [0, 0]
      try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair) == 0)
      peers.append(pair[1])
      numbers.append(connections.add(PageSocket(FileDescriptor(owning: pair[0]))))
    }
    defer { for peer in peers { close(peer) } }
    func ended() -> Int {
      var byte: UInt8 = 0
      return peers.count { recv($0, &byte, 1, Int32(MSG_DONTWAIT)) == 0 }
    }
    // It asks again and again while the first is still ending.
    for _ in 0..<3 { #expect(!connections.makeRoom()) }
    #expect(ended() == 1)
    connections.remove(numbers[0])
    #expect(connections.makeRoom() && ended() == 1)
  }
}
