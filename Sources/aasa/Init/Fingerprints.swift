internal import AppFiles
internal import ArgumentParser
internal import Diagnostics
internal import DigitalAssetLinks
internal import Posix

/// The fingerprints that arguments name: each is a fingerprint, or a file that has some.
///
/// Anything else stays as it is, and the rules say what is wrong with it.
func readFingerprints(_ arguments: [String]) throws(ExitCode) -> [String] {
  var result: [String] = []
  for argument in arguments {
    if argument.allSatisfy({ $0.isHexDigit || $0 == ":" }) || !isFile(argument) {
      result.append(argument)
      continue
    }
    do throws(AppFileFault) {
      for certificate in try SigningCertificate.all(reading: argument) {
        let fingerprint = fingerprintText(certificate.digest)
        if certificate.isForDebugging {
          printError(
            "warning: \(argument): \(fingerprint) is the key of debug builds, which no published "
              + "app has")
        }
        if !result.contains(fingerprint) { result.append(fingerprint) }
      }
    } catch {
      throw failure(error.line(argument), .usage)
    }
  }
  return result
}

private func isFile(_ path: String) -> Bool {
  if path.contains("/") || path.hasSuffix(".apk") { return true }
  return (try? status(path)) != nil
}

/// The digests that fingerprints name, in any form that a tool prints: a bare digest, one with
/// colons, or the line of a tool with one.
func certificateDigests(_ arguments: [String], of option: String) throws -> [String] {
  try readFingerprints(arguments).map { text in
    let word = text.split(whereSeparator: \.isWhitespace).last ?? ""
    let digits = word.filter { $0 != ":" }
    guard digits.utf8.count == 64, digits.allSatisfy(\.isHexDigit) else {
      throw failure(
        "\(option) \(text) is neither a file nor a SHA-256 digest: 32 bytes, such as 5E:8F:…",
        .usage)
    }
    return normalizedFingerprint(String(digits))
  }
}
