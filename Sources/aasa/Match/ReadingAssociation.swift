internal import AppSiteAssociation
internal import Bytes
internal import Catalog
internal import Diagnostics
internal import DigitalAssetLinks
internal import JSON
internal import Posix
internal import TLS

/// Reads an association file, `-` for standard input, as Apple's devices do: at most 131,072 bytes,
/// a JSON object; if it is signed, its content, with a note. Otherwise reports the fault on the
/// standard error stream.
///
/// - Parameter isTooLargeTaken: Whether a file that is too large is read too, to be made smaller.
func readAssociation(_ path: String, isTooLargeTaken: Bool = false) -> Document? {
  readText(path).flatMap { associationDocument($0, isTooLargeTaken) }
}

/// Reads the links of an `assetlinks.json`; otherwise reports the fault.
func readAssetLinks(_ path: String) -> AndroidLinks? {
  do throws(SystemError) {
    let bytes = try readFile(path, limit: 1 << 20)
    if let links = AndroidLinks(AssetLinksFile(SourceText(path: path, bytes: bytes))) {
      return links
    }
    printError(
      "error: \(path) is not a list of statements that Android can read; aasa validate says why")
  } catch {
    printError("error: \(error)")
  }
  return nil
}

/// The text of a file of about the size that Apple accepts; otherwise reports the fault.
func readText(_ path: String) -> SourceText? {
  if path.contains("://") || looksLikeDomain(path) {
    printError("error: \(path) is not a file; aasa check \(path) checks the domain")
    return nil
  }
  do throws(SystemError) {
    if path == "-" {
      return SourceText(path: "standard input", bytes: try readStandardInput(limit: limit))
    }
    let content = try readNamedInput(path, limit: limit)
    guard !content.isTruncated else {
      let size = content.status.kind == .regular ? "\(content.status.size)" : "over \(limit)"
      printError(
        "error: \(path): the file has \(size) bytes, more than the"
          + " \(AppleLimits.fileBytes) that Apple accepts; check that it is the right one")
      return nil
    }
    return SourceText(path: path, bytes: content.bytes)
  } catch {
    printError("error: \(error)")
    return nil
  }
}

/// Whether there is no such file, and the name could be a domain's.
func looksLikeDomain(_ path: String) -> Bool {
  guard !path.contains("/"), path.contains("."), let ending = path.split(separator: ".").last,
    !["json", "txt", "cases", "csv"].contains(ending.lowercased()), isHostName(path.lowercased())
  else { return false }
  do throws(SystemError) {
    _ = try status(path)
    return false
  } catch {
    return error.isNotFound
  }
}

/// A slightly too large file gets the message of the rules.
private let limit = 16 * AppleLimits.fileBytes

/// Standard input until its end, or until there are more than `limit` bytes.
func readStandardInput(limit: Int) throws(SystemError) -> [UInt8] {
  var bytes: [UInt8] = []
  while bytes.count <= limit, try readStandardInput(appendingTo: &bytes) {}
  return bytes
}

/// A document from a text; otherwise reports the fault.
func associationDocument(_ source: SourceText, _ isTooLargeTaken: Bool = false) -> Document? {
  if isTooLargeTaken, source.bytes.count > AppleLimits.fileBytes {
    let source = source.withoutByteOrderMark ?? source
    do throws(SyntaxError) {
      return try Document(parsing: source, limits: JSON.Limits(bytes: limit))
    } catch {
      printError(error.diagnostic(in: source).line)
      return nil
    }
  }
  var options = ValidationOptions()
  options.signedContent = contentOfSigned
  let file = AssociationFile(source, options: options)
  if let fault = file.fault {
    printError(fault.line)
  } else if file.form == .signed {
    printError(
      "note: \(source.path) is signed: its content is read, aasa validate checks the signature")
  }
  return file.document
}

/// The content of a signed file. `aasa validate` checks the signature.
private func contentOfSigned(_ source: SourceText) -> SignedContent {
  do throws(CMSError) {
    return SignedContent(bytes: try CMS.content(of: source.bytes), diagnostics: [])
  } catch {
    let fault = Diagnostic(
      .signedContentUnreadable, error.message, at: .init(path: source.path), help: error.help)
    return SignedContent(bytes: nil, diagnostics: [fault])
  }
}
