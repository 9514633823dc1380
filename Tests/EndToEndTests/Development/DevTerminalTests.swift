import Foundation
import TestRunning
import Testing

@testable import EndToEnd

/// `aasa dev` on a terminal, which python's `pty` makes.
@Suite("dev terminal", .manyAtOnce) struct DevTerminalTests {
  private static let code = "█"
  private static let bold = "\u{1B}[1mapplinks:a.tunnel.test?mode=developer\u{1B}[0m"

  /// The kind of terminal, and whether a QR code, and colours, are shown.
  private static let rows: [(setting: String, hasCode: Bool, hasColour: Bool)] = [
    ("stty cols 80", true, true), ("stty cols 20", false, true),
    ("export NO_COLOR=1", true, false), ("export NO_COLOR=", true, true),
    ("export TERM=dumb", false, false),
  ]

  @Test(.needs(.python3))
  func `a QR code and colours are shown where there is room for them`() throws {
    let python = try #require(Tool.python3.path)
    for row in Self.rows {
      let workspace = try Workspace()
      try workspace.writeShop()
      try workspace.writeScript(
        "tunnel", "echo $$ >> pids; echo https://a.tunnel.test; exec sleep 1000")
      let shell =
        "\(row.setting); exec '\(Server.program)' dev site.json --port 0 --inspector-port 0 "
        + "--tunnel ./tunnel"
      let terminal = try ChildProcess(
        python, ["-c", "import pty, sys; pty.spawn(['/bin/sh', '-c', sys.argv[1]])", shell],
        environment: ["TERM": "xterm", "NO_COLOR": ""], folder: workspace.root, hasInput: true)
      defer { terminal.signal(SIGKILL) }
      var output: String { String(decoding: terminal.now.output, as: UTF8.self) }
      #expect(eventually { output.contains(">>> waiting for the phone") }, "\(output)")
      #expect(output.contains(Self.code) == row.hasCode, "\(row.setting): \(output)")
      #expect(output.contains(Self.bold) == row.hasColour, "\(row.setting)")
      #expect(output.contains("\u{1B}[") == row.hasColour, "\(row.setting)")
      // The terminal is closed: everything ends.
      let tunnel = workspace.processes("pids")
      #expect(tunnel.count == 1)
      terminal.signal(SIGKILL)
      #expect(eventually { tunnel.allSatisfy { !isAlive($0) } })
    }
  }

  @Test(.needs(.python3)) func `commands have colours on a terminal that knows them`() throws {
    let python = try #require(Tool.python3.path)
    let workspace = try Workspace()
    try workspace.write("apple-app-site-association", "{")
    for (kind, hasColour) in [("xterm", true), ("dumb", false)] {
      let finished = try run(
        python,
        [
          "-c", "import pty, sys; pty.spawn(sys.argv[1:])", Server.program, "validate",
          workspace.path("apple-app-site-association"),
        ], environment: ["TERM": kind, "NO_COLOR": ""])
      #expect(finished.text.contains("error"), "\(finished)")
      #expect(finished.text.contains("\u{1B}[") == hasColour, "\(kind): \(finished.text)")
    }
  }
}
