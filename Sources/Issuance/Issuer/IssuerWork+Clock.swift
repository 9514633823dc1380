internal import Diagnostics
internal import Posix

/// This machine's clock and the CA's, by which certificates are dated.
extension IssuerWork {
  /// Seconds since 1970, for judging certificates: by the CA's clock when ours is minutes off. When it
  /// is more than a day off, the CA's may be the one that is wrong.
  var time: Int64 {
    let offset = heard?.clockOffset ?? 0
    let isUsed = abs(offset) > Limits.clockDifference && abs(offset) <= Limits.clockFault
    return Clock.wallSeconds() + (isUsed ? offset : 0)
  }

  /// A CA has said what time it is, and ours is about the same.
  var isClockRight: Bool {
    heard?.clockOffset.map { abs($0) <= Limits.clockFault } ?? false
  }

  /// Whether a host must wait because one of the two clocks is more than a day off: nobody knows then
  /// what has expired.
  func waitsForClock(_ host: String, _ client: AuthorityClient) -> Bool {
    if isWrong(client) { client.askForTime() }
    guard isWrong(client), let offset = client.clockOffset else {
      if case .clock = hosts[host]?.trouble { hosts[host]?.trouble = nil }
      return false
    }
    hosts[host]?.trouble = .clock(seconds: offset)
    hosts[host]?.next = Clock.monotonicMilliseconds() + Limits.clockPause
    noteFailing(host)
    report(host)
    return true
  }

  private func isWrong(_ client: AuthorityClient) -> Bool {
    abs(client.clockOffset ?? 0) > Limits.clockFault
  }

  /// Reports a clock that differs from the CA's so much that dates cannot be judged by it.
  func checkClock(_ client: AuthorityClient) {
    guard let offset = client.clockOffset else { return }
    heard = client
    status.note(clockOffset: offset)
    let keys = (off: "clock \(client.authority.url)", wrong: "wrong clock \(client.authority.url)")
    if abs(offset) <= Limits.clockDifference { forget(keys.off) }
    if abs(offset) <= Limits.clockFault { forget(keys.wrong) }
    guard abs(offset) > Limits.clockDifference else { return }
    let key = abs(offset) > Limits.clockFault ? keys.wrong : keys.off
    let isNew = tellOnce(key, .clockDiffers(client.authority.name, seconds: offset))
    if isNew, key == keys.wrong {
      note("", client, .failed, Setback.clock(seconds: offset).text)
    }
  }

  /// Removes the files of hosts that are gone, a week after they have expired.
  func removeExpired() {
    let now = Clock.monotonicMilliseconds()
    guard isClockRight, nextRemoval <= now else { return }
    nextRemoval = now + Limits.removalPause
    folder.removeTemporaryFiles(of: options.authorities)
    for (host, state) in hosts where !wanted.contains(host) && state.order == nil {
      guard let certificate = state.certificate, certificate.notAfter + Limits.keptSeconds < time
      else { continue }
      try? removeFile(folder.certificate(host))
      hosts[host] = nil
    }
  }
}
