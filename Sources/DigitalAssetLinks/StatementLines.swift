internal import Rules

/// Returns the statements of an `assetlinks.json` as lines: one for each relation and certificate
/// of an app, with package and fingerprint, or for each relation and site. Nil if Android cannot
/// read the file, or if it includes another file.
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

/// Returns the line of one statement; nil if it names neither an app with a fingerprint nor a site.
package func statementLine(
  _ relation: String, site: String? = nil, app: String? = nil, fingerprint: String? = nil
) -> String? {
  if let app, let fingerprint { return "\(relation) \(app) \(fingerprint.uppercased())" }
  guard var site else { return nil }
  // Google writes an absolute DNS name with a trailing dot: https://example.com.
  while site.hasSuffix("/") || site.hasSuffix(".") { site.removeLast() }
  return "\(relation) \(site)"
}
