internal import JSON
internal import Posix

/// The account at a CA (RFC 8555 section 7.3).
extension IssuerWork {
  /// Finds the account that belongs to our key, or makes one: the CA does either for the same request.
  func ensureAccount(_ client: AuthorityClient) throws(CallFault) {
    guard client.account == nil, let key else { return }
    let directory = try client.directory()
    var members = [("termsOfServiceAgreed", Tree.bool(true))]
    if directory.needsBinding {
      guard let binding = options.binding else {
        var problem = ProblemDocument(
          type: "externalAccountRequired",
          detail: "\(client.authority.name) wants a binding to an account that you have there:"
            + " name a file with it by --acme-eab")
        problem.isOfAccount = true
        throw .refused(problem)
      }
      members.append(
        (
          "externalAccountBinding",
          accountBinding(binding, of: key, to: directory.newAccount)
        ))
    }
    note("", client, .account)
    let answer: CallAnswer
    do throws(CallFault) {
      answer = try client.post(object(members), to: directory.newAccount, namesKey: true)
    } catch {
      guard case .refused(var problem) = error else { throw error }
      problem.isOfAccount = true
      throw .refused(problem)
    }
    guard let url = answer.location else { throw .noAnswer("the CA names no account") }
    client.account = url
    do throws(SystemError) {
      try folder.write(
        "account: \(url)\nauthority: \(client.authority.url)\n"
          + "identities: \(directory.identities.joined(separator: " "))\n",
        to: folder.account(client.authority))
    } catch {
      tellOnce("storage", .stateUnusable(folder.root, "\(error)"))
    }
    let terms = directory.terms.map { ", whose terms are accepted: \(visible($0))" } ?? ""
    environment.announce("account \(url) at \(client.authority.name)\(terms)")
  }

  /// Whether the CA says that our key is not that of the account: one of the two is from a backup, or
  /// was lost.
  func hasForeignAccount(_ client: AuthorityClient, _ problem: ProblemDocument) -> Bool {
    guard ["malformed", "unauthorized"].contains(problem.type), let account = client.account else {
      return false
    }
    do throws(CallFault) { return try client.findAccount() != account } catch { return false }
  }

  /// What DNS records must name.
  func applicant(
    _ client: AuthorityClient, _ kinds: [ChallengeKind], needsAccount: Bool
  ) throws(CallFault) -> Applicant {
    if needsAccount { try ensureAccount(client) }
    let own = client.authority.identities
    let identities = own == nil ? try client.directory().identities : own
    return Applicant(
      identities: identities ?? [], account: client.account, methods: kinds.map(\.rawValue))
  }

  /// The CA does not know the account any more: the next call makes one.
  func forgetAccount(_ client: AuthorityClient) {
    environment.tell(.accountUnknown(client.authority.name, client.account ?? ""))
    client.account = nil
    try? removeFile(folder.account(client.authority))
  }
}

extension AuthorityClient {
  /// The URL of the account that has this key; nil when there is none.
  func findAccount() throws(CallFault) -> String? {
    do throws(CallFault) {
      return try post(
        object([("onlyReturnExisting", .bool(true))]), to: directory().newAccount, namesKey: true
      ).location
    } catch {
      guard case .refused(let problem) = error, problem.type == "accountDoesNotExist" else {
        throw error
      }
      return nil
    }
  }
}
