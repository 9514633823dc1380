internal import Posix
internal import Settings

/// The files that `aasa test` uses by default. `aasa serve` reads these files from the same paths.
enum TestDefaults {
  /// Returns the path of the association file that belongs to the only file of expectations. If
  /// this file does not exist, or if there are several files of expectations, returns the path of
  /// the domains folder.
  static func file(for cases: [String]) -> String {
    if cases.count == 1, cases[0].hasSuffix(".cases") {
      let stem = String(cases[0].dropLast(6))
      if let beside = [stem + ".json", stem].first(where: { !isMissing($0) }) { return beside }
    }
    return ["Config/domains", "domains"].first { !isMissing($0) } ?? "Config/domains"
  }

  /// Returns the paths of the files of expectations in a domains folder, or of the file of
  /// expectations that belongs to an association file.
  static func cases(for file: String) -> [String] {
    guard let names = try? listDirectory(file) else {
      return [FilesBeside(file).cases].filter { !isMissing($0) }
    }
    return names.filter { $0.hasSuffix(".cases") && !$0.hasPrefix(".") }.sorted()
      .map { file + "/" + $0 }
  }
}

/// Returns the domain to which a file of expectations belongs: `example.com` for the path
/// `example.com.cases`.
func domainOfCases(_ path: String) -> DomainName? {
  guard let name = path.split(separator: "/").last, name.hasSuffix(".cases") else { return nil }
  return DomainName(entryName: String(name.dropLast(6)))
}
