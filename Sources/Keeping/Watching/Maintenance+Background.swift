package import Catalog
internal import Diagnostics
internal import Posix

/// Does background work between two scans, for a few milliseconds at a time.
extension Maintenance {
  /// The number of domains to scan or watch before the clock is read again. Each such batch starts
  /// a thread. The batch is so large that the cost of its thread does not matter.
  private static let step = 128

  /// Does all background work that follows the start, and reports its findings.
  package func finishBackground(publisher: CatalogPublisher) {
    while isBusy || domains.isReadingAlone {
      if !isBusy { domains.waitForAlone() }
      workInBackground(publisher)
    }
  }

  func workInBackground(_ publisher: CatalogPublisher) {
    let now = Clock.monotonicMilliseconds()
    var outcome = domains.takeAlone()
    if !unwatched.isEmpty, !domains.isWaiting {
      watchBatch()
    } else if sweep.isDue(now: now) {
      sweepBatch(&outcome)
    } else if domains.hasBackgroundWork {
      outcome += domains.workInBackground(milliseconds: LoadingLimits.backgroundSlice)
    }
    outcome += certificates?.inEach {
      $0.workInBackground(milliseconds: LoadingLimits.backgroundSlice)
    }
    // Collect the findings, so that they are reported together.
    found.add(outcome.report)
    outcome.report = Report()
    let isDone = !domains.hasBackgroundWork && certificates?.hasBackgroundWork != true
    let nextReport = now + MaintenanceTimers.reportPause
    if !found.isEmpty && (isDone || timers.take(\.nextReport, now: now, next: nextReport)) {
      outcome.report = found
      found = Report()
    }
    if catalog.isDiagnosisDue { catalog.diagnose(&outcome.report) }
    finish(outcome, publisher)
  }

  private func watchBatch() {
    let end = Clock.monotonicMilliseconds() + LoadingLimits.backgroundSlice
    while !unwatched.isEmpty, Clock.monotonicMilliseconds() < end {
      watch(unwatched.suffix(Self.step))
      unwatched.removeLast(min(Self.step, unwatched.count))
    }
    guard unwatched.isEmpty else { return }
    unwatched = []
    // A file may have changed before its folder was watched, so scan all files now.
    sweep.startNow(now: Clock.monotonicMilliseconds())
  }

  // MARK: The regular scan of all files

  private func sweepBatch(_ outcome: inout Outcome) {
    let start = cost
    if !sweep.isUnderWay { beginSweep(&outcome) }
    let end = Clock.monotonicMilliseconds() + LoadingLimits.backgroundSlice
    var isOver = false
    while !isOver, Clock.monotonicMilliseconds() < end {
      let names = sweep.take(Self.step)
      isOver = names.isEmpty
      for name in domains.changed(names) {
        agenda.plan(.domain(name), at: Clock.monotonicMilliseconds())
      }
    }
    if isOver, certificates != nil {
      outcome += certificates?.scan()
      outcome += certificates?.inEach { $0.run(.time) }
      watchFolders()
    }
    sweep.note(cost: cost - start)
    if !isOver { return }
    sweep.end(now: Clock.monotonicMilliseconds())
    kept?.look()
    catalog.forgetUnused(&domains.keeper)
    reportShortage(&outcome.report)
  }

  /// The processor time that this thread and the threads that read folders have used so far, in
  /// microseconds.
  private var cost: Int64 {
    works.reduce(Clock.threadMicroseconds()) { $0 + $1.cost }
  }

  private func beginSweep(_ outcome: inout Outcome) {
    confirmations.note()
    let before = domains.keeper.items.count
    if domains.isFolderChanged {
      let found = domains.run(.due(Pass()))
      watchFolder(domains.root, as: .domainsFolder, domains.work)
      if domains.keeper.items.count != before { unwatched += found.report.added }
      outcome += found
    }
    outcome += domains.run(.time)
    sweep.begin(Array(domains.keeper.items.keys))
  }

  /// If only the regular scan finds some changes, reports this once. The report says how long the
  /// scan takes to find them.
  private func reportShortage(_ report: inout Report) {
    guard let shortage = registry.shortage, !timers.isShortageReported else { return }
    timers.isShortageReported = true
    let seconds = max(2, (sweep.pace + 999) / 1000 + 1)
    let fault = Diagnostic(
      .foundBySweep, "the kernel does not report all changes: \(shortage)",
      at: .init(path: domains.root),
      help: "raise the limit by \(registry.unwatched) or more (sysctl fs.inotify.max_user_watches)",
      note: "the server finds the other changes by polling, within about \(seconds) seconds")
    // Omit the help if the limit of watches is not the cause.
    report.add([registry.unwatched == 0 ? fault.withoutHelp : fault])
  }
}
