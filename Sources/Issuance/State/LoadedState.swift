internal import Bytes
internal import Diagnostics
internal import Posix

struct LoadedState {
  private(set) var authorities: [AuthorityState] = []
  private(set) var hosts: [String: HostState] = [:]
  /// The hosts whose installed certificates have not yet appeared in a handshake.
  private(set) var unseen: [String] = []

  init(_ folder: StateFolder, _ wanted: [Authority], _ now: Moment) {
    authorities = wanted.map { authority in
      var state = AuthorityState(authority, limits: folder.limits(authority))
      let account = folder.account(at: authority)
      if account.url != nil { (state.account, state.identities) = account }
      return state
    }
    for (host, file) in folder.issuedFiles() {
      var state = HostState()
      state.certificate = file
      state.nextWindow = file.issued + IssuanceLimits.windowRetry
      if let (window, next) = folder.readWindow(host, of: file.serial) {
        state.window = window
        // If the clock was wrong when this time was written, the time may be years away.
        state.nextWindow = min(next, now.seconds + 86_400)
      }
      hosts[host] = state
    }
    readJournal(folder.journal.entries(), wanted)
    for index in authorities.indices { readAuthority(index, folder, now) }
  }

  /// Counts the certificates in the journal, even if their files are missing. Ignores certificates
  /// from CAs that are no longer configured, so that these do not delay new certificates.
  private mutating func readJournal(_ entries: [Journal.Entry], _ wanted: [Authority]) {
    let names = wanted.map(\.name)
    for entry in entries where entry.step == .installing && names.contains(entry.authority) {
      let life = entry.detail.decimal(in: CivilTime.seconds) ?? 0
      hosts[entry.host, default: HostState()].issues.append(PastIssue(time: entry.time, life: life))
    }
    // The journal may be incomplete, so also count the installed certificates. Their times may
    // differ slightly from those in the journal.
    for (host, state) in hosts {
      guard let file = state.certificate, wanted.contains(where: { $0.url == file.authority }),
        !state.issues.contains(where: { abs($0.time - file.issued) < 600 })
      else { continue }
      hosts[host]?.issues.append(PastIssue(time: file.issued, life: file.validity.life))
    }
    let last = Dictionary(entries.map { ($0.host, $0.step) }) { $1 }
    unseen = last.filter { $0.value == .installed && hosts[$0.key]?.certificate != nil }.map(\.key)
  }

  private mutating func readAuthority(_ index: Int, _ folder: StateFolder, _ now: Moment) {
    for record in folder.records(authorities[index].authority)
    where hosts[record.host]?.order == nil {
      hosts[record.host, default: HostState()].stage = .ordered(record.order)
    }
    for (host, refusals) in authorities[index].limits.refused {
      var state = hosts[host] ?? HostState()
      state.failures = refusals.count
      state.failingSince = now.uptime - max(0, now.seconds - refusals.since) * 1_000
      let left = min(max(0, refusals.next - now.seconds), IssuanceLimits.longestRetryAfter)
      state.due = now.uptime + left * 1_000
      hosts[host] = state
    }
  }
}

extension StateFolder {
  /// Stores a certificate's renewal information and the time of the next request for it, so that a
  /// restart does not request the information again.
  func writeWindow(_ host: String, _ state: HostState) throws(StoreFault) {
    guard let serial = state.certificate?.serial else { return }
    try write(
      [
        "serial": serial.json, "next": state.nextWindow.json,
        "start": state.window?.start.json, "end": state.window?.end.json,
      ], to: window(host))
  }

  /// Returns the stored renewal information; nil if none is stored for the certificate with this
  /// serial number.
  func readWindow(_ host: String, of serial: String) -> (RenewalWindow?, next: Int64)? {
    guard let value = read(window(host)), value.text("serial") == serial,
      let next = value.time("next")
    else { return nil }
    guard let start = value.time("start"), let end = value.time("end") else { return (nil, next) }
    return (RenewalWindow(start: start, end: end, serial: serial), next)
  }
}
