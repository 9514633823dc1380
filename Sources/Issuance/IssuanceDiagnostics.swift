internal import Bytes
internal import Diagnostics
internal import Posix

extension Diagnostic {
  /// Returns an error if the host's current certificate expires soon; otherwise returns a warning.
  static func noCertificate(
    for host: String, _ failure: IssuanceFailure, at authority: String, _ validity: Validity?,
    now: Int64
  ) -> Diagnostic {
    let left = validity.map { $0.notAfter - now }
    let isUrgent = validity?.isEnding(now) == true
    let (kind, help) = kindAndHelp(failure, host)
    let source = [.refused, .noAnswer].contains(failure.kind) ? " from \(authority)" : ""
    let message =
      "no \(validity == nil ? "" : "new ")certificate for \(host)\(source): \(failure.text)"
    return Diagnostic(
      kind, severity: isUrgent ? .error : .warning, message, help: help,
      note: left.map {
        "the current certificate is valid for \((max(0, $0) / 86_400).counting("more day"))"
      })
  }

  private static func kindAndHelp(_ failure: IssuanceFailure, _ host: String) -> (Kind, String?) {
    switch failure.kind {
    case .name: (.nameDoesNotLeadHere, failure.help)
    case .rival: (.anotherAccount, failure.help)
    case .caa: (.caaForbids, failure.help)
    case .refused where failure.needsAction: (.caNeedsAction, nil)
    // RFC 8555 section 7.3.6: a deactivated account and its key cannot be used again.
    case .refused
    where failure.problem?.type == "unauthorized"
      && failure.text.lowercased().contains("deactivated"):
      (
        .authorityRefuses,
        "if the account was deactivated, move acme/account.pem out of the state folder and "
          + "restart the server; the server then makes a new account"
      )
    case .refused: (.authorityRefuses, nil)
    case .noAnswer: (.authorityDoesNotAnswer, nil)
    case .unfit:
      (.certificateUnfit, "to request another certificate at once, run aasa acme renew \(host)")
    case .storage:
      (.stateFolderUnusable, "let the server's user write to the state folder, and free disk space")
    case .clock: (.clocksDiffer, nil)
    }
  }

  static func stateUnusable(_ folder: String, _ error: any Error) -> Diagnostic {
    let isFull = if case .full? = error as? StoreFault { true } else { false }
    return Diagnostic(
      .stateFolderUnusable, "the state folder cannot be used: \(error)", at: .init(path: folder),
      help: isFull
        ? "free space on the folder's file system, or choose another folder with --acme-state"
        : "let the server's user write to the folder, or choose another folder with --acme-state",
      note: "served certificates stay in use, but none is renewed")
  }

  static func stateNewer(_ path: String) -> Diagnostic {
    Diagnostic(
      .stateFolderUnusable, "a later version of aasa wrote this file in the state folder",
      at: .init(path: path),
      help: "run the later version of aasa, or restore the folder from an older backup",
      note: "served certificates stay in use, but none is renewed")
  }

  /// - Parameter certificates: The number of certificates that the issuer writes again.
  static func stateRemoved(_ folder: String, isWhole: Bool, certificates: Int) -> Diagnostic {
    let count = certificates.counting("certificate")
    let written =
      (isWhole ? ["the account's key", "data about the CAs"] : [])
      + (certificates > 0 ? [count] : [])
    return Diagnostic(
      .stateFolderGone,
      (isWhole ? "the state folder, or a part of it," : "the file of \(count)")
        + " was removed while the server was using it", at: .init(path: folder),
      note: "written again: \(written.joined(separator: ", "))")
  }

  static func keyUnusable(_ path: String) -> Diagnostic {
    Diagnostic(
      .stateFolderUnusable, "the file for the account's key contains no private key",
      at: .init(path: path),
      help:
        "restore the file from a backup, or remove the file: the server then makes a new account",
      note: "served certificates stay in use, but none is renewed")
  }

  static func lostWithContainer(_ folder: String) -> Diagnostic {
    // The path at which a volume is mounted must be absolute.
    let isAbsolute = folder.hasPrefix("/")
    let place = isAbsolute ? folder : "/var/lib/aasa"
    return Diagnostic(
      .stateLostWithContainer, "the state folder would be lost with the container",
      at: .init(path: folder),
      help: "put the folder on a volume, for example docker run -v aasa-state:\(place)"
        + (isAbsolute ? "" : ", and pass --acme-state \(place)"),
      note:
        "each restart would order all certificates again, and CAs refuse the sixth order in a week")
  }

  /// - Parameter holder: Describes the other process; nil if that process has the folder's lock.
  static func otherIssuer(_ folder: String, _ holder: String?) -> Diagnostic {
    Diagnostic(
      .anotherIssuer,
      "\(holder ?? "another process") orders the certificates that are stored in this state folder"
        + (holder == nil ? "" : ", although this process has the folder's lock"),
      at: .init(path: folder),
      note: holder == nil
        ? "this process takes over when the other process exits"
        : "this process takes over when the other process exits, or a minute after the other "
          + "process was killed")
  }

  /// - Parameter renewal: The time of the renewal, in seconds since 1970.
  static func recordInvalidAtRenewal(_ host: String, _ fault: IssuanceFailure, renewal: Int64)
    -> Diagnostic
  {
    Diagnostic(
      .recordInvalidAtRenewal,
      "the certificate for \(host) cannot be renewed on \(day(renewal)): \(fault.text)",
      help: fault.help)
  }

  static func notServed(_ host: String, _ path: String) -> Diagnostic {
    Diagnostic(
      .newCertificateNotServed,
      "no handshake with this server showed the new certificate for \(host) within a minute",
      at: .init(path: path))
  }

  static func accountUnknown(_ authority: String, _ account: String) -> Diagnostic {
    Diagnostic(.accountUnknown, "\(authority) no longer knows the account \(account)")
  }

  static func rolloverWaits(_ reason: String) -> Diagnostic {
    Diagnostic(
      .keyNotChanged, "the account's key has not been changed yet: \(reason)",
      note:
        "no certificate is ordered until all CAs have the new key; the server retries the change "
        + "every minute"
    )
  }

  /// - Parameter seconds: The CA's clock minus this machine's clock.
  static func clockDiffers(_ authority: String, seconds: Int64) -> Diagnostic {
    let isFar = abs(seconds) > IssuanceLimits.clockFault
    return Diagnostic(
      .clocksDiffer, severity: isFar ? .error : .warning,
      "the clock of \(authority) is \(span(seconds)) \(seconds > 0 ? "ahead of" : "behind") this"
        + " machine's",
      note: isFar
        ? "no certificate is ordered until the clocks agree; served certificates stay in use" : nil)
  }

  static func noSuchProfile(_ name: String, _ names: [String]) -> Diagnostic {
    Diagnostic(
      .noSuchProfile, "the CA has no profile \"\(name)\"",
      help: names.isEmpty
        ? "remove acmeProfile: this CA has no profiles"
        : "set acmeProfile to one of \(names.joined(separator: ", "))",
      note: "certificates are ordered without a profile")
  }
}
