internal import Catalog
internal import Diagnostics
internal import JSON
internal import Settings

/// Decides what is served from the entries of the domains folder.
extension DomainKeeper {
  /// Stores a listing of the folder. If an entry was kept by the last run and has no file to serve
  /// in the listing, returns a request to read the entry. Such an entry was kept because its loss
  /// awaits confirmation, or because its list of hosts still exists.
  mutating func note(
    _ listing: DomainListing, _ pass: Pass<DomainName>, at now: Moment, _ outcome: inout Outcome
  ) -> [KeptRequest<DomainKeeper>] {
    isPolicyNew = listing.policy != policyIdentity
    policyIdentity = listing.policy
    if !unread.isEmpty { unread = unread.filter { listing.has($0.key) } }
    if pass.isFirst { begin(listing.folder, at: now.milliseconds) }
    let faults = folder.report(
      listing.folder.diagnostics, isStart: pass.isStart, now: now.milliseconds)
    outcome.report.add(faults.new)
    if let time = faults.again { outcome.again.append((.domainsFolder, time)) }
    items.reserveCapacity(listing.folder.entries.count)
    return kept.keys.filter { !listing.has($0) && items[$0] == nil }.map {
      KeptRequest(
        entry: listing.folder.lists[$0] ?? DomainFolder.Entry(name: $0), asking: .read)
    }
  }

  /// Uses the files that were read for one domain, unless they are still changing.
  mutating func take(
    _ reading: DomainReading, of entry: DomainFolder.Entry, _ pass: Pass<DomainName>,
    at now: Moment, _ outcome: inout Outcome
  ) -> Bool {
    let entry = reading.entry ?? entry
    let name = entry.name
    if reading.facts.settlingTime > 0 {
      if items[name] == nil, entry.servesFiles || entry.lacksFile { unread[name] = entry }
      outcome.again.append((.domain(name), now.milliseconds + reading.facts.settlingTime))
      unsettled.insert(name)
      return false
    }
    if !unsettled.isEmpty { unsettled.remove(name) }
    if reading.isExpensive {
      // Until the domain has been checked separately, the same versions are served.
      postpone(entry, at: now, &outcome)
      if expensive.insert(name).inserted {
        outcome.report.add([
          Diagnostic(
            .costlyEntry, Diagnostics.Kind.costlyEntry.what,
            at: .init(path: reader.observer.path(of: entry)))
        ])
      }
      return true
    }
    if pass.isAlone {
      // The domain may have been read again in the meantime. If its check no longer exceeds the
      // limits in `Turn`, ignore this older result.
      if !expensive.contains(name) { return false }
    } else if !expensive.isEmpty {
      expensive.remove(name)
    }
    outcome.hasRead = true
    if !unread.isEmpty { unread[name] = nil }
    let isNew = items[name] == nil
    if isNew && !entry.servesFiles && kept[name] == nil { return false }
    let state = items[name] ?? DomainState(entry)
    if isNew { restore(state, reading) }
    state.entry = entry
    var reading = reading
    // If the list of hosts still exists, somebody probably removed the files by mistake. Therefore,
    // treat the files as unreadable instead of missing, and do not withdraw them.
    if reading.files.isEmpty, !state.files.isEmpty, let list = entry.hostsFile {
      let fault = Diagnostic(
        .hostsWithoutFile, severity: .error,
        "the file for these hosts is missing, but the list of the hosts still exists",
        at: .init(path: "\(root)/\(list)"), help: "put the file back, or remove the list too")
      reading.warnings = []
      reading.facts.isFolderClosed = true
      for (number, _) in state.files.all { reading.files[number] = .unreadable(fault) }
    }
    decide(state, reading, pass, isNew: isNew, at: now, &outcome)
    return false
  }

  /// Decides what is served for one domain, and publishes the result.
  private mutating func decide(
    _ state: DomainState, _ reading: DomainReading, _ pass: Pass<DomainName>, isNew: Bool,
    at now: Moment, _ outcome: inout Outcome
  ) {
    let name = state.entry.name
    var decision = DomainDecision(reading)
    let isSame = !isNew && state.identity == reading.facts.identity
    (state.identity, state.places) = (reading.facts.identity, reading.facts.places)
    if reading.facts.doubtfulTime > 0 {
      outcome.again.append((.domain(name), now.milliseconds + reading.facts.doubtfulTime))
    }
    if state.hasLists || reading.hasLists {
      decision.decideCases(state, reading.cases)
      decideHosts(
        state, &decision, reading, isNew: isNew, isStart: pass.isStart, at: now, &outcome)
    }
    var findings = ByFile<FileFinding<ServedFile>>()
    for (number, found) in reading.files.all {
      var finding = found
      if let content = found.version?.content, !contents.hasRoom(for: content) {
        finding = .unusable(
          Diagnostic(
            .memoryFull, "there is no memory left for this file",
            at: reading.paths[number].map { .init(path: $0) }))
        outcome.again.append((.domain(name), now.milliseconds + LoadingLimits.memoryPause))
      }
      findings[number] = finding.map { file in
        // Let all files with the same bytes share one content.
        let content = contents.adopt(file.content)
        // RFC 9110 section 8.8.2.1: Last-Modified must not be later than the time of the response.
        let time = min(file.lastModified, now.wall)
        let last = state.files[number]?.answer.version
        if let last, last.content === content, last.lastModified == time { return last }
        return ServedFile(content: content, lastModified: time)
      }
      if case .flawed = finding { judge(number, state, ignoring: reading.ignored) }
    }
    let page = options.wellKnownFiles.page
    decision.decideFiles(state, findings, page: page, isNew: isNew)
    if state.page != nil || state.files[page] != nil {
      let justRead = findings[WellKnownFiles.association]?.version?.content
      updatePage(state, &decision, justRead, reading.association)
    }
    if reading.needsJudging { unjudged.append(name) }
    let isPatient = !pass.isStart && !pass.isFinal
    storeProblems(
      of: state, decision, reading, isSame: isSame, isPatient: isPatient, at: now, &outcome)
    let notesMark = reading.notes.isEmpty ? 0 : reportMark(reading.notes)
    if notesMark != state.notesMark { outcome.report.add(reading.notes) }
    state.notesMark = notesMark
    let withdrawAfter = options.withdrawAfter
    if isNew && !pass.isStart {
      folder.names.add(name, at: now.milliseconds, withdrawAfter: withdrawAfter)
    }
    if !state.isMissing {
      folder.names.find(name, at: now.milliseconds)
    } else {
      folder.names.miss(
        name, isMore: decision.isMoreMissing, at: now.milliseconds, withdrawAfter: withdrawAfter)
    }
    if decision.hostsChanged { outcome.changes.namesChanged = true }
    publish(state, isNew: isNew, at: now, &outcome)
  }

  /// If the domain has a page for people without the app, compiles the association file. The
  /// association file determines which links get the page.
  ///
  /// - Parameters:
  ///   - justRead: The content that was just read. The served content may be older.
  ///   - document: The parsed form of `justRead`.
  private func updatePage(
    _ state: DomainState, _ decision: inout DomainDecision, _ justRead: Content?,
    _ document: Document?
  ) {
    guard state.files[options.wellKnownFiles.page]?.answer.version != nil,
      let content = state.files[WellKnownFiles.association]?.answer.version?.content
    else {
      state.page = nil
      return
    }
    if state.page?.content !== content {
      state.page = PageMatch(
        content, content === justRead ? document : nil, path: reader.observer.path(of: state.entry))
    }
    if let fault = state.page?.fault { decision.diagnostics.append(fault) }
  }

  /// Checks the served version of a file against the rules, so that it can be compared with a new
  /// version that has errors.
  private func judge(_ number: Int, _ state: DomainState, ignoring codes: Set<String>) {
    guard state.files[number]?.quality == .unjudged,
      let file = state.files[number]?.answer.version
    else { return }
    let hasErrors = reader.hasErrors(file.content, number, ignoring: codes)
    state.files[number]?.quality = hasErrors ? .flawed : .good
  }

  /// Stores the domain's problems. Adds to `outcome` when to read the domain again, and what to
  /// report.
  ///
  /// - Parameters:
  ///   - isSame: Whether the files are the same as at the last reading.
  ///   - isPatient: Whether to report an unreadable file only after the fault has persisted. A link
  ///     may be broken for a moment while its target is replaced.
  private mutating func storeProblems(
    of state: DomainState, _ decision: DomainDecision, _ reading: DomainReading, isSame: Bool,
    isPatient: Bool, at now: Moment, _ outcome: inout Outcome
  ) {
    let name = state.entry.name
    if decision.isUnreadable {
      if state.failures == 0 { state.failedSince = now.milliseconds }
      state.failures += 1
      let pause = retryPause(afterFailures: state.failures)
      outcome.again.append((.domain(name), now.milliseconds + pause))
      let due = state.failedSince + ObservationLimits.lastingFault
      if isPatient, now.milliseconds < due {
        outcome.again.append((.domain(name), due))
        return
      }
    } else {
      state.failures = 0
    }
    if decision.hasFault { outcome.failures += 1 }
    // If files are missing, but there is no other fault, keep the known problems.
    if decision.isMissing && !decision.hasFault { return }
    let known = isSame ? problems[name]?.diagnostics ?? [] : []
    let isNews = problems.note(
      name, decision.diagnostics, isLastGood: decision.isLastGood, content: reading.refusedContent)
    if isNews { outcome.report.add(decision.diagnostics.filter { !known.contains($0) }) }
  }

  /// If the answers of the domain have changed, makes a new site.
  private mutating func publish(
    _ state: DomainState, isNew: Bool, isWithdrawn: Bool = false, at now: Moment,
    _ outcome: inout Outcome
  ) {
    let name = state.entry.name
    if state.isGone {
      forget(name, at: now)
      outcome.changes.namesChanged = true
      if isWithdrawn { outcome.report.removed.append(name.description) }
      return
    }
    let site = Site(
      name: name, answers: state.answers, opensApp: state.page?.opensApp,
      after: isNew ? nil : state.site, now: now.wall)
    if isNew {
      outcome.changes.namesChanged = true
      outcome.report.added.append(name)
      state.site = site
    } else if !state.site.isSame(as: site) {
      outcome.changes.sites.append(site)
      if isWithdrawn {
        outcome.report.removed.append(name.description + withdrawn(from: state.site, site))
      } else {
        outcome.report.changed.append(name)
      }
      state.site = site
    }
    items[name] = state
  }

  // MARK: Withdrawal

  /// Withdraws the missing files of a domain. If the domain has other files, returns its entry.
  mutating func withdraw(
    _ name: DomainName, at now: Moment, _ outcome: inout Outcome
  ) -> DomainFolder.Entry? {
    if unsettled.contains(name) { return nil }
    guard let state = items[name] else {
      // The last run found the domain, but this run has not. Nothing is served for the domain now.
      folder.names.withdraw(name, at: now.milliseconds)
      outcome.changes.namesChanged = true
      return nil
    }
    if folder.guarding.observation == .missing {
      forget(name, at: now)
      outcome.changes.namesChanged = true
      outcome.report.removed.append(name.description)
      return nil
    }
    var hasLost = false
    if state.hosts.isMissing {
      let hosts = (state.hosts.answer.version?.hosts ?? []) + (lists[name]?.kept ?? [])
      outcome.report.removed += hosts.map(\.description)
      outcome.changes.namesChanged = true
      hasLost = state.hosts.answer.version != nil
      state.hosts = FileState()
      lists[name] = nil
      unreadLists.remove(name)
    }
    for (number, file) in state.files.all where file.isMissing {
      hasLost = hasLost || file.answer.version != nil
      state.files[number] = nil
    }
    state.cases = state.cases.filter { !$0.value.isMissing }
    // Without an association file, no link gets the page.
    if state.files[WellKnownFiles.association] == nil { state.page = nil }
    if !state.isGone {
      // If only expectations were removed, do not withdraw the name, because no served file was
      // lost.
      if hasLost {
        folder.names.withdraw(name, isWhole: false, at: now.milliseconds)
      } else {
        folder.names.find(name, at: now.milliseconds)
      }
    }
    publish(state, isNew: false, isWithdrawn: hasLost, at: now, &outcome)
    return items[name]?.entry
  }

  /// Returns a text for a report: the names of the files that are no longer served. The text is
  /// empty if there are no such files, or if no association file is served now.
  private func withdrawn(from before: Site, _ after: Site) -> String {
    if case .absent = after.association { return "" }
    let names = options.wellKnownFiles.files.enumerated().filter { number, _ in
      guard case .absent = after.availability(of: number) else { return false }
      if case .absent = before.availability(of: number) { return false } else { return true }
    }.map(\.element.name)
    return names.isEmpty ? "" : " (its \(names.joined(separator: ", ")))"
  }

  private mutating func forget(_ name: DomainName, at now: Moment) {
    items[name] = nil
    unsettled.remove(name)
    problems.remove(name)
    expensive.remove(name)
    lists[name] = nil
    unreadLists.remove(name)
    folder.names.withdraw(name, at: now.milliseconds)
  }
}

/// Returns a hash of diagnostics. To save memory, the hash is stored instead of the diagnostics.
func reportMark(_ diagnostics: [Diagnostic]) -> Int {
  var hasher = Hasher()
  for diagnostic in diagnostics {
    hasher.combine(diagnostic.code)
    hasher.combine(diagnostic.message)
    hasher.combine(diagnostic.location?.path)
    hasher.combine(diagnostic.location?.place?.range)
    hasher.combine(diagnostic.note)
    hasher.combine(diagnostic.help)
  }
  return hasher.finalize()
}
