import Diagnostics
import Foundation
import Issuance
import Posix
import Testing

@testable import Serving

/// The file of `acmeEab`.
@Suite struct AccountBindingTests {
  private func bind(_ text: String) throws -> [Authority] {
    let path = "/tmp/aasa-eab-\(UInt64.random(in: .min ... .max))"
    try writeFileAtomically(path, Array(text.utf8))
    defer { try? removeFile(path) }
    var authorities = ["zerossl", "google", "letsencrypt"].map(Authority.init(setting:))
    try Issuing.bind(&authorities, by: path)
    return authorities
  }

  private let first = "kid: a\nkey: AAAA\n"
  private let second = "kid: b\nkey: BBBB\n"

  @Test func `without sections it is for all CAs`() throws {
    let found = try bind(first).map(\.binding)
    #expect(found == Array(repeating: ExternalAccount(first), count: 3) && found[0] != nil)
  }

  @Test func `a section is for its CA, and a CA without one has none`() throws {
    let found = try bind("\nca: google\n\(second)ca:\tzerossl \n\(first)").map(\.binding)
    #expect(found == [ExternalAccount(first), ExternalAccount(second), nil])
    #expect(found[0] != found[1])
  }

  @Test(arguments: [
    ("", "the file lacks a line `kid: …` or `key: …`"),
    ("kid: a\nca: google\nkid: b\nkey: BBBB", "the file lacks a line `kid: …` or `key: …`"),
    ("ca: google\nkid: b\n", "the file lacks a line `kid: …` or `key: …` after `ca: google`"),
    ("ca: gogle\nkid: b\nkey: BBBB\n", "`ca: gogle` is not a CA in the setting acme"),
  ])
  func `a faulty file is refused with its reason`(text: String, reason: String) throws {
    let error = #expect(throws: StartFault.self) { try bind(text) }
    let message = error?.entries.first?.message ?? ""
    #expect(message.hasSuffix(": " + reason), "\(message)")
  }
}

/// The file of `acmeAnswer`.
@Suite struct ThumbprintTests {
  @Test func `a file that cannot be inspected is not called missing`() throws {
    let path = "/tmp/aasa-thumbprint-\(UInt64.random(in: .min ... .max))"
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: path)
    defer { try? FileManager.default.removeItem(atPath: path) }
    let error = #expect(throws: StartFault.self) { try Issuing.thumbprint(path) }
    let message = error?.entries.first?.message ?? ""
    #expect(message.contains("too many") || message.contains("Too many"), "\(message)")
  }
}
