internal import Catalog
internal import Diagnostics

/// Decides what is served for one domain, and collects the diagnostics about it.
struct DomainDecision {
  /// Whether a folder on the path of a file cannot be searched; see `DomainFacts.isFolderClosed`.
  private let isFolderClosed: Bool
  /// Whether a file has not been checked against all rules yet; see `DomainReading.needsJudging`.
  private let needsJudging: Bool
  /// The diagnostics, errors first.
  var diagnostics: [Diagnostic]
  private(set) var hasFault = false
  private(set) var isUnreadable = false
  private(set) var hostsChanged = false
  /// Whether an older version of a file is served because the current version has a fault.
  private(set) var isLastGood = false
  /// Whether a file is missing. A missing file is still served until it is withdrawn.
  private(set) var isMissing = false
  /// Whether a file is missing now, but existed at the last read.
  private(set) var isMoreMissing = false

  init(_ reading: DomainReading) {
    diagnostics = reading.warnings
    isFolderClosed = reading.facts.isFolderClosed
    needsJudging = reading.needsJudging
  }

  /// Decides what is served for each file, and stores the decisions in `state`. Stores nothing for
  /// a file that does not exist and has no served version.
  ///
  /// - Parameter page: The number of the page for people without the app. If the page cannot be
  ///   served, a request for a link gets 404.
  mutating func decideFiles(
    _ state: DomainState, _ findings: ByFile<FileFinding<ServedFile>>, page: Int, isNew: Bool
  ) {
    var next = ByFile<FileState<ServedFile>>()
    for (number, finding) in findings.all {
      let before = state.files[number] ?? FileState()
      // If the folder cannot be searched, a file that was never found may or may not exist. Decide
      // nothing about the file.
      if isFolderClosed, !isNew, !before.hasAnswer, case .unreadable = finding {
        isUnreadable = true
        continue
      }
      var decided = decide(
        before, finding, otherwise: number == page ? "links are answered with 404" : nil)
      if needsJudging, case .usable = finding { decided.quality = .unjudged }
      if decided.hasAnswer { next[number] = decided }
    }
    for (number, before) in state.files.all where findings[number] == nil {
      next[number] = decideWithoutFile(before)
    }
    state.files = next
  }

  /// Decides about a file that was not found. Returns nil if there is no answer to keep.
  private mutating func decideWithoutFile<Version>(
    _ state: FileState<Version>
  ) -> FileState<Version>? {
    if !isFolderClosed {
      let decided = decide(state, .absent)
      return decided.hasAnswer ? decided : nil
    }
    // If the folder cannot be searched, the file may still exist.
    isUnreadable = true
    var kept = state
    kept.isLastGood = true
    return kept
  }

  /// Decides which version of an entry's list of hosts applies.
  ///
  /// - Parameters:
  ///   - room: The maximum number of hosts in the list: the limit for all lists minus the hosts in
  ///     the other lists.
  ///   - isStart: Whether the server is starting. At the start, the function assumes that the list
  ///     had hosts before.
  mutating func decideHosts(
    _ state: FileState<HostsFile>, _ finding: FileFinding<HostsFile>, room: Int,
    isStart: Bool = false
  ) -> FileState<HostsFile> {
    let weighed = weighed(
      finding, against: state.answer.version, room: room, isStart: isStart)
    var next = decide(state, weighed)
    if case .version(let before) = state.answer, case .version(let after) = next.answer,
      before.bytes == after.bytes, before.isLastLineOpen == after.isLastLineOpen
    {
      next.answer = state.answer
    } else if state.answer.version !== next.answer.version
      || state.answer.isUnavailable != next.answer.isUnavailable
    {
      hostsChanged = true
    }
    return next
  }

  /// Decides which hosts of the list are served. Call this function after `decideHosts`, which
  /// chooses the version of the list.
  ///
  /// - Parameter isRead: Whether the list was read successfully just now.
  mutating func keepHosts(
    of list: inout ListedHosts, _ file: HostsFile?, after before: HostsFile?, isRead: Bool,
    at now: Int64, withdrawAfter: Int64
  ) -> ListedHosts.Change {
    guard let file else { return .init(withdrawn: (before?.hosts ?? []) + list.kept) }
    var change = list.decide(
      file, after: before, isRead: isRead, at: now, withdrawAfter: withdrawAfter)
    if before == nil { change.added = file.hosts }
    if !change.isEmpty { hostsChanged = true }
    if let fault = list.hold?.fault {
      hasFault = true
      isLastGood = true
      diagnostics.insert(fault, at: 0)
    }
    return change
  }

  /// Rejects a list that exceeds a limit or is probably damaged. A list that had hosts and now has
  /// only faulty lines was probably overwritten by mistake. A list that is only the beginning of
  /// the served list and ends within a line was probably copied incompletely.
  private func weighed(
    _ finding: FileFinding<HostsFile>, against served: HostsFile?, room: Int, isStart: Bool
  ) -> FileFinding<HostsFile> {
    guard case .usable(let file) = finding, file.bytes != served?.bytes else { return finding }
    if file.isTooLong || file.weight > room {
      return .unusable(
        Diagnostic(
          .hostsTooLarge,
          file.isTooLong
            ? "the list has more than \(HostsFile.mostHosts) hosts"
            : "with this list, all lists together have more than \(HostsFile.mostHosts) hosts",
          at: .init(path: file.path), help: "remove hosts, or give the server more memory"))
    }
    if let served, !served.hosts.isEmpty, file.isCut(from: served) {
      // Somebody may still be writing the file, so keep the served version.
      if file.isLastLineOpen { return .usable(served) }
      return .unusable(
        Diagnostic(
          .hostsLost, "this list is cut off: it ends within a line of the previous version",
          at: .init(path: file.path), help: "copy the whole list again"))
    }
    let hadHosts = isStart || served?.hosts.isEmpty == false
    guard hadHosts, file.hosts.isEmpty, !file.diagnostics.isEmpty else { return finding }
    return .unusable(
      Diagnostic(
        .hostsLost, "no line of this file is a host name", at: .init(path: file.path),
        help: "put the previous list back; to withdraw its hosts, remove this file"))
  }

  /// Decides which expectations apply. Call this function before the decision about the file that
  /// must meet the expectations.
  mutating func decideCases(
    _ state: DomainState, _ findings: [(path: String, finding: FileFinding<SourceText>)]
  ) {
    var next: [String: FileState<SourceText>] = [:]
    for (path, finding) in findings {
      // Ignore the outcome, because a fault of the expectations is reported together with the
      // faults of the file that must meet the expectations.
      let (decided, _) = (state.cases[path] ?? FileState()).deciding(finding)
      if case .unreadable = finding {
        isUnreadable = true
        // If the folder cannot be searched, and no expectations from this path applied before, add
        // no expectations.
        if isFolderClosed && state.cases[path] == nil { continue }
      }
      next[path] = decided
    }
    for (path, before) in state.cases where next[path] == nil {
      next[path] = decideWithoutFile(before)
    }
    state.cases = next
  }

  private mutating func decide<Version>(
    _ state: FileState<Version>, _ finding: FileFinding<Version>, otherwise: String? = nil
  ) -> FileState<Version> {
    let (next, outcome) = state.deciding(finding, otherwise: otherwise)
    if case .unreadable = finding { isUnreadable = true }
    switch outcome {
    case .quiet: break
    case .missing(let isNew):
      isMissing = true
      if isNew { isMoreMissing = true }
    case .fault(let diagnostic, let keepsVersion):
      hasFault = true
      // If a folder cannot be searched, all of its files have the same fault. Add the fault only
      // once.
      if !diagnostics.contains(diagnostic) { diagnostics.insert(diagnostic, at: 0) }
      if keepsVersion { isLastGood = true }
    }
    return next
  }
}
