internal import AppSiteAssociation
internal import Catalog
internal import Checking
internal import Diagnostics
internal import DigitalAssetLinks
internal import Keeping
internal import Posix
internal import Rules
internal import Settings

/// An input of `aasa validate`.
struct ValidationInput {
  enum Content {
    case association
    /// Android's `assetlinks.json`.
    case assetLinks
    /// A well-known file about passkeys.
    case passkeys(PasskeyFile)
    /// Another file of a domain, whose faults are already known.
    case other
    /// Nothing can be read there.
    case none
  }

  /// `-` for standard input.
  let path: String
  let content: Content
  /// Faults known before the file is read, such as a wrong place, or a fault in a related file.
  let faults: [Diagnostic]

  init(_ path: String, _ content: Content = .association, faults: [Diagnostic] = []) {
    self.path = path
    self.content = content
    self.faults = faults
  }

  /// A fault without a file.
  init(_ fault: Diagnostic) {
    self.init(fault.location?.path ?? "", .none, faults: [fault])
  }

  /// Whether there is a file to be read.
  var isFile: Bool { if case .none = content { false } else { true } }

  /// The folder whose policy counts; nil if there is none.
  var folder: String? { isFile && path != "-" ? folderName(of: path) : nil }
}

/// The files for the arguments, with folders searched, each once: in the order of the arguments,
/// then of the names.
func collectInputs(_ paths: [String]) -> [ValidationInput] {
  var search = InputSearch()
  for path in paths { search.add(path) }
  return search.inputs
}

private struct InputSearch {
  /// Identifies a file or folder, whatever path leads to it.
  private struct Identity: Hashable {
    let device: UInt64
    let inode: UInt64
  }

  private(set) var inputs: [ValidationInput] = []
  private var seen: Set<Identity> = []
  /// Everything that was found for earlier arguments.
  private var earlier: Set<Identity> = []
  private var hasStandardInput = false
  /// Whether the current folder contains an input, even one that was found before.
  private var hasFound = false
  /// The current argument, resolved.
  private var top = ""

  /// The deepest nesting that is searched; deeper folders do not belong to a site.
  private static let depth = 64

  mutating func add(_ path: String) {
    if path == "-" {
      if !hasStandardInput { inputs.append(ValidationInput("-")) }
      hasStandardInput = true
      return
    }
    do throws(SystemError) {
      let found = try status(path)
      guard found.kind == .directory else {
        if isNew(found) { inputs.append(file(path)) }
        return
      }
      hasFound = false
      earlier = seen
      guard isNew(found) else { return }
      let folder = withoutTrailingSlashes(path)
      top = (try? resolvedPath(folder)) ?? folder
      search(folder, depth: 0)
      if !hasFound { inputs.append(ValidationInput(emptyFolder(path))) }
    } catch {
      inputs.append(ValidationInput(unreadable(path, error)))
    }
  }

  /// Whether an earlier argument already led here.
  private func isOfEarlierPath(_ status: FileStatus) -> Bool {
    earlier.contains(Identity(device: status.device, inode: status.inode))
  }

  private mutating func isNew(_ status: FileStatus) -> Bool {
    seen.insert(Identity(device: status.device, inode: status.inode)).inserted
  }

  /// Follows links to folders within the current argument. A folder that was searched already is
  /// not searched again.
  private mutating func search(_ folder: String, depth: Int) {
    let names: [String]
    do throws(SystemError) {
      names = try listDirectory(folder).sorted()
      if try addDomains(folder, names, isTop: depth == 0) { return }
    } catch {
      inputs.append(ValidationInput(unreadable(folder, error)))
      return
    }
    for name in names {
      let path = folder == "/" ? "/" + name : "\(folder)/\(name)"
      guard let found = try? status(path) else { continue }
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
      case .regular
      where isAssetLinks(name) || passkeyFile(path) != nil
        || isAssociation(name, in: folder, path, isTop: depth == 0):
        hasFound = true
        if isNew(found) { inputs.append(file(path)) }
      case .regular where name.lowercased().hasSuffix(".txt") && mentionsService(path):
        // An editor added the extension to `HOST.json`.
        let folder = DomainFolder(path: folder, names: [(name, false)])
        inputs += folder.diagnostics.map { ValidationInput($0) }
      default: continue
      }
    }
  }

  /// Adds the files that `aasa serve` would serve from a folder of domains. Returns false if the
  /// folder is not one.
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
      inputs.append(input(path, .association))
    }
    inputs += preflight.assetLinks.map { input($0, .assetLinks) }
    inputs += preflight.passkeys.map(file)
    hasFound =
      hasFound || !preflight.associations.isEmpty || !preflight.others.isEmpty
      || !preflight.assetLinks.isEmpty || !preflight.passkeys.isEmpty
    inputs += preflight.others.map { ValidationInput($0.path, .other, faults: $0.diagnostics) }
    inputs += preflight.diagnostics.map { ValidationInput($0) }
    return true
  }

  private func isWithin(_ path: String) -> Bool {
    guard let real = try? resolvedPath(path) else { return false }
    return top == "/" || real == top || real.hasPrefix(top + "/")
  }

  private func linkOutside(_ path: String) -> Diagnostic {
    Diagnostic(
      .linkOutside, "the link leads out of the folder and is not followed",
      at: .init(path: path), help: "name the folder that it leads to, if it is to be searched")
  }

  private func file(_ path: String) -> ValidationInput {
    if let kind = passkeyFile(path) { return input(path, .passkeys(kind)) }
    let name = path.split(separator: "/").last.map(String.init) ?? path
    return input(path, isAssetLinks(name) ? .assetLinks : .association)
  }

  private func input(_ path: String, _ content: ValidationInput.Content) -> ValidationInput {
    ValidationInput(path, content, faults: placeFaults(path))
  }

  /// The kind of passkey file at this place; nil if the place is for another file.
  private func passkeyFile(_ path: String) -> PasskeyFile? {
    let parts = path.split(separator: "/").suffix(2)
    guard parts.count == 2, parts.first == ".well-known" else { return nil }
    return parts.last.flatMap { PasskeyFile(rawValue: String($0)) }
  }

  private func isAssetLinks(_ name: String) -> Bool {
    isAssetLinksName(name) || name.hasSuffix(".assetlinks.json")
  }

  /// Whether the file is an association file: by its name, or by its content if the name is
  /// ambiguous.
  private func isAssociation(
    _ name: String, in folder: String, _ path: String, isTop: Bool
  ) -> Bool {
    if isAssociationName(name) { return true }
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
    return ["applinks", "webcredentials", "appclips"].contains { contains(bytes, "\"\($0)\"") }
  }

  private func emptyFolder(_ path: String) -> Diagnostic {
    Diagnostic(
      .noAssociationFile, "the folder contains no association file", at: .init(path: path),
      help: "name files apple-app-site-association, or like example.com.json")
  }
}
