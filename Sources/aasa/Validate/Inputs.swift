internal import AppSiteAssociation
internal import Catalog
internal import Checking
internal import Diagnostics
internal import DigitalAssetLinks
internal import Gzip
internal import Keeping
internal import Posix
internal import Rules
internal import Settings

/// An input of `aasa validate`.
enum ValidationInput {
  case file(path: String)
  /// Android's `assetlinks.json`.
  case assetLinks(path: String)
  /// A well-known file about passkeys.
  case passkeys(path: String, PasskeyFile)
  case standardInput
  /// Another file of a domain, which is judged already.
  case other(path: String, [Diagnostic])
  /// Nothing can be read there; the diagnostic says why.
  case fault(Diagnostic)

  /// Whether there is a file to be read.
  var isFile: Bool {
    if case .fault = self { false } else { true }
  }
}

/// The files for the arguments: each once, with folders searched, in the order of the arguments and
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

  /// The depth of nested folders; a deeper one does not belong to a site.
  private static let depth = 64

  mutating func add(_ path: String) {
    if path == "-" {
      if !hasStandardInput { inputs.append(.standardInput) }
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
      if !hasFound { inputs.append(.fault(emptyFolder(path))) }
    } catch {
      inputs.append(.fault(unreadable(path, error)))
    }
  }

  /// Whether it was searched for an earlier argument.
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
      inputs.append(.fault(unreadable(folder, error)))
      return
    }
    for name in names {
      let path = folder == "/" ? "/" + name : "\(folder)/\(name)"
      guard let found = try? status(path) else { continue }
      switch found.kind {
      case .directory:
        let isHidden = name.hasPrefix(".") && name != ".well-known"
        if isHidden || name == "node_modules" || depth >= Self.depth { continue }
        guard isWithin(path) else {
          inputs.append(.fault(linkOutside(path)))
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
        inputs += folder.diagnostics.map { .fault($0) }
      default: continue
      }
    }
  }

  /// Adds the files that `aasa serve` would serve from a folder of domains; false for another
  /// folder.
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
      inputs.append(.file(path: path))
    }
    inputs += preflight.assetLinks.map { .assetLinks(path: $0) }
    inputs += preflight.passkeys.map(file)
    hasFound =
      hasFound || !preflight.associations.isEmpty || !preflight.others.isEmpty
      || !preflight.assetLinks.isEmpty || !preflight.passkeys.isEmpty
    inputs += preflight.others.map { .other(path: $0.path, $0.diagnostics) }
    inputs += preflight.diagnostics.map { .fault($0) }
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
    if let kind = passkeyFile(path) { return .passkeys(path: path, kind) }
    let name = path.split(separator: "/").last.map(String.init) ?? path
    return isAssetLinks(name) ? .assetLinks(path: path) : .file(path: path)
  }

  /// Which file about passkeys it is, by its place.
  private func passkeyFile(_ path: String) -> PasskeyFile? {
    let parts = path.split(separator: "/").suffix(2)
    guard parts.count == 2, parts.first == ".well-known" else { return nil }
    return parts.last.flatMap { PasskeyFile(rawValue: String($0)) }
  }

  private func isAssetLinks(_ name: String) -> Bool {
    isAssetLinksName(name) || name.hasSuffix(".assetlinks.json")
  }

  /// Whether the name is that of an association file, or, if the name is ambiguous, the content.
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

private func unreadable(_ path: String, _ error: SystemError) -> Diagnostic {
  Diagnostic(
    .unreadable, "the path cannot be read: \(error.reason)", at: .init(path: path),
    help: path.contains("://") || looksLikeDomain(path)
      ? "aasa check \(path) checks the domain itself"
      : error.isNotFound ? "check the spelling" : "let this user read it, or leave it out")
}

/// Reads and validates one input.
func diagnostics(
  of input: ValidationInput, _ options: ValidationOptions, keeping least: Diagnostic.Severity
) -> FileDiagnostics {
  switch input {
  case .fault(let diagnostic):
    let isKept = diagnostic.severity >= least && !options.ignored.contains(diagnostic.code)
    return FileDiagnostics(
      path: diagnostic.location?.path ?? "", source: nil, diagnostics: isKept ? [diagnostic] : [])
  case .other(let path, let diagnostics):
    let kept = diagnostics.filter {
      $0.severity >= least && !options.ignored.contains($0.code)
    }
    let bytes = kept.isEmpty ? nil : try? readContent(path, limit: largestInput).bytes
    return FileDiagnostics(
      path: path, source: bytes.map { SourceText(path: path, bytes: $0) }, diagnostics: kept)
  case .file(let path):
    do throws(SystemError) {
      let content = try readNamedInput(path, limit: largestInput)
      return diagnostics(
        of: SourceText(path: path, bytes: content.bytes), options, least, placeFaults(path))
    } catch {
      return FileDiagnostics(path: path, source: nil, diagnostics: [unreadable(path, error)])
    }
  case .assetLinks(let path):
    let others = placeFaults(path).filter {
      $0.severity >= least && !options.ignored.contains($0.code)
    }
    let found = diagnostics(of: path, least) {
      AssetLinksFile($0).report(ignoring: options.ignored)
    }
    return FileDiagnostics(
      path: path, source: found.source, diagnostics: others + found.diagnostics,
      omitted: found.omitted)
  case .passkeys(let path, let kind):
    return diagnostics(of: path, least) {
      validate(passkeys: $0, as: kind, ignoring: options.ignored)
    }
  case .standardInput:
    do throws(SystemError) {
      let bytes = try readStandardInput(limit: largestInput)
      return diagnostics(of: SourceText(path: "standard input", bytes: bytes), options, least)
    } catch {
      return FileDiagnostics(
        path: "standard input", source: nil, diagnostics: [unreadable("standard input", error)])
    }
  }
}

/// Reads a file, and judges it.
private func diagnostics(
  of path: String, _ least: Diagnostic.Severity, _ judge: (SourceText) -> ValidationReport
) -> FileDiagnostics {
  do throws(SystemError) {
    let content = try readNamedInput(path, limit: largestInput)
    let source = SourceText(path: path, bytes: content.bytes)
    let report = judge(source)
    let kept = report.diagnostics.filter { $0.severity >= least }
    return FileDiagnostics(
      path: path, source: kept.isEmpty ? nil : source, diagnostics: kept, omitted: report.omitted)
  } catch {
    return FileDiagnostics(path: path, source: nil, diagnostics: [unreadable(path, error)])
  }
}

/// A slightly too large file is read as a whole, so that its size can be reported.
private let largestInput = 16 * AppleLimits.fileBytes

private func diagnostics(
  of source: SourceText, _ options: ValidationOptions, _ least: Diagnostic.Severity,
  _ placeFaults: [Diagnostic] = []
) -> FileDiagnostics {
  var options = options
  options.includesNotes = least == .note
  if source.bytes.count <= largestInput { options.gzipSize = { gzipSize(of: $0) } }
  let report = validate(source, options: options)
  let others = placeFaults.filter { !options.ignored.contains($0.code) }
  let diagnostics = (others + report.diagnostics).filter { $0.severity >= least }
  // The text of a clean file is not shown, so it is not kept.
  return FileDiagnostics(
    path: source.path, source: diagnostics.isEmpty ? nil : report.text ?? source,
    diagnostics: diagnostics, omitted: report.omitted)
}
