internal import Checking
internal import Diagnostics
internal import JSON

/// Reads an association file, or what a domain serves that is given as a URL: `https://example.com`.
/// Nil when there is none; then that was told.
func readAssociation(_ text: String, orAsking client: ClientOptions) throws -> Document? {
  guard text.contains("://") else { return readAssociation(text) }
  guard let source = fetchAssociation(try reading(HostTarget(text)), try client.settings()) else {
    return nil
  }
  return associationDocument(source)
}
