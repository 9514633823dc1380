internal import Diagnostics
internal import TLS

/// A chain and its key in one file. Or, after a zero octet: a certificate after its length in two
/// octets, and a key, both in DER, so that the content of PEM is reached without Base64.
@Sendable func fuzzPEM(_ bytes: [UInt8]) {
  let source: CertificateFile
  if bytes.count >= 3, bytes[0] == 0 {
    let end = min(3 + (Int(bytes[1]) << 8 | Int(bytes[2])), bytes.count)
    source = CertificateFile(
      chain: SourceText(path: "fuzz", bytes: pem("CERTIFICATE", bytes[3..<end])),
      key: SourceText(path: "key", bytes: pem("PRIVATE KEY", bytes[end...])))
  } else {
    source = CertificateFile(chain: SourceText(path: "fuzz", bytes: bytes))
  }
  let inspection = source.read(.init(now: now, warningDays: 14, intermediates: .init()))
  precondition(inspection.certificate != nil || !inspection.diagnostics.isEmpty)
  for diagnostic in inspection.diagnostics { precondition(!diagnostic.line.isEmpty) }
  guard let certificate = inspection.certificate else { return }
  for diagnostic in certificate.judge(trust: trust, issuers: nil, now: 0) {
    precondition(!diagnostic.line.isEmpty)
  }
}

private func pem(_ label: String, _ bytes: ArraySlice<UInt8>) -> [UInt8] {
  let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  var text = Array("-----BEGIN \(label)-----\n".utf8)
  var rest = bytes
  while !rest.isEmpty {
    let group = Array(rest.prefix(3))
    rest = rest.dropFirst(3)
    let number = (group + [0, 0]).prefix(3).reduce(0) { $0 << 8 | Int($1) }
    for place in 0..<4 {
      let digit = digits[number >> (18 - 6 * place) & 0x3F]
      text.append(place <= group.count ? digit : UInt8(ascii: "="))
    }
  }
  return text + Array("\n-----END \(label)-----\n".utf8)
}

/// A signed file. The one key that the root trusts has signed one content only.
@Sendable func fuzzCMS(_ bytes: [UInt8]) {
  let content = try? CMS.content(of: bytes)
  let verdict = CMS.verify(bytes, trust: trust, now: now)
  precondition(!verdict.message.isEmpty)
  if verdict.isGood { precondition(content == Array(signedContent.utf8)) }
}

/// 2027-01-01, when the certificates of the seeds are valid.
private let now: Int64 = 1_798_761_600

/// The content of the seeds.
private let signedContent = "{\"applinks\":\r\n{\"details\":[]}}\n"

private let trust: TrustStore = {
  guard let trust = try? TrustStore.roots(in: SourceText(path: "root", bytes: Array(root.utf8)))
  else { fatalError("the root cannot be read") }
  return trust
}()

/// The root that issued the seeds' certificate; its key is gone.
private let root = """
  -----BEGIN CERTIFICATE-----
  MIIBgDCCASWgAwIBAgIUUo9aKIIcmyl+xkdADfPzBba7MjgwCgYIKoZIzj0EAwIw
  FDESMBAGA1UEAwwJRnV6eiByb290MCAXDTI2MTEyMTExNDIwMloYDzIxMjYxMDI4
  MTE0MjAyWjAUMRIwEAYDVQQDDAlGdXp6IHJvb3QwWTATBgcqhkjOPQIBBggqhkjO
  PQMBBwNCAASk5bA73XCJfXqj8TzdTAOniVT/hRDOoHtRHwtUDEjYkNco5mbibdC6
  d/TH3QCa8K0gxnza0YzO6NFYS4lSaMwLo1MwUTAdBgNVHQ4EFgQUBmlQjAjxqAYy
  T3K38zmiLipQqewwHwYDVR0jBBgwFoAUBmlQjAjxqAYyT3K38zmiLipQqewwDwYD
  VR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNJADBGAiEAoOL4GsA81pjHipK+6q0M
  ObQvGoTnc1bSO5gCxWcU/s8CIQDNp2FEn2HHr1Lg3P9l9UhzshvgZbbZid+KUwAr
  BiTYfA==
  -----END CERTIFICATE-----
  """
