package import ArgumentParser
internal import Diagnostics
internal import Keeping
internal import Posix
internal import Settings

/// `aasa hosts`
package struct HostsCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "hosts",
    abstract: "List, add or remove the hosts in a file NAME.hosts.",
    discussion: """
      The server serves the files of NAME for each host in NAME.hosts, and sees a change by itself. \
      Other lines and comments of the file stay as they are. It is replaced as a whole, so that the \
      server never reads a part, and one edit waits for another on the same machine.

      EXAMPLES:
        aasa hosts list --file domains/links.hosts
        aasa hosts add links.customer.example --file domains/links.hosts
        aasa hosts remove '*.customer.example' --file domains/links.hosts

      EXIT CODES:
        0 the file is as wanted, whether or not it was before; 1 it cannot be read or
        written; 2 wrong usage, and nothing was changed
      """)

  enum Action: String, ExpressibleByArgument, CaseIterable {
    case list, add, remove
  }

  @Argument(help: "list, add or remove") var action: Action
  @Argument(
    help: ArgumentHelp("hosts such as links.example.com or *.example.com", valueName: "HOST"))
  var hosts: [String] = []
  @Option(
    help: ArgumentHelp("the file; add makes it if there is none", valueName: "NAME.hosts"),
    completion: .file(extensions: ["hosts"]))
  var file: String
  @Flag(help: "print one JSON object") var json = false

  package init() {}

  package func validate() throws {
    switch action {
    case .list where !hosts.isEmpty: throw ValidationError("list takes no host")
    case .add where hosts.isEmpty, .remove where hosts.isEmpty:
      throw ValidationError("name the hosts to \(action.rawValue)")
    default: break
    }
    _ = try names()
  }

  private func names() throws -> [DomainName] {
    try hosts.map { text in
      guard let host = HostsList.host(text) else {
        throw ValidationError(
          "\(escapingControls(text)) is not a host name; write links.example.com or *.example.com,"
            + " and an international name in its ASCII form, xn--…")
      }
      return host
    }
  }

  package func run() throws {
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

  /// A missing file is an empty one, unless it is only listed.
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
    let changed = try withFolderLocked(of: file) {
      var list = try read()
      let changed = change(&list, wanted)
      if !changed.isEmpty { try writeFileAtomically(file, list.bytes) }
      return changed
    }
    report(changed)
  }

  /// The hosts of the file, or those that were added or removed.
  private func report(_ hosts: [DomainName]) {
    let names = hosts.map(\.description)
    let key = [Action.list: "hosts", .add: "added", .remove: "removed"][action] ?? ""
    if json {
      print(jsonObject([(key, jsonArray(names.map(jsonString)))]))
    } else {
      let prefix = action == .list ? "" : key + " "
      for name in names { print(prefix + name) }
    }
  }
}
