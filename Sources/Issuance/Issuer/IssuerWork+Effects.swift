internal import Bytes
internal import Client
internal import Diagnostics
internal import Posix
internal import Settings
internal import TLS

extension IssuerWork {
  func execute(_ effect: PlanEffect) {
    switch effect {
    case .check(let host, let index): check(host, index)
    case .ask(let index, let host, let request): threads[index].submit(host, request)
    case .installed(let host):
      removeRequest(host)
      unseen[host] = Clock.monotonicMilliseconds()
      set("storage", nil)
    case .drop(let host, let index, let kind):
      challenges[kind].withdraw(host)
      remove(folder.order(host, plan.authorities[index].authority))
    case .fulfilled(let host): removeRequest(host)
    case .checkRecord(let host, let index, let renewal): checkRecord(host, index, renewal)
    case .remove(let host):
      remove(folder.certificate(host))
      remove(folder.window(host))
    case .noteFailure(let host, let index, let reason): note(host, index, .failed, reason)
    case .report(let diagnostic): environment.report(diagnostic)
    case .condition(let condition, let diagnostic): set(condition, diagnostic)
    case .writeLimits(let index): changedLimits.insert(index)
    case .writeWindow(let host):
      guard let state = plan.hosts[host] else { return }
      withFolder(try folder.writeWindow(host, state))
    case .status(let host): status[host] = plan.report(host, .now)
    case .attempt(let index, let result):
      let name = plan.authorities[index].authority.name
      status.update { $0.attempts[name, default: [:]][result, default: 0] += 1 }
    case .forgetAccount(let index): remove(folder.accountFile(plan.authorities[index].authority))
    case .keyChanged(let isLast): keyChanged(isLast: isLast)
    }
  }

  private func remove(_ name: String) { withFolder(try folder.store.remove(name)) }

  /// Writes to the journal. A failure must not keep a host from getting its certificate.
  private func note(_ host: String, _ index: Int, _ step: Journal.Step, _ detail: String = "") {
    let authority = plan.authorities[index].authority.name
    if withFolder(try folder.journal.write(step, host, at: authority, detail)) {
      set("storage", nil)
    }
  }

  func noteLimits() {
    let now = Moment.now
    for index in plan.authorities.indices {
      plan.authorities[index].limits.settle(now: now.wall)
      let state = plan.authorities[index]
      let offset = plan.heard == index ? state.clock?.offset(now) : nil
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

  private func check(_ host: String, _ index: Int) {
    guard let key, let context else { return }
    let check = NameCheck(
      thumbprint: thumbprint(of: key), context: context,
      isPrivate: options.roots != nil && plan.authorities[index].authority.identities == nil,
      challenges: challenges, caaIdentity: caaIdentity(index), rivals: rivals,
      resolver: options.resolver)
    let start = Clock.monotonicMilliseconds()
    let isUnderWay = mailbox.run {
      let outcome = check.run(host)
      return .checked(host, outcome, milliseconds: Clock.monotonicMilliseconds() - start)
    }
    if isUnderWay { return }
    let fault = IssuanceFailure.name(
      "the name \(host) cannot be checked now", help: "raise the thread limit of this process")
    mailbox.post(.checked(host, .fault(fault), milliseconds: 0))
  }

  /// Returns what CAA records must permit; nil until the CA's names are known.
  private func caaIdentity(_ index: Int) -> CAAIdentity? {
    let state = plan.authorities[index]
    return state.identities.map { identities in
      CAAIdentity(
        identities: identities, account: state.account, methods: options.challenges)
    }
  }

  /// Checks whether the host's TXT record will be valid at the next renewal. Reports nothing if the
  /// record cannot be read now.
  private func checkRecord(_ host: String, _ index: Int, _ renewal: Int64) {
    guard let caaIdentity = caaIdentity(index), caaIdentity.account != nil else { return }
    _ = mailbox.run { [resolver = options.resolver] in
      let deadline = Deadline(afterMilliseconds: IssuanceLimits.nameCheck)
      guard let texts = try? PersistentRecord.texts(of: host, by: resolver, until: deadline) else {
        return nil
      }
      return .renewalFault(host, recordFault(texts, for: host, caaIdentity, now: renewal))
    }
  }

  /// Reports a new certificate only after it appears in a handshake with this server. Makes no
  /// handshake until the server has loaded the file, because handshakes are expensive.
  func checkServed(_ now: Int64 = Clock.monotonicMilliseconds()) {
    guard !unseen.isEmpty, nextHandshakes <= now else { return }
    let (addresses, served) = (environment.addresses, environment.served())
    var areAllShown = true
    for (host, since) in unseen {
      guard let certificate = plan.hosts[host]?.certificate, let context else {
        unseen[host] = nil
        continue
      }
      let isLoaded = served[folder.certificatePath(host)]?.serial == certificate.serial
      let name = isWildcard(host) ? "any." + domain(of: host) : host
      let began = Clock.monotonicMilliseconds()
      let isSeen =
        isLoaded
        && addresses.contains { address in
          let found = handshake(
            for: name, at: address, context: context, milliseconds: IssuanceLimits.ownHandshake)
          return found?.serial == certificate.serial
        }
      if isSeen || addresses.isEmpty {
        unseen[host] = nil
        if let index = plan.index(of: certificate.authority) { note(host, index, .served) }
        environment.announce(
          "certificate for \(host): \(isSeen ? "served" : "written"), until"
            + " \(day(certificate.validity.notAfter)), renewal"
            + " \(day(renewalTime(certificate.validity)))")
      } else if now - since > 60_000 {
        unseen[host] = nil
        environment.report(.notServed(host, folder.certificatePath(host)))
      } else if isLoaded {
        areAllShown = false
        // Stop after a slow handshake, because a listener without capacity must not delay orders.
        if Clock.monotonicMilliseconds() - began >= IssuanceLimits.ownHandshake { break }
      }
    }
    handshakePause =
      areAllShown
      ? IssuanceLimits.handshakePause
      : min(handshakePause * 2, IssuanceLimits.longestHandshakePause)
    nextHandshakes = Clock.monotonicMilliseconds() + handshakePause
  }
}

/// Returns the day in UTC, for example `2027-01-31`.
package func day(_ seconds: Int64) -> String { CivilTime(seconds).date }
