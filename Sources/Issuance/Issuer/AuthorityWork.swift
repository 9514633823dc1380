internal import Bytes
internal import Diagnostics
internal import JSON
internal import Posix
internal import Settings
internal import TLS

/// Sends the plan's requests to one CA, and writes the files of its orders. Not thread-safe.
final class AuthorityWork {
  private let client: AuthorityClient
  private let options: Issuer.Options
  private let environment: Issuer.Environment
  private let challenges: Challenges
  private let trust: TrustStore
  private var isProfileReported = false
  /// The CA's responses to new orders, keyed by the order's URL. Because of this response, the
  /// first step of an order needs no request for the order's status.
  private var created: [String: CallAnswer] = [:]
  private var authority: Authority { client.authority }
  private var folder: StateFolder { options.folder }

  init(
    _ client: AuthorityClient, _ options: Issuer.Options, _ environment: Issuer.Environment,
    _ challenges: Challenges, _ trust: TrustStore
  ) {
    (self.client, self.options, self.environment) = (client, options, environment)
    (self.challenges, self.trust) = (challenges, trust)
  }

  var facts: CallFacts {
    CallFacts(
      clock: client.clock, account: client.account,
      identities: authority.identities ?? client.knownDirectory?.identities)
  }

  func perform(_ request: PlanRequest, for host: String) -> Reply {
    var step = Step.account
    client.deadline = Deadline(afterMilliseconds: IssuanceLimits.step)
    do throws(IssuanceFailure) {
      switch request {
      case .directory: _ = try client.refresh()
      case .account: try ensureAccount()
      case .advance(let order, let answers):
        let record = try record(host, order)
        try ensureAccount()
        return try advance(record, answers: answers, &step)
      case .window(let certificate):
        step = .window
        return try askForWindow(certificate)
      case .changeKey: return try changeKey()
      }
      return .known
    } catch {
      if error.problem?.type == "accountDoesNotExist" { client.account = nil }
      guard step == .order, hasForeignAccount(error) else { return .fault(error, at: step) }
      client.account = nil
      return .accountUnknown
    }
  }

  /// Writes to the journal. Ignores errors, because a write of the order's file reports them.
  private func note(_ host: String, _ step: Journal.Step, _ detail: String = "") {
    try? folder.journal.write(step, host, at: authority.name, detail)
  }

  /// Records an order on disk before the CA receives the order.
  private func record(_ host: String, _ order: OpenOrder) throws(IssuanceFailure) -> OrderRecord {
    if let found = folder.record(host, authority), found.order.begun == order.begun {
      return OrderRecord(host: host, order: order, key: found.key)
    }
    let key = try signed(try SigningKey.generate())
    let record = OrderRecord(host: host, order: order, key: key)
    try stored(try folder.write(record, authority))
    note(host, .ordering)
    return record
  }

  /// Takes the next step of an order. The order's status at the CA determines the step, so the
  /// order also continues after a crash.
  private func advance(
    _ record: OrderRecord, answers: Bool, _ step: inout Step
  ) throws(IssuanceFailure) -> Reply {
    guard let url = record.order.url else {
      step = .order
      return .ordered(try order(record))
    }
    step = .read
    let known = created.removeValue(forKey: url)
    let answer = if let known { known } else { try client.read(url) }
    guard let order = Order(try answer.json()) else {
      throw .noAnswer("the CA's answer is not an order")
    }
    switch order.progress {
    case .pending:
      step = .challenge
      if answers, let wait = try answerChallenges(record, order) { return .shown(wait: wait) }
    case .ready:
      step = .finalize
      note(record.host, .finalising)
      let request = try signed(
        try certificateRequest(names: [record.host], key: record.key))
      let finalized = try client.post(
        ["csr": base64url(request).json], to: order.finalize)
      // Reject an HTML page, because otherwise the order would be finalized again and again.
      _ = try finalized.json()
    case .processing: break
    case .valid:
      step = .certificate
      return try download(record, order)
    default:
      let problem = try authorization(order)?.problem ?? order.problem
      let silence = ProblemDocument(
        type: "unknown", detail: "the CA does not say why the order failed")
      return .failed(.refused(problem ?? silence), life: nil)
    }
    return .progress(order.progress, retryAfter: answer.head.retryAfter())
  }

  /// Creates an order at the CA, and writes the order's URL to the order's file.
  private func order(_ record: OrderRecord) throws(IssuanceFailure) -> String {
    let directory = try client.directory()
    let request: JSONTree = [
      "identifiers": [["type": "dns", "value": record.host.json]],
      "profile": profile(directory)?.json,
      "replaces": directory.renewalInfo == nil ? nil : record.order.replaces?.json,
    ]
    var record = record
    do throws(IssuanceFailure) {
      let answer = try client.post(request, to: directory.newOrder)
      guard let url = answer.location else { throw .noAnswer("the CA sent no order URL") }
      record.order.url = url
      try stored(try folder.write(record, authority))
      // Limit the memory: nothing reads the responses for abandoned orders.
      if created.count >= IssuanceLimits.openOrders { created = [:] }
      created[url] = answer
      note(record.host, .ordered)
      environment.announce("certificate for \(record.host): ordered at \(authority.name)")
      return url
    } catch {
      // The CA may not know the certificate that this order replaces, or may already have replaced
      // it. Then order without mentioning that certificate.
      guard let problem = error.problem, record.order.replaces != nil, !problem.isLimit,
        (400..<500).contains(problem.status)
      else { throw error }
      record.order.replaces = nil
      return try order(record)
    }
  }

  private func profile(_ directory: ACMEDirectory) -> String? {
    guard let wanted = options.profile else { return nil }
    if directory.profiles?.contains(wanted) == true { return wanted }
    if !isProfileReported {
      environment.report(.noSuchProfile(wanted, directory.profiles ?? []))
    }
    isProfileReported = true
    return nil
  }

  /// Answers the challenges. Returns the milliseconds until the CA can see the response; nil if the
  /// response is already visible.
  private func answerChallenges(_ record: OrderRecord, _ order: Order) throws(IssuanceFailure)
    -> Int64?
  {
    let kind = record.order.challenge
    guard let authorization = try authorization(order), authorization.progress == .pending else {
      return nil
    }
    guard let challenge = authorization.challenges.first(where: { $0.type == kind.rawValue }) else {
      let offered = authorization.challenges.map(\.type).joined(separator: ", ")
      throw .refused(
        ProblemDocument(
          type: "unsupported",
          detail: "the CA does not offer the challenge \(kind.rawValue), but offers \(offered)"))
    }
    let wait = try challenges[kind].show(
      record.host, token: challenge.token, thumbprint: thumbprint(of: client.key))
    if wait > 0 { return wait }
    guard challenge.progress == .pending else { return nil }
    note(record.host, .answering)
    let answer = try client.post([:], to: challenge.url)
    // Reject a page that a middlebox sent instead of the CA.
    guard try answer.json().member("status") != nil else {
      throw .noAnswer("the CA's answer is not a challenge")
    }
    return nil
  }

  /// Reads an order's first authorization. An order for one name needs only one authorization.
  private func authorization(_ order: Order) throws(IssuanceFailure) -> Authorization? {
    guard let url = order.authorizations.first else { return nil }
    guard let authorization = Authorization(try client.read(url).json()) else {
      throw .noAnswer("the CA's answer is not an authorization")
    }
    return authorization
  }

  /// Downloads the certificate, and writes it to a file if the server can use it.
  private func download(_ record: OrderRecord, _ order: Order) throws(IssuanceFailure) -> Reply {
    guard let url = order.certificate else { throw .noAnswer("the CA sent no certificate URL") }
    note(record.host, .downloading)
    let answer = try client.read(url)
    guard let first = IssuedChain(pem: answer.body) else {
      throw .unfit("the CA's answer is not a certificate")
    }
    let time = Moment.now.time(by: client.clock)
    func fault(_ chain: IssuedChain) -> String? {
      chain.fault(
        names: [record.host], key: record.key, trust: authority.isForTests ? nil : trust, now: time)
    }
    let life = first.notAfter - first.notBefore
    note(record.host, .installing, "\(life)")
    guard let reason = fault(first) else { return try install(first, record, issued: time) }
    for url in answer.alternates.prefix(IssuanceLimits.alternateChains) {
      guard let chain = IssuedChain(pem: try client.read(url).body), fault(chain) == nil else {
        continue
      }
      return try install(chain, record, issued: time)
    }
    return .failed(.unfit("the certificate from the CA cannot be served: \(reason)"), life: life)
  }

  private func install(
    _ chain: IssuedChain, _ record: OrderRecord, issued: Int64
  ) throws(IssuanceFailure) -> Reply {
    let file = IssuedFile(
      chain, authority: authority.url, account: client.account ?? "",
      profile: client.knownDirectory.flatMap(profile), issued: issued)
    try stored(try folder.install(file, chain, record.key, for: record.host))
    try stored(try folder.store.remove(folder.order(record.host, authority)))
    challenges[record.order.challenge].withdraw(record.host)
    note(record.host, .installed)
    return .installed(file)
  }

  /// Requests a certificate's renewal window. The reply contains nil if the CA offers no window.
  private func askForWindow(_ certificate: IssuedFile) throws(IssuanceFailure) -> Reply {
    guard let base = try client.directory().renewalInfo,
      let identifier = certificate.renewalIdentifier
    else { return .window(nil, retryAfter: nil) }
    let answer = try client.get(base + "/" + identifier)
    return .window(
      RenewalWindow(try answer.json(), serial: certificate.serial),
      retryAfter: answer.head.retryAfter())
  }

  /// Finds the account of our key, or creates an account. The same request does both.
  private func ensureAccount() throws(IssuanceFailure) {
    guard client.account == nil else { return }
    let directory = try client.directory()
    var bound: JSONTree?
    if directory.needsBinding {
      guard let binding = authority.binding else {
        throw .refused(
          ProblemDocument(
            type: "externalAccountRequired",
            detail: "\(authority.name) requires an external account binding: pass a file with the"
              + " credentials from this CA by --acme-eab"))
      }
      bound = accountBinding(binding, of: client.key, to: directory.newAccount)
    }
    note("", .account)
    let answer = try client.post(
      ["termsOfServiceAgreed": true, "externalAccountBinding": bound], to: directory.newAccount,
      by: client.key)
    guard let url = answer.location else { throw .noAnswer("the CA sent no account URL") }
    client.account = url
    try stored(try folder.writeAccount(url, directory.identities, authority))
    let terms =
      directory.terms.map { "; the server accepted the CA's terms of service: \(visible($0))" }
      ?? ""
    environment.announce("account \(url) at \(authority.name)\(terms)")
  }

  /// Returns whether the CA says that our key does not belong to the account, for example because a
  /// backup of an older key was restored.
  private func hasForeignAccount(_ failure: IssuanceFailure) -> Bool {
    guard let type = failure.problem?.type, ["malformed", "unauthorized"].contains(type),
      let account = client.account
    else { return false }
    do throws(IssuanceFailure) { return try client.findAccount(of: client.key) != account } catch {
      return false
    }
  }

  /// Changes the account's key (RFC 8555 section 7.3.5). The new key has its own file until all CAs
  /// know the key. The account's URL stays the same, so CAA records with this URL stay valid.
  private func changeKey() throws(IssuanceFailure) -> Reply {
    guard let new = try? folder.key(in: folder.newAccountKey) else {
      throw .storage("\(folder.path(folder.newAccountKey)) cannot be read")
    }
    guard let account = client.account else {
      client.key = new
      return .keyChanged(isLost: false)
    }
    note("", .rollover)
    // The CA may already know the new key from an earlier request whose response was lost.
    var isDone = try client.findAccount(of: new) == account
    if !isDone {
      guard let url = try client.directory().changeKey else {
        throw .noAnswer("the CA does not support a change of the account's key")
      }
      let change = try signed(
        try signedRequest(
          ["account": account.json, "oldKey": jsonWebKey(of: client.key)], to: url,
          nonce: nil, account: nil, key: new))
      do throws(IssuanceFailure) {
        _ = try client.post(change, to: url)
        isDone = true
      } catch {
        let ends = ["accountDoesNotExist", "unauthorized", "malformed"]
        guard let type = error.problem?.type, ends.contains(type),
          try client.findAccount(of: client.key) == nil
        else { throw error }
        // Neither key has an account, so create one with the new key.
        client.account = nil
      }
    }
    client.key = new
    return .keyChanged(isLost: !isDone)
  }
}

extension AuthorityClient {
  /// Returns the URL of a key's account; nil if the key has no account.
  fileprivate func findAccount(of key: SigningKey) throws(IssuanceFailure) -> String? {
    do throws(IssuanceFailure) {
      return try post(["onlyReturnExisting": true], to: directory().newAccount, by: key).location
    } catch {
      guard error.problem?.type == "accountDoesNotExist" else { throw error }
      return nil
    }
  }
}
