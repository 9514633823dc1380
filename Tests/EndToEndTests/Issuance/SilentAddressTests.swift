import Foundation
import TestRunning
import Testing

@testable import EndToEnd

/// An address that nobody reaches from here, as behind a router that drops what comes from inside.
@Suite("issuance: a silent address", .manyAtOnce, .needsPebble, .needsNameServer)
struct SilentAddressTests {
  @Test func `a name whose address is silent from here is ordered all the same`() throws {
    let silent = SilentListener()
    try #require(silent.port != 0)
    var issuance = try Issuance([])
    try issuance.workspace.write("domains/example.com.json", association("A"))
    issuance.world.lead("1.0.0.4:80", to: silent.port)
    issuance.world.set("example.com", to: "1.0.0.4")
    try issuance.serve { server in
      issuance.expectTrusted(by: server)
    }
    #expect(issuance.pebble.issued == 1)
  }

  /// Listens, and has no room for a connection, so that the kernel drops them.
  private final class SilentListener {
    /// 0 if it could not be made.
    let port: UInt16
    private var sockets: [Int32] = []

    init() {
      let stream = Int32(SOCK_STREAM.rawValue)
      let listener = socket(AF_INET, stream, 0)
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
      var size = socklen_t(MemoryLayout<sockaddr_in>.size)
      let own = size
      withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          _ = bind(listener, $0, own)
          _ = listen(listener, 0)
          _ = getsockname(listener, $0, &size)
        }
      }
      port = UInt16(bigEndian: address.sin_port)
      sockets = [listener]
      // The kernel accepts one more than the backlog.
      for _ in 0..<2 {
        let client = socket(AF_INET, stream | Int32(SOCK_NONBLOCK.rawValue), 0)
        withUnsafePointer(to: &address) { pointer in
          pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { _ = connect(client, $0, own) }
        }
        sockets.append(client)
      }
    }

    deinit { for socket in sockets { close(socket) } }
  }
}
