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

  /// The CA does not know the account any more: the next call makes one.
  func forgetAccount(_ client: AuthorityClient) {
    environment.tell(.accountUnknown(client.authority.name, client.account ?? ""))
    client.account = nil
    try? removeFile(folder.account(client.authority))
  }
}
