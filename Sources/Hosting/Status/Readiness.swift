internal import Diagnostics
internal import TLS

extension HostingStatus {
  /// Why no traffic should be sent here, each in a lower-case sentence; empty when all is well.
  ///
  /// What can no longer get better by itself, and what a new instance must not go live with:
  /// one broken domain among others keeps nobody from serving the others.
  ///
  /// - Parameter now: seconds since 1970, by which certificates are judged.
  package func obstacles(now: Int64) -> [String] {
    if !isLoaded { return ["the files are still being loaded"] }
    var reasons: [String] = []
    if catalog.sites.isEmpty {
      // An empty folder is what was asked for; one that cannot be read is not.
      if let folderFault { reasons.append("\(folder): \(folderFault.message)") }
    } else if !catalog.sites.contains(where: \.hasContent) {
      let count = catalog.sites.count
      reasons.append(
        count == 1
          ? "the file of the only domain cannot be served: see aasa status"
          : "none of the \(count) domains has a file that can be served: see aasa status")
    }
    // The certificate made for a run is for trying: whoever named a folder wants what is in it.
    let isSelfSignedEnough =
      hasStandIn && !isCertificatesFolderExpected && certificateFault == nil
    if hasHTTPS, !isSelfSignedEnough {
      let served = certificates.compactMap(\.certificate)
      if served.isEmpty {
        reasons.append(
          certificateFault.map { "\($0.location?.path ?? ""): \($0.message)" }
            ?? "there is no certificate that HTTPS could use: see aasa status")
      } else if !served.contains(where: { $0.isValid(at: now) }) {
        reasons.append(
          served.count == 1
            ? "the only certificate is not valid now: see aasa status"
            : "none of the \(served.count) certificates is valid now: see aasa status")
      }
    }
    return reasons
  }
}

extension Site {
  /// Whether any of its files can be served, or it is there without one.
  fileprivate var hasContent: Bool {
    switch (association, assetLinks) {
    case (.served, _), (_, .served), (.absent, .absent): true
    default: false
    }
  }
}
