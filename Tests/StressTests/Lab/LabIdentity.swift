import AppFileSupport
import Foundation
import TLSTestSupport

@testable import EndToEnd

/// Certificates of the lab, each with its chain and key.
enum LabIdentity: Sendable, CaseIterable {
  case good, expired, notYetValid, otherName, noName, wildcard, selfSigned, withoutIntermediate
  case unknownAuthority, staging, soon, expiredIntermediate, forAddress, sha1, edwards, weak, rsa

  var pem: [UInt8] { Self.all.pems[self] ?? [] }
  /// The authority that the lab trusts.
  static var root: [UInt8] { all.root }
  /// Of the authority that issued the good one.
  static var issuer: (certificate: [UInt8], key: [UInt8]) { all.issuer }
  /// The good file, signed by the good certificate's authority.
  static var signed: [UInt8] { all.signed }
  /// A profile of an app whose prefix is older than its team's.
  static var otherPrefix: [UInt8] { all.otherPrefix }
  static func profile(permitsDomains: Bool) -> [UInt8] { all.profiles[permitsDomains] ?? [] }

  private static let all = Identities()
}

private typealias Certificate = TLSTestSupport.TestCertificate

private struct Identities: Sendable {
  let root: [UInt8]
  let pems: [LabIdentity: [UInt8]]
  let issuer: (certificate: [UInt8], key: [UInt8])
  let signed: [UInt8]
  let profiles: [Bool: [UInt8]]
  let otherPrefix: [UInt8]

  init() {
    let root = Certificate("Lab Root", isAuthority: true, days: -100...1000)
    let issuer = Certificate(
      "Lab Intermediate", issuer: root, isAuthority: true, days: -100...900)
    let stale = Certificate(
      "Old Intermediate", issuer: root, isAuthority: true, days: -100 ... -2)
    let stranger = Certificate("Strange Root", isAuthority: true)
    let strange = Certificate("Strange Intermediate", issuer: stranger, isAuthority: true)
    let pear = Certificate("(STAGING) Pretend Pear X1", isAuthority: true)
    let test = Certificate("(STAGING) Artificial Apricot", issuer: pear, isAuthority: true)
    func pem(
      _ names: [String] = ["example.com", "www.example.com"], days: ClosedRange<Int> = -80...300,
      by authority: Certificate?, sending chain: [Certificate], key: TestKey = TestKey(),
      sha1: Bool = false
    ) -> [UInt8] {
      let leaf = Certificate(
        "example.com", names: names, key: key, issuer: authority, days: days, sha1: sha1,
        issuerAddress: "http://ca.example/intermediate.der")
      return leaf.pem + chain.flatMap(\.pem) + key.pem()
    }
    func usual(
      _ names: [String] = ["example.com", "www.example.com"],
      days: ClosedRange<Int> = -80...300, key: TestKey = TestKey(), sha1: Bool = false
    ) -> [UInt8] {
      pem(names, days: days, by: issuer, sending: [issuer], key: key, sha1: sha1)
    }
    self.root = root.pem
    self.issuer = (issuer.pem, issuer.key.pem())
    let signer = Certificate("example.com", issuer: issuer)
    signed = TestSignedMessage.der(Array(Lab.good.utf8), signers: [signer], others: [issuer])
    func profile(_ permitsDomains: Bool, app: String = shop) -> [UInt8] {
      TestSignedMessage.der(
        AppFileSamples.profile(app: app, team: "K27TX9P4QD", permitsDomains: permitsDomains),
        signers: [signer])
    }
    profiles = [true: profile(true), false: profile(false)]
    otherPrefix = profile(true, app: "A1B2C3D4E5.org.swift.shop")
    pems = [
      .good: usual(), .expired: usual(days: -90 ... -2), .notYetValid: usual(days: 3...90),
      .otherName: usual(["shop.example.org", "www.example.org"]), .noName: usual([]),
      .wildcard: usual(["*.example.com"]), .forAddress: usual(["IP:192.0.2.1"]),
      .selfSigned: pem(by: nil, sending: []),
      .withoutIntermediate: pem(by: issuer, sending: []),
      .unknownAuthority: pem(by: strange, sending: [strange]),
      .staging: pem(by: test, sending: [test]), .soon: usual(days: -80...3),
      .expiredIntermediate: pem(by: stale, sending: [stale]), .sha1: usual(sha1: true),
      .edwards: usual(key: TestKey(.ed25519)), .weak: usual(key: TestKey(.rsa1024)),
      .rsa: usual(key: TestKey(.rsa2048)),
    ]
  }
}
