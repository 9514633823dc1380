internal import Settings

/// The states of all hosts, and tables derived from these states: which hosts are considered next,
/// which hosts wait, and which hosts have open orders. Only `refile` updates these tables, after
/// every change of a state.
struct HostTable: Sendable {
  private(set) var states: [String: HostState] = [:]
  /// The hosts that need a certificate.
  private(set) var wanted: Set<String> = []
  /// When each host is considered next if no event arrives earlier, in milliseconds of the
  /// monotonic clock.
  private(set) var schedule = HostQueue<Int64>()
  /// The hosts that wait for a name check or for an order.
  private(set) var waiting = HostQueue<Rank>()
  /// The hosts in `waiting` whose name check succeeded.
  private(set) var checked: Set<String> = []
  /// The hosts whose names are being checked. Some of these hosts may no longer need a certificate.
  private(set) var checking: Set<String> = []
  /// The hosts with an open order, keyed by the URL of the CA's directory.
  private var open: [String: Set<String>] = [:]
  /// Whether a change to the tables may allow a check or an order to begin.
  var isChanged = false
  /// The time of the current event, and the time by which certificates are judged. The second time
  /// is in seconds since 1970.
  var now = Moment(uptime: 0, wall: 0)
  var time: Int64 = 0

  init(_ states: [String: HostState] = [:]) {
    self.states = states
    for host in states.keys { refile(host) }
  }

  subscript(host: String) -> HostState? {
    get { states[host] }
    set {
      let last = states[host]?.order
      states[host] = newValue
      if let last, last.authority != newValue?.order?.authority {
        open[last.authority]?.remove(host)
        isChanged = true
      }
      refile(host)
    }
  }

  /// The hosts with an open order at a CA.
  func open(at authority: Authority) -> Set<String> { open[authority.url] ?? [] }
  var hasOpen: Bool { open.contains { !$0.value.isEmpty } }

  mutating func want(_ hosts: Set<String>) {
    let changed = wanted.symmetricDifference(hosts)
    wanted = hosts
    for host in changed { refile(host) }
  }

  /// Updates a host's entries in all tables.
  mutating func refile(_ host: String) {
    let state = states[host]
    let isWanted = wanted.contains(host)
    var due: Int64?
    var rank: Rank?
    var (isChecked, isChecking) = (false, false)
    switch state?.stage {
    case nil: break
    case .resting: due = isWanted ? state?.nextLook : nil
    case .waiting(let wait):
      switch wait.check {
      case .due: break
      case .underWay: isChecking = true
      case .passed: isChecked = isWanted
      }
      if isWanted {
        rank = state?.rank(host, time: time)
        if let validity = state?.certificate?.validity, !validity.isEnding(time) {
          // The host's rank changes shortly before the certificate expires. Look again after at
          // most six hours, because somebody may set the clock.
          let next = min(validity.notAfter - validity.life / 6 - time + 1, 21_600)
          due = now.uptime + next * 1_000
        }
      }
    case .ordered(let order):
      due = state?.nextLook
      if open[order.authority, default: []].insert(host).inserted { isChanged = true }
      // The order begins a long wait, so another order may begin in its place.
      if let due, due > now.uptime + IssuanceLimits.longestPlace { isChanged = true }
    }
    schedule.set(host, due)
    if waiting.contains(host) != (rank != nil) { isChanged = true }
    waiting.set(host, rank)
    if isChecked != checked.contains(host) { checked.formSymmetricDifference([host]) }
    if isChecking != checking.contains(host) {
      checking.formSymmetricDifference([host])
      isChanged = true
    }
  }
}
