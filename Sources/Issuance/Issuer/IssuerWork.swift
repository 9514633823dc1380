internal import Client
internal import Diagnostics
internal import Posix
internal import TLS

/// The issuer's thread: what it knows, and what it does next. Belongs to that thread.
final class IssuerWork {
  let options: Issuer.Options
  let environment: Issuer.Environment
  let folder: StateFolder
  let journal: Journal
  let status: StatusBoard
  var hosts: [String: HostState] = [:]
  /// Those with an order under way.
  var underWay: Set<String> = []
  /// Those whose new certificate was not yet seen in a handshake.
  var unseen: Set<String> = []
  /// Held for as long as this is the issuer.
  private var lock: FileLock?
  private(set) var key: SigningKey?
  private(set) var context: ClientContext?
  private(set) var trust: TrustStore?
  private(set) var clients: [AuthorityClient] = []
  /// The account's key is to be changed; when that is tried next, in milliseconds of the monotonic
  /// clock.
  var nextRollover: Int64?
  /// What is left of the CAs' limits, by the URL of the CA.
  var books: [String: LimitBook] = [:]
  /// Those whose books differ from their files.
  var changedBooks: Set<String> = []
  private var generation = Int.min
  /// The hosts whose requests by `aasa acme renew` were seen; the files stay until they are fulfilled.
  private var taken: Set<String> = []
  private var reported: Set<String> = []
  /// The CA that last said what time it is.
  var heard: AuthorityClient?
  /// When files are next removed, in milliseconds of the monotonic clock.
  var nextRemoval: Int64 = 0
  /// Whether it is time to stop.
  private(set) var isStopping: () -> Bool = { false }

  init(_ options: Issuer.Options, _ environment: Issuer.Environment, _ status: StatusBoard) {
    self.options = options
    self.environment = environment
    self.status = status
    folder = options.folder
    journal = Journal(options.folder.journal)
  }

  /// - Parameter pause: waits for some milliseconds; false when it is time to stop.
  func run(pause: @escaping (Int64) -> Bool) {
    isStopping = { !pause(0) }
    defer { isStopping = { false } }
    while !prepare() { guard pause(1_000) else { return } }
    load()
    while pause(idleTime()) {
      takeHosts()
      takeRequestedRenewals()
      removeExpired()
      rollOver()
      takeRefused()
      lookForServed()
      let end = Clock.monotonicMilliseconds() + Limits.turn
      for host in dueHosts() where underWay.contains(host) || hasRoom {
        advance(host)
        if isStopping() { return }
        // So that orders under way do not wait for many names that do not answer.
        if Clock.monotonicMilliseconds() > end { break }
      }
      status.note(isIssuer: true, account: clients.first?.account)
      writeBooks()
      noteLimits()
    }
  }

  /// Tells something once, until `forget` with the same key. Returns whether it did.
  @discardableResult
  func tellOnce(_ key: String, _ diagnostic: Diagnostic) -> Bool {
    let isNew = reported.insert(key).inserted
    if isNew { environment.tell(diagnostic) }
    return isNew
  }

  func forget(_ key: String) { reported.remove(key) }

  // MARK: The start

  /// Takes the lock and reads the account's key, or makes one. False when that cannot be yet.
  private func prepare() -> Bool {
    do {
      try folder.make(for: options.authorities)
      if lock == nil { lock = try FileLock(folder.lock) }
      guard lock != nil else {
        tellOnce("lock", .otherIssuer(folder.root))
        if let key = try folder.readKey() { environment.answer(thumbprint(of: key)) }
        status.note(isIssuer: false, account: nil)
        return false
      }
      if let found = try folder.readKey() {
        key = found
      } else {
        let made = try SigningKey.generate()
        try folder.write(made, to: folder.accountKey)
        key = made
      }
      let trust = try options.roots.map { try TrustStore.system(and: $0) } ?? TrustStore.system()
      self.trust = trust
      context = try ClientContext(trust: trust)
    } catch let fault as KeyFault {
      tellOnce("storage", .keyUnusable(fault.path))
      return false
    } catch {
      tellOnce("storage", .stateUnusable(folder.root, "\(error)"))
      return false
    }
    forget("storage")
    forget("lock")
    for authority in options.authorities { books[authority.url] = folder.limits(authority) }
    guard let key else { return false }
    use(key)
    return true
  }

  /// Signs with a key from now on, and answers challenges with it.
  func use(_ key: SigningKey) {
    guard let context else { return }
    self.key = key
    environment.answer(thumbprint(of: key))
    clients = options.authorities.map { authority in
      let client = AuthorityClient(authority, key: key, context: context)
      client.account = folder.accountURL(at: authority)
      return client
    }
  }

  /// Reads what was done before: certificates, orders under way, and when certificates were issued.
  private func load() {
    folder.removeTemporaryFiles(of: options.authorities)
    for (host, file) in folder.issuedFiles() {
      var state = HostState()
      state.certificate = file
      // What a CA that is not wanted any more has issued keeps nobody from another one.
      if options.authorities.contains(where: { $0.url == file.authority }) {
        state.lastIssue = (file.issued, file.life)
      }
      hosts[host] = state
    }
    // The file of a certificate may be gone: what was issued counts all the same.
    let names = options.authorities.map(\.name)
    let entries = journal.entries()
    for entry in entries where entry.step == .installing && names.contains(entry.authority) {
      let life = Int64(entry.detail) ?? 0
      if entry.time > hosts[entry.host]?.lastIssue?.time ?? .min {
        hosts[entry.host, default: HostState()].lastIssue = (entry.time, life)
      }
    }
    // What was installed last and not seen since is looked for.
    let last = Dictionary(entries.map { ($0.host, $0.step) }) { $1 }
    for (host, step) in last where step == .installed && hosts[host]?.certificate != nil {
      hosts[host]?.unseenSince = Clock.monotonicMilliseconds()
      unseen.insert(host)
    }
    for authority in options.authorities {
      for record in folder.records(authority) where hosts[record.host]?.order == nil {
        hosts[record.host, default: HostState()].order = record
        underWay.insert(record.host)
        for name in record.companions { hosts[name, default: HostState()].leader = record.host }
      }
      for (host, refusals) in books[authority.url]?.refused ?? [:] {
        hosts[host, default: HostState()].resume(refusals)
      }
    }
  }

  // MARK: What there is to do

  private(set) var wanted: Set<String> = []

  private func takeHosts() {
    let list = environment.hosts()
    if list.generation == generation { return }
    generation = list.generation
    wanted = Set(list.hosts)
    for host in wanted where hosts[host] == nil { hosts[host] = HostState() }
    for host in hosts.keys where !wanted.contains(host) { status.remove(host) }
    for host in wanted { report(host) }
  }

  /// A file with the name of a host, written by `aasa acme renew`, asks for its certificate now.
  private func takeRequestedRenewals() {
    if nextRollover == nil, folder.wantsRollover { nextRollover = 0 }
    guard let names = try? listDirectory(folder.renewals), !names.isEmpty else { return }
    for name in names where !name.hasPrefix(".") {
      let host = StateFolder.host(name)
      if taken.contains(host) { continue }
      taken.insert(host)
      // What cannot be removed would be asked for after each start.
      guard (try? Posix.status(folder.renewals + "/" + name))?.kind == .regular else {
        removeRequest(host)
        continue
      }
      guard wanted.contains(host) else {
        let reason =
          isWildcard(host) && !options.challenges.contains(.record)
          ? "a wildcard needs dns-persist-01 in acmeChallenges"
          : "no entry of the domains folder is for it, or a certificate of yours covers it"
        environment.announce("certificate for \(host): not asked for, because \(reason)")
        removeRequest(host)
        continue
      }
      hosts[host]?.isForced = true
      hosts[host]?.next = 0
      hosts[host]?.failures = 0
      forgetRefusals(of: host)
    }
  }

  /// What was asked for is there: until then, a restart must know of it.
  func fulfilled(_ host: String) {
    hosts[host]?.isForced = false
    if taken.contains(host) { removeRequest(host) }
  }

  private func removeRequest(_ host: String) {
    do throws(SystemError) {
      try removeFile(folder.renewals + "/" + StateFolder.fileName(host))
      taken.remove(host)
      forget("request")
    } catch {
      // Kept among those that were taken, so that it does not count again.
      tellOnce("request", .stateUnusable(folder.root, "\(error)"))
    }
  }

  /// A client asked for a name that was not ready: perhaps it is now.
  private func takeRefused() {
    let now = Clock.monotonicMilliseconds()
    let asked = environment.certificates?.takeRefused() ?? []
    for name in asked.flatMap({ [$0, "*" + $0.drop { $0 != "." }] }) {
      guard wanted.contains(name), let state = hosts[name], case .name? = state.trouble,
        state.next > now
      else { continue }
      let pause = pause(afterRequests: state.failures) * 1_000
      hosts[name]?.next = min(state.next, max(now, state.lastFailure + pause))
    }
  }

  /// The hosts that are to be checked now, the most urgent first.
  func dueHosts() -> [String] {
    let (now, wall) = (Clock.monotonicMilliseconds(), time)
    let due = hosts.filter { host, state in
      state.next <= now && state.leader == nil && (wanted.contains(host) || state.order != nil)
    }
    return due.map { (host: $0.key, urgency: $0.value.urgency(now: wall), next: $0.value.next) }
      .sorted { ($0.urgency, $0.next, $0.host) < ($1.urgency, $1.next, $1.host) }.map(\.host)
  }

  /// No order begins while the key is about to change: its challenges would be answered with a key that
  /// the CA does not know.
  private var hasRoom: Bool {
    let soon = Clock.monotonicMilliseconds() + Limits.longestPlace
    return nextRollover == nil
      && underWay.count { hosts[$0]?.next ?? 0 <= soon } < Limits.ordersUnderWay
  }

  /// Milliseconds until the next turn: longer for many hosts, all of which are looked through.
  private func idleTime() -> Int64 {
    let now = Clock.monotonicMilliseconds()
    let next = underWay.compactMap { hosts[$0]?.next }.min() ?? now + 1_000
    let shortest = min(1_000, 20 + Int64(hosts.count) / 50)
    return min(unseen.isEmpty ? 1_000 : 100, max(shortest, next - now))
  }

  private func noteLimits() {
    let now = Clock.wallMilliseconds()
    for authority in options.authorities {
      books[authority.url]?.settle(now: now)
      guard let book = books[authority.url] else { continue }
      status.note(frozen: book.ends(now: now / 1_000), of: authority.name)
      guard let left = book.budget?.remaining(now: now) else { continue }
      status.note(remaining: Int(left), of: authority.name)
    }
  }

  // MARK: Clients

  /// The client of the CA that a host's order is at, or is to be.
  func client(for state: HostState) -> AuthorityClient? {
    if let order = state.order {
      return clients.first { $0.authority.url == order.authority }
    }
    return nextClient(for: state)
  }

  /// The client of the CA that a host's next order is to be at.
  func nextClient(for state: HostState) -> AuthorityClient? {
    let index = authorityIndex(
      count: clients.count, failingFor: state.failingFor, certificate: state.validity, now: time)
    return clients.isEmpty ? nil : clients[index]
  }
}
