internal import Diagnostics
internal import Posix
internal import TLS

/// What came of reading one certificate's files.
struct LoadedCertificate {
  /// Nil when it cannot be served.
  var certificate: Certificate?
  var diagnostics: [Diagnostic] = []
  /// The SHA-256 digests of the files, one after the other: the same for the same content.
  var contentDigest: [UInt8] = []
  /// Stands for identity, size, times and mode of the files when they were read.
  var fingerprint = 0
}

/// Reads the files of certificates.
struct CertificateReader {
  /// The certificates folder.
  let root: String
  /// How a file is read; another one in tests.
  var read: (String, Int) throws(SystemError) -> FileContent = {
    (path, limit) throws(SystemError) in try readContent(path, limit: limit)
  }

  /// Reads and judges a certificate. Never fails: what is wrong is in the result.
  func load(
    _ entry: CertificateFolder.Entry, _ conditions: CertificateFile.Conditions
  ) -> LoadedCertificate {
    var loaded = LoadedCertificate()
    // Before the reading: what changes in between is then seen as a change.
    loaded.fingerprint = fingerprint(of: entry)
    var files: [(path: String, bytes: [UInt8])] = []
    var mode: UInt32?
    for file in entry.files {
      let path = root + "/" + file
      do throws(SystemError) {
        // Of a longer file one byte more is read, by which the inspection knows it.
        let content = try read(path, Limits.pemFileBytes)
        loaded.contentDigest += Digest.sha256(content.bytes.span)
        // The key's file is the last one.
        mode = content.status.mode
        files.append((path, content.bytes))
      } catch {
        loaded.diagnostics.append(unreadable(path, error))
      }
    }
    if files.count == entry.files.count {
      let inspection = inspect(files, mode: mode, conditions)
      loaded.certificate = inspection.certificate
      loaded.diagnostics += inspection.diagnostics
    }
    for index in files.indices { cleanse(&files[index].bytes) }
    return loaded
  }

  /// In a function of its own, so that nothing else holds the key's bytes when they are overwritten.
  @inline(never)
  private func inspect(
    _ files: [(path: String, bytes: [UInt8])], mode: UInt32?,
    _ conditions: CertificateFile.Conditions
  ) -> CertificateInspection {
    let sources = files.map { SourceText(path: $0.path, bytes: $0.bytes) }
    return CertificateFile(
      chain: sources[0], key: sources.count > 1 ? sources[1] : nil, keyMode: mode
    ).inspect(conditions)
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

  /// The digest that `load` would give now.
  func contentDigest(of entry: CertificateFolder.Entry) -> [UInt8] {
    var digest: [UInt8] = []
    for file in entry.files {
      guard let content = try? read(root + "/" + file, Limits.pemFileBytes) else { continue }
      digest += Digest.sha256(content.bytes.span)
      var bytes = content.bytes
      cleanse(&bytes)
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
