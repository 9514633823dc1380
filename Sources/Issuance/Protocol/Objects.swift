internal import Diagnostics
internal import JSON

/// A CA's directory (RFC 8555 section 7.1.1).
struct ACMEDirectory: Sendable {
  let newNonce: String
  let newAccount: String
  let newOrder: String
  private let value: Value
  private let meta: Value?

  var revokeCertificate: String? { value.text("revokeCert") }
  var changeKey: String? { value.text("keyChange") }
  /// The URL for renewal information (RFC 9773 section 4.1); nil if the CA offers none.
  var renewalInfo: String? { value.text("renewalInfo") }
  var terms: String? { meta?.text("termsOfService") }
  /// The names of this CA in CAA records.
  var identities: [String] { meta?.member("caaIdentities")?.elements.compactMap(\.string) ?? [] }
  var needsBinding: Bool { meta?.member("externalAccountRequired")?.bool ?? false }
  var profiles: [String]? { meta?.member("profiles").map { $0.members.map(\.key) } }

  init?(_ value: Value) {
    guard let nonce = value.text("newNonce"), let account = value.text("newAccount"),
      let order = value.text("newOrder")
    else { return nil }
    (newNonce, newAccount, newOrder) = (nonce, account, order)
    (self.value, meta) = (value, value.member("meta"))
  }
}

/// The status of an order, an authorization or a challenge (RFC 8555 section 7.1.6).
enum Progress: String {
  case pending, ready, processing, valid, invalid, deactivated, expired, revoked
}

struct Order {
  let progress: Progress
  let authorizations: [String]
  let finalize: String
  let certificate: String?
  let problem: ProblemDocument?

  init?(_ value: Value) {
    guard let progress = value.progress, let finalize = value.text("finalize"),
      let authorizations = value.member("authorizations")?.elements.compactMap(\.string)
    else { return nil }
    (self.progress, self.finalize, self.authorizations) = (progress, finalize, authorizations)
    certificate = value.text("certificate")
    problem = ProblemDocument(value.member("error"))
  }
}

struct Authorization {
  struct Challenge {
    let type: String
    let url: String
    let token: String
    let progress: Progress?
    let problem: ProblemDocument?
  }

  let progress: Progress
  let challenges: [Challenge]

  init?(_ value: Value) {
    guard let progress = value.progress, let challenges = value.member("challenges") else {
      return nil
    }
    self.progress = progress
    self.challenges = challenges.elements.compactMap { challenge in
      guard let type = challenge.text("type"), let url = challenge.text("url") else { return nil }
      return Challenge(
        type: type, url: url, token: challenge.text("token") ?? "",
        progress: challenge.progress,
        problem: ProblemDocument(challenge.member("error")))
    }
  }

  var problem: ProblemDocument? { challenges.compactMap(\.problem).first }
}

extension Value {
  fileprivate var progress: Progress? { text("status").flatMap(Progress.init(rawValue:)) }
}
