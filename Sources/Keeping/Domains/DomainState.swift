internal import Catalog
internal import Diagnostics
internal import JSON

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

/// A file that is ready to be served.
struct MadeFile: Sendable {
  let content: Content
  /// Seconds since 1970.
  let lastModified: Int64
}

/// The result of reading one domain and checking its files.
struct DomainReading: Sendable {
  /// The file names of the domain when it was read; nil if nothing was read.
  var entry: DomainFolder.Entry?
  /// The path of each file that was found, valid or not, by the file's number in `WellKnownFiles`.
  var paths = ByFile<String>()
  var hostsPath: String?
  /// The findings about the files. Missing files are omitted.
  var files = ByFile<FileFinding<MadeFile>>()
  /// The association file that was read, if there is a page; otherwise nil. The association file
  /// determines which links get the page.
  var association: Document?
  var cases: [(path: String, finding: FileFinding<SourceText>)] = []
  var hosts = FileFinding<HostsFile>.absent
  /// Faults that do not prevent the files from being served.
  var warnings: [Diagnostic] = []
  /// Notes that are reported once and are not problems.
  var notes: [Diagnostic] = []
  /// Whether a file is usable, but has not been checked against all rules yet.
  var needsJudging = false
  /// Whether a check of the files would exceed the limits in `Turn`. If so, no decision is made
  /// about the domain yet.
  var isExpensive = false
  /// The codes of the diagnostics that the policy file `.aasa.json` tells the server to ignore.
  var ignored: Set<String> = []
  var facts = DomainFacts()
  /// Milliseconds until the last line of a list of hosts is used, if that line has no line end. The
  /// value is 0 if the line is used now.
  var openLinePause: Int64 = 0
  /// A hash of the contents that have errors. If the hash changes, the faults are reported again.
  var refusedContent = 0

  /// Whether the domain has expectations or a list of hosts. Few domains have either.
  var hasLists: Bool {
    if case .absent = hosts { !cases.isEmpty } else { true }
  }

  /// Whether a file has a fault. Also true if the domain has expectations or a list of hosts,
  /// because these may have faults.
  var hasFaults: Bool {
    !warnings.isEmpty || hasLists
      || files.all.contains {
        if case .usable = $0.value { false } else { true }
      }
  }
}
