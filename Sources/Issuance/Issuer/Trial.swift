internal import Client
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
    let preflight = Preflight(
      thumbprint: thumbprint, context: context, isPrivate: isPrivate, certificates: nil
    ) { _ in
      Applicant(identities: identities, account: account, methods: methods.map(\.rawValue))
    }
    do throws(PreflightFault) {
      let kind =
        methods.contains(.http) && ChallengeKind.http.fits(host) ? ChallengeKind.http : .record
      return try preflight.check(host, kind) ? .ready : .unseen
    } catch {
      switch error {
      case .name(let fault): return .fault(fault)
      // The applicant above asks nobody.
      case .call: return .unseen
      }
    }
  }
}
