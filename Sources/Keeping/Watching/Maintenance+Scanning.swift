internal import Posix
internal import Settings

/// Scans folders and files, and confirms losses.
extension Maintenance {
  /// Scans all domains and certificates. At the start, waits for files that are being written.
  func scanEverything(depth: DomainReader.Depth, isStart: Bool = false) -> Outcome {
    let end = Clock.monotonicMilliseconds() + ObservationLimits.longestSettling
    var pass = Pass<DomainName>(isWhole: true, depth: depth, isStart: isStart)
    var certificatePass = Pass<String>(isWhole: true, isStart: isStart)
    var outcome = domains.run(.due(pass))
    pass.isListing = false
    outcome += certificates?.scan(certificatePass)
    // At the start, nothing is served yet. Therefore, wait for files that are being written.
    while isStart {
      (pass.names, certificatePass.names) = ([:], [:])
      var later: [(key: ScanKey, time: Int64)] = []
      for (key, time) in outcome.again {
        switch key {
        case .domain(let name) where domains.keeper.items[name] == nil: pass.names[name] = []
        case .certificate(let name) where time < end: certificatePass.names[name] = []
        default: later.append((key, time))
        }
      }
      if pass.names.isEmpty && certificatePass.names.isEmpty { break }
      pass.isFinal = Clock.monotonicMilliseconds() >= end
      certificatePass.isFinal = pass.isFinal
      Thread.pause(milliseconds: Int32(ObservationLimits.settlingTime))
      outcome.again = later
      if !pass.names.isEmpty { outcome += domains.run(.due(pass)) }
      outcome += certificates?.scan(certificatePass)
      if pass.isFinal { break }
    }
    return outcome
  }

  /// Reads everything again, because an operator has requested it. The operator may also have
  /// changed the options.
  func reload(_ options: HostingOptions?) -> Outcome {
    domains.keeper.forgetFiles()
    certificates?.forgetFiles()
    if let options {
      self.options = options
      domains.keeper.use(options)
      certificates?.use(options)
      catalog.options = options
    }
    var outcome = scanEverything(depth: .rules)
    outcome.isReload = true
    if options != nil {
      outcome.changes.namesChanged = true
      outcome.changes.materialChanged = certificates != nil
    }
    watchFolders()
    sweep.startNow(now: Clock.monotonicMilliseconds())
    return outcome
  }

  /// Confirms the losses whose IDs are in the file `confirm` of the state folder. Returns the file
  /// if it may be removed. If a folder does not answer, a confirmed loss might not take effect yet;
  /// the file must then stay, and the function returns nil.
  func takeConfirmation(_ outcome: inout Outcome) -> Confirmations.Request? {
    let now = Clock.monotonicMilliseconds()
    guard delayOfConfirmation(now: now) == 0,
      let request = confirmations.take(&outcome.report, now: now)
    else { return nil }
    let before = Set(holds.map(\.id))
    let confirmation = confirm(request.ids)
    outcome += confirmation
    let waiting = Set(holds.map(\.id)).intersection(before).intersection(request.ids)
    outcome.report.add(
      confirmations.note(confirmation.confirmed, of: request, held: waiting))
    return waiting.isEmpty ? request : nil
  }

  /// Milliseconds until the next read of the file `confirm`; nil if no read is planned. If two
  /// servers share a state folder, the file is read only by the server that may write to the
  /// folder.
  func delayOfConfirmation(now: Int64) -> Int64? {
    kept?.isOwner == true ? confirmations.delay(now: now) : nil
  }

  private var holds: [Hold] { domains.keeper.holds + (certificates?.holds ?? []) }

  /// Makes the losses and changes with these IDs take effect, because an operator has confirmed
  /// them.
  func confirm(_ ids: Set<String>) -> Outcome {
    var outcome = domains.run(.confirmed(ids))
    outcome += certificates?.inEach { $0.run(.confirmed(ids)) }
    outcome.isReload = !outcome.confirmed.isEmpty
    watchFolders()
    return outcome
  }

  func scanDue() -> Outcome {
    var outcome = Outcome()
    let due = agenda.takeDue(now: Clock.monotonicMilliseconds())
    if due.isEmpty { return outcome }
    var pass = Pass<DomainName>(isListing: false)
    var certificatePass = Pass<String>(isWhole: true)
    var isFolderDue = false
    var areCertificatesDue = false
    for (key, scan) in due {
      switch key {
      case .domainsFolder: isFolderDue = true
      case .certificatesFolder, .issuedFolder: areCertificatesDue = true
      case .stateFolder: confirmations.note()
      case .domain(let name):
        pass.names[name] = scan.names
        if scan.isSettled { pass.settled.insert(name) }
      case .certificate(let name):
        areCertificatesDue = true
        certificatePass.names[name] = []
        if scan.isSettled { certificatePass.settled.insert(name) }
      }
    }
    if isFolderDue { outcome += domains.run(.due(Pass(settled: pass.settled))) }
    if !pass.names.isEmpty { outcome += domains.run(.due(pass)) }
    if areCertificatesDue { outcome += certificates?.scan(certificatePass) }
    outcome.isReload = outcome.hasRead || outcome.failures > 0
    if isFolderDue || areCertificatesDue { watchFolders() }
    watch(pass.names.keys)
    if isFolderDue { sweep.startNow(now: Clock.monotonicMilliseconds()) }
    return outcome
  }
}
