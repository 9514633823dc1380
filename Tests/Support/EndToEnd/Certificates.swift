import Foundation

/// A certificate and its key, made by `openssl`.
struct TestCertificate: Sendable {
  enum Kind: Sendable { case rsa, ecdsa }

  /// PEM.
  let certificate: String
  let key: String
  /// The certificates that are sent after the leaf.
  var intermediates: [String] = []

  var chain: String { ([certificate] + intermediates).joined() }
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
    root = try makeCertificate(names: [], subject: "Test Root", in: workspace)
    rootFile = workspace.path("root.pem")
    try workspace.write("root.pem", root.certificate)
    // For servers of every user.
    try workspace.setMode("", 0o755)
    intermediate = try makeCertificate(
      names: [], subject: "Test Intermediate", issuer: root, in: workspace)
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
      usage: usage, dates: dates, in: workspace)
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

  func write(_ name: String, _ content: String, mode: mode_t) throws {
    try write(name, "")
    try setMode(name, mode)
    try write(name, content)
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
  usage: String = "serverAuth", dates: Range<Date>? = nil, in workspace: Workspace
) throws -> TestCertificate {
  guard let openssl = Tool.openssl.path else { throw Failure("openssl is not installed") }
  let folder = workspace.path("certificate-\(UUID().uuidString)")
  func step(_ arguments: [String]) throws {
    let finished = try run(openssl, arguments, folder: folder)
    guard finished.exitCode == 0 else { throw Failure("\(arguments): \(finished.errors)") }
  }
  func text(_ name: String) throws -> String {
    try String(contentsOfFile: folder + "/" + name, encoding: .utf8)
  }
  try workspace.write(folder + "/index.txt", "")
  try workspace.write(folder + "/ca.cnf", configuration(names, usage: usage))
  if kind == .rsa {
    try workspace.write(folder + "/key.pem", try sharedRSAKey.get())
  } else {
    try step(["ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", "key.pem"])
  }
  try step([
    "req", "-new", "-config", "ca.cnf", "-key", "key.pem", "-out", "request.pem", "-subj",
    "/CN=\(subject ?? names.first ?? "?")",
  ])
  if let issuer {
    try workspace.write(folder + "/issuer.pem", issuer.certificate)
    try workspace.write(folder + "/issuer.key", issuer.key)
  }
  try step(
    [
      "ca", "-batch", "-notext", "-config", "ca.cnf", "-in", "request.pem", "-out", "cert.pem",
      "-startdate", time(dates?.lowerBound ?? date(daysFromNow: validity.lowerBound)),
      "-enddate", time(dates?.upperBound ?? date(daysFromNow: validity.upperBound)),
    ]
      + (issuer == nil
        ? ["-selfsign", "-keyfile", "key.pem"]
        : ["-cert", "issuer.pem", "-keyfile", "issuer.key"]))
  return TestCertificate(certificate: try text("cert.pem"), key: try text("key.pem"))
}

private func configuration(_ names: [String], usage: String) -> String {
  let alternatives = names.map { name in
    (name.allSatisfy { $0.isNumber || $0 == "." } || name.contains(":") ? "IP:" : "DNS:") + name
  }
  let extensions =
    names.isEmpty
    ? "basicConstraints = critical,CA:TRUE\nkeyUsage = critical,keyCertSign,cRLSign"
    : "basicConstraints = critical,CA:FALSE\nextendedKeyUsage = \(usage)\n"
      + "subjectAltName = \(alternatives.joined(separator: ","))"
  return """
    [ca]
    default_ca = test
    [test]
    new_certs_dir = .
    database = index.txt
    rand_serial = yes
    default_md = sha256
    policy = policy
    x509_extensions = extensions
    unique_subject = no
    [policy]
    commonName = supplied
    [req]
    distinguished_name = name
    [name]
    [extensions]
    subjectKeyIdentifier = hash
    authorityKeyIdentifier = keyid
    \(extensions)
    """
}

/// Half a day more, so that whole days stay whole while a test runs.
private func date(daysFromNow days: Int) -> Date {
  Date(timeIntervalSinceNow: Double(days) * 86_400 + 43_200)
}

private func time(_ date: Date) -> String {
  let format = DateFormatter()
  format.locale = Locale(identifier: "en_US_POSIX")
  format.timeZone = TimeZone(identifier: "UTC")
  format.dateFormat = "yyyyMMddHHmmss'Z'"
  return format.string(from: date)
}

/// Making an RSA key takes long; one is enough for all tests.
private let sharedRSAKey = Result<String, any Error> {
  guard let openssl = Tool.openssl.path else { throw Failure("openssl is not installed") }
  return try run(openssl, ["genrsa", "2048"]).text
}
