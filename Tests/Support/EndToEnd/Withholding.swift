import Foundation
import Testing

/// Sets the time after which a missing file counts as absent: a second if a command removes several
/// that must count together, because a slow disk may keep it waiting between two of them.
func withdrawing(after time: String) -> [String: String] { ["AASA_WITHDRAW_AFTER": time] }

/// Why a folder is withheld: words of which its message has one.
enum WithheldReason {
  static let missing = ["missing", "does not exist", "No such file", "not there"]
  static let empty = ["empty", "no entries", "nothing in it"]
  static let unreadable = ["Permission denied"]
  static let otherDevice = ["device", "mount", "file system"]
  static let mostAbsent = ["more than half", " of "]
  /// What is said of a folder that is emptied, or moved away, before other files come. On a slow
  /// machine they come so late that it is empty, or missing, for as long as a loss must last.
  static let replaced = mostAbsent + empty + missing
}

extension Server {
  /// Expects all that a folder means of which nothing is believed: one error that names it, a
  /// status that fails, a metric; and that traffic is still sent here.
  func expectWithheld(
    _ reasons: [String], folder: String = "domains", within duration: Duration = patience,
    at location: SourceLocation = #_sourceLocation
  ) throws {
    expect(
      stderr: folder, "error", anyOf: reasons, within: duration, at: location)
    let isMeasured = try eventually {
      try sample("aasa_folder_withheld{folder=\"\(folder)\"}") == 1
    }
    #expect(isMeasured, sourceLocation: location)
    let status = try aasa("status")
    #expect(status.exitCode == 1, "\(status.text)\(status.errors)", sourceLocation: location)
    #expect(try askAdmin("/readyz").status == 200, sourceLocation: location)
  }

  /// The IDs of all that is held.
  func holds() throws -> [String] {
    (try status("?limit=0")["holds"] as? [[String: Any]] ?? []).compactMap { $0["id"] as? String }
  }

  /// Confirms all that is held, and expects that something is.
  func confirmLoss(at location: SourceLocation = #_sourceLocation) throws {
    let ids = try holds()
    let finished = try aasa(["confirm"] + ids)
    #expect(
      finished.exitCode == 0 && finished.text == ids.map { "confirmed \($0)\n" }.joined(),
      "\(ids): \(finished)", sourceLocation: location)
  }

  /// Waits until the folder is believed again.
  func expectBelieved(
    _ folder: String = "domains", at location: SourceLocation = #_sourceLocation
  ) throws {
    let isBelieved = try eventually {
      try sample("aasa_folder_withheld{folder=\"\(folder)\"}") == 0
    }
    #expect(isBelieved, sourceLocation: location)
    expectAnnounced("the \(folder) folder is trusted again,", "changes take effect", at: location)
    // The last files may still be incomplete.
    try expectStatus(0, at: location)
  }

  /// Waits until the host is answered so.
  func expectServed(
    _ host: String, _ answer: String, at location: SourceLocation = #_sourceLocation
  ) throws {
    var last = ""
    let isServed = try eventually {
      last = try served(host)
      return last == answer
    }
    #expect(isServed, "\(host) is answered \(last), not \(answer)", sourceLocation: location)
  }

  /// Waits until standard output has a line that begins with the word and names the host.
  func expectAnnounced(
    _ word: String, _ host: String, at location: SourceLocation = #_sourceLocation
  ) {
    let isAnnounced = eventually {
      outputLines.contains { $0.hasPrefix(word + " ") && $0.contains(host) }
    }
    #expect(isAnnounced, "stdout: \(outputLines)", sourceLocation: location)
  }
}

extension Workspace {
  /// The flags of a server whose holds can be confirmed.
  var withState: [String] { withAdmin + ["--state", path("state")] }

  /// Runs a script in this folder, as the tests' own user.
  func shell(_ script: String) throws {
    let finished = try run("/bin/sh", ["-ec", script], folder: root)
    guard finished.exitCode == 0 else { throw Failure("\(script): \(finished.errors)") }
  }
}

/// Six hosts that serve `association("A")`, and the flags of a server that keeps versions.
struct SixHosts {
  static let names = (0..<6).map { "h\($0).example" }
  let workspace: Workspace
  let flags: [String]

  init() throws {
    workspace = try Workspace()
    for host in Self.names { try workspace.write("domains/\(host).json", association("A")) }
    flags = withAdmin + ["--state", workspace.path("state")]
  }

  /// The hosts of which a version is kept. A version that is being written has a hidden name.
  var kept: [String] {
    let names = (try? workspace.names(in: "state/kept/domains")) ?? []
    let whole = names.filter { !$0.hasPrefix(".") }
    return Set(whole.map { $0.replacing(/\.(json|hosts)$/, with: "") }).sorted()
  }
}
