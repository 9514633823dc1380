internal import Diagnostics
internal import JSON
internal import Posix
internal import TLS

/// The issuer's thread: it takes events to the plan, and does what the plan says. Belongs to that thread.
final class IssuerWork {
  let options: Issuer.Options
  let environment: Issuer.Environment
  let folder: StateFolder
  let journal: Journal
  let status: StatusBoard
  let mailbox: Mailbox
  var plan: HostPlan
  /// Those whose new certificate was not yet seen in a handshake, and since when.
  var unseen: [String: Int64] = [:]
  /// CAs whose limits have changed since they were written.
  var changedLimits: Set<Int> = []
  private(set) var key: SigningKey?
  private(set) var context: ClientContext?
  private(set) var threads: [AuthorityThread] = []
  private let noteThreads: ([AuthorityThread]) -> Void
  /// Held for as long as this is the issuer.
  private var lock: FileLock?
  private var lockFile: FileStatus?
  private(set) var isIssuer = false
  /// When the folder of certificates last changed; nil when it is to be read in any case.
  private var lastChange: Int64?
  private var reported: Set<String> = []
  /// The hosts whose requests by `aasa acme renew` were seen; the files stay until they are fulfilled.
  private var taken: Set<String> = []
  private var nextFolderLook: Int64 = 0
  private var nextQueue: Int64 = 0
  private var hasQueue = true

  init(
    _ options: Issuer.Options, _ environment: Issuer.Environment, _ status: StatusBoard,
    _ mailbox: Mailbox, note: @escaping ([AuthorityThread]) -> Void = { _ in }
  ) {
    self.options = options
    self.environment = environment
    self.status = status
    self.mailbox = mailbox
    noteThreads = note
    folder = options.folder
    journal = Journal(options.folder.journal)
    plan = HostPlan([], challenges: options.challenges)
  }

  /// - Parameter pause: waits for some milliseconds, or less when something has come; false when it is
  ///   time to stop.
  func run(pause: @escaping (Int64) -> Bool) {
    defer { for thread in threads { thread.stop() } }
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
      // Whoever issues now may have another key.
      for thread in threads { thread.stop() }
      threads = []
    }
  }

  /// What comes during a stop is of a server that answers nobody any more.
  private func turn(isStopping: () -> Bool) {
    takeHosts()
    takeRequests()
    lookAtFolder()
    for name in environment.certificates?.takeRefused() ?? [] { apply(.askedFor(name)) }
    for event in mailbox.take() {
      if isStopping() { return }
      apply(event)
    }
    apply(.time)
    lookForServed()
    status.update { [account = plan.authorities.first?.account] in
      ($0.isIssuer, $0.account) = (true, account)
    }
  }

  /// Takes an event to the plan, and does what follows.
  func apply(_ event: PlanEvent) {
    for effect in plan.step(event, at: .now) { execute(effect) }
  }

  /// Milliseconds until the next turn. Hosts and requests are read once a second.
  private func idleTime() -> Int64 {
    let left = plan.nextDue() - Clock.monotonicMilliseconds()
    return min(max(left, 1), unseen.isEmpty ? 1_000 : 100)
  }

  /// Tells something once, until `forget` with the same key.
  func tellOnce(_ key: String, _ diagnostic: Diagnostic) {
    if reported.insert(key).inserted { environment.tell(diagnostic) }
  }

  func forget(_ key: String) { reported.remove(key) }

  /// Does something with the state folder, and tells when that cannot be done. Returns whether it was.
  @discardableResult
  func withFolder(_ body: () throws(SystemError) -> Void) -> Bool {
    do throws(SystemError) {
      try body()
      return true
    } catch {
      tellOnce("storage", .stateUnusable(folder.root, "\(error)"))
      return false
    }
  }

  // MARK: The start

  /// Takes the lock and reads the account's key, or makes one. False when that cannot be yet.
  private func prepare() -> Bool {
    do {
      try folder.make(for: options.authorities)
      if lock == nil { lock = try FileLock(folder.lock) }
      guard lock != nil else {
        tellOnce("lock", .otherIssuer(folder.root))
        if let key = try folder.readKey() { environment.answer(thumbprint(of: key)) }
        status.update { ($0.isIssuer, $0.account) = (false, nil) }
        return false
      }
      (lockFile, lastChange) = (try Posix.status(folder.lock), nil)
      if let found = try folder.readKey() {
        key = found
      } else {
        let made = try key ?? SigningKey.generate()
        try folder.write(made, to: folder.accountKey)
        key = made
      }
      if threads.isEmpty { try startThreads() }
    } catch let fault as KeyFault {
      tellOnce("storage", .keyUnusable(fault.path))
      return false
    } catch {
      tellOnce("storage", .stateUnusable(folder.root, "\(error)"))
      return false
    }
    forget("storage")
    forget("lock")
    isIssuer = true
    if let key { environment.answer(thumbprint(of: key)) }
    return true
  }

  private func startThreads() throws {
    guard let key else { return }
    let trust = try options.roots.map { try TrustStore.system(and: $0) } ?? TrustStore.system()
    let context = try ClientContext(trust: trust)
    self.context = context
    threads = try options.authorities.enumerated().map { index, authority in
      let account = folder.accountURL(at: authority)
      return try AuthorityThread(index, mailbox) { [options, environment] in
        let client = AuthorityClient(
          authority, key: key, context: context, variables: options.variables)
        client.account = account
        return AuthorityWork(client, options, environment, context, trust)
      }
    }
    noteThreads(threads)
  }

  /// Reads what was done before: certificates, orders under way, and when certificates were issued.
  private func load() {
    folder.removeTemporaryFiles(of: options.authorities)
    withFolder { () throws(SystemError) in try folder.migrate(options.authorities) }
    let loaded = LoadedState(folder, journal, options.authorities, .now)
    plan = HostPlan(loaded.authorities, challenges: options.challenges)
    plan.hosts = loaded.hosts
    let now = Clock.monotonicMilliseconds()
    for host in loaded.unseen { unseen[host] = now }
    for (host, state) in loaded.hosts where state.order != nil {
      plan.schedule.set(host, state.due)
    }
    if folder.wantsRollover { changeKey() }
  }

  // MARK: What there is to do

  private func takeHosts() {
    let list = environment.hosts()
    if list != plan.wanted { apply(.hosts(list)) }
  }

  /// A file with the name of a host, written by `aasa acme renew`, asks for its certificate now. It stays
  /// until that is installed, so that a restart knows of it.
  private func takeRequests() {
    if folder.wantsRollover { changeKey() }
    for name in (try? listDirectory(folder.renewals)) ?? [] where !name.hasPrefix(".") {
      let host = StateFolder.host(name)
      guard taken.insert(host).inserted else { continue }
      // What cannot be removed would be asked for after each start.
      guard (try? Posix.status(folder.renewal(host)))?.kind == .regular else {
        removeRequest(host)
        continue
      }
      if plan.wanted.contains(host) {
        apply(.requested(host))
        continue
      }
      let reason =
        isWildcard(host) && !options.challenges.contains(.record)
        ? "a wildcard needs dns-persist-01 in acmeChallenges"
        : "no entry of the domains folder is for it, or a certificate of yours covers it"
      environment.announce("certificate for \(host): not asked for, because \(reason)")
      removeRequest(host)
    }
  }

  /// One that cannot be removed is kept among those that were taken, so that it does not count again.
  func removeRequest(_ host: String) {
    guard taken.contains(host) else { return }
    let path = folder.renewal(host)
    if withFolder({ () throws(SystemError) in try removeFile(path) }) { taken.remove(host) }
  }

  /// The new key is written before a CA hears of it.
  private func changeKey() {
    if plan.authorities.contains(where: \.isChangingKey) { return }
    do {
      if try folder.key(in: folder.newAccountKey) == nil {
        try folder.write(try SigningKey.generate(), to: folder.newAccountKey)
      }
      apply(.keyChange)
    } catch {
      tellOnce("rollover", .rolloverWaits("\(error)"))
    }
  }

  /// A CA signs for the new key now; when all do, it becomes the account's.
  func keyChanged(isLast: Bool) {
    do {
      guard let new = try folder.key(in: folder.newAccountKey) else { return }
      key = new
      environment.answer(thumbprint(of: new))
      guard isLast else { return }
      try removeFile(folder.rollover)
      try renameFile(folder.newAccountKey, to: folder.accountKey)
      forget("rollover")
      environment.announce(
        "the account has another key, with the thumbprint \(thumbprint(of: new)): servers with"
          + " --acme-answer need it")
    } catch {
      tellOnce("rollover", .rolloverWaits("\(error)"))
    }
  }

  // MARK: The folder

  /// Notices that files are gone, or the whole folder, and writes again what is in memory.
  func lookAtFolder(_ now: Int64 = Clock.monotonicMilliseconds()) {
    let found = try? Posix.status(folder.lock)
    let isWhole =
      found?.inode != lockFile?.inode || found?.device != lockFile?.device
      || [folder.certificates, folder.renewals].contains { (try? Posix.status($0)) == nil }
    if isWhole, !remakeFolder() { return }
    guard isWhole || nextFolderLook <= now else { return }
    nextFolderLook = now + Limits.folderPause
    guard let change = try? Posix.status(folder.certificates).changed, change != lastChange,
      let names = try? listDirectory(folder.certificates)
    else { return }
    // Some file systems have times of whole seconds.
    lastChange = Clock.wallSeconds() - change / 1_000_000_000 > 2 ? change : nil
    let there = Set(names)
    var lost: Set<String> = []
    for (host, state) in plan.hosts {
      let isThere = there.contains(StateFolder.fileName(host) + ".pem")
      if state.certificate != nil, !isThere { lost.insert(host) }
      if state.certificate == nil, isThere, plan.isResting(host),
        let file = folder.issuedFile(host)
      {
        apply(.found(host, file))
      }
    }
    let kept = lost.isEmpty ? [] : writeAgain(lost)
    if isWhole || !kept.isEmpty {
      environment.tell(.stateRemoved(folder.root, isWhole: isWhole, certificates: kept.count))
    }
    if kept.count < lost.count { apply(.gone(lost.subtracting(kept))) }
  }

  /// Writes the files of certificates that are still served. Those for which another one was asked for
  /// may be revoked.
  private func writeAgain(_ lost: Set<String>) -> Set<String> {
    let served = environment.served()
    return lost.filter { host in
      guard plan.wanted.contains(host), let state = plan.hosts[host], !state.isRequested,
        let file = state.certificate,
        let (chain, key) = served[folder.certificate(host)].flatMap(IssuedChain.served),
        chain.serial == file.serial
      else { return false }
      // What cannot be written now is written later.
      if !withFolder({ () throws(SystemError) in try folder.install(file, chain, key, for: host) })
      {
        lastChange = nil
      }
      return true
    }
  }

  /// The folder was removed while this process works with it: what is known is written again, and the
  /// lock is taken by name, so that nobody else issues beside. Returns whether all that was done.
  private func remakeFolder() -> Bool {
    withFolder { () throws(SystemError) in
      try folder.make(for: options.authorities)
      lock = nil
      lock = try FileLock(folder.lock)
      isIssuer = lock != nil
      guard isIssuer else { return }
      if let key, (try? Posix.status(folder.accountKey)) == nil {
        try folder.write(key, to: folder.accountKey)
      }
      for (index, state) in plan.authorities.enumerated() {
        if let account = state.account {
          try folder.writeAccount(account, state.identities ?? [], state.authority)
        }
        changedLimits.insert(index)
      }
      for (host, state) in plan.hosts {
        if state.isRequested { try folder.requestRenewal(of: host) }
        if state.window != nil { try folder.writeWindow(host, state) }
      }
      if plan.authorities.contains(where: \.isChangingKey) { try folder.requestRollover() }
      lockFile = try Posix.status(folder.lock)
      lastChange = nil
      forget("storage")
    } && isIssuer
  }

  /// Writes who has waited for some seconds, for `aasa acme status`.
  private func writeQueue() {
    let now = Moment.now
    if plan.waiting.isEmpty { nextQueue = now.uptime + Limits.waitingPause }
    guard plan.waiting.isEmpty ? hasQueue : nextQueue <= now.uptime else { return }
    nextQueue = now.uptime + Limits.waitingPause
    hasQueue = !plan.waiting.isEmpty
    withFolder { () throws(SystemError) in
      guard hasQueue else { return try removeFile(folder.waiting) }
      try folder.write(
        [("hosts", object(plan.queue(now).map { ($0.host, .number($0.time)) }))],
        to: folder.waiting)
    }
  }

  func writeLimits() {
    for index in changedLimits {
      let state = plan.authorities[index]
      withFolder { () throws(SystemError) in
        try folder.write(state.limits, state.authority, now: Clock.wallSeconds())
        changedLimits.remove(index)
      }
    }
  }

  private func noteLimits() {
    let now = Moment.now
    for index in plan.authorities.indices {
      plan.authorities[index].limits.settle(now: now.wall)
      let state = plan.authorities[index]
      let offset = plan.heard == index ? state.clockOffset(now) : nil
      let name = state.authority.name
      status.update { summary in
        summary.frozen[name] = state.limits.ends(now: now.seconds)
        if let offset { summary.clockOffset = offset }
        if let left = state.limits.budget?.remaining(now: now.wall) {
          summary.remaining[name] = Int(left)
        }
      }
    }
  }
}
