internal import Bytes
internal import JSON
internal import Posix

/// What the files of a state folder know.
struct LoadedState {
  private(set) var authorities: [AuthorityState] = []
  private(set) var hosts: [String: HostState] = [:]
  /// Hosts whose certificates were installed and not yet seen in a handshake.
  private(set) var unseen: [String] = []

  init(_ folder: StateFolder, _ journal: Journal, _ wanted: [Authority], _ now: Moment) {
    authorities = wanted.map { authority in
      var state = AuthorityState(authority, limits: folder.limits(authority))
      state.account = folder.accountURL(at: authority)
      if state.account != nil { state.identities = folder.identities(at: authority) }
      return state
    }
    for (host, file) in folder.issuedFiles() {
      var state = HostState()
      state.certificate = file
      state.nextWindow = file.issued + Limits.windowRetry
      if let (window, next) = folder.readWindow(host, of: file.serial) {
        state.window = window
        // A clock that was wrong does not keep it from being asked for years.
        state.nextWindow = min(next, now.seconds + 86_400)
      }
      hosts[host] = state
    }
    readJournal(journal.entries(), wanted)
    for index in authorities.indices { readAuthority(index, folder, now) }
  }

  /// The file of a certificate may be gone: what was issued counts all the same. What a CA that is not
  /// wanted any more has issued keeps nobody from another certificate.
  private mutating func readJournal(_ entries: [Journal.Entry], _ wanted: [Authority]) {
    let names = wanted.map(\.name)
    for entry in entries where entry.step == .installing && names.contains(entry.authority) {
      let life = entry.detail.decimal(in: CivilTime.seconds) ?? 0
      hosts[entry.host, default: HostState()].issues.append(PastIssue(time: entry.time, life: life))
    }
    // The journal may have been begun anew. Its clock and the certificate's may differ a little.
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
      authorities[index].open.insert(record.host)
    }
    for (host, refusals) in authorities[index].limits.refused {
      var state = hosts[host] ?? HostState()
      state.failures = refusals.count
      state.failingSince = now.uptime - max(0, now.seconds - refusals.since) * 1_000
      let left = min(max(0, refusals.next - now.seconds), Limits.longestRetryAfter)
      state.due = now.uptime + left * 1_000
      hosts[host] = state
    }
  }
}

extension StateFolder {
  /// Keeps what a CA said about the renewal of a certificate, and when it is asked again, so that a
  /// restart does not ask.
  func writeWindow(_ host: String, _ state: HostState) throws(SystemError) {
    guard let serial = state.certificate?.serial else { return }
    try write(
      [
        ("serial", .text(serial)), ("next", .number(state.nextWindow)),
        ("start", (state.window?.start).map(Tree.number)),
        ("end", (state.window?.end).map(Tree.number)),
      ], to: window(host))
  }

  /// The same; nil when nothing is known of the certificate with the serial number.
  func readWindow(_ host: String, of serial: String) -> (RenewalWindow?, next: Int64)? {
    guard let value = read(window(host)), value.text("serial") == serial,
      let next = value.time("next")
    else { return nil }
    guard let start = value.time("start"), let end = value.time("end") else { return (nil, next) }
    return (RenewalWindow(start: start, end: end, serial: serial), next)
  }
}
