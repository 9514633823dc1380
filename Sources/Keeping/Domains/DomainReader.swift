internal import AppSiteAssociation
internal import Catalog
internal import Diagnostics
internal import DigitalAssetLinks
internal import Posix
internal import Rules
internal import Settings

/// Reads and checks the files of domains, on any thread.
struct DomainReader: KeptReader {
  let observer: DomainObserver
  var minification = HostingOptions.Minification.off
  /// Whether to reject a file that breaks its expectations, even if no better version of the file
  /// is known.
  var requiresExpectations = false
  let maker: ContentMaker
  var turn = Turn()

  /// How thoroughly the files of a domain are checked.
  enum Depth: Sendable {
    /// Checks only whether any device could use the file.
    case usability
    /// Checks all rules.
    case rules
  }

  /// A domain to read.
  struct Task: Sendable {
    var entry: DomainFolder.Entry
    /// What to do with the domain. `find` has the file names for which the kernel reported events.
    var asking = Asking<Set<String>>.read
    /// The existing file locations and the identity of the files at the last read.
    var places = FileLocations()
    var identity = 0
    /// Expectations that still apply although their files are missing or unreadable now, by path.
    var rememberedCases: [String: SourceText] = [:]
    /// The contents that are served for the domain.
    var served: [Content] = []
    /// Whether the files are completely written according to an event, or have been changing for
    /// too long.
    var isSettled = false
    var depth = Depth.rules
    /// Only for a list of hosts whose last line has no line end. The list must stay unchanged for
    /// this many milliseconds before its last line is used.
    var openLineTime: Int64 = 0
    /// Whether the domain is checked separately from the other domains, so that the check may
    /// exceed the limits in `Turn`.
    var isAlone = false
  }

  func path(of task: Task) -> String { observer.path(of: task.entry) }

  /// Reads and checks the files of a domain. The result includes all faults.
  ///
  /// - Parameter shared: The policy of the domains folder. It is read once for many domains, and is
  ///   nil until a domain needs it.
  func answer(
    _ task: Task, in root: borrowing Directory, _ shared: inout Policy?
  ) -> DomainReading? {
    var task = task
    switch task.asking {
    case .read: break
    case .compare:
      let identity = observer.identity(of: task.entry, places: task.places, in: root)
      if identity == task.identity { return nil }
    case .find(let names): task.entry = task.entry.current(alsoCalled: names, in: root)
    }
    let observation = observer.observe(task.entry, in: root, isSettled: task.isSettled)
    return judge(observation, task, in: root, &shared)
  }

  func isUnreadable(_ reading: DomainReading) -> Bool {
    reading.hosts.isUnreadable || reading.cases.contains { $0.finding.isUnreadable }
      || reading.files.all.contains { $0.value.isUnreadable }
  }

  /// Checks the files that were read. Returns early if the files are still changing, or if the
  /// check would exceed the limits in `Turn`.
  func judge(
    _ observation: DomainObservation, _ task: Task, in root: borrowing Directory,
    _ shared: inout Policy?
  ) -> DomainReading {
    var reading = DomainReading(entry: task.entry)
    for (number, file) in observation.files.all { reading.paths[number] = file.path }
    reading.hostsPath = observation.hosts.path
    reading.facts = observation.facts
    if !task.isSettled && reading.facts.settlingTime > 0 { return reading }
    if !task.isAlone && observation.bytes > turn.entryBytes {
      reading.isExpensive = true
      return reading
    }
    reading.warnings += observation.differing.map { path, winner in
      Diagnostic(
        .twoPlacesDiffer, "this file differs from \(winner), which is served instead",
        at: .init(path: path))
    }
    reading.cases = observation.cases.map { ($0.path, cases($0.observation)) }
    reading.hosts = hosts(observation.hosts, task, &reading)
    let policy = policy(of: observation, task.entry, in: root, &shared)
    reading.ignored = policy.ignored
    for (number, file) in observation.files.all {
      reading.files[number] = finding(number, file, task, &reading)
    }
    if reading.files[observer.wellKnown.page] == nil { reading.association = nil }
    if let fault = policy.fault, case .flawed? = reading.files[WellKnownFiles.association] {
      reading.warnings.append(fault)
    }
    if task.isSettled { reading.facts.settlingTime = 0 }
    if let folder = task.entry.folder {
      let path = "\(observer.root)/\(folder)"
      let faults = placeFaults(in: path, unknown: observation.unknownNames, reading)
      reading.warnings += faults
      reading.notes = noteOfOthers(in: path, unknown: observation.unknownNames, faults)
      if let page = task.entry.pageFile { reading.warnings += secondPage(in: path, page) }
    }
    // If a file was replaced after the read, the diagnostics do not quote the file. Read the domain
    // again, so that the diagnostics are complete.
    if !task.isSettled && reading.hasFaults && observation.isOutdated {
      reading.facts.settlingTime = ObservationLimits.settlingTime
    }
    return reading
  }

  // MARK: The served files

  /// Checks one of the domain's files.
  func finding(
    _ number: Int, _ observation: FileObservation, _ task: Task, _ reading: inout DomainReading
  ) -> FileFinding<MadeFile> {
    guard case .present(let path, let content) = observation else { return missing(observation) }
    let row = observer.wellKnown.files[number]
    let text = SourceText(path: path, bytes: content.bytes)
    let options = options(isAlone: task.isAlone, ignoring: reading.ignored)
    let read = ReadFile(text, as: row.language, options)
    do throws(SystemError) {
      // The reason why no client can use the file; nil if at least some clients can use it.
      let fault: Diagnostic? =
        switch read {
        case .association(let file):
          file.fault.map { describing($0, path, content) } ?? file.alteration
        case .assetLinks(let file):
          content.isTruncated
            ? Self.tooLarge(path) : file.fault.map { describing($0, path, content) }
        case .judged, .securityText, .other: try formFault(of: read, row, text, content)
        }
      if let fault {
        reading.refusedContent ^= content.bytes.hashValue
        return .unusable(fault)
      }
    } catch {
      // The file changed after it was read. Read it again soon.
      reading.facts.settlingTime = ObservationLimits.settlingTime
      return missing(.unreadable(path: path, error))
    }
    if case .association(let file) = read { reading.association = file.document }
    if case .securityText = read {
      reading.warnings += [expiryWarning(ofSecurityText: text)].compactMap(\.self)
    }
    var error: Diagnostic?
    if task.depth == .usability {
      reading.needsJudging = reading.needsJudging || row.language.hasRules
    } else {
      if !task.isAlone, row.language.hasRules, row.role != .association,
        content.bytes.count > turn.bytes
      {
        reading.isExpensive = true
        return .absent
      }
      let report = read.report(options)
      if report.isUnfinished {
        reading.isExpensive = true
        return .absent
      }
      let found = report.diagnostics
      reading.warnings += describing(
        found.filter { $0.severity == .warning }, path, content)
      error = found.first { $0.severity == .error }.map { describing($0, path, content) }
    }
    let hasCases = !reading.cases.isEmpty || !task.rememberedCases.isEmpty
    let broken = hasCases ? describing(brokenExpectations(read, task, &reading), path, content) : []
    reading.warnings += broken.dropFirst()
    let (bytes, kind) = sent(read, text, number)
    let file = MadeFile(
      content: maker.content(of: bytes, kind: kind, among: task.served),
      lastModified: content.status.modifiedSeconds)
    guard let fault = error ?? broken.first else { return .usable(file) }
    reading.refusedContent ^= content.bytes.hashValue
    if requiresExpectations, let broken = broken.first { return .unusable(broken) }
    return .flawed(file, fault)
  }

  /// Returns the options for checking the rules. The options limit the number of steps, unless the
  /// domain is checked separately from the others.
  private func options(isAlone: Bool, ignoring codes: Set<String>) -> ValidationOptions {
    var options = ValidationOptions.ofServer(ignoring: codes)
    if !isAlone { options.mostSteps = turn.steps }
    return options
  }

  /// Returns the bytes that the server sends for a file, and the kind of the file.
  private func sent(
    _ read: ReadFile, _ text: SourceText, _ number: Int
  ) -> (bytes: [UInt8], kind: ContentKind) {
    guard case .association(let file) = read else { return (text.bytes, .file(number)) }
    if file.form == .signed {
      // Do not send a byte order mark, because it is not part of the signed data.
      return ((text.withoutByteOrderMark ?? text).bytes, .signedAssociation)
    }
    guard minification != .off, let document = file.document else {
      return (file.text.bytes, .file(number))
    }
    return (minified(document, strippingComments: minification == .comments), .file(number))
  }

  /// Returns whether a served version has errors. Checks the served bytes, because the file on the
  /// disk may contain another version now.
  func hasErrors(_ content: Content, _ number: Int, ignoring codes: Set<String>) -> Bool {
    let text = SourceText(path: "", bytes: content.identity.body)
    let language = observer.wellKnown.files[number].language
    let options = options(isAlone: false, ignoring: codes)
    return ReadFile(text, as: language, options).report(options).worst == .error
  }

  /// Removes quotations from the fault if the file is outside the domains folder.
  func describing(_ fault: Diagnostic, _ path: String, _ content: FileContent) -> Diagnostic {
    describing([fault], path, content).first ?? fault
  }

  /// Removes quotations from the faults if the file is outside the domains folder.
  func describing(
    _ faults: [Diagnostic], _ path: String, _ content: FileContent
  ) -> [Diagnostic] {
    // Most files have no faults. For a file without faults, do not check whether it is a link to a
    // file outside the folder.
    faults.isEmpty ? [] : ForeignFile(path, content, in: observer.root).withoutQuotes(faults)
  }

  static func tooLarge(_ path: String) -> Diagnostic {
    Diagnostic(
      .assetLinksTooLarge, "the file is over \(DomainObserver.wellKnownBytes) bytes",
      at: .init(path: path))
  }

  // MARK: Lists of hosts, and faults of a host's folder

  private func hosts(
    _ observation: FileObservation, _ task: Task, _ reading: inout DomainReading
  ) -> FileFinding<HostsFile> {
    guard case .present(let path, let content) = observation else { return missing(observation) }
    if content.isTruncated {
      return .unusable(
        Diagnostic(
          .hostsTooLarge, "the file is over \(HostsFile.largestFile) bytes",
          at: .init(path: path)))
    }
    let age = content.status.age(now: Clock.wallNanoseconds())
    let pause = max(0, task.openLineTime - age)
    let file = HostsFile(SourceText(path: path, bytes: content.bytes), isWritten: pause > 0)
    if file.isLastLineOpen { reading.openLinePause = pause }
    reading.warnings += describing(file.diagnostics, path, content)
    return .usable(file)
  }

  func missing<Version>(_ observation: FileObservation) -> FileFinding<Version> {
    guard case .unreadable(let path, let error) = observation else { return .absent }
    return .unreadable(unreadableDiagnostic("the file", .hostedFileUnreadable, path, error))
  }

  /// Returns a warning if the host's folder contains `page.html` although `HOST.page.html` exists
  /// and is served instead.
  private func secondPage(in folder: String, _ used: String) -> [Diagnostic] {
    let path = "\(folder)/\(WellKnownFile.page.name)"
    if isMissing(path) { return [] }
    return [
      Diagnostic(
        .pagePlace, "\(used) is served instead of this page", at: .init(path: path),
        help: "remove one of the two pages")
    ]
  }
}
