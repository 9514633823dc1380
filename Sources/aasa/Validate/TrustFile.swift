internal import ArgumentParser
internal import Diagnostics
internal import Posix
internal import TLS

/// The certificates of the PEM file in an option. If they cannot be used, the reason is printed and
/// the command ends.
func readTrustStore(_ path: String) throws -> TrustStore {
  let bytes: [UInt8]
  do throws(SystemError) {
    bytes = try readContent(path, limit: TLS.Limits.pemFileBytes).bytes
  } catch {
    printError(escapingControls("error: cannot read \(path): \(error.reason)"))
    throw ExitCode.usage
  }
  do throws(CMSError) {
    return try TrustStore.roots(in: SourceText(path: path, bytes: bytes))
  } catch {
    if case .file(let diagnostic) = error {
      printError(diagnostic.line)
    } else {
      printError("error: \(escapingControls(error.description))")
    }
    throw ExitCode.usage
  }
}
