internal import ArgumentParser
internal import Diagnostics
internal import Keeping
internal import Posix
internal import Rules

/// The options that determine when a command fails. All commands that check files or domains have
/// these options.
struct VerdictOptions: ParsableArguments {
  @Option(
    name: .customLong("fail-on"),
    help: ArgumentHelp(
      "the lowest severity that causes exit code 1: error, warning or note (default: error; for "
        + "aasa diff: note); aasa check also accepts cdn: see its exit code 3",
      valueName: "severity"))
  var failOn: [String] = []
  @Option(
    name: .customLong("ignore"),
    help: ArgumentHelp("codes to ignore, for example A081,A085 (repeatable)", valueName: "codes"))
  var ignore: [String] = []
  @Flag(help: "the same as --fail-on warning") var strict = false

  func validate() throws {
    var policy = VerdictPolicy()
    for text in failOn where !policy.take(threshold: text) {
      throw ValidationError("--fail-on \(text) is not error, warning, note or cdn")
    }
    if strict, let failing = policy.failing, failing != .warning {
      throw ValidationError("give --strict or --fail-on \(failing.rawValue), not both")
    }
    for code in self.policy.ignored.sorted() {
      if let reason = VerdictPolicy.reasonNotToIgnore(
        code, known: Kinds.ofAssociationFiles, rules: Kinds.ofAssociationRules)
      {
        throw ValidationError("--ignore \(code): \(reason)")
      }
      if !Kinds.all.contains(where: { $0.code == code }) {
        throw ValidationError("--ignore \(code): \(unknownCode(code))")
      }
    }
  }

  /// Throws an error if the user gave `--fail-on cdn`. Commands without network access do not
  /// support this value.
  func refuseCDN() throws {
    if policy.failsOnCDN {
      throw ValidationError("--fail-on cdn: this command does not ask Apple's CDN")
    }
  }

  var policy: VerdictPolicy {
    var policy = VerdictPolicy()
    for text in failOn { _ = policy.take(threshold: text) }
    if strict { policy.failing = .warning }
    policy.ignored = Set(
      ignore.flatMap { $0.split(separator: ",") }.map {
        $0.uppercased().filter { !$0.isWhitespace }
      })
    return policy
  }

  /// Returns the policy from the command line and from the file `.aasa.json` in the folder of the
  /// association files. Combines the ignored codes from both. For the severity that makes the
  /// command fail, the command line has precedence.
  func policy(in folder: String) -> (VerdictPolicy, fault: Diagnostic?) {
    var policy = policy
    let name = folder.hasSuffix("/") || folder.isEmpty ? folder : folder + "/"
    let file = name + VerdictPolicy.fileName
    let foreign: ForeignFile
    do throws(SystemError) {
      foreign = try ForeignFile(
        reading: file, limit: VerdictPolicy.fileBytes, in: name.isEmpty ? "." : name)
    } catch {
      if error.isNotFound { return (policy, nil) }
      return (
        policy,
        Diagnostic(
          .verdictPolicyFaulty, "the file cannot be read: \(error.reason)", at: .init(path: file),
          help: "let this user read the file, or remove the file")
      )
    }
    let (found, fault) = VerdictPolicy.reading(
      SourceText(path: file, bytes: foreign.content.bytes), known: Kinds.ofAssociationFiles,
      rules: Kinds.ofAssociationRules)
    policy.ignored.formUnion(found.ignored)
    policy.failing = policy.failing ?? found.failing
    policy.failsOnCDN = policy.failsOnCDN || found.failsOnCDN
    return (policy, fault.flatMap { foreign.withoutQuotes([$0]).first })
  }
}

/// Returns the folder part of a path. Returns an empty text if the path contains no folder.
func folderName(of path: String) -> String {
  guard let slash = path.lastIndex(of: "/") else { return "" }
  return slash == path.startIndex ? "/" : String(path[..<slash])
}

extension ExitCode {
  /// The subject could not be checked, because of a fault of this machine or its network.
  static let unknown = ExitCode(4)
}
