internal import Diagnostics
internal import Posix
internal import Settings
internal import TLS

/// The issuer's thread. It passes events to the plan, and carries out the plan's effects.
final class IssuerWork {
  let options: Issuer.Options
  let environment: Issuer.Environment
  var folder: StateFolder { options.folder }
  let status: StatusBoard
  let mailbox: Mailbox
  let challenges: Challenges
  var plan: HostPlan
  let rivals = Rivals()
  /// The hosts whose new certificate has not appeared in a handshake, and when the wait began.
  var unseen: [String: Int64] = [:]
  var nextHandshakes: Int64 = 0
  var handshakePause = IssuanceLimits.handshakePause
  /// The CAs whose rate limits have changed since the limits were last written to disk.
  var changedLimits: Set<Int> = []
  private(set) var key: SigningKey?
  private(set) var context: ClientContext?
  private(set) var threads: [AuthorityThread] = []
  private var lock: FileLock?
  private var mark: HolderMark
  private(set) var isIssuer = false
  /// A state file of a later version of this program; nil if no such file was found.
  private var newerFile: String?
  /// The change times of both folders, certificates and requests, when they were last read.
  private var (certificatesChange, renewalsChange): (Int64?, Int64?)
  /// The names of the reported conditions that have not ended yet.
  private var conditions: Set<String> = []
  /// The hosts whose request files (from `aasa acme renew`) this thread has read. A request file
  /// stays until the new certificate is installed.
  private var taken: Set<String> = []
  /// The time of the next search for request files and missing files.
  private var nextLook: Int64 = 0
  private var nextQueue: Int64 = 0
  private var hasQueue = true

  init(
    _ options: Issuer.Options, _ environment: Issuer.Environment, _ status: StatusBoard,
    _ mailbox: Mailbox
  ) {
    (self.options, self.environment) = (options, environment)
    (self.status, self.mailbox) = (status, mailbox)
    mark = HolderMark(options.folder.holder, in: options.folder.store)
    challenges = Challenges(kinds: options.challenges, shown: environment.certificates)
    plan = HostPlan([])
  }

  /// - Parameter pause: Sleeps for the given milliseconds, or until an event arrives. Returns false
  ///   if it is time to stop.
  func run(pause: @escaping (Int64) -> Bool) {
    defer {
      endThreads()
      mark.release()
    }
    while true {
      while !prepare() { guard pause(1_000) else { return } }
      load()
      while isIssuer {
        guard pause(idleTime()) else { return writeLimits() }
        turn(isStopping: { !pause(0) })
        writeLimits()
        writeQueue()
        noteLimits()
      }
      // Stop the CAs' threads: another process, perhaps with another key, may now get certificates.
      endThreads()
    }
  }

  /// Ends the CAs' threads. Waits for them, because they still use objects of this instance.
  private func endThreads() {
    for thread in threads { thread.stop() }
    for thread in threads { while !thread.hasEnded() {} }
    threads = []
  }

  /// Runs the issuer's loop once. During a stop, skips events: the server answers no requests.
  private func turn(isStopping: () -> Bool) {
    // Look for new hosts once here, not after each event: one order causes several events.
    let now = Clock.monotonicMilliseconds()
    let isLooking = nextLook <= now
    if mailbox.takeNews() || isLooking {
      let hosts = environment.hosts()
      if hosts != plan.wanted { apply(.hosts(hosts)) }
    }
    if isLooking {
      nextLook = now + IssuanceLimits.lookPause
      takeRequests()
      checkFolder()
    }
    for name in environment.certificates?.takeRefused() ?? [] { apply(.askedFor(name)) }
    for event in mailbox.take() {
      if isStopping() { return }
      apply(event)
    }
    apply(.time)
    checkServed()
    status.update { [account = plan.authorities.first?.account] in
      ($0.isIssuer, $0.account) = (true, account)
    }
  }

  func apply(_ event: PlanEvent) {
    for effect in plan.step(event, at: .now) { execute(effect) }
  }

  /// Returns the number of milliseconds until the loop must run again.
  private func idleTime() -> Int64 {
    let left = min(plan.nextDue(), nextLook) - Clock.monotonicMilliseconds()
    return min(max(left, 1), unseen.isEmpty ? .max : handshakePause)
  }

  /// Reports a condition if it was not reported before. A nil diagnostic ends the condition.
  func set(_ condition: String, _ diagnostic: Diagnostic?) {
    if let diagnostic {
      if conditions.insert(condition).inserted { environment.report(diagnostic) }
    } else {
      conditions.remove(condition)
    }
  }

  /// Runs `body` on the state folder, and reports a failure. Returns whether `body` succeeded.
  @discardableResult
  func withFolder(_ body: @autoclosure () throws(StoreFault) -> Void) -> Bool {
    do throws(StoreFault) {
      try body()
      return true
    } catch {
      set("storage", .stateUnusable(folder.root, error))
      return false
    }
  }

  /// Takes the lock, and reads or creates the account's key. Returns whether both succeeded.
  private func prepare() -> Bool {
    do {
      try takeLock()
      let holder = lock == nil ? nil : try mark.hold()
      if lock == nil || holder != nil {
        set("lock", .otherIssuer(folder.root, holder))
        if let key = try folder.readKey() { environment.answer(thumbprint(of: key)) }
        status.update { ($0.isIssuer, $0.account) = (false, nil) }
        return false
      }
      // While the known newer file still exists, do not search for other newer files.
      newerFile =
        newerFile.flatMap { folder.isNewer($0) ? $0 : nil }
        ?? folder.newerFile(options.authorities)
      if let newerFile {
        lock = nil
        set("storage", .stateNewer(folder.path(newerFile)))
        return false
      }
      (certificatesChange, renewalsChange) = (nil, nil)
      let found = try folder.readKey()
      let own = try found ?? key ?? SigningKey.generate()
      if found == nil { try folder.write(own, to: folder.accountKey) }
      key = own
      if threads.isEmpty { try startThreads() }
    } catch {
      let path = (error as? KeyFault)?.path
      set("storage", path.map(Diagnostic.keyUnusable) ?? .stateUnusable(folder.root, error))
      return false
    }
    set("storage", nil)
    set("lock", nil)
    isIssuer = true
    if let key { environment.answer(thumbprint(of: key)) }
    return true
  }

  /// Makes the folders, and takes the lock unless another process holds it.
  private func takeLock() throws(StoreFault) {
    try folder.make()
    if lock?.isAt(folder.path(folder.lock)) == true { return }
    lock = nil
    do throws(StoreFault) { lock = try folder.store.lock(folder.lock) } catch {
      if error != .locked { throw error }
    }
  }

  private func startThreads() throws {
    guard let key else { return }
    let trust = try TrustStore.system(and: options.roots)
    let context = try ClientContext(trust: trust)
    self.context = context
    threads = try options.authorities.enumerated().map { index, authority in
      let account = folder.account(at: authority).url
      return try AuthorityThread(index, mailbox) { [options, environment, challenges] in
        let client = AuthorityClient(
          authority, key: key, context: context, variables: options.variables)
        client.account = account
        return AuthorityWork(client, options, environment, challenges, trust)
      }
    }
  }

  /// Reads the saved state: certificates, open orders, and when certificates were issued.
  private func load() {
    // Discard events from before the lock was lost: the new plan does not know their orders.
    _ = mailbox.take()
    folder.removeTemporaryFiles()
    let loaded = LoadedState(folder, options.authorities, .now)
    plan = HostPlan(loaded.authorities)
    plan.hosts = HostTable(loaded.hosts)
    let now = Clock.monotonicMilliseconds()
    for host in loaded.unseen { unseen[host] = now }
    if folder.wantsRollover { changeKey() }
    nextLook = 0
  }

  /// Reads the request files from `aasa acme renew`, which request a certificate for a host. A file
  /// stays until the certificate is installed, so that the request survives a restart.
  private func takeRequests() {
    if folder.wantsRollover { changeKey() }
    let requests = folder.store.names(in: folder.renewals, changedSince: &renewalsChange)
    for name in requests ?? [] {
      let host = StateFolder.host(name)
      guard taken.insert(host).inserted else { continue }
      // Ignore a folder: it might not be removable, and would be a new request at each start.
      let isFile = folder.store.status(folder.renewal(host))?.kind == .regular
      if isFile, plan.wanted.contains(host) {
        apply(.requested(host))
        continue
      }
      let reason =
        challenges.fitting(host).isEmpty
        ? "acmeChallenges lacks \(ChallengeKind.firstFitting(host).rawValue), which this host needs"
        : "this host has no entry in the domains folder, or your own certificate covers this host"
      if isFile { environment.announce("certificate for \(host): not ordered, because \(reason)") }
      removeRequest(host)
    }
  }

  /// Removes a request file. If that fails, `taken` still lists the host, so that the request is
  /// not handled again.
  func removeRequest(_ host: String) {
    guard taken.contains(host) else { return }
    if withFolder(try folder.store.remove(folder.renewal(host))) { taken.remove(host) }
  }

  /// Begins a change of the account's key. Writes the new key to disk before any CA receives it.
  private func changeKey() {
    if plan.isChangingKey { return }
    do {
      if try folder.key(in: folder.newAccountKey) == nil {
        try folder.write(try SigningKey.generate(), to: folder.newAccountKey)
      }
      apply(.keyChange)
    } catch {
      set("rollover", .rolloverWaits("\(error)"))
    }
  }

  /// Notes that a CA knows the new key. After the last CA, the new key replaces the old key.
  func keyChanged(isLast: Bool) {
    do {
      guard let new = try folder.key(in: folder.newAccountKey) else { return }
      key = new
      environment.answer(thumbprint(of: new))
      guard isLast else { return }
      try folder.store.remove(folder.rollover)
      try folder.store.rename(folder.newAccountKey, to: folder.accountKey)
      set("rollover", nil)
      environment.announce(
        "the account has a new key, with the thumbprint \(thumbprint(of: new)); servers with"
          + " --acme-answer need this thumbprint")
    } catch {
      set("rollover", .rolloverWaits("\(error)"))
    }
  }

  /// Detects that files or the whole folder are missing, and writes them again from memory.
  func checkFolder() {
    let isWhole =
      lock?.isAt(folder.path(folder.lock)) != true
      || [folder.certificates, folder.renewals].contains { folder.store.status($0) == nil }
    if isWhole, !(withFolder(try remakeFolder()) && isIssuer) { return }
    // If the mark belongs to another process, `prepare` reports that process.
    do throws(StoreFault) { isIssuer = try mark.hold() == nil } catch {
      set("storage", .stateUnusable(folder.root, error))
    }
    guard isIssuer else { return }
    let names = folder.store.names(in: folder.certificates, changedSince: &certificatesChange)
    guard let there = names.map(Set.init) else { return }
    var lost: Set<String> = []
    for (host, state) in plan.hosts.states {
      let isThere = there.contains(StateFolder.fileName(host) + ".pem")
      if state.certificate != nil, !isThere { lost.insert(host) }
      if state.certificate == nil, isThere, state.isResting,
        let file = folder.issuedFile(host)
      {
        apply(.file(host, file))
      }
    }
    let kept = lost.isEmpty ? [] : writeAgain(lost)
    if isWhole || !kept.isEmpty {
      environment.report(.stateRemoved(folder.root, isWhole: isWhole, certificates: kept.count))
    }
    for host in lost.subtracting(kept) { apply(.file(host, nil)) }
  }

  /// Writes the files of served certificates again. Omits a certificate if a person has requested
  /// its replacement, because the certificate may be revoked.
  private func writeAgain(_ lost: Set<String>) -> Set<String> {
    let served = environment.served()
    var kept: Set<String> = []
    for host in lost {
      guard plan.wanted.contains(host), let state = plan.hosts[host], !state.isRequested,
        let file = state.certificate, let certificate = served[folder.certificatePath(host)],
        certificate.serial == file.serial, let (chain, key) = IssuedChain.served(certificate)
      else { continue }
      kept.insert(host)
      // If writing fails now, try again later.
      if !withFolder(try folder.install(file, chain, key, for: host)) {
        certificatesChange = nil
      }
    }
    return kept
  }

  /// Creates the folder again if it was removed during use. Writes the known state, and takes the
  /// lock, so that no other process issues certificates at the same time.
  private func remakeFolder() throws(StoreFault) {
    try takeLock()
    isIssuer = lock != nil && folder.newerFile(options.authorities) == nil
    guard isIssuer else { return }
    if let key, folder.store.status(folder.accountKey) == nil {
      try folder.write(key, to: folder.accountKey)
    }
    for (index, state) in plan.authorities.enumerated() {
      if let account = state.account {
        try folder.writeAccount(account, state.identities ?? [], state.authority)
      }
      changedLimits.insert(index)
    }
    for (host, state) in plan.hosts.states {
      if state.isRequested { try folder.requestRenewal(of: host) }
      if state.window != nil { try folder.writeWindow(host, state) }
    }
    if plan.isChangingKey { try folder.requestRollover() }
    (certificatesChange, renewalsChange) = (nil, nil)
    set("storage", nil)
  }

  /// Writes the list of hosts that wait for an order, which `aasa acme status` reads.
  private func writeQueue() {
    let now = Moment.now
    if plan.hosts.waiting.isEmpty { nextQueue = now.uptime + IssuanceLimits.waitingPause }
    guard plan.hosts.waiting.isEmpty ? hasQueue : nextQueue <= now.uptime else { return }
    nextQueue = now.uptime + IssuanceLimits.waitingPause
    hasQueue = !plan.hosts.waiting.isEmpty
    guard hasQueue else {
      withFolder(try folder.store.remove(folder.waiting))
      return
    }
    let hosts = JSONTree(plan.queue(now).map { ($0.host, $0.time.json) })
    withFolder(try folder.write(["hosts": hosts], to: folder.waiting))
  }

  func writeLimits() {
    for index in changedLimits {
      let state = plan.authorities[index]
      if withFolder(try folder.write(state.limits, state.authority, now: Clock.wallSeconds())) {
        changedLimits.remove(index)
      }
    }
  }
}
