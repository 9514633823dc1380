import AppFileSupport
import Foundation
import Gzip
import ScriptedServer

@testable import EndToEnd

/// Set-ups that need more than an answer.
extension Lab {
  static let good = shopFile(components: #"[{"/":"/buy/*"}]"#)
  static let other = shopFile(components: #"[{"/":"/sell/*"}]"#)
  /// The good file, as gzip.
  static let packed = GzipCompressor().compress(Array(good.utf8).span)

  /// Writes a file of the user's, and gives its name to an option.
  mutating func option(_ name: String, _ content: String) throws {
    try option(name, Array(content.utf8))
  }

  mutating func option(_ name: String, _ content: [UInt8]) throws {
    try workspace.write("file", content)
    arguments += [name, "file"]
  }

  /// An app with these entries.
  mutating func entitlements(_ entries: String...) throws {
    try option("--entitlements", AppFileSamples.entitlements(app: shop, domains: entries))
  }

  /// An app with these entries that is not signed for development.
  mutating func release(_ entries: String...) throws {
    let entitlements = AppFileSamples.entitlements(app: shop, domains: entries)
    try option("--entitlements", AppFileSamples.executable(signedWith: entitlements))
    arguments.removeFirst()
  }

  /// A proxy that answers so to everything.
  mutating func proxy(_ answer: String) throws {
    let proxy = try ScriptedServer { _ in [.text(answer)] }
    servers.append(proxy)
    world.set("127.0.0.1", to: "127.0.0.1")
    environment = ["HTTPS_PROXY": proxy.url]
  }

  /// A CDN whose certificate nobody trusts: somebody opens all TLS on the way.
  mutating func untrustedCDN() throws {
    let server = try ScriptedServer(identity: LabIdentity.unknownAuthority.pem) { _ in
      [.answer(Self.good)]
    }
    servers.append(server)
    world.set("127.0.0.1", to: "127.0.0.1")
    arguments += ["--cdn", server.url + "/a/v1"]
  }

  /// A file that comes byte by byte, for more than three seconds.
  mutating func slowOrigin() throws {
    let file = Self.good + String(repeating: " ", count: 800)
    let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: "
    try origin { _ in [.drip(Array("\(head)\(file.utf8.count)\r\n\r\n\(file)".utf8))] }
  }

  /// A server that proves itself that its certificate was revoked.
  mutating func revoked() throws {
    guard let openssl = Tool.openssl.path else { throw Failure("openssl is not installed") }
    func step(_ arguments: String...) throws -> String {
      let finished = try run(openssl, arguments, folder: workspace.root)
      guard finished.exitCode == 0 else { throw Failure("\(arguments): \(finished.errors)") }
      return finished.text
    }
    try workspace.write("leaf.pem", LabIdentity.good.pem)
    try workspace.write("issuer.pem", LabIdentity.issuer.certificate)
    try workspace.write("issuer.key", LabIdentity.issuer.key)
    let serial = try step("x509", "-in", "leaf.pem", "-noout", "-serial")
      .split(whereSeparator: { $0 == "=" || $0 == "\n" })[1]
    try workspace.write(
      "index.txt", "R\t400101000000Z\t250101000000Z\t\(serial)\tunknown\t/CN=example.com\n")
    _ = try step("ocsp", "-issuer", "issuer.pem", "-cert", "leaf.pem", "-reqout", "request.der")
    _ = try step(
      "ocsp", "-index", "index.txt", "-CA", "issuer.pem", "-rsigner", "issuer.pem", "-rkey",
      "issuer.key", "-reqin", "request.der", "-respout", "response.der", "-ndays", "7")
    try openSSL("-status_file", "response.der")
  }
}
