package import Diagnostics

/// A kind of fault of a domain: its code, severity and page, declared beside the code that finds
/// it.
package struct FindingKind: Sendable {
  /// The effect of a finding on the links of a domain.
  enum Effect: Sendable {
    /// No device gets the file, or none gets it from Apple's CDN.
    case allDevices
    /// Some devices do not get the file: those that use one of several addresses.
    case someDevices
    /// Devices in developer mode, which fetch from the server itself, do not get the file.
    case developerMode
    /// The file is served, but does not meet an expectation.
    case expectation
    /// Apple's CDN does not have the server's version yet.
    case cdn
    /// This machine's own network prevents the check.
    case unknown
    case none
  }

  let effect: Effect
  package let diagnosticKind: DiagnosticKind

  var code: String { diagnosticKind.code }

  init(
    _ effect: Effect, _ code: String, _ name: String, _ what: String, _ consequence: String,
    _ source: String?, severity: Diagnostic.Severity = .error, fix: String? = nil,
    wrong: String? = nil, right: String? = nil
  ) {
    self.effect = effect
    diagnosticKind = DiagnosticKind(
      code, name, what, consequence, source, severity: severity, fix: fix, wrong: wrong,
      right: right)
  }

  package static let all =
    addressKinds + certificateKinds + answerKinds + identityKinds + surroundingKinds + cdnKinds
    + expectationKinds + entitlementKinds + manifestKinds

  /// The source that several pages cite.
  static let trustedSource =
    "Apple asks for HTTPS with a publicly trusted certificate (grade D)"
}
