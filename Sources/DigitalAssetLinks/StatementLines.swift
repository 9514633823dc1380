internal import Rules

/// What the statements of an `assetlinks.json` say, as one line for each relation to each
/// certificate of an app, or to each site: the relation, the package or site, the fingerprint. Nil
/// if Android cannot read the file, or if it includes another one.
package func statementLines(of file: AssetLinksFile) -> Set<String>? {
  guard let statements = file.list?.statements,
    !statements.contains(where: { $0.include != nil })
  else { return nil }
  return Set(statements.flatMap(\.lines))
}

extension Statement {
  var lines: [String] {
    guard let target else { return [] }
    return relations.map(\.value).flatMap { relation in
      [statementLine(relation, site: target.site?.value)]
        + target.fingerprints.map {
          statementLine(relation, app: target.packageName?.value, fingerprint: $0.value)
        }
    }.compactMap(\.self)
  }
}

/// One statement; nil if it is about nothing that is known.
package func statementLine(
  _ relation: String, site: String? = nil, app: String? = nil, fingerprint: String? = nil
) -> String? {
  if let app, let fingerprint { return "\(relation) \(app) \(fingerprint.uppercased())" }
  guard var site else { return nil }
  // Google writes an absolute name: https://example.com.
  while site.hasSuffix("/") || site.hasSuffix(".") { site.removeLast() }
  return "\(relation) \(site)"
}
