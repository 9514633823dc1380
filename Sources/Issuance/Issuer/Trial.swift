internal import Client
internal import Posix
internal import TLS

/// Looks whether a CA would give a certificate for a host, as the issuer does before it asks. No CA is
/// asked.
package struct Trial {
  package enum Outcome: Sendable, Equatable {
    case ready
    /// Nothing is wrong that can be seen from this machine, which cannot connect to every address.
    case unseen
    case fault(NameFault)
  }

  private let thumbprint: String
  private let account: String?
  private let isPrivate: Bool
  private let identities: [String]
  private let methods: [ChallengeKind]
  private let context: ClientContext

  /// - Parameters:
  ///   - thumbprint: of the account's key, which the server answers with.
  ///   - account: its URL at the CA; nil when there is none yet.
  ///   - identities: what the CA calls itself in DNS records, as far as that is known.
  ///   - isPrivate: the CA is one with roots of its own.
  package init(
    thumbprint: String, account: String?, identities: [String], isPrivate: Bool,
    methods: [ChallengeKind]
  ) throws {
    self.thumbprint = thumbprint
    self.account = account
    self.identities = identities
    self.isPrivate = isPrivate
    self.methods = methods
    context = try ClientContext(trust: try TrustStore.system())
  }

  package func run(_ host: String) -> Outcome {
    let check = NameCheck(
      thumbprint: thumbprint, context: context, isPrivate: isPrivate, certificates: nil,
      applicant: Applicant(
        identities: identities, account: account, methods: methods.map(\.rawValue)),
      deadline: Deadline(afterMilliseconds: Limits.nameCheck))
    let own = methods.filter { $0 != .tls }
    switch check.run(host, own.contains { $0.fits(host) } ? own : [.record]) {
    case .ready: return .ready
    case .unseen, .needsAccount: return .unseen
    case .fault(let fault): return .fault(fault)
    }
  }
}
