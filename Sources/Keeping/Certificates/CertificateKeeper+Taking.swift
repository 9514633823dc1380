internal import Diagnostics
internal import Settings
internal import TLS

/// Decides what is served from the certificates folder.
extension CertificateKeeper {
  /// Whether there is no certificate to serve.
  var isEmpty: Bool { items.values.allSatisfy { $0.certificate == nil } }

  /// Stores the result of a search of the folder. After the first search, restores kept
  /// certificates whose files are missing.
  mutating func note(
    _ listing: CertificateListing, _ pass: Pass<String>, at now: Moment, _ outcome: inout Outcome
  ) -> [KeptRequest<Self>] {
    listed = listing.names
    hidden = []
    // A link can be broken for just a moment. Therefore, report a link that cannot be followed only
    // after the fault has persisted. The final pass, which cannot wait, reports the link
    // immediately.
    let (found, closed) = (listing.names.folder.diagnostics, listing.closed)
    let faults = folder.report(
      pass.isFinal ? found : closed + found, sure: pass.isFinal ? closed : [],
      isStart: pass.isStart, now: now.milliseconds)
    outcome.report.add(faults.new)
    if let time = faults.again { outcome.again.append((.certificatesFolder, time)) }
    self.closed = closed
    if !closed.isEmpty { outcome.failures += 1 }
    if directories != listing.search.directories {
      directories = listing.search.directories
      unwatched += directories.map { (String($0.prefix { $0 != "/" }), root + "/" + $0) }
    }
    if pass.isFirst { restoreMissing(in: listing, &outcome) }
    return []
  }

  mutating func take(
    _ reading: CertificateReader.Reading, of entry: CertificateFolder.Entry, _ pass: Pass<String>,
    at now: Moment, _ outcome: inout Outcome
  ) -> Bool {
    if let absence = reading.absence {
      noteMissing(entry.chain, absence, at: now.milliseconds)
      return false
    }
    if !pass.isStart, items[entry.chain] == nil {
      folder.names.add(
        entry.chain, at: now.milliseconds, withdrawAfter: options.withdrawAfter)
    }
    // Even a certificate whose files have unusable content exists, so do not treat its name as
    // missing.
    folder.names.find(entry.chain, at: now.milliseconds)
    let isSettled = pass.isFinal || pass.settled.contains(entry.topName)
    if reading.isGone || reading.settlingTime > 0 && !isSettled {
      let again = now.milliseconds + reading.settlingTime
      outcome.again.append((.certificate(entry.topName), again))
      return false
    }
    let isNew = items[entry.chain] == nil
    var state = items[entry.chain] ?? CertificateState(entry)
    state.entry = entry
    state.identity = reading.identity
    // If the last run kept a version of this certificate, do not wait until a fault has persisted:
    // serve the kept version immediately.
    let isPatient = !pass.isStart && !pass.isFinal && kept[entry.chain] == nil
    var (finding, until) = state.assess(
      reading.finding, now: now.milliseconds, wall: now.wall, isPatient: isPatient)
    if let until {
      outcome.again.append((.certificate(entry.topName), until))
      // Make the next scan read the files again.
      state.identity = 0
      items[entry.chain] = state
      return false
    }
    outcome.hasRead = true
    if isNew { finding = restored(&state, finding, at: now) }
    if isNew, let kept = state.certificate { outcome.noteCertificateChange(to: kept) }
    changes[entry.chain] = nil
    if case .usable(let new) = finding,
      let change = heldChange(
        of: state.certificate, to: new, entry.chain, isStart: isNew, wall: now.wall)
    {
      changes[entry.chain] = change
      finding = .unusable(change.hold.fault)
    }
    if reading.doubtfulTime > 0 {
      outcome.again.append(
        (.certificate(entry.topName), now.milliseconds + reading.doubtfulTime))
    }
    if case .flawed(let new, _) = reading.finding, new.notBefore > now.wall {
      let time = now.milliseconds + (new.notBefore - now.wall) * 1000
      outcome.again.append((.certificate(entry.topName), time))
    }
    decide(&state, finding, reading.warnings, at: now, &outcome)
    unwatched += reading.linkedFolders.map { (entry.topName, $0) }
    generation += 1
    items[entry.chain] = state
    return false
  }

  private mutating func decide(
    _ state: inout CertificateState, _ finding: FileFinding<Certificate>, _ warnings: [Diagnostic],
    at now: Moment, _ outcome: inout Outcome
  ) {
    reportRootsFault(&outcome)
    let before = state.certificate
    if case .flawed = finding { state.file.quality = .flawed }
    let (next, decision) = state.file.deciding(finding)
    state.file = next
    var diagnostics = warnings
    var isLastGood = false
    if case .fault(var fault, let keepsVersion) = decision {
      if next.answer.version == nil {
        fault.note = "the certificate is not served until the file is fixed"
      }
      diagnostics.insert(fault, at: 0)
      isLastGood = keepsVersion
      outcome.failures += 1
    }
    if case .unreadable = finding {
      state.failures += 1
      let time = now.milliseconds + retryPause(afterFailures: state.failures)
      outcome.again.append((.certificate(state.entry.topName), time))
    } else {
      state.failures = 0
    }
    let judged = problems[state.entry.chain]?.diagnostics.filter {
      Certificate.judgementKinds.contains($0.kind)
    }
    if problems.note(state.entry.chain, diagnostics, isLastGood: isLastGood) {
      outcome.report.add(diagnostics)
    }
    if state.certificate === before {
      if let judged, !judged.isEmpty { problems.add(state.entry.chain, judged) }
    } else {
      outcome.noteCertificateChange(to: state.certificate)
      // Keep a version as the last good version only if OpenSSL has checked it.
      if !state.isUnjudged { state.previous = before }
      state.isUnjudged = true
      unjudged.append(state.entry.chain)
    }
  }

  // MARK: Missing certificates

  private mutating func noteMissing(
    _ chain: String, _ absence: CertificateReader.Reading.Absence, at now: Int64
  ) {
    switch absence {
    // If a folder cannot be searched, do not treat a file in it as missing.
    case .unknown:
      hidden.insert(chain)
      folder.names.find(chain, isSeen: false, at: now)
    case .proven where !folder.names.isMissing(chain):
      forgetFault(ofMissing: chain)
      folder.names.miss(chain, at: now, withdrawAfter: options.withdrawAfter)
    case .proven: break
    }
  }

  mutating func withdraw(
    _ chain: String, at now: Moment, _ outcome: inout Outcome
  ) -> CertificateFolder.Entry? {
    generation += 1
    folder.names.withdraw(chain, at: now.milliseconds)
    changes[chain] = nil
    let state = items.removeValue(forKey: chain)
    problems.remove(chain)
    if state?.certificate == nil { return nil }
    outcome.noteCertificateChange(to: nil)
    outcome.report.add([
      Diagnostic(
        .certificateRemoved, "removed: \(root)/\(chain)", at: .init(path: root + "/" + chain),
        note: "the certificate's file was missing for longer than the setting withdrawAfter allows")
    ])
    return nil
  }

  /// Called if the folder cannot be trusted. If all files of a certificate are missing, forgets the
  /// fault of the certificate, because the diagnostic of the hold already reports the loss.
  mutating func doubt(_ listing: CertificateListing) {
    for (chain, state) in items
    where !listing.has(chain) && listing.search.obstacle(to: chain) == nil {
      if let key = state.entry.key, listing.keysWithoutChain.contains(key) { continue }
      forgetFault(ofMissing: chain)
    }
  }

  /// If a diagnostic says that a file of the certificate cannot be read, or that the chain of a key
  /// is missing, forgets this diagnostic.
  private mutating func forgetFault(ofMissing chain: String) {
    guard let problem = problems[chain],
      problem.diagnostics.contains(where: { $0.isOf(.certificateFileUnreadable) })
    else { return }
    problems.set(
      chain, problem.diagnostics.filter { !$0.isOf(.certificateFileUnreadable) },
      isLastGood: problem.isLastGood)
    generation += 1
  }

  // MARK: The served certificates

  /// The served certificates with the names of their files. The array is sorted by path. Therefore,
  /// the choice of a certificate for a connection depends only on the files.
  var served: [(name: String, certificate: Certificate)] {
    items.compactMap { chain, state in
      state.certificate.map { (chain, served: (name: state.entry.name, certificate: $0)) }
    }.sorted { $0.0 < $1.0 }.map(\.served)
  }

  /// Returns the faults that OpenSSL finds in a certificate. Does not check whether the CA of an
  /// automatic certificate is trusted, because the issuer has already checked the CA.
  func judgement(
    of certificate: Certificate, _ trust: TrustStore, at now: Moment
  ) -> [Diagnostic] {
    certificate.judge(
      trust: options.areCertificatesIssuedHere ? nil : trust, issuers: issuers,
      now: now.wall)
  }

  /// The next time at which a certificate becomes valid or expires, in seconds since 1970. At that
  /// time, the server may choose other certificates. Nil if there is no such time.
  func nextChangeOfDates(after now: Moment) -> Int64? {
    items.values.compactMap(\.certificate).flatMap { [$0.notBefore, $0.notAfter + 1] }
      .filter { $0 > now.wall }.min()
  }

  /// The state of each certificate, sorted by path.
  var statuses: [CertificateStatus] {
    items.values.map { state in
      CertificateStatus(
        name: state.entry.name, file: state.entry.chain, certificate: state.certificate,
        problem: problems[state.entry.chain], isIssuedHere: options.areCertificatesIssuedHere)
    }.sorted { $0.file < $1.file }
  }
}
