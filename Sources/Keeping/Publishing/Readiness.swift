internal import Catalog
internal import Diagnostics
internal import TLS

extension HostingStatus {
  /// Returns the reasons to send no traffic to this server, each as a lower-case sentence; empty if
  /// there are no such reasons.
  ///
  /// - Parameter now: The time at which certificates must be valid, in seconds since 1970.
  package func obstacles(now: Int64) -> [String] {
    obstacles + [certificateObstacle(now: now)].compactMap(\.self)
  }

  /// The reasons to send no traffic to the server, neither HTTP nor HTTPS.
  ///
  /// A new server must receive no traffic while one of these reasons exists. A single broken domain
  /// is not a reason, because the server can serve the other domains.
  package var obstacles: [String] {
    if !isLoaded { return ["the files are still being loaded"] }
    var reasons: [String] = []
    if catalog.sites.isEmpty || isFolderUnread {
      // A folder without entries may be intended. A folder that cannot be read is a fault, even if
      // kept versions are served.
      if let folderFault {
        reasons.append("\(folder): \(folderFault.message)")
      } else if isFolderUnread {
        reasons.append("\(folder): the file system does not answer")
      }
    }
    if unreadAtStart > 0 {
      let subject = unreadAtStart == 1 ? "a domain has" : "\(unreadAtStart) domains have"
      reasons.append("\(folder): \(subject) not been read yet")
    } else if !catalog.sites.isEmpty, !isFolderUnread, !catalog.sites.contains(where: \.hasContent)
    {
      let count = catalog.sites.count
      reasons.append(
        count == 1
          ? "the file of the only domain cannot be served"
          : "none of the \(count) domains has a file that can be served")
    }
    return reasons
  }

  /// Returns why HTTPS has no valid certificate. Returns nil if there is a valid certificate, if
  /// the self-signed certificate is sufficient, if HTTPS is off, or if the files are still being
  /// loaded.
  package func certificateObstacle(now: Int64) -> String? {
    // The self-signed certificate is only for trials. It is not sufficient if the user has set the
    // path of a certificates folder, because that folder must contain a certificate.
    let isSelfSignedEnough =
      usesSelfSigned && !isCertificatesFolderExpected && certificateFault == nil
    if !isLoaded || !hasHTTPS || isSelfSignedEnough { return nil }
    let served = certificates.compactMap(\.certificate)
    if served.isEmpty {
      return certificateFault.map { "\($0.location?.path ?? ""): \($0.message)" }
        ?? "there is no usable certificate for HTTPS"
    }
    if served.contains(where: { $0.isValid(at: now) }) { return nil }
    return served.count == 1
      ? "the only certificate is not valid now"
      : "none of the \(served.count) certificates is valid now"
  }
}

extension Site {
  /// Whether the entry has a file that can be served, or has no files at all.
  fileprivate var hasContent: Bool {
    answers.isEmpty
      || answers.contains { if case .served = $0 { true } else { false } }
  }
}
