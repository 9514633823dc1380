import Bytes
import Posix
import Testing

@Suite struct AcceptedAddressTests {
  @Test(arguments: ["127.0.0.1", "::1"])
  func `a listener reports the address of its client`(_ literal: String) throws {
    let address = try #require(SocketAddress(literal: literal, port: 0))
    let listener: Listener
    do throws(SystemError) {
      listener = try Listener(address)
    } catch {
      // A machine without IPv6 cannot show it.
      #expect(error.isNoSuchAddress)
      return
    }
    let client = try connect(to: listener.address)
    var peer: IPAddress?
    var isAccepted = false
    for _ in 0..<1_000_000 where !isAccepted {
      if case .connection = listener.accept(peer: &peer) { isAccepted = true }
    }
    #expect(peer?.isLoopback == true)
    #expect(peer?.isIPv4 == !literal.contains(":"))
    withExtendedLifetime(client) {}
  }
}
