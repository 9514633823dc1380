import ScriptedServer

@testable import EndToEnd

extension Scenario {
  static let certificates: [Scenario] = [
    Scenario(
      "an expired certificate", 1, "F013", broken + #"the certificate "example.com" expired on DAY"#
    ) {
      try $0.origin(showing: .expired)
    },
    Scenario(
      "a certificate that is not valid yet", 1, "F014",
      broken + #"the certificate "example.com" is not valid before DAY"#
    ) {
      try $0.origin(showing: .notYetValid)
    },
    Scenario(
      "a certificate for another name", 1, "F012",
      broken + "the certificate is not for example.com but for shop.example.org, www.example.org"
    ) {
      try $0.origin(showing: .otherName)
    },
    Scenario(
      "a wildcard without the bare name", 1, "F012",
      broken + "the certificate is not for example.com but for *.example.com"
    ) {
      try $0.origin(showing: .wildcard)
    },
    Scenario(
      "a certificate for an address", 1, "F012",
      broken + "the certificate is not for example.com but for 192.0.2.1"
    ) {
      try $0.origin(showing: .forAddress)
    },
    Scenario(
      "a self-signed certificate", 1, "F015",
      broken + #"the certificate "example.com" is self-signed"#
    ) {
      try $0.origin(showing: .selfSigned)
    },
    Scenario(
      "no intermediate", 1, "F016",
      broken
        + #"the chain is incomplete: the server sends "example.com" without the certificate of its issuer "Lab Intermediate""#
    ) {
      try $0.origin(showing: .withoutIntermediate)
    },
    Scenario(
      "an authority that nobody trusts", 1, "F017",
      broken + #"the chain ends at the authority "Strange Root", which is not trusted here"#
    ) {
      try $0.origin(showing: .unknownAuthority)
    },
    Scenario(
      "a test certificate", 1, "F017",
      broken
        + #"the certificate is from a test environment, "(STAGING) Artificial Apricot", which devices do not trust"#
    ) {
      try $0.origin(showing: .staging)
    },
    Scenario(
      "an intermediate that has expired", 1, "F013",
      broken + #"the certificate "Old Intermediate" expired on DAY"#
    ) {
      try $0.origin(showing: .expiredIntermediate)
    },
    Scenario("a certificate that expires in three days", 0, "F019", served + ", with 1 warning") {
      try $0.origin(showing: .soon)
    },
    Scenario(
      "a certificate without a name", 1, "F012",
      broken + "the certificate has no host name, so it is not for example.com"
    ) {
      try $0.openSSL(showing: .noName)
    },
    Scenario(
      "a signature with SHA-1", 1, "F018",
      broken + #"the certificate "example.com": CA signature digest algorithm too weak"#
    ) {
      try $0.openSSL("-cipher", "DEFAULT@SECLEVEL=0", showing: .sha1)
    },
    Scenario(
      "an RSA key of 1024 bits", 1, "F018",
      broken + #"the certificate "example.com": EE certificate key too weak"#
    ) {
      try $0.openSSL("-cipher", "DEFAULT@SECLEVEL=0", showing: .weak)
    },
    Scenario("an Ed25519 key", 0, "F027", served + ", with 1 warning") {
      try $0.openSSL(showing: .edwards)
    },
    Scenario("TLS 1.3 of another server", 0, "fine:", served) {
      try $0.openSSL()
    },
    Scenario("TLS 1.2", 0, "fine:", served) {
      try $0.openSSL("-tls1_2")
    },
    Scenario(
      "TLS 1.1 at most", 1, "F011",
      broken + "the TLS handshake failed: tlsv1 alert protocol version (SSL alert number 70)"
    ) {
      try $0.openSSL("-tls1_1", "-cipher", "DEFAULT@SECLEVEL=0")
    },
    Scenario("no forward secrecy", 0, "F028", served + ", with 1 warning") {
      try $0.openSSL("-tls1_2", "-cipher", "AES128-GCM-SHA256", showing: .rsa)
    },
    Scenario(
      "a certificate of the client is demanded", 1, "F026",
      broken + "the server demands a client certificate (mTLS)"
    ) {
      try $0.openSSL("-Verify", "1", "-verify_return_error")
    },
    Scenario(
      "a revoked certificate, stapled", 1, "F029",
      broken + "the certificate was revoked: the server's own OCSP response says so"
    ) {
      try $0.revoked()
    },
    Scenario(
      "HTTP on the port of HTTPS", 1, "F010", broken + "the server does not speak TLS on this port"
    ) {
      try $0.plainOrigin(.answer(Lab.good))
    },
    Scenario(
      "SSH on the port of HTTPS", 1, "F0", broken + "the server does not speak TLS on this port"
    ) {
      try $0.plainOrigin(.text("SSH-2.0-OpenSSH_9\r\n"))
    },
    Scenario(
      "a connection that is closed in the handshake", 1, "F011",
      broken + "the TLS handshake failed: the connection was lost"
    ) {
      try $0.plainOrigin(.bytes([]))
    },
    Scenario(
      "a handshake that never ends", 1, "F020", broken + "timed out in the TLS handshake, after 1 s"
    ) {
      try $0.plainOrigin(.stall)
      $0.arguments += ["--timeout", "1s"]
    },
    Scenario(
      "HTTP/2 only, after the handshake", 4, "F025",
      unknown
        + "the server speaks HTTP/2 only, which aasa does not support; Apple's CDN and devices do"
    ) {
      try $0.origin(.bytes([0, 0, 0, 4, 0, 0, 0, 0, 0]))
    },
    Scenario(
      "HTTP/2 only, by the handshake", 4, "F025",
      unknown
        + "the server speaks HTTP/2 only, which aasa does not support; Apple's CDN and devices do"
    ) {
      try $0.openSSL("-alpn", "h2")
    },
    Scenario(
      "a certificate of the client is demanded in TLS 1.2", 1, "F026",
      broken + "the server demands a client certificate (mTLS)"
    ) {
      try $0.openSSL("-tls1_2", "-Verify", "1", "-verify_return_error")
    },
  ]
}
