internal import Bytes
internal import Catalog
internal import Diagnostics
internal import Issuance
internal import Keeping
internal import Settings
internal import TLS

/// The steps that an operator must still do for a domain. Lists only steps that the server can
/// determine without sending requests.
extension DomainReport {
  struct Step: Equatable {
    let what: String
    let help: String?
  }

  func steps(in folder: String) -> [Step] {
    var steps: [Step] = []
    if let fault = problem?.diagnostics.first(where: { $0.severity == .error }) {
      steps.append(Step(what: fault.line, help: fault.help))
    }
    if state == .empty, standIn == nil {
      steps.append(
        Step(
          what: "\(folder) contains no association file for this domain",
          help: "aasa init writes a file; aasa validate checks the file"))
    }
    switch certificate {
    case .uncovered:
      steps.append(
        Step(
          what: "no certificate covers this domain, so HTTPS clients are refused",
          help: issuance == nil
            ? "put a certificate for the domain into the certificates folder, or use --acme to "
              + "get one"
            : nil
        ))
    case .selfSigned:
      steps.append(
        Step(what: "HTTPS uses a self-signed certificate, which devices refuse", help: nil))
    case .certificate(let found) where !found.isValid(at: now):
      steps.append(Step(what: "the certificate is not valid now", help: "renew \(found.path)"))
    case .certificate, nil: break
    }
    if let trouble = issuance?.trouble {
      steps.append(Step(what: "no certificate is issued: \(trouble)", help: nil))
    }
    if let outside, outside.isFaulty {
      steps.append(
        Step(
          what: outside.fault ?? words(outside),
          help: outside.origin == .failing ? nil : "Apple's CDN fetches the new file by itself"))
    }
    return steps
  }

  /// The row with the certificate chain; empty if there is no certificate.
  var chainRow: [(name: String, text: String)] {
    guard case .certificate(let found) = certificate else { return [] }
    let count = found.intermediateCount
    return [
      (
        "chain",
        "\(found.kind.rawValue), with \(count.counting("intermediate certificate")), from "
          + "\(Times.date(found.notBefore)) to \(Times.date(found.notAfter)), for "
          + found.names.hosts.prefix(5).joined(separator: ", ")
          + (found.names.hosts.count > 5 ? " and \(found.names.hosts.count - 5) more" : "")
      )
    ]
  }

  /// Returns `aasa` commands with which an operator can examine a host or an entry.
  func commands(for name: String, in folder: String) -> [String] {
    let word = shellWord(name)
    let isHost = if case .host? = DomainName(entryName: name) { true } else { false }
    return ["aasa status \(word)"]
      + (isHost ? ["aasa onboard \(word)", "aasa check \(word)"] : [])
      + ["aasa validate \(shellWord(folder))"]
  }
}

/// Quotes a text as one word of a shell command.
private func shellWord(_ text: String) -> String {
  let isPlain = text.utf8.allSatisfy { $0.isLetter || $0.isDigit || "-._/".utf8.contains($0) }
  return isPlain ? text : "'" + text.replacing("'", with: #"'\''"#) + "'"
}
