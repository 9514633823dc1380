internal import Diagnostics
internal import Posix
internal import TLS

/// What came of reading one certificate's files.
struct LoadedCertificate {
  /// Nil when it cannot be served.
  var certificate: Certificate?
  var diagnostics: [Diagnostic] = []
  /// Stands for identity, size, times and mode of the files when they were read.
  var fingerprint = 0
}

/// What came of a first look at one certificate.
struct CertificateLook {
  let certificate: Certificate
  /// As that of `LoadedCertificate`.
  let fingerprint: Int
  /// The permission bits of the file with the key.
  let keyMode: UInt32
}

/// Reads the files of certificates.
struct CertificateReader: Sendable {
  /// The certificates folder.
  let root: String

  /// Reads and judges a certificate. Never fails: what is wrong is in the result.
  func load(
    _ entry: CertificateFolder.Entry, _ conditions: CertificateFile.Conditions
  ) -> LoadedCertificate {
    var loaded = LoadedCertificate()
    guard var contents = contents(of: entry, &loaded, readFile) else { return loaded }
    let inspection = judge(entry, contents) { $0.inspect(conditions) }
    loaded.certificate = inspection.certificate
    loaded.diagnostics += inspection.diagnostics
    erase(&contents)
    return loaded
  }

  /// Reads certificates and judges their outlines, which takes a tenth of the time; nil for those of
  /// which only `load` can tell what there is.
  func firstLooks(
    _ entries: Slice<CertificateEntries>, _ conditions: CertificateFile.FirstLookConditions
  ) -> [CertificateLook?] {
    do throws(SystemError) {
      let directory = try Directory(root)
      var looks: [CertificateLook?] = []
      looks.reserveCapacity(entries.count)
      for entry in entries { looks.append(firstLook(entry, in: directory, conditions)) }
      return looks
    } catch {
      return entries.map { _ in nil }
    }
  }

  private func firstLook(
    _ entry: CertificateFolder.Entry, in directory: borrowing Directory,
    _ conditions: CertificateFile.FirstLookConditions
  ) -> CertificateLook? {
    var loaded = LoadedCertificate()
    let found = contents(of: entry, &loaded) { name throws(SystemError) in
      try directory.readContent(name, limit: Limits.pemFileBytes)
    }
    guard var contents = found else { return nil }
    let certificate = judge(entry, contents) { $0.outlined(conditions) }
    erase(&contents)
    guard let certificate else { return nil }
    return CertificateLook(
      certificate: certificate, fingerprint: loaded.fingerprint, keyMode: contents.mode)
  }

  /// What there is to tell after a first look. Apart from it, so that texts are made one after the
  /// other, not between what is kept.
  func diagnostics(
    of look: CertificateLook, at entry: CertificateFolder.Entry,
    _ conditions: CertificateFile.FirstLookConditions
  ) -> [Diagnostic] {
    let contents = Contents(bytes: entry.files.map { _ in [] }, mode: look.keyMode)
    return judge(entry, contents) { $0.seenAtFirst(of: look.certificate, conditions) }
  }

  private func readFile(_ name: String) throws(SystemError) -> FileContent {
    // Of a longer file one byte more is read, by which the inspection knows it.
    try readContent(root + "/" + name, limit: Limits.pemFileBytes)
  }

  /// What the files of an entry hold, the key's last.
  private struct Contents {
    var bytes: [[UInt8]] = []
    /// The permission bits of the last file.
    var mode: UInt32 = 0
  }

  /// Nil, with diagnostics, when any of the files cannot be read.
  private func contents(
    of entry: CertificateFolder.Entry, _ loaded: inout LoadedCertificate,
    _ read: (String) throws(SystemError) -> FileContent
  ) -> Contents? {
    var contents = Contents()
    var hasher = Hasher()
    for file in entry.files {
      do throws(SystemError) {
        let content = try read(file)
        // From before the reading: what changes in between is then seen as a change.
        add(content.status, to: &hasher)
        contents.mode = content.status.mode
        contents.bytes.append(content.bytes)
      } catch {
        loaded.diagnostics.append(unreadable(root + "/" + file, error))
      }
    }
    if contents.bytes.count == entry.files.count {
      loaded.fingerprint = hasher.finalize()
      return contents
    }
    erase(&contents)
    loaded.fingerprint = fingerprint(of: entry)
    return nil
  }

  /// In a function of its own, so that nothing else holds the key's bytes when they are overwritten.
  @inline(never)
  private func judge<Judgement>(
    _ entry: CertificateFolder.Entry, _ contents: Contents,
    _ body: (CertificateFile) -> Judgement
  ) -> Judgement {
    let sources = zip(entry.files, contents.bytes).map {
      SourceText(path: root + "/" + $0, bytes: $1)
    }
    return body(
      CertificateFile(
        chain: sources[0], key: sources.count > 1 ? sources[1] : nil, keyMode: contents.mode))
  }

  private func erase(_ contents: inout Contents) {
    for index in contents.bytes.indices { cleanse(&contents.bytes[index]) }
  }

  /// The fingerprint that `load` would give now: differs when a file may have changed since.
  func fingerprint(of entry: CertificateFolder.Entry) -> Int {
    var hasher = Hasher()
    for file in entry.files {
      if let status = try? status(root + "/" + file), status.kind == .regular {
        add(status, to: &hasher)
      }
    }
    return hasher.finalize()
  }

  /// Whether any of an entry's files is a folder, or leads to one.
  func leadsToFolder(_ entry: CertificateFolder.Entry) -> Bool {
    entry.files.contains { (try? status(root + "/" + $0))?.kind == .directory }
  }

  /// The digest that `load` would give now.
  func contentDigest(of entry: CertificateFolder.Entry) -> [UInt8] {
    var digest: [UInt8] = []
    for file in entry.files {
      guard var content = try? readFile(file) else { continue }
      digest += Digest.sha256(content.bytes.span)
      // Where they are: a copy would leave them behind.
      cleanse(&content.bytes)
    }
    return digest
  }

  private func add(_ status: FileStatus, to hasher: inout Hasher) {
    hasher.combine(status.device)
    hasher.combine(status.inode)
    hasher.combine(status.size)
    hasher.combine(status.modified)
    hasher.combine(status.changed)
    hasher.combine(status.mode)
  }

  private func unreadable(_ path: String, _ error: SystemError) -> Diagnostic {
    let help: String
    if error.isNotFound || error.isLinkLoop {
      help = "the symbolic link leads nowhere: mend or remove it"
    } else if error.isPermissionDenied {
      help =
        "let the server's user read it, for example \"chgrp GROUP\" and \"chmod 640\"; certbot's "
        + "folders live and archive must be searchable too"
    } else {
      help = "replace it with a regular file"
    }
    return Diagnostic(
      .error, code: "T034", "the file cannot be read: \(error.reason)", at: .init(path: path),
      help: help)
  }
}
