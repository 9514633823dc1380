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
  /// Only for a list of hosts whose last line has no line end. Milliseconds until the last line is
  /// used; 0 if it is used now.
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

  /// Whether part of the domain could not be read.
  var hasUnreadable: Bool {
    hosts.isUnreadable || cases.contains { $0.finding.isUnreadable }
      || files.all.contains { $0.value.isUnreadable }
  }
}
