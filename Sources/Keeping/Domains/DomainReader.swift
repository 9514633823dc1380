internal import AppSiteAssociation
internal import Catalog
internal import Diagnostics
internal import DigitalAssetLinks
internal import JSON
internal import Posix
internal import Rules
internal import Settings
internal import TLS

/// Reads and judges the files of domains, on any thread.
struct DomainReader: Sendable {
  let observer: DomainObserver
  var minification = HostingOptions.Minification.off
  /// Whether a file that breaks its expectations is refused even if there is no better version.
  var requiresExpectations = false
  let maker: ContentMaker

  /// The depth to which an association file is judged.
  enum Depth: Sendable {
    /// Only whether any device could use it.
    case usability
    /// All rules.
    case rules
  }

  /// A domain to be read.
  struct Task: Sendable {
    let entry: DomainFolder.Entry
    /// Expectations that hold although their files cannot be seen now, by path.
    var rememberedCases: [String: SourceText] = [:]
    /// Whether an event said that the writer of the files has finished, or they changed for too
    /// long.
    var isSettled = false
    var depth = Depth.rules
    /// Milliseconds for which a list must not have changed before its last line counts without an
    /// end; nil if it counts at once.
    var openLineTime: Int64?
  }

  /// The number of warnings that are reported of one file. `aasa validate` reports all.
  static let warnings = 10

  /// Reads domains one after the other. Faults are in the results.
  func read(_ tasks: ArraySlice<Task>, in root: borrowing Directory) -> [DomainReading] {
    var readings: [DomainReading] = []
    readings.reserveCapacity(tasks.count)
    let shared = policy(inFolder: "", in: root)
    for task in tasks { readings.append(read(task, in: root, shared)) }
    return readings
  }

  private func read(
    _ task: Task, in root: borrowing Directory, _ shared: Policy
  ) -> DomainReading {
    let observation = observer.observe(task.entry, in: root, isSettled: task.isSettled)
    var reading = DomainReading()
    reading.paths = .init(
      association: observation.association.path, assetLinks: observation.assetLinks.path,
      hosts: observation.hosts.path, others: observation.others.compactMap(\.observation.path))
    reading.identity = observation.identity
    reading.doubtfulTime = observation.doubtfulTime
    reading.places = observation.places
    reading.isFolderClosed = observation.isFolderClosed
    reading.devices = observation.devices
    if !task.isSettled && observation.settlingTime > 0 {
      reading.settlingTime = observation.settlingTime
      return reading
    }
    for pair in observation.differing { reading.warnings.append(differs(pair.path, pair.winner)) }
    reading.cases = observation.cases.map { ($0.path, cases($0.observation)) }
    reading.hosts = hosts(observation.hosts, task, &reading)
    let policy = policy(of: observation, task.entry, in: root, shared)
    reading.ignored = policy.ignored
    reading.association = association(observation.association, task, &reading)
    if let fault = policy.fault, case .flawed = reading.association {
      reading.warnings.append(fault)
    }
    reading.assetLinks = assetLinks(observation.assetLinks, task, &reading)
    reading.others = observation.others.map {
      ($0.number, other($0.number, $0.observation, &reading))
    }
    if task.isSettled { reading.settlingTime = 0 }
    if let folder = task.entry.folder {
      let path = "\(observer.root)/\(folder)"
      reading.warnings += placeFaults(path, observation, reading)
      if let page = task.entry.pageFile { reading.warnings += secondPage(in: path, page) }
    }
    return reading
  }

  // MARK: The association file

  private func association(
    _ observation: FileObservation, _ task: Task, _ reading: inout DomainReading
  ) -> Finding<MadeFile> {
    guard case .present(let path, let content) = observation else { return missing(observation) }
    let text = SourceText(path: path, bytes: content.bytes)
    let options = Self.options(ignoring: reading.ignored)
    let read = AssociationFile(text, options: options)
    // A byte order mark is not sent, and a signature does not cover it.
    let sent = (text.withoutByteOrderMark ?? text).bytes
    if let fault = read.fault ?? alteration(of: read, sent, at: path) {
      reading.refusedContent ^= content.bytes.hashValue
      return .unusable(read.fault.map(describing) ?? fault)
    }
    var fault: Diagnostic?
    switch task.depth {
    case .usability: reading.needsJudging = true
    case .rules:
      let found = read.report(options).diagnostics
      reading.warnings += found.filter { $0.severity != .error }
      fault = found.first { $0.severity == .error }
    }
    if let broken = brokenExpectation(read, task, &reading) {
      reading.refusedContent ^= content.bytes.hashValue
      if requiresExpectations { return .unusable(broken) }
      fault = fault ?? broken
    }
    let file =
      read.form == .signed
      ? made(sent, .signedAssociation, content)
      : made(served(read), .association, content)
    guard let fault else { return .usable(file) }
    reading.refusedContent ^= content.bytes.hashValue
    return .flawed(file, fault)
  }

  /// Why a signed file is not the one that was signed; nil if it is, or if it is not signed.
  private func alteration(
    of read: AssociationFile, _ bytes: [UInt8], at path: String
  ) -> Diagnostic? {
    guard read.form == .signed, let altered = CMS.alteration(of: bytes) else { return nil }
    return Diagnostic(
      .signatureBroken, altered.message, at: .init(path: path), help: altered.help)
  }

  /// Whether a version that is already served has errors, judged without its file.
  func hasErrors(_ content: Content, ignoring codes: Set<String>) -> Bool {
    let source = SourceText(path: "", bytes: content.identity.body)
    return validate(source, options: Self.options(ignoring: codes)).worst == .error
  }

  private static func options(ignoring codes: Set<String> = []) -> ValidationOptions {
    var options = ValidationOptions()
    options.ignored = codes
    options.limit = warnings
    options.includesNotes = false
    // Signatures are not judged, because iOS 9 and later need none; the signed content is.
    options.signedContent = { source in
      do throws(CMSError) {
        return SignedContent(bytes: try CMS.content(of: source.bytes), diagnostics: [])
      } catch {
        return SignedContent(
          bytes: nil,
          diagnostics: [
            Diagnostic(
              .signedContentUnreadable, error.message, at: .init(path: source.path),
              help: error.help)
          ])
      }
    }
    return options
  }

  /// The bytes that are sent for an association file in plain JSON: never a byte order mark.
  private func served(_ read: AssociationFile) -> [UInt8] {
    guard minification != .off, let document = read.document else { return read.text.bytes }
    return minified(document, strippingComments: minification == .comments)
  }

  /// Does not quote content that is not JSON if a link leads out of the folder: it may be any file
  /// of the machine, and other people read the log.
  func describing(_ fault: Diagnostic) -> Diagnostic {
    guard let path = fault.location?.path else { return fault }
    let end = try? resolvedPath(path)
    if let end, let root = try? resolvedPath(observer.root), end.hasPrefix(root + "/") {
      return fault
    }
    return Diagnostic(
      fault.kind, severity: .error, "the file is not an association file", at: .init(path: path),
      help: "check where the link leads" + (end.map { ": \($0)" } ?? ""),
      note: end == nil
        ? "its content is not shown, because its path could not be followed to its end again"
        : "its content is not shown, because the link leaves the domains folder")
  }

  /// The file that is served with these bytes.
  func made(_ bytes: [UInt8], _ kind: ContentKind, _ read: FileContent) -> MadeFile {
    MadeFile(
      content: maker.content(of: bytes, kind: kind), lastModified: read.status.modifiedSeconds)
  }

  // MARK: The other files

  private func assetLinks(
    _ observation: FileObservation, _ task: Task, _ reading: inout DomainReading
  ) -> Finding<MadeFile> {
    guard case .present(let path, let content) = observation else { return missing(observation) }
    let read = AssetLinksFile(SourceText(path: path, bytes: content.bytes))
    if let fault = content.isTruncated ? Self.tooLarge(path) : read.fault.map(describing) {
      reading.refusedContent ^= content.bytes.hashValue
      return .unusable(fault)
    }
    let file = made(content.bytes, .assetLinks, content)
    let broken = brokenExpectation(assetLinks: read, task, &reading)
    if broken != nil { reading.refusedContent ^= content.bytes.hashValue }
    if requiresExpectations, let broken { return .unusable(broken) }
    switch task.depth {
    case .usability: reading.needsJudging = true
    case .rules:
      let found = read.report(ignoring: reading.ignored, limit: Self.warnings)
      reading.warnings += found.diagnostics.filter { $0.severity == .warning }
      if let error = found.diagnostics.first(where: { $0.severity == .error }) {
        reading.refusedContent ^= content.bytes.hashValue
        return .flawed(file, error)
      }
    }
    if let broken { return .flawed(file, broken) }
    return .usable(file)
  }

  static func tooLarge(_ path: String) -> Diagnostic {
    Diagnostic(
      .assetLinksTooLarge, "the file is over \(DomainObserver.wellKnownBytes) bytes",
      at: .init(path: path), help: "make it smaller")
  }

  /// Whether an `assetlinks.json` that is served already has errors.
  func hasErrors(assetLinks content: Content, ignoring codes: Set<String>) -> Bool {
    let source = SourceText(path: "", bytes: content.identity.body)
    return AssetLinksFile(source).report(ignoring: codes).worst == .error
  }

  private func hosts(
    _ observation: FileObservation, _ task: Task, _ reading: inout DomainReading
  ) -> Finding<HostsFile> {
    guard case .present(let path, let content) = observation else { return missing(observation) }
    if content.isTruncated {
      return .unusable(
        Diagnostic(
          .hostsTooLarge, "the file is over \(HostsFile.largestFile) bytes",
          at: .init(path: path), help: "split it: each part needs a file of its own name"))
    }
    let age = content.status.age(now: Clock.wallNanoseconds())
    let pause = max(0, (task.openLineTime ?? 0) - age)
    let file = HostsFile(SourceText(path: path, bytes: content.bytes), isWritten: pause > 0)
    if file.isLastLineOpen { reading.openLinePause = pause }
    reading.warnings += file.diagnostics
    return .usable(file)
  }

  func missing<Version>(_ observation: FileObservation) -> Finding<Version> {
    guard case .unreadable(let path, let error) = observation else { return .absent }
    return .unreadable(unreadableDiagnostic("the file", .hostedFileUnreadable, path, error))
  }

  private func differs(_ path: String, _ winner: String) -> Diagnostic {
    Diagnostic(
      .twoPlacesDiffer, "this file differs from \(winner), which is served instead",
      at: .init(path: path), help: "make them the same, or remove one")
  }

  /// Returns the fault of a page in a host's folder if a flat page for the host takes precedence.
  private func secondPage(in folder: String, _ used: String) -> [Diagnostic] {
    let path = "\(folder)/\(WellKnownFile.page.name)"
    guard (try? status(path)) != nil else { return [] }
    return [
      Diagnostic(
        .pagePlace, "\(used) is served instead of this page", at: .init(path: path),
        help: "remove one of the two")
    ]
  }

  /// Faults of what the folder of a host holds.
  private func placeFaults(
    _ folder: String, _ observation: DomainObservation, _ reading: DomainReading
  ) -> [Diagnostic] {
    let faults = misnamed(in: folder, unknown: observation.unknownNames, reading)
    guard faults.isEmpty, case .absent = reading.association, case .absent = reading.assetLinks,
      reading.others.allSatisfy({ $0.number == observer.wellKnown.page })
    else { return faults }
    return [
      Diagnostic(
        .entryWithoutFile, "the folder holds no association file", at: .init(path: folder),
        help: "put the file apple-app-site-association into it or into its folder .well-known")
    ]
  }
}
