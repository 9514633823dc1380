internal import Diagnostics

/// A file that is ready to be served.
struct MadeFile: Sendable {
  let content: Content
  /// Seconds since 1970.
  let lastModified: Int64
}

/// What one look at a domain gave, after its contents were judged.
struct DomainReading: Sendable {
  /// Where the files were found, whatever their contents.
  struct Paths {
    var association: String?
    var assetLinks: String?
    var hosts: String?
  }

  var paths = Paths()
  var association = Finding<MadeFile>.absent
  var assetLinks = Finding<MadeFile>.absent
  var cases: [(path: String, finding: Finding<SourceText>)] = []
  var hosts = Finding<HostsFile>.absent
  /// What is wrong besides; it keeps nothing from being served.
  var warnings: [Diagnostic] = []
  /// The association file can be used, and the rules have still to run on it.
  var needsJudging = false
  /// Codes that `.aasa.json` beside the association file leaves out.
  var ignored: Set<String> = []
  /// See `DomainSight`.
  var isFolderClosed = false
  var places = DomainPlaces()
  var identity = 0
  var unrest: Int64 = 0
  /// A number for contents that cannot be served, so that another faulty version is reported too.
  var refusedContent = 0

  /// Whether something of the domain could not be read.
  var hasUnreadable: Bool {
    association.isUnreadable || assetLinks.isUnreadable || hosts.isUnreadable
      || cases.contains { $0.finding.isUnreadable }
  }
}
