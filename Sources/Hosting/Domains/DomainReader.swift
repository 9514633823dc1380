internal import AppSiteAssociation
internal import Diagnostics
internal import Posix
internal import TLS

/// Reads the files of entries, on any thread.
struct DomainReader: Sendable {
  /// The domains folder.
  let root: String
  var minification = HostingOptions.Minification.off
  let maker: ContentMaker

  /// What is found out of an association file.
  enum Depth: Sendable {
    /// Whether it can be served.
    case errors
    /// All that is to be told of it.
    case whole
  }

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
  ///
  /// - Parameters:
  ///   - directory: the domains folder.
  ///   - listedCases: the names of expectations in it; nil when they are not known.
  func read(
    _ entry: DomainFolder.Entry, _ depth: Depth, in directory: borrowing Directory,
    listedCases: Set<String>? = nil, _ memory: inout ReadingMemory
  ) -> DomainReading {
    var survey = EntrySurvey(root: root)
    survey.take(entry, in: directory, listedCases: listedCases, memory)
    var reading = DomainReading()
    reading.fingerprint = survey.fingerprint
    reading.leadsOutside = survey.leadsOutside
    for pair in survey.differing { reading.warnings.append(differs(pair.path, pair.winner)) }
    if let found = survey.association {
      reading.association =
        found.failure.map { .refused(unreadable(found.path, $0)) }
        ?? judge(found, depth, cases: survey.cases, into: &reading, &memory)
      if case .refused = reading.association { reading.refusedContent ^= found.bytes.hashValue }
    }
    if let found = survey.assetLinks {
      reading.assetLinks =
        found.failure.map { .refused(unreadable(found.path, $0)) } ?? judgeAssetLinks(found)
      if case .refused = reading.assetLinks { reading.refusedContent ^= found.bytes.hashValue }
    }
    if case .absent = reading.association, case .absent = reading.assetLinks {
      reading.warnings.append(emptyEntry(entry))
    }
    return reading
  }

  /// Reads one entry, when it is not one of many.
  func read(_ entry: DomainFolder.Entry, _ depth: Depth = .whole) -> DomainReading {
    var memory = ReadingMemory()
    return read(entry, depth, &memory)
  }

  func read(
    _ entry: DomainFolder.Entry, _ depth: Depth, _ memory: inout ReadingMemory
  ) -> DomainReading {
    do throws(SystemError) {
      return try read(entry, depth, in: Directory(root), &memory)
    } catch {
      var reading = DomainReading()
      reading.association = .refused(unreadable(root, error))
      return reading
    }
  }

  /// Runs the rules, then the expectations. An error refuses the file, for devices could not use it,
  /// and so does a file that breaks its own expectations; warnings are told.
  private func judge(
    _ found: EntrySurvey.Found, _ depth: Depth, cases: [String],
    into reading: inout DomainReading, _ memory: inout ReadingMemory
  ) -> DomainReading.File {
    let source = SourceText(path: found.path, bytes: found.bytes)
    let modified = found.status?.modifiedSeconds ?? 0
    let digest = found.known?.digest ?? ContentMaker.digest(of: found.bytes)
    if let good = found.known ?? memory.good(digest: digest, bytes: found.bytes) {
      if found.known == nil, let status = found.status { memory.remember(good, status) }
      if let refused = refusal(source, .json, cases, into: &reading) { return refused }
      reading.owesWarnings = good.owesWarnings
      reading.ruleWarnings = good.warnings.map { $0.moved(to: found.path) }
      return .good(good.content, lastModified: modified)
    }
    var form: FileForm? = .json
    var warnings: [Diagnostic] = []
    let owesWarnings = depth == .errors && isCertainlyFreeOfErrors(source)
    if !owesWarnings {
      let report = validate(source, options: options)
      if let fault = report.diagnostics.first(where: { $0.severity == .error }) {
        return .refused(fault)
      }
      (form, warnings) = (report.form, report.diagnostics)
    }
    if let refused = refusal(source, form, cases, into: &reading) { return refused }
    reading.owesWarnings = owesWarnings
    reading.ruleWarnings = warnings
    if form == .signed {
      let content = maker.content(of: found.bytes, digest: digest, kind: .signedAssociation)
      return .good(content, lastModified: modified)
    }
    let bytes = served(source)
    let content = maker.content(
      of: bytes, digest: minification == .off ? digest : ContentMaker.digest(of: bytes),
      kind: .association)
    if let status = found.status {
      memory.remember(
        .init(
          digest: digest, content: content, bytes: found.bytes, owesWarnings: owesWarnings,
          warnings: warnings), status)
    }
    return .good(content, lastModified: modified)
  }

  private var options: ValidationOptions {
    var options = ValidationOptions()
    options.limit = Self.warnings
    options.includesNotes = false
    // The signature is not judged: iOS 9 and later need none. What was signed is.
    options.signedContent = { source in
      (try? CMS.content(of: source.bytes)).map { SignedContent(bytes: $0, diagnostics: []) }
    }
    return options
  }

  /// Whether the file breaks its expectations.
  private func refusal(
    _ source: SourceText, _ form: FileForm?, _ cases: [String], into reading: inout DomainReading
  ) -> DomainReading.File? {
    if cases.isEmpty { return nil }
    let broken = brokenExpectations(cases, source, form)
    guard let first = broken.first else { return nil }
    reading.warnings += broken.dropFirst()
    return .refused(first)
  }

  private func judgeAssetLinks(_ found: EntrySurvey.Found) -> DomainReading.File {
    if found.isTruncated {
      return .refused(
        Diagnostic(
          .error, code: "H009", "the file is over \(Self.assetLinksBytes) bytes",
          at: .init(path: found.path), help: "make it smaller"))
    }
    let fault = assetLinksFault(in: SourceText(path: found.path, bytes: found.bytes))
    if let fault { return .refused(fault) }
    let content = maker.content(
      of: found.bytes, digest: ContentMaker.digest(of: found.bytes), kind: .assetLinks)
    return .good(content, lastModified: found.status?.modifiedSeconds ?? 0)
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
  func fingerprint(of entry: DomainFolder.Entry, in directory: borrowing Directory) -> Int {
    var survey = EntrySurvey(root: root, isReading: false)
    survey.take(entry, in: directory, listedCases: nil, ReadingMemory())
    return survey.fingerprint
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

extension Diagnostic {
  /// The same of another file with the same bytes.
  fileprivate func moved(to path: String) -> Diagnostic {
    var result = self
    result.location?.path = path
    return result
  }
}

extension DomainReader {
  /// Reads entries one after the other.
  func read(
    _ entries: ArraySlice<DomainFolder.Entry>, _ depth: Depth, listedCases: Set<String>
  ) -> [DomainReading] {
    var memory = ReadingMemory()
    do throws(SystemError) {
      let directory = try Directory(root)
      var readings: [DomainReading] = []
      readings.reserveCapacity(entries.count)
      for entry in entries {
        readings.append(
          read(entry, depth, in: directory, listedCases: listedCases, &memory))
      }
      return readings
    } catch {
      return entries.map { read($0, depth, &memory) }
    }
  }
}
