import Diagnostics
import Foundation
import TLSTestSupport

@testable import TLS

/// An authority and those it issued to. Confined to the test that makes it.
final class SigningFixture {
  let content = Array("{\r\n\"applinks\": {\"details\": []}}\n".utf8)
  let root = TestCertificate("Root", isAuthority: true)
  let leaf: TestCertificate

  init(_ kind: TestKey.Kind = .p256, days: ClosedRange<Int> = -1...90) {
    leaf = TestCertificate(
      "example.com", names: ["example.com"], key: TestKey(kind), issuer: root, days: days)
  }

  func signed() throws -> [UInt8] {
    let identity = try SigningIdentity(
      certificate: SourceText(path: "a.crt", bytes: leaf.pem),
      key: SourceText(path: "a.key", bytes: leaf.key.pem()))
    return try CMS.sign(content, by: identity)
  }

  var trust: TrustStore { get throws { try store(root) } }

  func verdict(_ der: [UInt8], at time: Int64 = now) throws -> SignatureVerdict {
    CMS.verify(der, trust: try trust, now: time)
  }
}

/// A store that trusts these certificates only.
func store(_ roots: TestCertificate...) throws -> TrustStore {
  try .roots(in: SourceText(path: "trust.pem", bytes: roots.flatMap(\.pem)))
}

extension SignatureVerdict {
  /// The case without its values.
  var name: String { String("\(self)".prefix { $0 != "(" }) }

  var signers: [String]? {
    if case .good(let signers, _) = self { signers } else { nil }
  }
}

/// The openssl command, where there is one.
struct OpenSSLCommand {
  static let path = ["/usr/bin/openssl", "/opt/homebrew/bin/openssl", "/usr/local/bin/openssl"]
    .first { FileManager.default.isExecutableFile(atPath: $0) }

  let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("aasa-cms-" + UUID().uuidString)

  init() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  func remove() { try? FileManager.default.removeItem(at: folder) }

  func write(_ name: String, _ bytes: [UInt8]) throws {
    try Data(bytes).write(to: folder.appendingPathComponent(name))
  }

  func read(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: folder.appendingPathComponent(name)))
  }

  /// Runs it in the folder. Returns whether it succeeded.
  func run(_ arguments: String...) throws -> Bool { try run(arguments) }

  func run(_ arguments: [String]) throws -> Bool {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: Self.path ?? "")
    process.arguments = arguments
    process.currentDirectoryURL = folder
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    return process.terminationStatus == 0
  }
}
