internal import ArgumentParser
internal import Diagnostics
internal import JSON
internal import Posix

/// `aasa confirm`
struct ConfirmCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "confirm",
    abstract: "Confirm losses that the running server holds back.",
    usage: "aasa confirm <id> ... | --all",
    discussion: """
      When a folder disappears, or loses most of its files at once, the server serves everything as \
      before, and reports a hold with an ID. If the loss is intended, confirm it: the server stops \
      serving what is gone. A hold that has grown since its ID was printed has another ID, and is \
      not confirmed. Runs on the server's machine only.

      EXAMPLES:
        aasa status                    # shows the holds and their IDs
        aasa confirm 1f4a09c2
        aasa confirm --all             # all that are held now
        docker exec CONTAINER /aasa confirm 1f4a09c2

      EXIT CODES:
        0 all are confirmed, 1 an ID is not held (any more), 2 the server cannot be
        reached, or wrong usage
      """)

  @Argument(help: ArgumentHelp("IDs of holds, from aasa status or the log", valueName: "id"))
  var ids: [String] = []
  @Flag(help: "confirm all that is held now") var all = false
  @OptionGroup var admin: AdminOptions

  func validate() throws {
    if all != ids.isEmpty {
      throw ValidationError(
        all ? "name IDs or --all, not both" : "name the ID of a hold, or --all; see aasa status")
    }
    if ids.count > ConfirmationPage.mostIDs {
      throw ValidationError("name at most \(ConfirmationPage.mostIDs) IDs at once")
    }
  }

  func run() throws {
    Signal.ignoreBrokenPipes()
    var notHeld: [String] = []
    do throws(AdminFault) {
      let client = AdminClient(
        addresses: try admin.addresses(), timeout: ConfirmationPage.patience + 5_000)
      let held = all ? try Self.held(client) : ids
      if held.isEmpty { writeToStandard(1, "nothing is held\n") }
      for start in stride(from: 0, to: held.count, by: ConfirmationPage.mostIDs) {
        let part = Array(held[start..<min(start + ConfirmationPage.mostIDs, held.count)])
        notHeld += try Self.confirm(part, client)
      }
    } catch {
      for line in error.lines { printError(line) }
      throw ExitCode.usage
    }
    if notHeld.isEmpty { return }
    for id in notHeld { printError("error: \(escapingInvisible(id)) is not held") }
    printError(
      "help: its files are back, or more is missing since the ID was printed, which needs another "
        + "one: aasa status shows what is held")
    throw ExitCode.found
  }

  /// Returns the IDs of all holds.
  private static func held(_ client: AdminClient) throws(AdminFault) -> [String] {
    let answer = try client.get("/status?limit=0")
    guard let holds = object(answer)?.member("holds")?.elements else {
      throw .unexpected(answer.address, "status \(answer.status)")
    }
    return holds.compactMap { $0.member("id")?.string }
  }

  /// Confirms holds and prints their IDs. Returns the IDs that name no hold.
  private static func confirm(
    _ ids: [String], _ client: AdminClient
  ) throws(AdminFault) -> [String] {
    let content: JSONTree = ["holds": ids.json]
    let answer = try client.post("/confirm", content.description)
    guard answer.status == 200, let found = object(answer) else {
      throw .unexpected(answer.address, "status \(answer.status): \(answer.text)")
    }
    for id in elements(found.member("confirmed")).compactMap(\.string) {
      writeToStandard(1, "confirmed \(escapingInvisible(id))\n")
    }
    return elements(found.member("notHeld")).compactMap(\.string)
  }

  private static func object(_ answer: AdminClient.Answer) -> Value? {
    let source = SourceText(path: "", bytes: answer.body)
    return try? Document(parsing: source, limits: JSONLimits(bytes: AdminClient.answerBytes)).root
  }
}

/// Returns the elements of an array; none for any other value.
func elements(_ value: Value?) -> [Value] { value.map { Array($0.elements) } ?? [] }
