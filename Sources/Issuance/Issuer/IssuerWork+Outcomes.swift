internal import Bytes
internal import Client
internal import Diagnostics
internal import Posix
internal import TLS

/// What came of a step: when the host is checked again, what is reported, and what the status shows.
extension IssuerWork {
  func fail(_ host: String, _ client: AuthorityClient, _ fault: CallFault) {
    switch fault {
    case .noAnswer(let reason): setBack(host, client, .noAnswer(reason))
    case .internalFault(let reason): setBack(host, client, .unfit(reason))
    case .storage(let reason): setBack(host, client, .storage(reason))
    case .refused(let problem):
      let order = hosts[host]?.order
      let isOrder = order.map { $0.url == nil } ?? false
      switch problem.type {
      case "orderNotReady":
        hosts[host]?.next = Clock.monotonicMilliseconds() + 2_000
        return
      case "accountDoesNotExist":
        forgetAccount(client)
        dropOrder(host)
      case _ where isOrder && hasForeignAccount(client, problem):
        forgetAccount(client)
        dropOrder(host)
        hosts[host]?.next = 0
        return
      default:
        if problem.freezes {
          freeze(client, problem, order?.names ?? [host], isOrder: isOrder)
        }
        // What was refused for good is not asked again: another order is. One that never came to be
        // holds no place.
        if problem.isLimit ? isOrder : !problem.isTransient { dropOrder(host) }
        let others = order?.companions.filter(problem.names) ?? []
        if !others.isEmpty, !problem.isTransient, !problem.isLimit {
          for name in others { setBack(name, client, .refused(problem)) }
          guard problem.names(host) else {
            hosts[host]?.next = 0
            return
          }
        }
      }
      setBack(host, client, .refused(problem))
    }
  }

  /// Plans the next attempt after trouble, and reports it if it is new. What fails during a stop is
  /// taken up again after the next start.
  func setBack(_ host: String, _ client: AuthorityClient, _ trouble: Setback) {
    // Nothing listens here any more, so that neither the preflight nor the CA could get through.
    if isStopping() { return }
    var state = hosts[host] ?? HostState()
    let isNew = state.trouble?.text != trouble.text
    state.trouble = trouble
    state.lastFailure = Clock.monotonicMilliseconds()
    let count: Int
    switch trouble {
    case .noAnswer, .storage:
      state.stumbles += 1
      count = state.stumbles
    case .refused(let problem) where problem.isTransient:
      state.stumbles += 1
      count = state.stumbles
    default:
      state.failures += 1
      count = state.failures
    }
    switch trouble {
    // No other CA would do better.
    case .name, .storage, .clock: break
    default: state.failingSince = state.failingSince ?? state.lastFailure
    }
    state.next =
      Clock.monotonicMilliseconds() + pause(after: trouble, failures: count) * 1_000
    hosts[host] = state
    noteRefusals(host, client, trouble)
    note(host, client, .failed, trouble.advice)
    status.noteAttempt(authority: client.authority.name, result: trouble.kind)
    // The first of these goes by itself nearly always.
    let isPassing = count < 3 && trouble.isPassing
    if isNew && !isPassing || count == 3 && trouble.isPassing {
      environment.tell(
        .trouble(trouble, host, at: client.authority.name, state.validity, now: time))
    }
    report(host)
  }

  /// Gives up an order. What the CA still knows of it does no harm.
  func dropOrder(_ host: String) {
    guard let order = hosts[host]?.order else { return }
    for authority in options.authorities where authority.url == order.authority {
      try? folder.remove(order, authority)
    }
    hosts[host]?.order = nil
    underWay.remove(host)
    for name in order.names {
      hosts[name]?.leader = nil
      environment.certificates?.remove(name)
    }
  }

  /// Sets back the hosts that an order failed for, and no other: those are ordered for again. Throws
  /// what the order's own host is to be set back for.
  func blame(
    _ failures: [String: ProblemDocument], _ host: String, _ client: AuthorityClient
  ) throws(CallFault) {
    for (name, problem) in failures where name != host && hosts[name] != nil {
      setBack(name, client, .refused(problem))
    }
    if let problem = failures[host] ?? failures[""] { throw .refused(problem) }
    hosts[host]?.next = 0
  }

  /// Writes a line of the journal. A disk that is full keeps nobody from a certificate.
  func note(
    _ host: String, _ client: AuthorityClient, _ step: Journal.Step, _ detail: String = ""
  ) {
    do throws(SystemError) {
      try journal.write(
        Journal.Entry(
          time: Clock.wallSeconds(), host: host, authority: client.authority.name, step: step,
          detail: detail))
      forget("storage")
    } catch {
      tellOnce("storage", .stateUnusable(folder.root, "\(error)"))
    }
  }

  // MARK: Served

  /// A certificate counts as new only when a handshake with this very server shows it.
  func lookForServed() {
    for host in unseen {
      guard let since = hosts[host]?.unseenSince, let certificate = hosts[host]?.certificate,
        let context
      else {
        unseen.remove(host)
        continue
      }
      let now = Clock.monotonicMilliseconds()
      let addresses = environment.addresses()
      let name = isWildcard(host) ? "any." + domain(of: host) : host
      let isSeen = addresses.contains { address in
        handshake(for: name, at: address, context: context)?.verification.chain.first?.serial
          == certificate.serial
      }
      if isSeen || addresses.isEmpty {
        unseen.remove(host)
        announceServed(host, certificate, isSeen)
      } else if now - since > 60_000 {
        unseen.remove(host)
        environment.tell(.notServed(host, folder.certificate(host)))
      }
    }
  }

  private func announceServed(
    _ host: String, _ certificate: IssuedFile, _ isSeen: Bool
  ) {
    if let client = hosts[host].flatMap({ client(for: $0) }) { note(host, client, .served) }
    let validity = Validity(notBefore: certificate.notBefore, notAfter: certificate.notAfter)
    environment.announce(
      "certificate for \(host): \(isSeen ? "served" : "written"), until"
        + " \(day(certificate.notAfter)), next look \(day(renewalTime(validity)))")
  }

  /// Shows how a host stands.
  func report(_ host: String) {
    guard let state = hosts[host] else { return }
    let now = time
    let left = max(0, state.next - Clock.monotonicMilliseconds()) / 1_000
    let renewal = state.certificate.map { certificate in
      state.window.flatMap { $0.serial == certificate.serial ? $0.moment : nil }
        ?? renewalTime(
          Validity(notBefore: certificate.notBefore, notAfter: certificate.notAfter))
    }
    let kind: HostReport.Kind
    switch state.trouble {
    case .name?: kind = .waiting
    case .refused(let problem)? where problem.type == "userActionRequired": kind = .paused
    case .some: kind = .failing
    case nil: kind = state.certificate == nil || (renewal ?? 0) <= now ? .due : .issued
    }
    status.set(
      HostReport(
        kind: kind, authority: client(for: state)?.authority.name ?? "",
        profile: state.certificate?.profile,
        notAfter: state.certificate?.notAfter, renewal: renewal, next: now + left,
        trouble: state.trouble?.advice ?? state.outlook), of: host)
  }
}

extension Setback {
  /// One word, for metrics.
  var kind: String {
    switch self {
    case .name(let fault): fault.isForbidden ? "caa" : "name"
    case .refused(let problem): problem.isLimit ? "limit" : "refused"
    case .noAnswer: "no-answer"
    case .unfit: "unfit"
    case .storage: "storage"
    case .clock: "clock"
    }
  }

  /// It mostly goes by itself, within seconds.
  var isPassing: Bool {
    switch self {
    case .noAnswer: true
    case .refused(let problem): problem.isTransient
    default: false
    }
  }
}

/// The day in UTC: `2027-01-31`.
package func day(_ seconds: Int64) -> String { CivilTime(seconds).date }
