internal import Diagnostics
internal import Settings
internal import TLS

/// Uses OpenSSL to check served certificates in the background.
extension CertificateKeeper {
  /// Uses OpenSSL to check one certificate that is already served.
  mutating func judge(_ chain: String, at now: Moment, _ outcome: inout Outcome) {
    guard var state = items[chain], let certificate = state.certificate else { return }
    guard let trust = trustStore() else { return reportRootsFault(&outcome) }
    let found = judgement(of: certificate, trust, at: now)
    let previous = state.previous
    state.previous = nil
    state.isUnjudged = false
    generation += 1
    if var fault = found.first(where: { $0.severity == .error }) {
      // The certificate is unusable, so serve the previous certificate again.
      state.refused = Boxed((certificate, fault))
      outcome.failures += 1
      outcome.noteCertificateChange(to: previous)
      state.file.answer = previous.map { .version($0) } ?? .unavailable
      if previous != nil { fault.note = "the last good version of the file is still served" }
      if problems.note(chain, [fault], isLastGood: previous != nil) { outcome.report.add([fault]) }
    } else {
      let mark = found.isEmpty ? 0 : reportMark(found)
      if mark != state.reportedJudgement { outcome.report.add(found) }
      state.reportedJudgement = mark
      if !found.isEmpty { problems.add(chain, found) }
    }
    items[chain] = state
  }

  /// Returns the trusted root certificates, which are loaded at the first call. Returns nil if the
  /// loading fails; `reportRootsFault` then reports the reason.
  mutating func trustStore() -> TrustStore? {
    if let trust { return trust }
    do throws(TLSError) {
      trust = try roots()
    } catch {
      rootsFault = Diagnostic(
        .noSystemRoots, "the system's root certificates cannot be used: \(error)")
    }
    return trust
  }

  /// Reports the fault that occurred when the root certificates were loaded, if there was a fault
  /// and it was not reported yet.
  mutating func reportRootsFault(_ outcome: inout Outcome) {
    if let fault = rootsFault.take() { outcome.report.add([fault]) }
  }

  /// Reports certificates that expired after their files were read. Also reports certificates that
  /// will expire soon, if the time of this warning came after their files were read.
  mutating func reportDates(at now: Moment) -> Outcome {
    var outcome = Outcome()
    for (chain, state) in items {
      guard
        let diagnostic = state.certificate?.timeDiagnostic(
          now: now.wall, warningDays: options.certificateWarningDays),
        problems[chain]?.diagnostics.contains(where: { $0.kind == diagnostic.kind }) != true
      else { continue }
      let others = problems[chain]?.diagnostics.filter { !Certificate.dateKinds.contains($0.kind) }
      problems.set(
        chain, [diagnostic] + (others ?? []), isLastGood: problems[chain]?.isLastGood ?? false)
      generation += 1
      outcome.report.add([diagnostic])
    }
    return outcome
  }
}
