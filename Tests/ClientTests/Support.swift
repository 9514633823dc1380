import Client
import Diagnostics
import HTTP
import Posix
import ScriptedServer
import TLS
import TLSTestSupport
import Testing

/// A chain of a test's own: a root, an intermediate, and the certificates that they issue.
final class Authority {
  let root = TestCertificate("Test Root", isAuthority: true)
  let intermediate: TestCertificate

  init() {
    intermediate = TestCertificate("Test Intermediate", issuer: root, isAuthority: true)
  }

  enum Chain { case whole, leafOnly, withRoot }

  /// A server's chain and key in PEM.
  func identity(
    names: [String] = ["127.0.0.1", "IP:127.0.0.1"], _ chain: Chain = .whole,
    days: ClosedRange<Int> = -1...90, issuerAddress: String? = nil
  ) -> [UInt8] {
    let leaf = TestCertificate(
      "Test Leaf", names: names, issuer: intermediate, days: days, issuerAddress: issuerAddress)
    let others: [TestCertificate] =
      switch chain {
      case .whole: [intermediate]
      case .leafOnly: []
      case .withRoot: [intermediate, root]
      }
    return ([leaf] + others).flatMap(\.pem) + leaf.key.pem()
  }

  func context(trusting other: TestCertificate? = nil) throws -> ClientContext {
    let source = SourceText(path: "root.pem", bytes: (other ?? root).pem)
    return try ClientContext(trust: .roots(in: source))
  }
}

/// For servers without TLS.
func plainContext() throws -> ClientContext { try ClientContext(trust: .system()) }

/// Fetches from a scripted server.
func get(
  _ server: ScriptedServer, _ scheme: FetchRequest.Scheme = .http, path: String = "/",
  host: String = "127.0.0.1", _ context: ClientContext? = nil, keeping kept: KeptConnection? = nil,
  _ change: (inout FetchOptions) -> Void = { _ in }
) throws -> Exchange {
  var options = FetchOptions()
  change(&options)
  let request = try #require(FetchRequest(scheme, host: host, port: server.port, path: path))
  return fetch(request, options, context: try context ?? plainContext(), keeping: kept)
}
