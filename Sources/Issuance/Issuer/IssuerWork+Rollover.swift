internal import Client
internal import JSON
internal import Posix
internal import TLS

/// Another key for the account (RFC 8555 section 7.3.5). The accounts stay, and so do CAA records that
/// name them.
extension IssuerWork {
  /// Changes the key when somebody asks for it and no order is under way, and goes on with what a crash
  /// has left. The new key is written before a CA hears of it, and becomes the account's when all know
  /// it.
  func rollOver() {
    guard let time = nextRollover, underWay.isEmpty, let context else { return }
    let now = Clock.monotonicMilliseconds()
    if time > now { return }
    do throws(CallFault) {
      let new = try nextKey()
      for client in clients where client.account != nil {
        note("", client, .rollover)
        try client.changeKey(to: new, context: context)
      }
      do throws(SystemError) {
        try removeFile(folder.rollover)
        try renameFile(folder.newAccountKey, to: folder.accountKey)
      } catch {
        throw .storage("\(error)")
      }
      use(new)
      nextRollover = nil
      forget("rollover")
      environment.announce(
        "the account has another key, with the thumbprint \(thumbprint(of: new)): servers with"
          + " --acme-answer need it")
    } catch {
      nextRollover = now + 60_000
      tellOnce("rollover", .rolloverWaits(error.text))
    }
  }

  private func nextKey() throws(CallFault) -> SigningKey {
    do {
      if let found = try folder.key(in: folder.newAccountKey) { return found }
      let made = try SigningKey.generate()
      try folder.write(made, to: folder.newAccountKey)
      return made
    } catch {
      throw .storage("\(error)")
    }
  }
}

extension StateFolder {
  /// Somebody asks for another key, or a change was not finished.
  fileprivate func isThere(_ path: String) -> Bool { (try? status(path)) != nil }

  var wantsRollover: Bool { isThere(rollover) || isThere(newAccountKey) }
}

extension AuthorityClient {
  /// Lets the account have another key, unless it has it already.
  func changeKey(to new: SigningKey, context: ClientContext) throws(CallFault) {
    guard let account else { return }
    let directory = try directory()
    guard let url = directory.changeKey else { throw .noAnswer("the CA changes no keys") }
    let successor = AuthorityClient(authority, key: new, context: context)
    if try successor.findAccount() == account { return }
    let change: Tree
    do throws(TLSError) {
      change = try signedRequest(
        object([("account", .text(account)), ("oldKey", jsonWebKey(of: key))]), to: url, nonce: nil,
        account: nil, key: new)
    } catch {
      throw .internalFault("\(error)")
    }
    _ = try post(change, to: url)
  }
}

extension CallFault {
  /// One lower-case sentence without a full stop.
  var text: String {
    switch self {
    case .noAnswer(let reason), .storage(let reason), .internalFault(let reason): reason
    case .refused(let problem): Setback.refused(problem).text
    }
  }
}
