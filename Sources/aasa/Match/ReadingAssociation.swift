internal import AppSiteAssociation
internal import Bytes
internal import Checking
internal import Diagnostics
internal import DigitalAssetLinks
internal import JSON
internal import Posix
internal import Rules

/// Reads an association file, or standard input for `-`, as Apple's devices do: a JSON object of at
/// most 131,072 bytes. For a signed file, reads the signed content and prints a note. If reading
/// fails, reports the fault on the standard error stream and returns nil.
///
/// - Parameter isTooLargeTaken: Whether to accept a file that is larger than Apple's limit, because
///   the command may make the file smaller.
func readAssociation(_ path: String, isTooLargeTaken: Bool = false) -> Document? {
  readText(path).flatMap { documentOrReport($0, isTooLargeTaken) }
}

/// Reads the links of an `assetlinks.json`. If reading fails, reports the fault and returns nil.
func readAssetLinks(_ path: String) -> AndroidLinks? {
  guard let bytes = readOrReport(path, try readFile(path, limit: 1 << 20)) else { return nil }
  let file = AssetLinksFile(SourceText(path: path, bytes: bytes))
  if let links = AndroidLinks(file) { return links }
  let fault = file.report(ignoring: []).diagnostics.first { $0.severity == .error }
  let line = fault?.location?.place.map { " in line \($0.line)" } ?? ""
  printError(
    "error: \(path) is not a list of statements that Android can read"
      + (fault.map { ": \($0.message) (\($0.code)\(line))" } ?? ""))
  return nil
}

/// Reads the text of a file, up to `limit` bytes. If reading fails, reports the fault and returns
/// nil.
func readText(_ path: String) -> SourceText? {
  if path.contains("://") || looksLikeDomain(path) {
    printError("error: \(path) is not a file; aasa check \(path) checks the domain")
    return nil
  }
  if path == "-" { return readOrReport(path, try readInput(path, limit: limit)) }
  guard let content = readOrReport(path, try readNamedInput(path, limit: limit)) else { return nil }
  guard !content.isTruncated else {
    let size = content.status.kind == .regular ? "\(content.status.size)" : "over \(limit)"
    printError(
      "error: \(path): the file has \(size) bytes, more than the"
        + " \(AppleLimits.fileBytes) that Apple accepts; check that this is the right file")
    return nil
  }
  return SourceText(path: path, bytes: content.bytes)
}

/// Whether no file exists at the path and the path could be a domain name.
func looksLikeDomain(_ path: String) -> Bool {
  guard !path.contains("/"), path.contains("."), let ending = path.split(separator: ".").last,
    !["json", "txt", "cases", "csv"].contains(ending.lowercased()), isHostName(path.lowercased())
  else { return false }
  return isMissing(path)
}

/// The maximum bytes to read. This maximum is above Apple's limit, so that the rules can check a
/// file that is slightly too large.
private let limit = 16 * AppleLimits.fileBytes

/// Parses a document. If parsing fails, reports the fault and returns nil.
func documentOrReport(_ source: SourceText, _ isTooLargeTaken: Bool = false) -> Document? {
  if isTooLargeTaken, source.bytes.count > AppleLimits.fileBytes {
    let source = source.withoutByteOrderMark ?? source
    do throws(SyntaxError) {
      return try Document(parsing: source, limits: JSONLimits(bytes: limit))
    } catch {
      printError(error.diagnostic(in: source).line)
      return nil
    }
  }
  var options = ValidationOptions()
  // Do not check the signature here, because only `aasa validate` checks signatures.
  options.signedContent = { signedContent(of: $0, trust: nil, now: 0) }
  let file = AssociationFile(source, options: options)
  if let fault = file.fault {
    printError(fault.line)
  } else if file.form == .signed {
    printError(
      "note: \(source.path) is signed; only its content is read; aasa validate checks the signature"
    )
  }
  return file.document
}
