internal import ArgumentParser
internal import Bytes
internal import Checking
internal import Diagnostics
internal import Keeping
internal import Posix
internal import Settings

struct HostsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "hosts",
    abstract: "List, add or remove hosts of a file NAME.hosts.",
    usage: "aasa hosts <action> [<HOST> ...] --file <NAME.hosts> [<options>]",
    discussion: """
      The server serves the files of NAME for each host in NAME.hosts, and notices changes by itself. \
      Other lines and comments of the file stay as they are. The server never reads a half-written \
      file, and edits on the same machine wait for each other.

      EXAMPLES:
        aasa hosts list --file domains/links.hosts
        aasa hosts add links.customer.example --file domains/links.hosts
        aasa hosts add --from customers.txt --file domains/links.hosts
        generate | aasa hosts add - --file domains/links.hosts
        aasa hosts remove '*.customer.example' --file domains/links.hosts

      EXIT CODES:
        0 done, or nothing to do
        1 the file cannot be read or written
        2 wrong usage, and nothing was changed
      """)

  enum Action: String, ExpressibleByArgument, CaseIterable {
    case list, add, remove
  }

  @Argument(help: "list, add or remove") var action: Action
  @Argument(
    help: ArgumentHelp(
      "hosts such as links.example.com or *.example.com; - reads them from standard input",
      valueName: "HOST"))
  var hosts: [String] = []
  @Option(
    help: ArgumentHelp("read hosts from a file, one on each line (repeatable)", valueName: "FILE"),
    completion: .file())
  var from: [String] = []
  @Option(
    help: ArgumentHelp(
      "the list of hosts; add creates this file if it is missing", valueName: "NAME.hosts"),
    completion: .file(extensions: ["hosts"]))
  var file: String
  @Flag(help: "print one JSON object") var json = false

  func validate() throws {
    switch action {
    case .list where !hosts.isEmpty || !from.isEmpty:
      throw ValidationError("the action list takes no hosts")
    case .add where hosts.isEmpty && from.isEmpty, .remove where hosts.isEmpty && from.isEmpty:
      throw ValidationError("give the hosts to \(action.rawValue)")
    case .add where !file.hasSuffix(".hosts"):
      throw ValidationError(
        "the server reads no list from \(escapingInvisible(file)): its name must end in .hosts, "
          + "as in domains/links.hosts")
    default: break
    }
    _ = try hosts.filter { $0 != "-" }.map(name)
  }

  private func name(_ text: String) throws -> DomainName {
    if let host = HostsList.host(text) { return host }
    let hint =
      probableHost(text).map { "; did you mean \($0)?" }
      ?? "; write links.example.com or *.example.com, and an international name in its ASCII form, "
      + "xn--…"
    throw ValidationError("\(escapingInvisible(text)) is not a host name\(hint)")
  }

  /// Returns the hosts that the user gave: as arguments, on standard input and in files.
  private func names() throws -> [DomainName] {
    var names: [DomainName] = []
    for text in hosts where text != "-" { names.append(try name(text)) }
    for list in (hosts.contains("-") ? ["-"] : []) + from {
      for host in try readDomainList(list, takesRemarks: false) {
        names.append(try name(host.text))
      }
    }
    return names
  }

  func run() throws {
    do {
      switch action {
      case .list: report(try read().hosts)
      case .add: try edit { $0.add($1) }
      case .remove: try edit { $0.remove($1) }
      }
    } catch let error as SystemError {
      throw failure("\(file): \(error.reason)")
    }
  }

  /// Reads the list of hosts from the file. If the file is missing, `add` and `remove` use an empty
  /// list, and `list` throws an error.
  private func read() throws -> HostsList {
    var bytes: [UInt8] = []
    do throws(SystemError) {
      bytes = try readContent(file, limit: HostsList.largestFile).bytes
    } catch {
      guard error.isNotFound, action != .list else { throw error }
    }
    let list = HostsList(SourceText(path: file, bytes: bytes))
    for diagnostic in list.diagnostics { printError(diagnostic.line) }
    return list
  }

  private func edit(_ change: (inout HostsList, [DomainName]) -> [DomainName]) throws {
    let wanted = try names()
    var changed: [DomainName] = []
    do {
      changed = try withLock(ofFile: file, patience: Self.patience) {
        var list = try read()
        let changed = change(&list, wanted)
        if !changed.isEmpty { try writeFileAtomically(file, list.bytes) }
        return changed
      }
    } catch let error as LockHeld {
      let holder = error.process.map { "process \($0)" } ?? "another process"
      throw failure(
        "\(file): \(holder) is editing the list and has locked \(error.path); try again later")
    }
    report(changed)
    if action == .add { warnOfOtherLists(changed) }
    let other = Set(wanted).subtracting(changed).map(\.description).sorted()
    let word = action == .add ? "in \(file) already" : "not in \(file)"
    for host in other.prefix(Self.notes) { printError("note: \(host) is \(word)") }
    let rest = other.count - Self.notes
    if rest > 0 { printError("note: \(rest.counting("more host is", "more hosts are")) \(word)") }
  }

  /// Warns about each added host that is also in another list of hosts in the same folder.
  private func warnOfOtherLists(_ hosts: [DomainName]) {
    let folder = parentFolder(file)
    guard let listing = try? HostListing(reading: folder) else { return }
    let name = folder + "/" + file.split(separator: "/").suffix(1).joined()
    for host in hosts.prefix(Self.notes) {
      for other in listing.lists(naming: host) where other != name {
        printError(
          "warning: \(host) is in \(other) too; the server uses the list that contained the host "
            + "first")
      }
    }
  }

  /// The maximum milliseconds to wait while another process edits the file.
  private static let patience: Int64 = 5_000
  /// The maximum number of messages about hosts that were in the list already, or were not in the
  /// list.
  private static let notes = 20

  /// Prints hosts. `list` prints all hosts of the file; `add` and `remove` print only the hosts
  /// that they added or removed.
  private func report(_ hosts: [DomainName]) {
    let names = hosts.map(\.description)
    let key = [Action.list: "hosts", .add: "added", .remove: "removed"][action] ?? ""
    if json {
      print([key: names.json] as JSONTree)
    } else {
      let prefix = action == .list ? "" : key + " "
      for name in names { print(prefix + name) }
    }
  }
}

/// Returns the host of a URL, for example `x.example` for `https://x.example/buy`. Returns nil for
/// any other text.
func hostsEntry(ofURL text: String) -> String? {
  let parts = text.split(separator: ":", maxSplits: 1)
  guard parts.count == 2, parts[1].hasPrefix("//") else { return nil }
  let name = parts[1].dropFirst(2).prefix { !"/?#:".contains($0) }
  return HostsList.host(String(name)).map(\.description)
}
