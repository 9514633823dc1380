internal import AppSiteAssociation
internal import Diagnostics
internal import Posix

/// What `.aasa.json` beside an association file says: `aasa validate` and the server agree on what
/// an error is.
extension DomainReader {
  struct Policy {
    var ignored: Set<String> = []
    /// What is wrong with the file itself; then nothing of it counts.
    var fault: Diagnostic?
  }

  /// - Parameter shared: what holds for files in the domains folder itself.
  func policy(
    of sight: FileSight, in root: borrowing Directory, _ shared: Policy
  ) -> Policy {
    guard case .present(let path, _) = sight else { return Policy() }
    let inner = path.dropFirst(observer.root.count + 1)
    guard let slash = inner.lastIndex(of: "/") else { return shared }
    return policy(inFolder: String(inner[...slash]), in: root)
  }

  /// - Parameter folder: empty for the domains folder itself, otherwise with a slash at its end.
  func policy(inFolder folder: String, in root: borrowing Directory) -> Policy {
    let name = folder + VerdictPolicy.fileName
    let path = "\(observer.root)/\(name)"
    do throws(SystemError) {
      let content = try root.readContent(name, limit: VerdictPolicy.fileBytes)
      let (policy, fault) = VerdictPolicy.reading(SourceText(path: path, bytes: content.bytes))
      return Policy(ignored: policy.ignored, fault: fault.map(warning))
    } catch {
      if error.isNotFound { return Policy() }
      return Policy(
        fault: Diagnostic(
          .warning, code: "V003", "the file cannot be read: \(error.reason)",
          at: .init(path: path), help: "let this user read it, or remove it"))
    }
  }

  /// It keeps nothing from being served.
  private func warning(_ fault: Diagnostic) -> Diagnostic {
    Diagnostic(
      .warning, code: fault.code, fault.message, at: fault.location, help: fault.help,
      note: "nothing of it counts")
  }
}
