package import AppSiteAssociation
internal import Diagnostics

/// One thing that can be wrong with a domain: its code, how bad it is, and its page, which stand
/// beside the code that finds it.
package struct FindingKind: Sendable {
  /// What a finding means for the links of a domain.
  enum Effect: Sendable {
    /// No device gets the file, or none gets it from Apple's CDN.
    case allDevices
    /// Some devices do not get the file: those that take one of several addresses.
    case someDevices
    /// Devices in developer mode, which ask the server itself, do not get the file.
    case developerMode
    /// The file is served, and is not what somebody expects.
    case expectation
    /// Apple's CDN does not have yet what the server has.
    case cdn
    /// This machine's own network keeps it from finding out.
    case unknown
    case none
  }

  let effect: Effect
  package let page: RulePage

  var code: String { page.code }

  init(_ effect: Effect, _ page: RulePage) {
    self.effect = effect
    self.page = page
  }

  package static let all =
    addressKinds + certificateKinds + answerKinds + identityKinds + surroundingKinds + cdnKinds
    + expectationKinds + entitlementKinds

  /// What several pages cite.
  static let trustedSource =
    "Apple asks for HTTPS with a publicly trusted certificate (grade D)"
}
