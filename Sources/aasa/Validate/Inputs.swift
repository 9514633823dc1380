internal import AppSiteAssociation
internal import Bytes
internal import Checking
internal import Diagnostics
internal import DigitalAssetLinks
internal import Keeping
internal import Posix
internal import Rules
internal import Settings

struct ValidationInput {
  let path: String
  /// The language of the file; nil if there is no file to read.
  var language: ReadFile.Language? = .association
  /// Faults that are known before the file is read, for example that the file is in a wrong folder,
  /// or that a related file has a fault.
  var faults: [Diagnostic] = []
  /// The policy for the file's folder; nil if only the options on the command line apply.
  var policy: VerdictPolicy?
  /// The folder that was searched; nil for a file that is itself an argument.
  var folder: String?

  var isFile: Bool { language != nil }
}

extension ValidationInput {
  /// Makes an input without a file to read. This input only reports a fault.
  init(_ fault: Diagnostic) {
    self.init(path: fault.location?.path ?? "", language: nil, faults: [fault])
  }
}

/// Returns the files for the arguments, without duplicates. If an argument is a folder, searches
/// it. The files are in the order of the arguments, and sorted by name within a folder. Faults of
/// policies come last.
///
/// - Parameter verdict: Reads the policies for folders; nil to ignore policies.
func collectInputs(_ paths: [String], _ verdict: VerdictOptions? = nil) -> [ValidationInput] {
  var search = InputSearch(verdict: verdict)
  var hasStandardInput = false
  for path in paths {
    do throws(SystemError) {
      if path == "-" {
        if !hasStandardInput { search.inputs.append(ValidationInput(path: "-")) }
        hasStandardInput = true
        continue
      }
      let found = try status(path)
      if found.kind == .directory {
        search.addFolder(path, found)
      } else if search.isNew(found) {
        search.addFile(path)
      }
    } catch {
      search.inputs.append(ValidationInput(unreadable(path, error)))
    }
  }
  return search.inputs + search.policyFaults.map { ValidationInput($0) }
}

private struct InputSearch {
  /// Identifies a file or folder. All paths to the same file or folder have the same identity.
  private struct Identity: Hashable {
    let device: UInt64
    let inode: UInt64
  }

  let verdict: VerdictOptions?
  var inputs: [ValidationInput] = []
  private var policies: [Substring: VerdictPolicy] = [:]
  private(set) var policyFaults: [Diagnostic] = []
  private var seen: Set<Identity> = []
  /// All files and folders that the search found for arguments before the current argument.
  private var earlier: Set<Identity> = []
  /// Whether the search found an input in the folder of the current argument. Also true if the
  /// search already found this input for an earlier argument.
  private var hasFound = false
  /// The path of the current argument after symbolic links are resolved.
  private var top = ""
  private var searched: String?

  /// The maximum depth of the search. Deeper folders are not searched, because they are unlikely to
  /// belong to a site.
  private static let depth = 64

  init(verdict: VerdictOptions?) { self.verdict = verdict }

  /// Adds the files in a folder that the user gave as an argument.
  mutating func addFolder(_ path: String, _ found: FileStatus) {
    hasFound = false
    earlier = seen
    guard isNew(found) else { return }
    let folder = withoutTrailingSlashes(path)
    top = (try? resolvedPath(folder)) ?? folder
    searched = folder
    search(folder, depth: 0)
    searched = nil
    if !hasFound { inputs.append(ValidationInput(emptyFolder(path))) }
  }

  /// Adds a file, with the policy of the file's folder.
  ///
  /// - Parameters:
  ///   - language: The language; nil to determine it from the name.
  ///   - faults: Faults of the file; nil to check its name and folder for faults.
  mutating func addFile(
    _ path: String, _ language: ReadFile.Language? = nil, faults: [Diagnostic]? = nil
  ) {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    let folder = path.dropLast(name.count)
    if policies[folder] == nil, let (policy, fault) = verdict?.policy(in: String(folder)) {
      policies[folder] = policy
      if let fault { policyFaults.append(fault) }
    }
    inputs.append(
      ValidationInput(
        path: path, language: language ?? self.language(named: name) ?? .association,
        faults: faults ?? placeFaults(path), policy: policies[folder], folder: searched))
  }

  /// Whether the search already found this file or folder for an earlier argument.
  private func isOfEarlierPath(_ status: FileStatus) -> Bool {
    earlier.contains(Identity(device: status.device, inode: status.inode))
  }

  mutating func isNew(_ status: FileStatus) -> Bool {
    seen.insert(Identity(device: status.device, inode: status.inode)).inserted
  }

  /// Searches a folder and its subfolders. A symbolic link is followed only to a folder inside the
  /// folder of the current argument. No folder is searched twice.
  private mutating func search(_ folder: String, depth: Int) {
    let names: [String]
    do throws(SystemError) {
      names = try listDirectory(folder).sorted()
      if try addDomains(folder, names, isTop: depth == 0) { return }
    } catch {
      inputs.append(ValidationInput(unreadable(folder, error)))
      return
    }
    let isWellKnown = folder.split(separator: "/").last == ".well-known"
    for name in names {
      let path = folder == "/" ? "/" + name : "\(folder)/\(name)"
      var isNamed = language(named: name) != nil
      if !isWellKnown && JudgedFile(rawValue: name) != nil { isNamed = false }
      let found: FileStatus
      do throws(SystemError) { found = try status(path) } catch {
        if isNamed, !error.isNotFound {
          hasFound = true
          inputs.append(ValidationInput(unreadable(path, error)))
        }
        continue
      }
      switch found.kind {
      case .directory:
        let isHidden =
          name.hasPrefix(".") && name != ".well-known" && !isNearlyWellKnown(name)
        if isHidden || name == "node_modules" || depth >= Self.depth { continue }
        guard isWithin(path) else {
          inputs.append(ValidationInput(linkOutside(path)))
          continue
        }
        if isNew(found) {
          search(path, depth: depth + 1)
        } else if isOfEarlierPath(found) {
          hasFound = true
        }
      case .regular where isNamed || isAssociation(name, path, isTop: depth == 0):
        hasFound = true
        if isNew(found) { addFile(path) }
      case .regular where name.lowercased().hasSuffix(".txt") && mentionsService(path):
        // Report a file whose name ends with `.txt` but should be `HOST.json`. An editor may have
        // added `.txt`.
        let folder = DomainFolder(path: folder, names: [(name, false)])
        inputs += folder.diagnostics.map { ValidationInput($0) }
      default: continue
      }
    }
  }

  /// If the folder is a domains folder, adds the files that `aasa serve` would serve from it, and
  /// returns true. Otherwise returns false.
  private mutating func addDomains(
    _ folder: String, _ names: [String], isTop: Bool
  ) throws(SystemError) -> Bool {
    let isNamed = folder.split(separator: "/").last == "domains"
    let kinds = names.map { name in
      (name: name, isDirectory: (try? status(folder + "/" + name))?.kind == .directory)
    }
    guard isNamed || isTop && looksLikeDomains(folder, names: kinds) else { return false }
    let preflight = try Preflight(folder)
    for path in preflight.associations {
      if let found = try? status(path), !isNew(found) { continue }
      addFile(path, .association)
    }
    for path in preflight.assetLinks { addFile(path, .assetLinks) }
    for path in preflight.judged { addFile(path) }
    hasFound =
      hasFound || !preflight.associations.isEmpty || !preflight.others.isEmpty
      || !preflight.assetLinks.isEmpty || !preflight.judged.isEmpty
    var judge = ListedHostJudge()
    for file in preflight.others {
      let isList = file.path.hasSuffix(".hosts")
      addFile(
        file.path, .other,
        faults: isList
          ? judge.faults(of: file.path, reported: file.diagnostics) : file.diagnostics)
    }
    inputs += preflight.diagnostics.map { ValidationInput($0) }
    return true
  }

  private func isWithin(_ path: String) -> Bool {
    guard let real = try? resolvedPath(path) else { return false }
    return top == "/" || real == top || real.hasPrefix(top + "/")
  }

  private func linkOutside(_ path: String) -> Diagnostic {
    Diagnostic(
      .linkOutside, "the symbolic link points outside the folder and is not followed",
      at: .init(path: path))
  }

  /// Returns the language of files with this name; nil if the name is ambiguous.
  private func language(named name: String) -> ReadFile.Language? {
    if let kind = JudgedFile(rawValue: name) { return .judged(kind) }
    switch requestedName(name) {
    case associationName: return .association
    case assetLinksName: return .assetLinks
    default: return name.hasSuffix(".assetlinks.json") ? .assetLinks : nil
    }
  }

  /// Whether a file with an ambiguous name is an association file. If the name is not enough to
  /// decide this, reads the file and searches for the name of a service.
  private func isAssociation(_ name: String, _ path: String, isTop: Bool) -> Bool {
    let lower = name.lowercased()
    guard lower.hasSuffix(".json"), !lower.hasSuffix(".assetlinks.json"), !lower.hasPrefix("."),
      let domain = DomainName(entryName: String(name.dropLast(5)))
    else { return false }
    switch domain {
    case .any, .wildcard: return true
    case .host(let host):
      let isConfiguration = host.hasPrefix("tsconfig.") || host.hasPrefix("jsconfig.")
      return isTop && host.contains(".") && !isConfiguration || mentionsService(path)
    }
  }

  private func mentionsService(_ path: String) -> Bool {
    guard let bytes = try? readContent(path, limit: AppleLimits.fileBytes).bytes else {
      return false
    }
    return Association.serviceNames.contains { bytes.contains("\"\($0)\"") }
  }

  private func emptyFolder(_ path: String) -> Diagnostic {
    Diagnostic(
      .noAssociationFile, "the folder contains no association file", at: .init(path: path))
  }
}
