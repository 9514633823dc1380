internal import Diagnostics
internal import Posix
internal import TLS

/// The certificates folder as it is now and as it was last good.
///
/// Belongs to one thread.
struct CertificateLoader {
  /// What a loading changed.
  struct Outcome {
    var hasChanged = false
    /// What there is to tell of the entries that were read and are others than before.
    var diagnostics: [Diagnostic] = []
  }

  let root: String
  private let options: HostingOptions
  private var folderDiagnostics: [Diagnostic] = []

  init(root: String, options: HostingOptions) {
    self.root = root
    self.options = options
  }

  /// Whether there is no certificate that could be served.
  var isEmpty: Bool { true }

  mutating func loadAll() -> Outcome { Outcome() }
  mutating func reload(names: Set<String>) -> Outcome { Outcome() }
  func isStale() -> Bool { false }
  func contentHash() -> Int { 0 }
  var watchedPaths: [(name: String, directories: [String], files: [String])] { [] }

  func material(ticketKeys: TicketKeys, standIn: Certificate?) -> TLSMaterial {
    TLSMaterial.build(
      certificates: [], ticketKeys: ticketKeys, standIn: standIn, now: Clock.wallSeconds())
  }
}
