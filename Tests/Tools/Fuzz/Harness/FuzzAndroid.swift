import AppFiles
import Diagnostics

/// Manifests, packages and what tools print about certificates: each is read as all of them.
@Sendable func fuzzAndroid(_ bytes: [UInt8]) {
  let source = ByteSource(bytes)
  let manifests = [
    try? AndroidManifest(bytes), try? AndroidManifest(inPackage: source),
  ]
  for manifest in manifests.compactMap(\.self) {
    precondition(manifest.filling([:]) == manifest)
    for path in manifest.filters.flatMap(\.paths) {
      guard let pattern = PathPattern(path) else { continue }
      _ = pattern.matches("/buy/42")
      var budget = Budget(operations: 1_000_000)
      _ = pattern.mayOverlap(wildcards: "/buy/*", &budget)
    }
  }
  let certificates = [
    try? SigningCertificate.all(inPackage: source), try? SigningCertificate.all(printed: bytes),
  ]
  for found in certificates.compactMap(\.self) {
    precondition(!found.isEmpty && Set(found).count == found.count)
    precondition(found.allSatisfy { $0.digest.count == 32 })
  }
}

/// A path, a pattern of a manifest, and one with wildcards, each in a line: if both patterns match
/// the path, then they may overlap.
@Sendable func fuzzPaths(_ bytes: [UInt8]) {
  let lines = bytes.prefix(300).split(
    separator: 0x0A, maxSplits: 2, omittingEmptySubsequences: false
  ).map { String(decoding: $0, as: UTF8.self) }
  guard lines.count == 3 else { return }
  for attribute in ["path", "pathPrefix", "pathSuffix", "pathPattern", "pathAdvancedPattern"] {
    guard let pattern = PathPattern(.init(attribute: attribute, text: lines[1])) else { continue }
    let matches = pattern.matches(lines[0])
    switch attribute {
    case "path": precondition(matches == (lines[0].utf16.elementsEqual(lines[1].utf16)))
    case "pathPrefix": precondition(matches == lines[0].utf16.starts(with: lines[1].utf16))
    case "pathSuffix":
      precondition(matches == lines[0].utf16.reversed().starts(with: lines[1].utf16.reversed()))
    default: break
    }
    if matches, wildcards(lines[2], match: lines[0]) {
      var budget = Budget(operations: 1_000_000)
      precondition(pattern.mayOverlap(wildcards: lines[2], &budget))
    }
  }
}

/// By definition: every length of a `*` is tried.
private func wildcards(_ pattern: String, match text: String) -> Bool {
  let text = Array(text.unicodeScalars)
  var places: Set<Int> = [0]
  for scalar in pattern.unicodeScalars {
    places =
      scalar == "*"
      ? Set((places.min() ?? text.count)...text.count)
      : Set(
        places.filter { $0 < text.count && (scalar == "?" || text[$0] == scalar) }.map { $0 + 1 })
    if places.isEmpty { return false }
  }
  return places.contains(text.count)
}
