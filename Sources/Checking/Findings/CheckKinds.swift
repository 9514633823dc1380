package import Diagnostics

extension Kind {
  package static let ofCheck =
    addressKinds + certificateKinds + answerKinds + identityKinds + surroundingKinds + cdnKinds
    + expectationKinds + entitlementKinds + manifestKinds
    + androidAppKinds + deviceKinds

  /// The source that several pages cite.
  static let trustedSource =
    "Apple asks for HTTPS with a publicly trusted certificate (grade D)"
}
