internal import AppSiteAssociation
internal import Diagnostics
internal import Posix
internal import Rules
internal import Settings
internal import TLS

/// Reads the policy file `.aasa.json` in the folder of an association file. `aasa validate` uses
/// the same policy, so that both agree on which faults are errors.
extension DomainReader {
  struct Policy {
    var ignored: Set<String> = []
    /// Why the server ignores the whole policy file; nil if the server uses the file.
    var fault: Diagnostic?
  }

  /// Returns the policy for the files of a domain. This is the policy in the folder of the
  /// association file. If there is no association file, it is the policy in the folder of
  /// `assetlinks.json`.
  ///
  /// - Parameter shared: The policy for files directly in the domains folder. The policy is nil
  ///   until a file first needs it; the function then reads it.
  func policy(
    of observation: DomainObservation, _ entry: DomainFolder.Entry, in root: borrowing Directory,
    _ shared: inout Policy?
  ) -> Policy {
    let judged = [WellKnownFiles.association, WellKnownFiles.assetLinks].first {
      if case .present? = observation.files[$0] { true } else { false }
    }
    guard let folder = judged.flatMap({ observation.folders[$0] }) else { return Policy() }
    var name = VerdictPolicy.fileName
    if folder == .domains {
      if let shared { return shared }
    } else {
      guard observation.facts.places.contains(folder.policy), let host = entry.folder else {
        return Policy()
      }
      name = "\(host)/\(folder.prefix)\(name)"
    }
    let path = "\(observer.root)/\(name)"
    var result = Policy()
    do throws(SystemError) {
      let content = try root.readContent(name, limit: VerdictPolicy.fileBytes)
      let (policy, fault) = VerdictPolicy.reading(
        SourceText(path: path, bytes: content.bytes), known: associationKinds + signatureKinds,
        rules: associationRuleKinds)
      result = Policy(
        ignored: policy.ignored, fault: fault.map { warning(describing($0, path, content)) })
    } catch {
      if !error.isNotFound {
        result.fault = Diagnostic(
          .verdictPolicyFaulty, severity: .warning, "the file cannot be read: \(error.reason)",
          at: .init(path: path), help: "let the current user read the file, or remove the file")
      }
    }
    if folder == .domains { shared = result }
    return result
  }

  /// Returns a fault of the policy as a warning, because the domain's files are still served.
  private func warning(_ fault: Diagnostic) -> Diagnostic {
    Diagnostic(
      fault.kind, severity: .warning, fault.message, at: fault.location, help: fault.help,
      note: "the whole file is ignored")
  }
}
