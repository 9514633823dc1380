internal import Diagnostics
internal import JSON
internal import Posix
internal import TLS

/// One host's way to a certificate. Each call does one step, so that many orders go on side by side;
/// the CA's word decides which, so that the way is the same after a crash.
extension IssuerWork {
  func advance(_ host: String) {
    // Its order may have become another's a moment ago.
    guard let state = hosts[host], state.leader == nil else { return }
    guard let client = client(for: state) else { return dropOrder(host) }
    if state.order != nil, nextClient(for: state) !== client,
      state.failingFor ?? 0 >= Limits.patience
    {
      return dropOrder(host)
    }
    let wait = untilAllowed(host, client, isNew: state.order?.url == nil)
    if wait > 0 {
      hosts[host]?.next = Clock.monotonicMilliseconds() + wait * 1_000
      noteSilence(of: client, for: host)
      return
    }
    do throws(CallFault) {
      defer { checkClock(client) }
      if waitsForClock(host, client) { return }
      if state.order != nil {
        try goOn(host, client)
      } else {
        try begin(host, client)
      }
    } catch {
      fail(host, client, error)
    }
  }

  // MARK: The beginning

  private func begin(_ host: String, _ client: AuthorityClient) throws(CallFault) {
    guard var state = hosts[host] else { return }
    let now = Clock.monotonicMilliseconds()
    let file = folder.issuedFile(host)
    // Somebody has put it back.
    if file != nil, state.certificate == nil, case .unfit = state.trouble { state.trouble = nil }
    state.certificate = file
    hosts[host] = state
    askForWindow(host, client)
    state = hosts[host] ?? state
    checkClock(client)
    let wall = time
    let due = dueTime(state.facts(options.authorities), now: wall)
    guard due <= wall else {
      // The clock may be set meanwhile.
      let untilWindow = state.certificate == nil ? .max : max(60, (state.nextWindow - now) / 1_000)
      hosts[host]?.next = now + min(due - wall, 21_600, untilWindow) * 1_000
      if file == nil { noteLost(host, client, next: due) }
      if isWildcard(host), file != nil { lookAhead(host, client, to: due) }
      return report(host)
    }
    // The CA counts no renewal that it asked for itself.
    let isCounted = state.facts(options.authorities).window == nil
    if isCounted, let wait = untilBudget(client), wait > 0 {
      hosts[host]?.next = now + wait
      return
    }
    let kinds = options.challenges.filter {
      $0.fits(host)
    }
    guard let challenge = preflight(host, client, kinds) else { return }
    // Its answer says what time it is.
    _ = try client.directory()
    if waitsForClock(host, client) { return }
    if isCounted { spend(client) }
    note(host, client, .ordering)
    try ensureAccount(client)
    var record = OrderRecord(
      authority: client.authority.url, host: host, key: try newKey(), begun: wall)
    record.challenge = challenge
    record.companions = companions(of: host, client, challenge)
    if let old = state.certificate, old.account == client.account {
      record.replaces = old.renewalIdentifier
    }
    try write(record, client)
    hosts[host]?.order = record
    underWay.insert(host)
    for name in record.companions { hosts[name]?.leader = host }
    try order(record, client)
  }

  /// Other hosts that are due, lead here and were never refused, for the same certificate.
  private func companions(
    of host: String, _ client: AuthorityClient, _ kind: ChallengeKind
  ) -> [String] {
    guard options.names > 1, hosts[host]?.failures == 0, kind != .record else { return [] }
    let (end, wall) = (
      Clock.monotonicMilliseconds() + Limits.nameCheck, time
    )
    var found: [String] = []
    for name in dueHosts() where name != host {
      if found.count + 1 == options.names || Clock.monotonicMilliseconds() > end { break }
      guard kind.fits(name), let state = hosts[name], state.order == nil, state.failures == 0,
        self.client(for: state) === client,
        dueTime(state.facts(options.authorities), now: wall) <= wall,
        untilAllowed(name, client, isNew: true) == 0, preflight(name, client, [kind]) != nil
      else { continue }
      found.append(name)
    }
    return found
  }

  private func newKey() throws(CallFault) -> SigningKey {
    do throws(TLSError) { return try SigningKey.generate() } catch {
      throw .internalFault("\(error)")
    }
  }

  private func write(_ record: OrderRecord, _ client: AuthorityClient) throws(CallFault) {
    do throws(SystemError) { try folder.write(record, client.authority) } catch {
      throw .storage("\(error)")
    }
  }

  /// The first way in which the name is seen to lead here. When there is none, the CA hears nothing.
  private func preflight(
    _ host: String, _ client: AuthorityClient, _ kinds: [ChallengeKind]
  ) -> ChallengeKind? {
    guard let key, let context else { return nil }
    var known: Applicant?
    if let identities = client.authority.identities {
      known = Applicant(
        identities: identities, account: client.account, methods: kinds.map(\.rawValue))
    }
    while true {
      let check = NameCheck(
        thumbprint: thumbprint(of: key), context: context,
        isPrivate: options.roots != nil && client.authority.identities == nil,
        certificates: environment.certificates, applicant: known,
        deadline: Deadline(afterMilliseconds: Limits.nameCheck))
      switch check.run(host, kinds) {
      case .ready(let kind), .unseen(let kind): return kind
      case .fault(let fault):
        setBack(host, client, .name(fault))
        return nil
      case .needsAccount:
        do throws(CallFault) {
          known = try applicant(client, kinds, needsAccount: true)
        } catch {
          fail(host, client, error)
          return nil
        }
      }
    }
  }

  /// Asks for an order, and writes down where it is.
  private func order(_ record: OrderRecord, _ client: AuthorityClient) throws(CallFault) {
    let directory = try client.directory()
    var members: [(String, Tree)] = [
      (
        "identifiers",
        .array(record.names.map { object([("type", .text("dns")), ("value", .text($0))]) })
      )
    ]
    if let profile = profile(directory) { members.append(("profile", .text(profile))) }
    let answer: CallAnswer
    do throws(CallFault) {
      var members = members
      if let old = record.replaces, directory.renewalInfo != nil {
        members.append(("replaces", .text(old)))
      }
      answer = try client.post(object(members), to: directory.newOrder)
    } catch {
      // A certificate that was replaced already, or is unknown there, must not keep the next one back.
      guard case .refused(let problem) = error, record.replaces != nil, !problem.isLimit,
        (400..<500).contains(problem.status)
      else { throw error }
      var record = record
      record.replaces = nil
      return try order(record, client)
    }
    guard let url = answer.location else { throw .noAnswer("the CA names no order") }
    var record = record
    record.url = url
    try write(record, client)
    hosts[record.host]?.order = record
    hosts[record.host]?.next = 0
    hosts[record.host]?.stumbles = 0
    note(record.host, client, .ordered)
    environment.announce(
      "certificate for \(record.host): ordered at \(client.authority.name)")
  }

  /// The profile to ask for, when the CA has it.
  private func profile(_ directory: Directory) -> String? {
    guard let wanted = options.profile else { return nil }
    if directory.profiles?.contains(wanted) == true { return wanted }
    tellOnce("profile", .noSuchProfile(wanted, directory.profiles ?? []))
    return nil
  }

  // MARK: An order under way

  private func goOn(_ host: String, _ client: AuthorityClient) throws(CallFault) {
    guard var record = hosts[host]?.order else { return }
    try ensureAccount(client)
    guard let url = record.url else { return try order(record, client) }
    // What came of it while nobody asked, such as during a restart, is asked once in any case.
    if Clock.wallSeconds() - record.begun > Limits.orderSeconds,
      record.polls > 0 || hosts[host]?.stumbles ?? 0 > 0
    {
      dropOrder(host)
      return setBack(host, client, .unfit("the order has not ended within an hour"))
    }
    let answer = try client.read(url)
    guard let order = Order(try answer.json()) else {
      throw .noAnswer("the CA's answer is not an order")
    }
    // Only progress shows that a step works that failed before.
    if record.progress != order.progress { hosts[host]?.stumbles = 0 }
    record.progress = order.progress
    hosts[host]?.order = record
    switch order.progress {
    case .pending:
      // Checked once more from time to time: the CA may not have heard of the answer.
      if !record.isAnswered || record.polls % 6 == 5 {
        try answerChallenges(record, order, client)
        if !record.isAnswered { record.polls = 0 }
        record.isAnswered = true
      }
      wait(host, record, answer.retryAfter)
    case .ready:
      note(host, client, .finalising)
      let request: [UInt8]
      do throws(TLSError) {
        request = try certificateRequest(names: record.names, key: record.key)
      } catch {
        throw .internalFault("\(error)")
      }
      if !record.isFinalised { record.polls = 0 }
      record.isFinalised = true
      hosts[host]?.order = record
      _ = try client.post(object([("csr", .text(base64url(request)))]), to: order.finalize)
      wait(host, record, nil)
    case .processing: wait(host, record, answer.retryAfter)
    case .valid: try download(order, record, client)
    default:
      let failures = try failures(of: order, client)
      dropOrder(host)
      try blame(failures, host, client)
    }
  }

  private func answerChallenges(
    _ record: OrderRecord, _ order: Order, _ client: AuthorityClient
  ) throws(CallFault) {
    let (host, kind) = (record.host, record.challenge)
    for url in order.authorizations {
      guard let authorization = Authorization(try client.read(url).json()) else {
        throw .noAnswer("the CA's answer is not an authorization")
      }
      guard authorization.progress == .pending else { continue }
      guard let challenge = authorization.challenges.first(where: { $0.type == kind.rawValue })
      else {
        let offered = authorization.challenges.map(\.type).joined(separator: ", ")
        dropOrder(host)
        throw .refused(
          ProblemDocument(
            type: "unsupported", detail: "the CA does not offer \(kind.rawValue), but \(offered)"))
      }
      if kind == .tls { try show(authorization.name, challenge.token) }
      if challenge.progress == .pending {
        note(host, client, .answering)
        let answer = try client.post(object([]), to: challenge.url)
        // A page of something in between is not an answer of the CA.
        guard try answer.json().member("status") != nil else {
          throw .noAnswer("the CA's answer is not a challenge")
        }
      }
    }
  }

  /// Shows the certificate of a challenge to whoever asks for it.
  private func show(_ host: String, _ token: String) throws(CallFault) {
    guard let key else { return }
    do throws(TLSError) {
      _ = try environment.certificates?.show(host, "\(token).\(thumbprint(of: key))")
    } catch {
      throw .internalFault("\(error)")
    }
  }

  /// Why an order failed, by the names that are to blame; by no name when the CA names none.
  private func failures(
    of order: Order, _ client: AuthorityClient
  ) throws(CallFault) -> [String: ProblemDocument] {
    var found: [String: ProblemDocument] = [:]
    for url in order.authorizations {
      guard let authorization = Authorization(try client.read(url).json()) else { continue }
      found[authorization.name] = authorization.problem
    }
    if found.isEmpty {
      found[""] =
        order.problem
        ?? ProblemDocument(type: "unknown", detail: "the CA does not say why the order failed")
    }
    return found
  }

  /// Plans the next look at an order. The first ones follow soon, because nearly all are ready then.
  private func wait(_ host: String, _ record: OrderRecord, _ retryAfter: Int64?) {
    var record = record
    record.polls += 1
    let steps: [Int64] = [250, 500, 1_000, 2_000, 4_000, 8_000]
    var delay = record.polls <= steps.count ? steps[record.polls - 1] : 15_000
    if let retryAfter, record.polls > 2 { delay = max(delay, min(retryAfter, 300) * 1_000) }
    hosts[host]?.order = record
    hosts[host]?.next = Clock.monotonicMilliseconds() + delay
  }

  // MARK: The certificate

  private func download(
    _ order: Order, _ record: OrderRecord, _ client: AuthorityClient
  ) throws(CallFault) {
    guard let url = order.certificate else { throw .noAnswer("the CA names no certificate") }
    note(record.host, client, .downloading)
    let answer = try client.read(url)
    guard var chain = IssuedChain(pem: answer.body) else {
      throw .noAnswer("the CA's answer is not a certificate")
    }
    checkClock(client)
    let now = time
    let trust = client.authority.isForTests ? nil : trust
    func fault(_ chain: IssuedChain) -> String? {
      chain.fault(names: record.names, key: record.key, trust: trust, now: now)
    }
    var reason = fault(chain)
    if reason != nil {
      for url in answer.alternates {
        guard let other = IssuedChain(pem: try client.read(url).body) else { continue }
        if fault(other) == nil {
          (chain, reason) = (other, nil)
          break
        }
      }
    }
    let issued = now
    for name in record.names {
      note(name, client, .installing, "\(chain.notAfter - chain.notBefore)")
      hosts[name]?.lastIssue = (issued, chain.notAfter - chain.notBefore)
      fulfilled(name)
    }
    if let reason {
      dropOrder(record.host)
      return setBack(
        record.host, client, .unfit("the certificate that came cannot be served: \(reason)"))
    }
    install(chain, record, client, issued: issued)
  }

  private func install(
    _ chain: IssuedChain, _ record: OrderRecord, _ client: AuthorityClient, issued: Int64
  ) {
    // What the CA does not have was not asked for.
    let profile = (try? client.directory()).flatMap(self.profile)
    do throws(SystemError) {
      for name in record.names {
        try folder.install(
          chain, record, for: name, account: client.account ?? "", profile: profile,
          issued: issued)
      }
      try folder.remove(record, client.authority)
    } catch {
      return setBack(record.host, client, .storage("\(error)"))
    }
    underWay.remove(record.host)
    let file = IssuedFile(
      chain, authority: record.authority, account: client.account ?? "", profile: profile,
      issued: issued)
    for name in record.names {
      var state = hosts[name] ?? HostState()
      state.install(file)
      hosts[name] = state
      forgetRefusals(of: name)
      environment.certificates?.remove(name)
      unseen.insert(name)
      note(name, client, .installed)
      report(name)
    }
    status.noteAttempt(authority: client.authority.name, result: "issued")
  }
}
