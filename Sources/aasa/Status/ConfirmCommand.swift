internal import ArgumentParser
internal import Diagnostics
internal import JSON
internal import Keeping
internal import Posix
internal import Reporting
internal import Settings

struct ConfirmCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "confirm",
    abstract: "Confirm that files were removed on purpose.",
    usage: "aasa confirm <id> ... | --all",
    discussion: """
      When a folder disappears, or loses most of its files at once, the server serves everything as \
      before, and reports a hold with an ID. If the loss is intended, confirm it: the server stops \
      serving the missing files. If more files go missing, the hold gets a new ID, and its old \
      ID confirms nothing.

      Writes the IDs to the file confirm in the server's state folder, and waits until the server \
      has read this file. So anyone who can write to that folder can confirm: root and the server's \
      user. Without a state folder nothing can be confirmed.

      EXAMPLES:
        aasa status                    # shows the holds and their IDs
        sudo aasa confirm 1f4a09c2
        sudo aasa confirm --all        # all current holds
        docker exec CONTAINER /aasa confirm 1f4a09c2
        kubectl exec POD -- /aasa confirm 1f4a09c2

      EXIT CODES:
        0 all are confirmed
        1 an ID matches no hold (any more)
        2 wrong usage, or the server has no state folder, cannot be reached, or has
          not read the file
      """)

  @Argument(help: ArgumentHelp("IDs of holds, from aasa status or the log", valueName: "id"))
  var ids: [String] = []
  @Flag(help: "confirm all current holds") var all = false
  @Option(
    help: ArgumentHelp(
      "the server's state folder (default: from the server's settings)", valueName: "DIR"))
  var state: String?
  @OptionGroup var admin: AdminOptions

  func validate() throws {
    if all != ids.isEmpty {
      throw ValidationError(
        all ? "give IDs or --all, not both" : "give the ID of a hold, or --all; see aasa status")
    }
  }

  func run() throws {
    Signal.ignoreBrokenPipes()
    var notHeld: [String]
    do throws(AdminFault) {
      notHeld = try confirm()
    } catch {
      for line in error.lines { printError(line) }
      throw ExitCode.usage
    }
    if notHeld.isEmpty { return }
    for id in notHeld { printError("error: no hold has the ID \(escapingInvisible(id))") }
    printError(
      "help: run aasa status to see the current holds; an ID is no longer valid if it was already "
        + "confirmed, if the missing files are back, or if more files are missing, because the "
        + "hold then has a new ID")
    throw ExitCode.found
  }

  /// Confirms the held changes, and prints their IDs. Returns the IDs that do not belong to a held
  /// change.
  private func confirm() throws(AdminFault) -> [String] {
    let settings = try admin.resolve(state: state)
    let (client, before): (AdminClient, ServerHolds)
    do throws(AdminFault) {
      client = AdminClient(addresses: try AdminOptions.addresses(in: settings), timeout: 10_000)
      before = try ServerHolds(client)
    } catch {
      guard !all, let folder = settings.stateFolder else { throw error }
      return try confirmUnseen(in: folder)
    }
    let asked = all ? before.held : ids
    let held = asked.filter(Set(before.held).contains)
    if held.isEmpty {
      if asked.isEmpty { writeToStandard(1, "nothing is held\n") }
      return asked
    }
    guard let told = before.folder else {
      throw .unconfirmable(
        "the server has no state folder, so nothing can be confirmed",
        help: "a hold ends when the files are back, or when the server restarts; to confirm the "
          + "next hold, start the server with a state folder: --state DIR, AASA_STATE, or "
          + "\"state\" in server.json")
    }
    try ConfirmationFile(settings.stateFolder ?? told).hand(over: Set(held))
    let after = try ServerHolds(client)
    let confirmed = Set(after.confirmed)
    for id in asked where confirmed.contains(id) { writeToStandard(1, "confirmed \(id)\n") }
    return asked.filter { !confirmed.contains($0) }
  }

  /// Confirms the held changes without the admin listener, which is off or cannot be reached. In
  /// this case, only the server's log shows whether each ID belonged to a held change.
  private func confirmUnseen(in folder: String) throws(AdminFault) -> [String] {
    try ConfirmationFile(folder).hand(over: Set(ids))
    writeToStandard(1, "the server has read the file; its log lists the IDs that match no hold\n")
    return []
  }
}

private struct ServerHolds {
  /// The IDs of the held changes, and the IDs of changes that were recently confirmed.
  let held: [String]
  let confirmed: [String]
  /// The path of the server's state folder; nil if the server has no state folder.
  let folder: String?

  init(_ client: AdminClient) throws(AdminFault) {
    let answer = try client.get("/status?limit=0")
    let source = SourceText(path: "", bytes: answer.body)
    let limits = JSONLimits(bytes: AdminClient.answerBytes)
    guard let root = try? Document(parsing: source, limits: limits).root,
      let holds = root.member("holds")?.elements
    else { throw .unexpected(answer.address, "status \(answer.status)") }
    held = holds.compactMap { $0.member("id")?.string }
    confirmed = elements(root.member("confirmed")).compactMap(\.string)
    folder = root.member("stateFolder")?.string
  }
}

/// The file with which an operator confirms held changes.
private struct ConfirmationFile {
  private let folder: String
  private let path: String

  /// The maximum milliseconds to wait until the server has removed the file.
  private static let patience: Int64 = 30_000
  private static let largestFile = 1 << 20

  init(_ folder: String) {
    self.folder = folder
    path = "\(folder)/\(Confirmations.name)"
  }

  /// Writes the file with the IDs, and waits until the server has removed the file.
  func hand(over ids: Set<String>) throws(AdminFault) {
    do throws(SystemError) {
      _ = try status(folder + "/kept")
      let lines = ids.union(waiting).sorted().map { $0 + "\n" }
      try leaveFile(Confirmations.name, in: folder, Array(lines.joined().utf8))
    } catch {
      throw .unconfirmable(
        "cannot write \(path): \(error.reason)",
        help: error.isPermissionDenied
          ? "run the command as root or as the server's user: sudo aasa confirm"
          : "run the command where the server runs, such as with docker exec CONTAINER /aasa "
            + "confirm, or pass the server's state folder with --state")
    }
    let end = Deadline(afterMilliseconds: Self.patience)
    while !isMissing(path) {
      if end.isOver {
        throw .unconfirmable(
          "the server has not read \(path) within \(Self.patience / 1000) s",
          help:
            "the server may still be busy with other files and read this file later; see its log; "
            + "to cancel, remove the file")
      }
      Thread.pause(milliseconds: 20)
    }
  }

  /// The IDs that earlier runs of this command wrote to the file; empty if the server has removed
  /// the file. Ignores all other content of the file.
  private var waiting: Set<String> {
    guard (try? linkStatus(path))?.kind == .regular,
      let bytes = try? readFile(path, limit: Self.largestFile)
    else { return [] }
    let words = bytes.split { $0 <= 0x20 }.map { String(decoding: $0, as: UTF8.self) }
    return Set(words.filter { $0.utf8.count == 8 && $0.allSatisfy(\.isHexDigit) })
  }
}

/// Returns the elements of a JSON array. Returns an empty array for any other value.
func elements(_ value: Value?) -> [Value] { value.map { Array($0.elements) } ?? [] }
