internal import AppSiteAssociation
internal import Diagnostics
internal import JSON
internal import Posix

/// Reads an association file, `-` for standard input, as Apple's devices take it: at most 131,072
/// bytes, a JSON object. Otherwise tells on the standard error stream what is wrong.
func readAssociation(_ path: String) -> Document? {
  do throws(SystemError) {
    if path == "-" {
      return document(SourceText(path: "standard input", bytes: try readInput()))
    }
    let content = try readContent(path, limit: limit)
    guard !content.isTruncated else {
      printError(
        escapingControls(
          "error: \(path): the file has \(content.status.size) bytes, more than the"
            + " \(AppleLimits.fileBytes) that Apple takes; look whether it is the right one"))
      return nil
    }
    return document(SourceText(path: path, bytes: content.bytes))
  } catch {
    printError(escapingControls("error: \(error)"))
    return nil
  }
}

/// A file that is only somewhat too large gets the message of the rules.
private let limit = 16 * AppleLimits.fileBytes

private func readInput() throws(SystemError) -> [UInt8] {
  var bytes: [UInt8] = []
  while bytes.count <= limit, try readStandardInput(appendingTo: &bytes) {}
  return bytes
}

private func document(_ source: SourceText) -> Document? {
  switch fileForm(of: source) {
  case .refused(let diagnostic):
    printError(diagnostic.line)
  case .usable(.signed):
    printError(
      escapingControls(
        "error: \(source.path): the file is signed; take its content out with openssl smime"
          + " -verify -noverify -inform DER -in FILE and match that"))
  case .usable(.json):
    do throws(SyntaxError) {
      return try Document(parsing: source)
    } catch {
      printError(error.diagnostic(in: source).line)
    }
  }
  return nil
}
