internal import Checking
internal import Diagnostics
internal import JSON

/// Reads an association file, or the file of a domain that is given as a URL:
/// `https://example.com`. Nil if there is none, which is reported.
func readAssociation(_ text: String, orAsking client: ClientOptions) throws -> Document? {
  guard text.contains("://") else { return readAssociation(text) }
  guard let source = fetchAssociation(try reading(HostTarget(text)), try client.settings()) else {
    return nil
  }
  return associationDocument(source)
}
