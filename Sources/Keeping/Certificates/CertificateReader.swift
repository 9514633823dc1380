internal import Diagnostics
internal import Posix
internal import TLS

/// Reads the files of certificates, on any thread.
struct CertificateReader: Sendable {
  /// The path of the certificates folder.
  let root: String
  let conditions: CertificateFile.Conditions

  /// The result of reading the files of one certificate.
  struct Reading: Settling, Sendable {
    var finding = FileFinding<Certificate>.absent
    /// Faults that do not prevent the certificate from being served.
    var warnings: [Diagnostic] = []
    /// A hash of the statuses of the certificate's files. The hash changes if a file changes.
    var identity = 0
    /// For each file that is a link, the folder of the link's target.
    var linkedFolders: [String] = []
    var settlingTime: Int64 = 0
    var doubtfulTime: Int64 = 0
    /// Whether a file has disappeared since the folder was listed.
    var isGone = false
    /// Whether it is certain or unknown that the certificate is missing. Nil if the search found
    /// the certificate.
    var absence: Absence?

    enum Absence: Sendable {
      case proven
      case unknown
    }
  }

  /// Reads and checks a certificate. The result includes all faults.
  ///
  /// - Parameters:
  ///   - directory: The certificates folder.
  ///   - isSettled: Whether the files are completely written, or have been changing for too long.
  func read(
    _ entry: CertificateFolder.Entry, in directory: borrowing Directory, isSettled: Bool
  ) -> Reading {
    var reading = Reading()
    var hasher = Hasher()
    var contents: [[UInt8]] = []
    var keyMode: UInt32 = 0
    // Overwrite the contents in place, because overwriting a copy would leave the key in memory.
    defer { for index in contents.indices { cleanse(&contents[index]) } }
    for file in entry.files {
      let path = root + "/" + file
      if case .link(let target) = directory.find(file) {
        reading.linkedFolders.append(parentFolder(targetPath(target, ofLink: path)))
      }
      do throws(SystemError) {
        let content = try directory.readContent(file, limit: TLSLimits.pemFileBytes)
        reading.noteSettlingTime(of: content, isSettled: isSettled)
        if content.isCut { throw .cut(path) }
        hasher.combine(content.status)
        keyMode = content.status.mode
        contents.append(content.bytes)
      } catch {
        hasher.addIdentity(of: file, in: directory)
        // Not even a broken link exists at the path.
        if error.isNotFound && isMissing(path, followingLinks: false) {
          reading.settlingTime = ObservationLimits.settlingTime
          reading.isGone = true
        }
        if case .unreadable = reading.finding { continue }
        let isKey = file == entry.key ?? entry.chain
        reading.finding = .unreadable(
          unreadableDiagnostic(
            "the file", .certificateFileUnreadable, path, error, isSecret: isKey))
      }
    }
    reading.identity = hasher.finalize()
    if contents.count < entry.files.count || reading.settlingTime > 0 && !isSettled {
      return reading
    }
    take(inspect(entry, contents, keyMode), &reading)
    return reading
  }

  /// Parses and checks the contents of the files. This is a separate function, so that no variable
  /// except `contents` contains the key's bytes when `read` overwrites them.
  @inline(never)
  private func inspect(
    _ entry: CertificateFolder.Entry, _ contents: [[UInt8]], _ keyMode: UInt32
  ) -> CertificateInspection {
    let sources = zip(entry.files, contents).map { SourceText(path: root + "/" + $0, bytes: $1) }
    return CertificateFile(
      chain: sources[0], key: sources.count > 1 ? sources[1] : nil, keyMode: keyMode
    ).read(conditions)
  }

  private func take(_ inspection: CertificateInspection, _ reading: inout Reading) {
    reading.warnings = inspection.diagnostics
    let first = reading.warnings.firstIndex { $0.severity == .error }
    let fault = first.map { reading.warnings.remove(at: $0) }
    switch (inspection.certificate, fault) {
    case (let certificate?, nil): reading.finding = .usable(certificate)
    case (let certificate?, let fault?): reading.finding = .flawed(certificate, fault)
    case (nil, let fault?): reading.finding = .unusable(fault)
    case (nil, nil): break
    }
  }

  /// Returns the value that `read` would now return as the identity of the files.
  private func identity(
    of entry: CertificateFolder.Entry, in directory: borrowing Directory
  ) -> Int {
    var hasher = Hasher()
    for file in entry.files { hasher.addIdentity(of: file, in: directory) }
    return hasher.finalize()
  }
}

extension CertificateReader: KeptReader {
  /// A certificate to read.
  struct Task: Sendable {
    let entry: CertificateFolder.Entry
    let asking: Asking<CertificateClue>
    /// The identity of the certificate's files at the last read; see
    /// `CertificateReader.Reading.identity`.
    let identity: Int
    /// Whether the files are completely written, or have been changing for too long.
    let isSettled: Bool
  }

  func path(of task: Task) -> String { "\(root)/\(task.entry.chain)" }

  func isUnreadable(_ reading: Reading) -> Bool { reading.finding.isUnreadable }

  func answer(_ task: Task, in directory: borrowing Directory, _ shared: inout Void?) -> Reading? {
    let path = path(of: task)
    switch task.asking {
    case .read: break
    case .compare: if identity(of: task.entry, in: directory) == task.identity { return nil }
    case .find(.hidden): return Reading(absence: .unknown)
    // A search can miss an existing file if the file is replaced during the search, so look for the
    // file again.
    case .find(.missing(let isFolderGone)):
      let isThere = !isFolderGone && !isMissing(path, followingLinks: false)
      return Reading(absence: isThere ? .unknown : .proven)
    case .find(.keyIsLeft(let key, let isNamed)):
      let identity = identity(of: task.entry, in: directory)
      if identity == task.identity && !isNamed { return nil }
      return Reading(
        finding: .unusable(.chainMissing(path, key: root + "/" + key)), identity: identity)
    }
    return read(task.entry, in: directory, isSettled: task.isSettled)
  }
}

extension Diagnostic {
  /// The fault that a chain is missing while its key still exists. Such a chain is treated as
  /// unreadable, not as missing.
  fileprivate static func chainMissing(_ path: String, key: String) -> Diagnostic {
    Diagnostic(
      .certificateFileUnreadable,
      "the certificate file is missing, but its key \(key) still exists",
      at: .init(path: path), help: "put the file back, or remove the key too")
  }
}
