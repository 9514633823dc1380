internal import Checking
internal import Diagnostics
internal import JSON

/// Reads a file, or the association file of a domain that is given as a URL: `https://example.com`.
/// Returns nil and reports the fault if there is no file.
func readText(_ text: String, orAsking client: ClientOptions) throws -> SourceText? {
  guard text.contains("://") else { return readText(text) }
  return fetchAssociation(try reading(HostTarget(text)), try client.settings())
}
