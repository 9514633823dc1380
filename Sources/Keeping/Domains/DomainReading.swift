internal import Catalog
internal import Diagnostics
internal import JSON

/// A file that is ready to be served.
struct MadeFile: Sendable {
  let content: Content
  /// Seconds since 1970.
  let lastModified: Int64
}

/// The result of reading one domain and checking its files.
struct DomainReading: Sendable {
  /// The file names of the domain; nil if they were not looked up.
  var entry: DomainFolder.Entry?
  /// The paths of all files that were found, including invalid files, by their numbers in
  /// `WellKnownFiles`.
  var paths = ByFile<String>()
  var hostsPath: String?
  /// The findings about the files. Missing files are omitted.
  var files = ByFile<FileFinding<MadeFile>>()
  /// The association file that was read, which determines the links that get the page; nil if there
  /// is no page.
  var association: Document?
  var cases: [(path: String, finding: FileFinding<SourceText>)] = []
  var hosts = FileFinding<HostsFile>.absent
  /// Faults that do not prevent the files from being served.
  var warnings: [Diagnostic] = []
  /// Notes that are reported once and are not problems.
  var notes: [Diagnostic] = []
  /// Whether a file can be used, but has not been checked against all rules yet.
  var needsJudging = false
  /// Whether checking the files would exceed the limit `Turn`. If so, nothing is decided yet.
  var isExpensive = false
  /// The codes of the diagnostics that the policy file `.aasa.json` tells the server to ignore.
  var ignored: Set<String> = []
  var facts = DomainFacts()
  /// Milliseconds until the last line of the list is used although it has no line end; 0 if the
  /// line is used now.
  var openLinePause: Int64 = 0
  /// A hash of the contents that have errors. If the hash changes, the faults are reported again.
  var refusedContent = 0

  /// Whether the domain has expectations or a list of hosts. Few domains have either.
  var hasLists: Bool {
    if case .absent = hosts { !cases.isEmpty } else { true }
  }

  /// Whether a file has a fault, or there are expectations or a list of hosts, which may have
  /// faults.
  var hasFaults: Bool {
    !warnings.isEmpty || hasLists
      || files.all.contains {
        if case .usable = $0.value { false } else { true }
      }
  }

  /// Whether part of the domain could not be read.
  var hasUnreadable: Bool {
    hosts.isUnreadable || cases.contains { $0.finding.isUnreadable }
      || files.all.contains { $0.value.isUnreadable }
  }
}

extension DomainReading {
  /// Treats the files that are served as unreadable instead of absent, because their removal was
  /// probably a mistake.
  mutating func hide(by fault: Diagnostic, _ state: DomainState) {
    warnings = []
    facts.isFolderClosed = true
    for (number, _) in state.files.all { files[number] = .unreadable(fault) }
  }
}
