internal import Catalog
internal import Diagnostics

/// The state of one domain: its names, its files, and its answers.
///
/// This is a class to save memory. A free slot of a dictionary takes as much memory as a value, and
/// a reference is smaller than a struct.
final class DomainState {
  var entry: DomainFolder.Entry
  var site: Site
  /// The states of the files that can be served.
  var files = ByFile<FileState<ServedFile>>()
  /// Decides which links get the page for people without the app; nil if the domain has no page.
  var page: PageMatch?
  var hosts = FileState<HostsFile>()
  /// The number of consecutive failed reads, and the time of the first of these failed reads, in
  /// milliseconds of the monotonic clock.
  var failures = 0
  var failedSince: Int64 = 0
  /// The states of the expectations, by path. Few domains have expectations.
  var cases: [String: FileState<SourceText>] = [:]
  /// The identity of the domain's files at the last read; see `DomainFacts.identity`. If the
  /// identity is 0, the next scan of the whole folder reads the files again.
  var identity = 0
  /// A hash of the notes that were last reported; see `reportMark`. 0 if there were no notes.
  var notesMark = 0
  var places = FileLocations()

  init(_ entry: DomainFolder.Entry) {
    self.entry = entry
    site = Site(name: entry.name, answers: [])
  }

  /// Whether any file of the domain is missing.
  var isMissing: Bool {
    hosts.isMissing || cases.values.contains(where: \.isMissing)
      || files.all.contains { $0.value.isMissing }
  }

  /// Whether the domain has expectations or a list of hosts. Few domains have either.
  var hasLists: Bool { !cases.isEmpty || hosts.hasAnswer }

  /// Whether the domain has no files to serve in the folder, and no versions of files are served.
  var isGone: Bool { !entry.servesFiles && files.isEmpty }

  /// The answers for the files, in the order in which a `Site` stores them.
  var answers: [Availability] {
    var result: [Availability] = []
    for (number, state) in files.all {
      while result.count < number { result.append(.absent) }
      result.append(state.availability)
    }
    return result
  }

  /// The expectations that apply now, including those whose files went missing recently.
  var rememberedCases: [String: SourceText] { cases.compactMapValues(\.answer.version) }
}

extension FileState<ServedFile> {
  /// The state of the file, as the catalog represents it.
  var availability: Availability {
    switch answer {
    case .absent: .absent
    case .unavailable: .unavailable
    case .version(let file): .served(file)
    }
  }
}
