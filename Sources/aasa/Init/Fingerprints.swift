internal import AppFiles
internal import ArgumentParser
internal import Bytes
internal import DigitalAssetLinks
internal import Posix

/// An Android app, given as `PACKAGE:FINGERPRINT`, or as `PACKAGE:FILE` with a file that contains
/// the fingerprint.
struct AndroidArgument {
  let packageName: String
  private(set) var fingerprints: [String]

  init(_ text: String) throws {
    guard let colon = text.firstIndex(of: ":") else {
      throw ValidationError("--android must be PACKAGE:FINGERPRINT, such as org.swift.shop:5E:8F:…")
    }
    packageName = String(text[..<colon])
    fingerprints = [String(text[text.index(after: colon)...])]
  }

  /// Returns the same app. If the argument contained the path of a file, the fingerprints in this
  /// file replace the path.
  func withFingerprints() throws -> AndroidArgument {
    var app = self
    app.fingerprints = try readFingerprints(fingerprints)
    return app
  }
}

/// Returns the fingerprints in the arguments, in the form that Android compares. Each argument is a
/// file with fingerprints, or a fingerprint in a form that some tool prints.
///
/// If an argument is neither a file nor a fingerprint, returns the argument unchanged, so that the
/// rules for `assetlinks.json` report it as invalid.
func readFingerprints(_ arguments: [String]) throws(ExitCode) -> [String] {
  var result: [String] = []
  for argument in arguments {
    if argument.allSatisfy({ $0.isHexDigit || $0 == ":" }) || !isFile(argument) {
      result.append(digest(in: argument).map(normalizedFingerprint) ?? argument)
      continue
    }
    for certificate in try reading(argument, SigningCertificate.all(reading: argument)) {
      let fingerprint = fingerprintText(certificate.digest)
      if certificate.isForDebugging {
        printError(
          "warning: \(argument): \(fingerprint) belongs to a debug key, but published apps are "
            + "signed with another key")
      }
      if !result.contains(fingerprint) { result.append(fingerprint) }
    }
  }
  return result
}

/// Whether the user probably means a text as the path of a file, even if no file exists at this
/// path.
private func isFile(_ path: String) -> Bool {
  if path.contains("/") || !isMissing(path) { return true }
  guard let dot = path.lastIndex(of: "."), dot != path.startIndex else { return false }
  let ending = path[dot...].dropFirst()
  return (1...8).contains(ending.count) && ending.first?.isLetter == true
    && ending.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
    && !path.contains { $0.isWhitespace || "…<>[]{}".contains($0) }
}

/// Returns the digests of certificates. Each argument is a file, or a fingerprint in a form that
/// some tool prints: hexadecimal digits with or without separators, alone or within a line, or a
/// passkey origin `android:apk-key-hash:…`.
func certificateDigests(_ arguments: [String], of option: String) throws -> [String] {
  try readFingerprints(arguments).map { text in
    if digest(in: text) != nil { return text }
    let count = text.split { ":- ".contains($0) }.count { $0.utf8.count == 2 }
    let bare = text.utf8.count == 40 && text.allSatisfy(\.isHexDigit)
    throw failure(
      "\(option) \(text) is neither a file nor a SHA-256 digest: "
        + (count == 20 || bare
          ? "this digest has 20 bytes, like SHA-1; use the SHA256 line"
          : "a digest has 32 bytes, such as 5E:8F:…"),
      .usage)
  }
}

/// Returns the 64 hexadecimal digits of the digest in a text; nil if there is no digest.
private func digest(in text: String) -> String? {
  let origin = "android:apk-key-hash:"
  if text.hasPrefix(origin) {
    let digits = text.dropFirst(origin.count).replacing("-", with: "+").replacing("_", with: "/")
    let bytes = Array((digits + "=").utf8)
    var digest = [UInt8](repeating: 0, count: Base64.capacity(for: bytes.indices))
    guard digits.utf8.count == 43, Base64.decode(bytes.span, bytes.indices, into: &digest) == 32
    else { return nil }
    return digest.prefix(32).map(\.self).hexText
  }
  // Skip a label such as `SHA256:` or `sha256 Fingerprint=`.
  var rest = text[...]
  if let end = rest.lastIndex(of: "=") { rest = rest[rest.index(after: end)...] }
  let words = rest.split { $0.isWhitespace || "\"'[]".contains($0) }
  for candidate in [words.suffix(1).joined(), words.suffix(32).joined()] {
    let digits = candidate.filter { !":-".contains($0) }
    if digits.utf8.count == 64, digits.allSatisfy(\.isHexDigit) { return digits }
  }
  return nil
}
