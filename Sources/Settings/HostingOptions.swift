/// The options for reading and serving the domains folder and the certificates folder.
package struct HostingOptions: Sendable {
  /// The way in which the server finds changes of files.
  package enum Watch: String, Sendable, CaseIterable {
    /// Finds changes by kernel events, and by polling where the kernel reports no events.
    case auto
    /// Finds changes only by polling.
    case poll
  }

  /// The parts of an unsigned association file that the server leaves out of its responses.
  package enum Minification: String, Sendable, CaseIterable {
    /// Leaves out nothing: the server sends files byte for byte.
    case off
    /// Leaves out white space between values.
    case whitespace
    /// Leaves out white space between values, and members that contain only comments for people.
    case comments
  }

  /// The domains folder.
  package var domains = "domains"
  /// The certificates folder; nil if the server reads no certificates from such a folder.
  package var certificates: String?
  /// The folder of automatic certificates; nil if the server uses no automatic certificates.
  package var issuedCertificates: String?
  /// The folder with one file for each revoked certificate. The certificate's fingerprint is the
  /// file's name. Nil if there is no such folder.
  package var revocations: String?
  /// Whether the issuer on this machine gets the automatic certificates. If so, the issuer checks
  /// these certificates and reports their faults.
  package var areCertificatesIssuedHere = false
  /// Whether the user set the path of the certificates folder. If so, it is a fault if the folder
  /// is missing.
  package var isCertificatesFolderExpected = false
  /// The aliases. For requests to `from`, the server uses the files of `to`.
  package var aliases: [(from: DomainName, to: String)] = []
  /// The hosts for which the entry `_default` may answer; empty if it may answer for all hosts.
  package var allowedHosts: [DomainName] = []
  /// The name of the certificate for clients that send an unknown host name or no host name.
  package var defaultCertificate = "default"
  /// Whether the user set the name of the default certificate. If so, it is a fault if that
  /// certificate is missing.
  package var isDefaultCertificateExpected = false
  /// The server warns about a certificate that expires within this number of days.
  package var certificateWarningDays = 14
  /// The value of the field `Cache-Control`.
  package var cacheControl = "public, max-age=3600"
  /// Milliseconds between two changes of the TLS ticket keys. A ticket that was issued before a
  /// change stays valid until the next change.
  package var ticketRotation: Int64 = 12 * 60 * 60 * 1000
  package var watch = Watch.auto
  /// The number of threads that read files; nil to use one thread for each processor.
  package var threads: Int?
  package var minification = Minification.off
  /// The server continues to serve a missing file for at least this number of milliseconds.
  package var withdrawAfter: Int64 = 5_000
  /// The state folder, which keeps served versions for the next start; nil if the server has no
  /// such folder.
  package var state: String?
  /// Whether an operator can confirm a held change. Confirming requires a state folder.
  package var canConfirm: Bool { state != nil }
  /// The well-known files from the settings. Each of these files is added to the table of served
  /// files, or replaces the file with the same name in the table.
  package var wellKnown: [WellKnownFile] = [] {
    didSet { wellKnownFiles = WellKnownFiles(adding: wellKnown) }
  }
  /// The table of served files: the built-in rows, and the rows from `wellKnown`.
  package private(set) var wellKnownFiles = WellKnownFiles.usual
  /// Whether to refuse a file that does not meet the host's expectations, even if the server has no
  /// better version of the file.
  package var requiresExpectations = false
  /// Several threads call this function to report progress while the whole domains folder is read.
  /// The arguments are the number of entries read since the last call, and the total number of
  /// entries.
  package var progress: (@Sendable (Int, Int) -> Void)?
  /// Like `progress`, but with numbers of certificates instead of entries. Called while all
  /// certificates are read for the first time.
  package var certificateProgress: (@Sendable (Int, Int) -> Void)?

  package init() {}
}
