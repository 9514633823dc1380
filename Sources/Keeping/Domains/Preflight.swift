internal import Catalog
package import Diagnostics
internal import DigitalAssetLinks
package import Posix
internal import Rules
internal import Settings

/// The files that `aasa serve` would serve from a domains folder, with diagnostics. Omits the
/// diagnostics of rules, because `aasa validate` runs the rules separately.
package struct Preflight: Sendable {
  /// A file that `aasa validate` does not check separately, with the faults of the file.
  package struct OtherFile: Sendable {
    package let path: String
    package var diagnostics: [Diagnostic]
  }

  /// The paths of the association files that would be served, sorted by host.
  package private(set) var associations: [String] = []
  package private(set) var assetLinks: [String] = []
  /// The paths of the other well-known files for which `aasa` has rules.
  package private(set) var judged: [String] = []
  package private(set) var others: [OtherFile] = []
  /// Faults of names and folders.
  package private(set) var diagnostics: [Diagnostic] = []

  /// Reads and checks the files in a domains folder. Throws if the folder cannot be read.
  package init(_ folder: String) throws(SystemError) {
    let domains = try DomainListing(folder).folder
    diagnostics = domains.diagnostics
    let reader = DomainReader(
      observer: DomainObserver(root: folder), maker: ContentMaker(cacheControl: ""))
    let entries = domains.entries.values.sorted { $0.name.description < $1.name.description }
    let tasks = entries.map { DomainReader.Task(entry: $0, isSettled: true, depth: .usability) }
    // Read the domains in batches, so that only the files of one batch are in memory.
    for start in stride(from: 0, to: tasks.count, by: Self.batch) {
      let batch = Array(tasks[start..<min(start + Self.batch, tasks.count)])
      for reading in try Self.read(batch, reader) {
        add(reading, page: reader.observer.wellKnown.page)
      }
    }
  }

  private static let batch = 1024

  private static func read(
    _ tasks: [DomainReader.Task], _ reader: DomainReader
  ) throws(SystemError) -> [DomainReading] {
    let results = inParallel(
      tasks.count, slice: LoadingLimits.slice, threads: availableProcessors()
    ) { range in
      Result { () throws(SystemError) in
        let root = try Directory(reader.observer.root)
        var shared: DomainReader.Policy?
        return tasks[range].compactMap { reader.answer($0, in: root, &shared) }
      }
    }
    var readings: [DomainReading] = []
    for result in results { readings += try result.get() }
    return readings
  }

  /// - Parameter page: The number of the page for people without the app.
  private mutating func add(_ reading: DomainReading, page: Int) {
    var files = [reading.hostsPath].compactMap(\.self) + reading.cases.map(\.path)
    var found = reading.warnings + reading.notes + [reading.hosts.fault].compactMap(\.self)
    for (number, path) in reading.paths.all {
      let fault = reading.files[number]?.fault
      // For association files and `assetlinks.json`, include only the faults that `aasa validate`
      // does not find.
      switch number {
      case WellKnownFiles.association:
        associations.append(path)
        if let fault, expectationKinds.contains(fault.kind) { found.append(fault) }
      case WellKnownFiles.assetLinks:
        assetLinks.append(path)
        if let fault, hostingKinds.contains(fault.kind) { found.append(fault) }
      default:
        if isJudged(path) { judged.append(path) } else { files.append(path) }
        if let fault { found.append(fault) }
      }
    }
    if reading.files[page]?.version != nil, let path = reading.paths[WellKnownFiles.association],
      let file = reading.files[WellKnownFiles.association]?.version,
      let fault = PageMatch(file.content, reading.association, path: path).fault
    {
      found.append(fault)
    }
    others += files.map { OtherFile(path: $0, diagnostics: []) }
    // If `aasa validate` checks a file separately, remove the faults in the file's content.
    found.removeAll { fault in
      fault.location.map { isJudged($0.path) && !isOfPlace(fault) } ?? false
    }
    for diagnostic in found {
      let path = diagnostic.location?.path
      if let index = others.lastIndex(where: { $0.path == path }) {
        others[index].diagnostics.append(diagnostic)
      } else {
        diagnostics.append(diagnostic)
      }
    }
  }
}

/// Whether a fault is about a file's name, place or size, not about its content.
private func isOfPlace(_ fault: Diagnostic) -> Bool {
  fault.isOf(
    .hostedFileUnreadable, .nameNotOfAHost, .twoEntriesForHost, .twoPlacesDiffer,
    .entryWithoutFile, .assetLinksTooLarge)
}

private func isJudged(_ path: String) -> Bool {
  path.split(separator: "/").last.flatMap { JudgedFile(rawValue: String($0)) } != nil
}

/// Whether a folder looks like a domains folder: at least one name is an entry for a domain, and
/// every name could belong to an entry.
package func looksLikeDomains(_ folder: String, names: [(name: String, isDirectory: Bool)]) -> Bool
{
  let domains = DomainFolder(path: folder, names: names)
  if domains.diagnostics.contains(where: { $0.isOf(.nameNotOfAHost) }) { return false }
  return domains.entries.values.contains { entry in
    guard entry.file != nil || entry.assetLinksFile != nil else { return false }
    guard case .host(let host) = entry.name else { return true }
    return entry.hostsFile != nil
      || host.contains(".") && !host.hasPrefix("tsconfig.") && !host.hasPrefix("jsconfig.")
  }
}
