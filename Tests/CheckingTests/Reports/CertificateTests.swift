import TestRunning
import Testing

@testable import Checking
@testable import Client
@testable import TLS

/// Reports on a server's certificate and its connection.
@Suite struct CertificateTests {
  private func report(
    _ certificate: CheckCertificate, concerns: [PeerConcern] = [], exitCode: Int32 = 1,
    at location: SourceLocation = #_sourceLocation
  ) throws -> String {
    var world = CheckWorld()
    world.lead(
      "127.0.0.1", port: CheckWorld.port,
      to: CheckServer(certificate, concerns: concerns, CheckServer.good))
    var options = CheckWorld.Options()
    options.origin = "127.0.0.1"
    return try world.check(exitCode: exitCode, options, at: location).normalized
  }

  @Test func `a certificate for another name`() throws {
    #expect(
      try report(CheckCertificate(names: ["www.example.com"])) == """
        example.com: universal links will not work: the certificate is not for example.com but for \
        www.example.com [F012]
          certificate 1: "www.example.com", issued by "Test Intermediate", until DAY
          certificate 2: "Test Intermediate", issued by "Test Root", until DAY
          help: request a certificate that has this host as subjectAltName; often the server \
        sends its default certificate, because no other certificate covers the host
          source: Apple asks for HTTPS with a publicly trusted certificate (grade D)

        skipped: Apple's CDN, port 80, www, assetlinks.json, passkeys (an address for the host was given)

        fine:
          address      127.0.0.1:PORT
          answer       status 200, 97 bytes of application/json
          both paths   the same file
          clients      the same file for Apple's robot, devices and browsers

        """)
  }

  private static let faults: [(code: String, certificate: CheckCertificate)] = [
    ("F013", CheckCertificate(validity: -9 ... -2)), ("F014", CheckCertificate(validity: 2...9)),
    (
      "F015",
      CheckCertificate(
        issuer: "example.com", fault: .selfSigned(subject: "example.com"), isWhole: false)
    ),
    (
      "F016",
      CheckCertificate(
        fault: .incompleteChain(last: "example.com", issuer: "Test Intermediate"), isWhole: false)
    ), ("F017", CheckCertificate(fault: .unknownAuthority(issuer: "Test Root"))),
  ]

  @Test(arguments: faults.indices)
  func `each fault of a certificate has its report`(index: Int) throws {
    let (code, certificate) = Self.faults[index]
    let text = try report(certificate)
    text.says("[\(code)]")
    try expectKept(text, as: code)
  }

  @Test func `an expired certificate is in the first line`() throws {
    #expect(
      try report(CheckCertificate(validity: -9 ... -2)).hasPrefix(
        "example.com: universal links will not work: the certificate \"example.com\" expired on DAY [F013]\n"
      ))
  }

  @Test func `a certificate that expires soon is a warning, until its last day`() throws {
    let soon = try report(CheckCertificate(validity: -9...9), exitCode: 0)
    soon.says("warning: the certificate expires in N days, on DAY [F019]")
    try expectKept(soon, as: "F019")
    try CheckWorld(CheckServer(CheckCertificate(validity: -1...0))).check(exitCode: 0).says(
      "warning: the certificate expires in 0 days, on 2026-06-01")
  }

  @Test func `a certificate of a test environment is requested again`() throws {
    let issuer = "(STAGING) Riddling Rhubarb"
    try report(
      CheckCertificate(issuer: issuer, fault: .unknownAuthority(issuer: "(STAGING) Root"))
    ).says(
      "the certificate is from a test environment, \"\(issuer)\", which ",
      "  help: request the certificate again from the authority's production environment")
  }

  @Test func `a certificate for another purpose`() throws {
    let certificate = CheckCertificate(
      fault: .other(certificate: "example.com", reason: "unsuitable certificate purpose"))
    let text = try CheckWorld(CheckServer(certificate)).check(exitCode: 1)
    try expectKept(text.normalized, as: "F018")
  }

  @Test func `an issuer that may not sign the name is the cause, and another one is the cure`()
    throws
  {
    try report(CheckCertificate(fault: .nameNotPermitted(certificate: "example.com"))).says(
      .part(
        "the certificate \"example.com\" has a name that one of its issuers is not permitted "
          + "to certify [F018]\n"),
      .part(
        "help: request a certificate from another issuer: a new one from this issuer would have "
          + "the same fault"))
  }

  private static let concerns: [(concern: PeerConcern, code: String, exitCode: Int32)] = [
    (.unusualKey("Ed25519"), "F027", 0), (.noForwardSecrecy(cipher: "AES128-SHA"), "F028", 0),
    (.revoked, "F029", 1),
  ]

  @Test(arguments: concerns.indices)
  func `what other clients may refuse is said`(index: Int) throws {
    let (concern, code, exitCode) = Self.concerns[index]
    try report(CheckCertificate(), concerns: [concern], exitCode: exitCode).says("[\(code)]")
  }

  @Test func `a handshake that the server refuses`() throws {
    let failure = TLSFailure(
      .peer,
      "sslv3 alert handshake failure (SSL alert number 40)", .alert)
    let text = try CheckWorld(CheckServer(refusing: .handshake(failure))).check(exitCode: 1)
    try expectKept(text, as: "F011")
  }

  private static let refusals: [(fault: FetchFault, code: String, words: String)] = [
    (.notTLS, "F010", "the server does not speak TLS on this port"),
    (.clientCertificate(.handshake), "F026", "the server demands a client certificate (mTLS)"),
    (.http2Only(.response), "F025", "the server speaks HTTP/2 only"),
    (.lost(.handshake, nil), "F020", "the connection was lost in the TLS handshake"),
    (.unknownCoding("br"), "F022", "the content is sent with Content-Encoding \"br\""),
  ]

  @Test(arguments: refusals.indices)
  func `a connection that fails says how`(index: Int) throws {
    let (fault, code, words) = Self.refusals[index]
    let isUnknown = code == "F025"
    try CheckWorld(CheckServer(refusing: fault)).check(exitCode: isUnknown ? 4 : 1).says(
      "\(words)", "[\(code)]")
  }

  @Test func `a port without TLS`() throws {
    var world = CheckWorld()
    world.lead("127.0.0.1", port: CheckWorld.port, to: CheckServer(refusing: .notTLS))
    var options = CheckWorld.Options()
    options.origin = "127.0.0.1"
    #expect(
      try world.check(exitCode: 1, options).normalized == """
        example.com: universal links will not work: the server does not speak TLS on this port [F010]
          help: serve HTTPS on port 443; often port 443 is forwarded to a port for plain HTTP
          source: Apple asks for HTTPS with a publicly trusted certificate (grade D)

        skipped: Apple's CDN (an address for the host was given)

        fine:
          address      127.0.0.1:PORT

        """)
  }
}
