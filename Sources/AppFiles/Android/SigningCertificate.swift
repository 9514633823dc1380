internal import Bytes
internal import Diagnostics
internal import Posix
internal import TLS

/// The properties of an Android app's signing certificate that matter for `assetlinks.json`.
package struct SigningCertificate: Sendable, Hashable {
  /// The SHA-256 digest of the certificate: 32 bytes.
  package let digest: [UInt8]
  /// Whether the certificate is for debug builds. Android Studio creates its own debug certificate
  /// on each machine.
  package let isForDebugging: Bool

  /// Reads the certificates in a file: an `.apk`, a certificate, or the output of `keytool -list
  /// -v`, `keytool -printcert`, `apksigner verify --print-certs` or `gradle signingReport`. Throws
  /// if the file contains no certificate.
  package static func all(reading path: String) throws(AppFileFault) -> [SigningCertificate] {
    let start = try mapping(
      readNamedInput(path, limit: AppFileLimits.textBytes), to: AppFileFault.system)
    if start.bytes.starts(with: [0x50, 0x4B, 0x03, 0x04]) {
      return try all(inPackage: try AppFile.source(start, path))
    }
    guard !start.isTruncated else {
      throw .content(
        "the file has more than \(AppFileLimits.textBytes) bytes, so it is neither a certificate "
          + "nor a tool's output")
    }
    if start.bytes.first == 0x30 || start.bytes.starts(with: "-----BEGIN".utf8),
      let digest = certificateDigest(in: SourceText(path: path, bytes: start.bytes))
    {
      let isForDebugging = start.bytes.contains("Android Debug")
      return [SigningCertificate(digest: digest, isForDebugging: isForDebugging)]
    }
    return try all(printed: start.bytes)
  }

  /// Returns the certificates in a package's signature. Does not verify the signature.
  package static func all(inPackage source: ByteSource) throws(AppFileFault) -> [SigningCertificate]
  {
    let archive = try ZIPArchive(source)
    guard let block = try SigningBlock(source, before: archive.directoryOffset) else {
      let isSigned = archive.entries.contains { entry in
        entry.name.hasPrefix("META-INF/")
          && [".RSA", ".DSA", ".EC"].contains { entry.name.hasSuffix($0) }
      }
      throw .content(
        isSigned
          ? "the package has only a signature of jarsigner: an .aab is signed with your upload "
            + "key, but Google Play signs apps with the app signing key; copy the SHA-256 of the "
            + "app signing key from the Play Console"
          : "the package is not signed, or is not an .apk")
    }
    var result: [SigningCertificate] = []
    for certificate in try block.certificates() {
      let found = SigningCertificate(
        digest: Digest.sha256(certificate.span),
        isForDebugging: certificate.contains("Android Debug"))
      if !result.contains(found) { result.append(found) }
    }
    if result.isEmpty { throw .content("the package's signature has no certificate") }
    return result
  }

  /// Finds the SHA-256 digests of certificates in the output of a tool, and returns these
  /// certificates. Of a chain of certificates, returns only the first one, because only this
  /// certificate signs the app.
  package static func all(printed bytes: [UInt8]) throws(AppFileFault) -> [SigningCertificate] {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw .content(nothingPrinted)
    }
    var result: [SigningCertificate] = []
    var isForDebugging = false
    var isOfChain = false
    for line in text.split(whereSeparator: \.isNewline) {
      if line.hasPrefix("Certificate["), let end = line.firstIndex(of: "]") {
        isOfChain = line[..<end].dropFirst("Certificate[".count) != "1"
      }
      if line.hasPrefix("Alias name:") { isOfChain = false }
      if line.contains("CN=") { isForDebugging = line.contains("CN=Android Debug") }
      guard !isOfChain, let digest = digest(in: line) else { continue }
      let found = SigningCertificate(digest: digest, isForDebugging: isForDebugging)
      if !result.contains(found) { result.append(found) }
    }
    if result.isEmpty { throw .content(nothingPrinted) }
    return result
  }

  private static let nothingPrinted =
    "the file has no SHA-256 digest of a certificate; pass an .apk, or the output of \"keytool "
    + "-list -v\", \"keytool -printcert\" or \"apksigner verify --print-certs\""

  /// Parses `SHA256: 5E:8F:…`, `SHA-256: 5E:8F:…` or `certificate SHA-256 digest: 5e8f…`.
  private static func digest(in line: Substring) -> [UInt8]? {
    let parts = line.split(separator: ":", maxSplits: 1)
    guard parts.count == 2 else { return nil }
    let name = parts[0].drop(while: \.isWhitespace).lowercased()
    guard ["sha256", "sha-256"].contains(name) || name.hasSuffix("certificate sha-256 digest")
    else { return nil }
    let digits = parts[1].filter { !$0.isWhitespace && $0 != ":" }
    guard digits.utf8.count == 64 else { return nil }
    var digest: [UInt8] = []
    var rest = digits[...]
    while !rest.isEmpty {
      guard let byte = UInt8(rest.prefix(2), radix: 16) else { return nil }
      digest.append(byte)
      rest = rest.dropFirst(2)
    }
    return digest
  }
}
