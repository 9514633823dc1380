import Foundation
import TLSTestSupport

/// A certificate and its key, as files have them.
struct TestCertificate: Sendable {
  enum Kind: Sendable { case rsa, ecdsa }

  /// PEM.
  let certificate: String
  let key: String
  /// The certificates that are sent after the leaf.
  var intermediates: [String] = []

  var chain: String { ([certificate] + intermediates).joined() }
  /// The chain and the key, as a server reads them.
  var pem: [UInt8] { Array((chain + key).utf8) }
}

/// A certificate authority of a test's own: a root, and an intermediate that issues.
struct TestAuthority: Sendable {
  let workspace: Workspace
  /// The root in PEM, and the path of a file with it.
  let root: TestCertificate
  let rootFile: String
  private let intermediate: TestCertificate

  init() throws {
    workspace = try Workspace()
    root = try makeCertificate(names: [], subject: "Test Root")
    rootFile = workspace.path("root.pem")
    try workspace.write("root.pem", root.certificate)
    // For servers of every user.
    try workspace.setMode("", 0o755)
    intermediate = try makeCertificate(names: [], subject: "Test Intermediate", issuer: root)
  }

  /// Programs with this environment trust the root as one of the system's.
  var environment: [String: String] { ["SSL_CERT_FILE": rootFile] }

  /// - Parameter subject: Distinguishes the certificate from others for the same names.
  func issue(
    _ names: String..., subject: String? = nil, kind: TestCertificate.Kind = .ecdsa,
    validity: ClosedRange<Int> = -1...90, usage: String = "serverAuth", dates: Range<Date>? = nil
  ) throws -> TestCertificate {
    var leaf = try makeCertificate(
      names: names, subject: subject, kind: kind, validity: validity, issuer: intermediate,
      usage: usage, dates: dates)
    leaf.intermediates = [intermediate.certificate]
    return leaf
  }
}

extension Workspace {
  /// Puts chain and key into `certificates/` as `NAME.crt` and `NAME.key`.
  func install(_ certificate: TestCertificate, as name: String) throws {
    try write("certificates/\(name).key", certificate.key, mode: 0o600)
    try write("certificates/\(name).crt", certificate.chain)
  }
}

/// Makes a certificate.
///
/// - Parameters:
///   - names: DNS names, or IP addresses; without any it is an authority's certificate.
///   - validity: in days from now; both ends may lie in the past.
///   - issuer: itself when nil.
///   - usage: The purpose of a certificate that is not an authority's.
///   - dates: its validity to the second, if days are too long.
func makeCertificate(
  names: [String], subject: String? = nil, kind: TestCertificate.Kind = .ecdsa,
  validity: ClosedRange<Int> = -1...90, issuer: TestCertificate? = nil,
  usage: String = "serverAuth", dates: Range<Date>? = nil
) throws -> TestCertificate {
  let signer = try issuer.map { issuer in
    guard let key = TestKey(pem: issuer.key),
      let signer = IssuedCertificate(pem: issuer.certificate, key: key)
    else { throw Failure("not a certificate and its key: \(issuer)") }
    return signer
  }
  let key = kind == .rsa ? TestKey(.rsa2048) : TestKey()
  let dates =
    dates ?? date(daysFromNow: validity.lowerBound)..<date(daysFromNow: validity.upperBound)
  let certificate = IssuedCertificate(
    subject ?? names.first ?? "?", names: names.map { isAddress($0) ? "IP:" + $0 : $0 }, key: key,
    issuer: signer, isAuthority: names.isEmpty,
    dates: seconds(dates.lowerBound)..<seconds(dates.upperBound),
    usage: names.isEmpty ? nil : usage,
    issuerAddress: names.isEmpty || issuer == nil ? nil : "http://ca.example/issuer.der")
  return TestCertificate(
    certificate: String(decoding: certificate.pem, as: UTF8.self),
    key: String(decoding: kind == .rsa ? key.pem() : key.traditionalPEM(), as: UTF8.self))
}

private typealias IssuedCertificate = TLSTestSupport.TestCertificate

private func isAddress(_ name: String) -> Bool {
  name.allSatisfy { $0.isNumber || $0 == "." } || name.contains(":")
}

/// Half a day more, so that whole days stay whole while a test runs.
private func date(daysFromNow days: Int) -> Date {
  Date(timeIntervalSinceNow: Double(days) * 86_400 + 43_200)
}

private func seconds(_ date: Date) -> Int { Int(date.timeIntervalSince1970) }
