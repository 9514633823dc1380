internal import AppSiteAssociation
internal import Diagnostics
internal import Posix
internal import TLS

/// What was found in one entry of the domains folder, before it is decided what is served.
struct DomainReading {
  /// What became of reading one of the entry's files.
  enum File {
    case absent
    case good(bytes: [UInt8], kind: ContentKind, lastModified: Int64)
    case refused(Diagnostic)
  }

  var association = File.absent
  var assetLinks = File.absent
  /// Warnings about the entry; the reason of a refusal is with the file.
  var warnings: [Diagnostic] = []
  /// See `DomainReader.fingerprint(of:)`.
  var fingerprint = 0
}

/// Reads the files of entries.
struct DomainReader {
  /// The domains folder.
  let root: String
  var minification = HostingOptions.Minification.off

  /// The largest `assetlinks.json`; Google publishes no limit, and real ones are small.
  static let assetLinksBytes = 1 << 20

  /// The paths at which an entry may have its files, the one that wins first.
  struct Candidates {
    var association: [String] = []
    var assetLinks: [String] = []
    /// Expectations of the association file; all that exist count.
    var cases: [String] = []

    var all: [String] { association + assetLinks + cases }
  }

  func candidates(of entry: DomainFolder.Entry) -> Candidates {
    var result = Candidates()
    if let file = entry.file { result.association.append("\(root)/\(file)") }
    if let file = entry.assetLinksFile { result.assetLinks.append("\(root)/\(file)") }
    if let file = entry.file, file.lowercased().hasSuffix(".json") {
      result.cases.append("\(root)/\(file.dropLast(5)).cases")
    }
    if let folder = entry.folder {
      let beside = "\(root)/\(folder).cases"
      if !result.cases.contains(beside) { result.cases.append(beside) }
      for place in ["\(root)/\(folder)/.well-known", "\(root)/\(folder)"] {
        result.association.append(place + "/apple-app-site-association")
        result.assetLinks.append(place + "/assetlinks.json")
        result.cases += [
          place + "/apple-app-site-association.cases", "\(place)/\(folder).cases",
        ]
      }
    }
    return result
  }

  /// Reads all files of an entry. Never fails: what is wrong is in the result.
  func read(_ entry: DomainFolder.Entry) -> DomainReading {
    var reading = DomainReading()
    // Before the contents: what changes in between is seen as a change later.
    reading.fingerprint = fingerprint(of: entry)
    let paths = candidates(of: entry)
    reading.association = readFirst(
      of: paths.association, limit: AppleLimits.fileBytes, into: &reading
    ) { content, source, reading in
      judge(content, source, cases: paths.cases, into: &reading)
    }
    reading.assetLinks = readFirst(
      of: paths.assetLinks, limit: Self.assetLinksBytes, into: &reading
    ) { content, source, _ in
      if content.isTruncated {
        return .refused(
          Diagnostic(
            .error, code: "H009", "the file is over \(Self.assetLinksBytes) bytes",
            at: .init(path: source.path), help: "make it smaller"))
      }
      return assetLinksFault(in: source).map { .refused($0) } ?? .good(content, .assetLinks)
    }
    if case .absent = reading.association, case .absent = reading.assetLinks {
      reading.warnings.append(emptyEntry(entry))
    }
    return reading
  }

  /// Runs the rules, then the expectations. An error refuses the file, for devices could not use it,
  /// and so does a file that breaks its own expectations; warnings are told.
  private func judge(
    _ content: FileContent, _ source: SourceText, cases: [String],
    into reading: inout DomainReading
  ) -> DomainReading.File {
    var options = ValidationOptions()
    options.limit = Self.warnings
    options.includesNotes = false
    // The signature is not judged: iOS 9 and later need none. What was signed is.
    options.signedContent = { source in
      (try? CMS.content(of: source.bytes)).map { SignedContent(bytes: $0, diagnostics: []) }
    }
    let report = validate(source, options: options)
    if let fault = report.diagnostics.first(where: { $0.severity == .error }) {
      return .refused(fault)
    }
    let broken = brokenExpectations(cases, source, report.form)
    if let first = broken.first {
      reading.warnings += broken.dropFirst()
      return .refused(first)
    }
    reading.warnings += report.diagnostics
    if report.form == .signed { return .good(content, .signedAssociation) }
    return .good(
      bytes: served(source), kind: .association, lastModified: content.status.modifiedSeconds)
  }

  /// The bytes that go out for a plain JSON association file.
  private func served(_ source: SourceText) -> [UInt8] {
    if minification == .off { return source.bytes }
    return minified(source, strippingComments: minification == .comments) ?? source.bytes
  }

  /// How many warnings of one file are told; `aasa validate` tells all.
  private static let warnings = 10

  /// Stands for the identity, size and times of all files of an entry: differs from that of its
  /// reading when a file may have changed since.
  func fingerprint(of entry: DomainFolder.Entry) -> Int {
    var hasher = Hasher()
    let paths = candidates(of: entry)
    for path in paths.all {
      if let status = try? status(path), status.kind == .regular { add(status, to: &hasher) }
    }
    return hasher.finalize()
  }

  /// A hash of what the entry's files hold now.
  func contentHash(of entry: DomainFolder.Entry) -> Int {
    var hasher = Hasher()
    let paths = candidates(of: entry)
    for path in paths.all {
      let bytes = (try? readContent(path, limit: CaseLimits.fileBytes))?.bytes
      hasher.combine(bytes.map { Digest256(Digest.sha256($0.span)) })
    }
    return hasher.finalize()
  }

  private func add(_ status: FileStatus, to hasher: inout Hasher) {
    hasher.combine(status.device)
    hasher.combine(status.inode)
    hasher.combine(status.size)
    hasher.combine(status.modified)
    hasher.combine(status.changed)
  }

  /// Reads every candidate that exists; the first one counts, another with other bytes is warned of.
  private func readFirst(
    of paths: [String], limit: Int, into reading: inout DomainReading,
    judge: (FileContent, SourceText, inout DomainReading) -> DomainReading.File
  ) -> DomainReading.File {
    var first: (path: String, bytes: [UInt8])?
    var result = DomainReading.File.absent
    for path in paths {
      do throws(SystemError) {
        let content = try readContent(path, limit: limit)
        if let first {
          if first.bytes != content.bytes { reading.warnings.append(differs(path, first.path)) }
          continue
        }
        first = (path, content.bytes)
        result = judge(content, SourceText(path: path, bytes: content.bytes), &reading)
      } catch {
        if error.isNotFound && !isBehindDanglingLink(path) { continue }
        if first == nil {
          first = (path, [])
          result = .refused(unreadable(path, error))
        }
      }
    }
    return result
  }

  /// Whether a symbolic link on the way from the domains folder to `path`, or there, leads nowhere.
  /// Then it is not known whether there is a file: the link may be about to be replaced.
  private func isBehindDanglingLink(_ path: String) -> Bool {
    var part = root
    for name in path.dropFirst(root.count).split(separator: "/") {
      part += "/" + name
      if readLink(part) != nil && (try? status(part)) == nil { return true }
    }
    return false
  }

  private func differs(_ path: String, _ winner: String) -> Diagnostic {
    Diagnostic(
      .warning, code: "H006", "this file differs from \(winner), which is served instead",
      at: .init(path: path), help: "make them the same, or remove one")
  }

  private func unreadable(_ path: String, _ error: SystemError) -> Diagnostic {
    let help: String
    if error.isNotFound || error.isLinkLoop {
      help = "the symbolic link leads nowhere: mend or remove it"
    } else if error.isPermissionDenied {
      help = "let the server's user read it and search its folders, for example chmod a+r"
    } else {
      help = "replace it with a regular file"
    }
    return Diagnostic(
      .error, code: "H003", "the file cannot be read: \(error.reason)", at: .init(path: path),
      help: help)
  }

  private func emptyEntry(_ entry: DomainFolder.Entry) -> Diagnostic {
    let folder = entry.folder ?? ""
    let path = "\(root)/\(folder)"
    var help = "put the file apple-app-site-association into it or into its folder .well-known"
    for place in [path, path + "/.well-known"] {
      let wrong = place + "/apple-app-site-association.json"
      if (try? status(wrong)) != nil { help = "rename \(wrong): the file's name has no extension" }
    }
    return Diagnostic(
      .warning, code: "H008", "the folder holds no association file", at: .init(path: path),
      help: help)
  }
}

extension DomainReading.File {
  fileprivate static func good(_ content: FileContent, _ kind: ContentKind) -> Self {
    .good(bytes: content.bytes, kind: kind, lastModified: content.status.modifiedSeconds)
  }
}
