import Foundation
import TestRunning
import Testing

@testable import EndToEnd

/// `aasa check` of a server that demands a certificate of the client, and closes at once.
@Suite(.manyAtOnce, .needs(.openssl), .needs(.python3)) struct CheckClientCertificateTests {
  private static let server = """
    import socket, ssl, sys
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain("server.pem")
    context.verify_mode = ssl.CERT_REQUIRED
    context.load_verify_locations(sys.argv[1])
    listener = socket.create_server(("127.0.0.1", 0))
    print(listener.getsockname()[1], flush=True)
    while True:
        connection, _ = listener.accept()
        try:
            context.wrap_socket(connection, server_side=True)
        except OSError:
            connection.close()
    """

  @Test func `a demand that comes with the end of the connection is named`() throws {
    let workspace = try Workspace()
    let authority = try TestAuthority()
    let identity = try authority.issue("example.com")
    try workspace.write("server.pem", identity.chain + identity.key)
    let python = try ChildProcess(
      #require(Tool.python3.path), ["-c", Self.server, authority.rootFile], folder: workspace.root)
    defer { python.signal(SIGKILL) }
    var output: String { String(decoding: python.now.output, as: UTF8.self) }
    try #require(eventually { output.hasSuffix("\n") })
    let address = "127.0.0.1:\(output.dropLast())"
    try workspace.aasa(
      "check", "example.com", "--ca", authority.rootFile, "--resolve", "example.com:443:\(address)"
    ).says(
      .start(
        "example.com: universal links will not work: the server demands a client certificate "
          + "(mTLS)"), exit: 1)
  }
}
