import Foundation
import TestRunning
import Testing

@testable import EndToEnd

/// `aasa sign`.
@Suite(.manyAtOnce, .needs(.openssl)) struct SignTests {
  private let workspace: Workspace
  private let authority: TestAuthority
  private static let note = "note: iOS 9 and later need no signature"

  init() throws {
    workspace = try Workspace()
    authority = try TestAuthority()
    try workspace.write("aasa.json", "{\r\n  \"applinks\": {\"details\": []}\n}\r\n")
  }

  private func write(_ certificate: TestCertificate) throws {
    try workspace.write("site.crt", certificate.certificate)
    try workspace.write("site.key", certificate.key)
    try workspace.write("chain.pem", certificate.intermediates.joined())
  }

  private func sign(_ arguments: String...) throws -> Finished {
    try workspace.aasa(["sign"] + arguments)
  }

  private func openssl(_ arguments: String...) throws -> Finished {
    try run(try #require(Tool.openssl.path), arguments, folder: workspace.root)
  }

  private func content(_ name: String) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: workspace.path(name)))
  }

  @Test(arguments: [TestCertificate.Kind.rsa, .ecdsa])
  func `openssl verifies the signature`(kind: TestCertificate.Kind) throws {
    try write(try authority.issue("example.com", kind: kind))
    let signed = try sign(
      "aasa.json", "--certificate", "site.crt", "--key", "site.key", "--chain", "chain.pem", "-o",
      "signed"
    ).says(.nothing, exit: 0, errors: .start(Self.note))
    #expect(signed.errors.filter { $0 == "\n" }.count == 1)
    try openssl(
      "smime", "-verify", "-inform", "DER", "-in", "signed", "-CAfile", authority.rootFile,
      "-purpose", "any", "-out", "content"
    ).says(exit: 0)
    #expect(try content("content") == content("aasa.json"))
  }

  @Test func `without an output file the standard output has it`() throws {
    let certificate = try authority.issue("example.com")
    try write(certificate)
    try workspace.write("fullchain.pem", certificate.chain)
    let signed = try sign("aasa.json", "--certificate", "fullchain.pem", "--key", "site.key")
      .says(exit: 0, errors: .start(Self.note))
    try workspace.write("signed", signed.output)
    try openssl(
      "cms", "-verify", "-inform", "DER", "-in", "signed", "-CAfile", authority.rootFile,
      "-purpose", "any", "-out", "content"
    ).says(exit: 0)
  }

  @Test func `an expired certificate signs with a warning`() throws {
    try write(try authority.issue("example.com", validity: -9 ... -2))
    try sign("aasa.json", "--certificate", "site.crt", "--key", "site.key", "-o", "signed").says(
      exit: 0, errors: .start(#"site.crt: warning: the certificate "example.com" expired on"#))
  }

  @Test func `a file that cannot be signed is reported, and nothing is written`() throws {
    try write(try authority.issue("example.com"))
    let other = try authority.issue("other.test")
    try workspace.write("other.key", other.key)
    try #require(
      openssl("ec", "-aes256", "-passout", "pass:x", "-in", "site.key", "-out", "secret.key")
        .exitCode == 0)
    try sign("aasa.json", "--certificate", "site.crt", "--key", "site.key", "-o", "signed")
      .says(exit: 0)
    try workspace.write("array.json", "[]")
    try workspace.write("large.json", "{\"a\": \"" + String(repeating: "x", count: 131_072) + "\"}")
    // Within the limit until it is signed.
    try workspace.write("full.json", "{\"a\": \"" + String(repeating: "x", count: 131_000) + "\"}")

    let rows: [(file: String, certificate: String, key: String, words: String)] = [
      ("signed", "site.crt", "site.key", "signed already"),
      ("array.json", "site.crt", "site.key", "[A002]"),
      ("large.json", "site.crt", "site.key", "[A001]"),
      ("full.json", "site.crt", "site.key", "bytes when signed"),
      ("site.crt", "site.crt", "site.key", "not JSON"),
      ("absent.json", "site.crt", "site.key", "cannot read absent.json"),
      (".", "site.crt", "site.key", "cannot read"),
      ("aasa.json", "absent.crt", "site.key", "cannot read absent.crt"),
      ("aasa.json", "site.key", "site.key", "[T001]"),
      ("aasa.json", "site.crt", "site.crt", "[T003]"),
      ("aasa.json", "site.crt", "other.key", "[T004]"),
      ("aasa.json", "site.crt", "secret.key", "[T005]"),
    ]
    for row in rows {
      try sign(row.file, "--certificate", row.certificate, "--key", row.key, "-o", "new")
        .says(exit: 1, errors: .part(row.words))
      #expect(!FileManager.default.fileExists(atPath: workspace.path("new")))
    }
    try sign("aasa.json", "--key", "site.key").says(exit: 2)
  }

  @Test func `a signed file that exists is replaced only by force`() throws {
    try write(try authority.issue("example.com"))
    try workspace.write("signed", "mine")
    let words = ["aasa.json", "--certificate", "site.crt", "--key", "site.key", "-o", "signed"]
    try workspace.aasa(["sign"] + words).says(exit: 1, errors: "--force")
    #expect(try content("signed") == Data("mine".utf8))
    try workspace.aasa(["sign"] + words + ["--force"]).says(exit: 0)
    #expect(try content("signed").first == 0x30)
  }

  @Test(.needsInterposer) func `the file is on the disk before it has its name`() throws {
    try write(try authority.issue("example.com"))
    let interposer = try Interposer(in: workspace)
    try run(
      Server.program,
      ["sign", "aasa.json", "--certificate", "site.crt", "--key", "site.key", "-o", "signed"],
      environment: interposer.environment, folder: workspace.root
    ).says(exit: 0)
    // The file under a new unique name, then its folder with the name.
    let flushed = interposer.flushed
    #expect(flushed.count == 2 && flushed.first?.hasPrefix(workspace.path(".aasa-")) == true)
    #expect(flushed.last == workspace.root, "\(flushed)")
  }

  @Test func `killed at any moment it leaves the old file or the new`() throws {
    try write(try authority.issue("example.com"))
    try workspace.write("aasa.json", "{\"a\": \"" + String(repeating: "x", count: 100_000) + "\"}")
    for round in 0..<20 {
      try workspace.write("signed", "old \(round)")
      let child = try ChildProcess(
        Server.program,
        [
          "sign", "aasa.json", "--certificate", "site.crt", "--key", "site.key", "-o", "signed",
          "--force",
        ], folder: workspace.root)
      // From the moment at which it has begun to write.
      while child.isRunning {
        let names = try FileManager.default.contentsOfDirectory(atPath: workspace.root)
        if names.contains(where: { $0.hasPrefix(".aasa-") }) { break }
      }
      child.signal(SIGKILL)
      _ = try child.waitForExit()
      if try content("signed") == Data("old \(round)".utf8) { continue }
      try openssl(
        "cms", "-verify", "-noverify", "-inform", "DER", "-in", "signed", "-out", "content"
      ).says(exit: 0)
      #expect(try content("content") == content("aasa.json"))
    }
  }
}
