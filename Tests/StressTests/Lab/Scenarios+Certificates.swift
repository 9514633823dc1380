import ScriptedServer

@testable import EndToEnd

extension Scenario {
  static let certificates: [Scenario] = [
    red(
      "an expired certificate", "F013", #"the certificate "example.com" expired on DAY"#,
      showing: .expired),
    red(
      "a certificate that is not valid yet", "F014",
      #"the certificate "example.com" is not valid before DAY"#, showing: .notYetValid),
    red(
      "a certificate for another name", "F012",
      "the certificate is not for example.com but for shop.example.org, www.example.org",
      showing: .otherName),
    red(
      "a wildcard without the bare name", "F012",
      "the certificate is not for example.com but for *.example.com", showing: .wildcard),
    red(
      "a certificate for an address", "F012",
      "the certificate is not for example.com but for 192.0.2.1", showing: .forAddress),
    red(
      "a self-signed certificate", "F015", #"the certificate "example.com" is self-signed"#,
      showing: .selfSigned),
    red(
      "no intermediate", "F016",
      #"the chain is incomplete: the server sends "example.com" without the certificate of its issuer "Lab Intermediate""#,
      showing: .withoutIntermediate),
    red(
      "an authority that nobody trusts", "F017",
      #"the chain ends at the authority "Strange Root", which this machine does not trust"#,
      showing: .unknownAuthority),
    red(
      "a test certificate", "F017",
      #"the certificate is from a test environment, "(STAGING) Artificial Apricot", which devices do not trust"#,
      showing: .staging),
    red(
      "an intermediate that has expired", "F013",
      #"the certificate "Old Intermediate" expired on DAY"#, showing: .expiredIntermediate),
    green("a certificate that expires in three days", "F019", ", with 1 warning", showing: .soon),
    red(
      "a certificate without a name", "F012",
      "the certificate has no host name, so it is not valid for example.com"
    ) { try $0.openSSL(showing: .noName) },
    red(
      "a signature with SHA-1", "F018",
      #"the certificate "example.com": CA signature digest algorithm too weak"#
    ) { try $0.openSSL("-cipher", "DEFAULT@SECLEVEL=0", showing: .sha1) },
    red(
      "an RSA key of 1024 bits", "F018",
      #"the certificate "example.com": EE certificate key too weak"#
    ) { try $0.openSSL("-cipher", "DEFAULT@SECLEVEL=0", showing: .weak) },
    green("an Ed25519 key", "F027", ", with 1 warning") { try $0.openSSL(showing: .edwards) },
    green("TLS 1.3 of another server", "fine:") { try $0.openSSL() },
    green("TLS 1.2", "fine:") { try $0.openSSL("-tls1_2") },
    red(
      "TLS 1.1 at most", "F011",
      "the TLS handshake failed: tlsv1 alert protocol version (SSL alert number 70)"
    ) { try $0.openSSL("-tls1_1", "-cipher", "DEFAULT@SECLEVEL=0") },
    green("no forward secrecy", "F028", ", with 1 warning") {
      try $0.openSSL("-tls1_2", "-cipher", "AES128-GCM-SHA256", showing: .rsa)
    },
    red(
      "a certificate of the client is demanded", "F026",
      "the server demands a client certificate (mTLS)"
    ) { try $0.openSSL("-Verify", "1", "-verify_return_error") },
    red(
      "a revoked certificate, stapled", "F029",
      "the certificate was revoked: the server's own OCSP response says so"
    ) { try $0.revoked() },
    red("HTTP on the port of HTTPS", "F010", "the server does not speak TLS on this port") {
      try $0.plainOrigin(.answer(Lab.good))
    },
    red("SSH on the port of HTTPS", "F0", "the server does not speak TLS on this port") {
      try $0.plainOrigin(.text("SSH-2.0-OpenSSH_9\r\n"))
    },
    red(
      "a connection that is closed in the handshake", "F011",
      "the TLS handshake failed: the connection was lost"
    ) { try $0.plainOrigin(.bytes([])) },
    red("a handshake that never ends", "F020", "timed out in the TLS handshake, after 1 s") {
      try $0.plainOrigin(.stall)
      $0.arguments += ["--timeout", "1s"]
    },
    unknown(
      "HTTP/2 only, after the handshake", "F025",
      "the server speaks HTTP/2 only, which aasa does not support; Apple's CDN and devices "
        + "support HTTP/2",
      serving: .bytes([0, 0, 0, 4, 0, 0, 0, 0, 0])),
    unknown(
      "HTTP/2 only, by the handshake", "F025",
      "the server speaks HTTP/2 only, which aasa does not support; Apple's CDN and devices "
        + "support HTTP/2"
    ) { try $0.openSSL("-alpn", "h2") },
    red(
      "a certificate of the client is demanded in TLS 1.2", "F026",
      "the server demands a client certificate (mTLS)"
    ) { try $0.openSSL("-tls1_2", "-Verify", "1", "-verify_return_error") },
  ]
}
