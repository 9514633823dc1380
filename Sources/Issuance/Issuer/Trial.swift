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
  private let authority: Authority
  private let isPrivate: Bool
  private let methods: [String]
  private let context: ClientContext

  /// - Parameters:
  ///   - thumbprint: of the account's key, which the server answers with.
  ///   - account: its URL at the CA; nil when there is none yet.
  ///   - isPrivate: the CA is one with roots of its own.
  package init(
    thumbprint: String, account: String?, authority: Authority, isPrivate: Bool,
    methods: [ChallengeKind]
  ) throws {
    self.thumbprint = thumbprint
    self.account = account
    self.authority = authority
    self.isPrivate = isPrivate
    self.methods = methods.map(\.rawValue)
    context = try ClientContext(trust: try TrustStore.system())
  }

  package func run(_ host: String) -> Outcome {
    let preflight = Preflight(
      thumbprint: thumbprint, context: context, isPrivate: isPrivate, certificates: nil
    ) { _ in
      Applicant(identities: authority.identities ?? [], account: account, methods: methods)
    }
    do throws(PreflightFault) {
      return try preflight.check(host, .http) ? .ready : .unseen
    } catch {
      switch error {
      case .name(let fault): return .fault(fault)
      // The applicant above asks nobody.
      case .call: return .unseen
      }
    }
  }
}
