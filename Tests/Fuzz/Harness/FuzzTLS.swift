internal import Diagnostics
internal import TLS

/// A chain and its key in one file.
@Sendable func fuzzPEM(_ bytes: [UInt8]) {
  let file = CertificateFile(chain: SourceText(path: "fuzz", bytes: bytes))
  let inspection = file.inspect(.init(now: now, trust: trust))
  precondition(inspection.certificate != nil || !inspection.diagnostics.isEmpty)
  for diagnostic in inspection.diagnostics { precondition(!diagnostic.line.isEmpty) }
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

/// What the seeds have as content.
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
