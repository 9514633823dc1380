internal import ArgumentParser
internal import Bytes
internal import Diagnostics
internal import TLS

/// The certificates of the PEM file in an option. If they cannot be used, the reason is printed and
/// the command ends.
func readTrustStore(_ path: String) throws -> TrustStore {
  let source = try readInput(path, limit: TLSLimits.pemFileBytes, orFailWith: .usage)
  return try mapping(TrustStore.roots(in: source)) { (error: CMSError) in failure(error, .usage) }
}

/// Prints why a certificate, or a signed file, cannot be used. Returns the exit code to be thrown.
func failure(_ error: CMSError, _ code: ExitCode = .found) -> ExitCode {
  guard case .file(let fault) = error else { return failure(error.description, code) }
  printError(fault.diagnostic.line)
  return code
}
