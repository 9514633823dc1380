/// What is hosted, and how.
package struct HostingOptions: Sendable {
  /// How changes are found.
  package enum Watch: String, Sendable, CaseIterable {
    /// The kernel tells of them; where it cannot, files are read again and again.
    case auto
    /// Files are read again and again.
    case poll
  }

  /// What is left out of plain JSON association files when they are served.
  package enum Minification: String, Sendable, CaseIterable {
    /// Nothing: they go out byte for byte as they are on disk.
    case off
    /// White space between values.
    case whitespace
    /// White space between values, and comments for people.
    case comments
  }

  /// The domains folder.
  package var domains = "domains"
  /// The certificates folder; nil without HTTPS.
  package var certificates: String?
  /// The user named the folder, so that its absence is a mistake.
  package var isCertificatesFolderExpected = false
  /// Each with the host that it stands for.
  package var aliases: [(from: DomainName, to: String)] = []
  /// The hosts that the entry `_default` may stand for; empty for all.
  package var allowedHosts: [DomainName] = []
  /// The certificate for clients that name no host, or an unknown one.
  package var defaultCertificate = "default"
  /// The user named it, so that its absence is a mistake.
  package var isDefaultCertificateExpected = false
  /// Days before the end of a certificate from which on it is warned of.
  package var certificateWarningDays = 14
  /// The value of the field `Cache-Control`.
  package var cacheControl = "public, max-age=3600"
  /// Milliseconds between two changes of the ticket keys: tickets made just before a change are
  /// good for one more lifetime of their key.
  package var ticketRotation: Int64 = 12 * 60 * 60 * 1000
  package var watch = Watch.auto
  /// How many threads read; nil for one on each processor.
  package var threads: Int?
  package var minification = Minification.off
  /// Milliseconds for which a file must be missing before its answer is withdrawn.
  package var withdrawAfter: Int64 = 5_000
  /// A file that breaks its own expectations is refused even when nothing better is known.
  package var requiresExpectations = false
  /// Called while the domains folder is read whole, from several threads: so many more entries were
  /// read, of so many.
  package var progress: (@Sendable (Int, Int) -> Void)?
  /// The same of very many certificates, when they are first read.
  package var certificateProgress: (@Sendable (Int, Int) -> Void)?

  package init() {}
}
