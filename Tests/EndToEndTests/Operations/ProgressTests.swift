import Foundation
import TestRunning
import Testing

@testable import EndToEnd

#if os(Linux)
  /// The line on a terminal that says how far long work is.
  @Suite("progress", .manyAtOnce) struct ProgressTests {
    @Test func `validating for more than a second shows a line, which is gone at the end`() throws {
      let workspace = try Workspace()
      for name in ["a", "b", "c"] { try workspace.write("\(name).example.json", association()) }
      // The first input is not there before a second has passed; a slow machine needs longer to begin.
      let isShown = try [1.5, 6, 20].contains { (seconds: Double) in
        let terminal = try Terminal()
        let process = try terminal.start(
          [
            "validate", "-", workspace.path("a.example.json"), workspace.path("b.example.json"),
            workspace.path("c.example.json"),
          ], hasInput: true)
        _ = eventually(within: .seconds(seconds)) { !process.isRunning }
        process.send(association())
        process.closeInput()
        try #expect(process.waitForExit(within: .seconds(60)) == 0)
        let text = terminal.read()
        guard text.contains("\rvalidating ") else { return false }
        #expect(text.firstMatch(of: /\rvalidating \d of 4 files, \d+ %/) != nil)
        text.says(.end("\r\u{1B}[K"))
        return true
      }
      #expect(isShown)
    }

    @Test(.stress)
    func `loading many domains shows a line, which is gone when serving begins`() throws {
      let workspace = try Workspace()
      try workspace.write("site.json", association())
      var count = 0
      // As many as take this machine more than a second.
      let isShown = try [20_000, 100_000].contains { wanted in
        while count < wanted {
          try workspace.link("domains/d\(count).example.json", to: "../site.json")
          count += 1
        }
        let text = try loading(
          workspace,
          ["--domains", workspace.domains, "--http", "127.0.0.1:0", "--https", "none"])
        guard text.contains("\rloading ") else { return false }
        text.says(.end("\r\u{1B}[K"), " domains, ")
        // The files are read in several waves.
        let shares = text.matches(of: /\rloading [\d,]+ of ([\d,]+) domains, (\d+) %/)
        #expect(Set(shares.map { $0.1.filter { $0 != "," } }) == ["\(count)"])
        #expect(shares.allSatisfy { (Int($0.2) ?? 101) <= 100 })
        return true
      }
      #expect(isShown)
    }

    @Test(.stress) func `loading many certificates shows a line, too`() throws {
      let workspace = try Workspace(serving: ["a.example": association()])
      let certificate = try makeCertificate(names: ["a.example"])
      try workspace.write("certificates/0.key", certificate.key, mode: 0o600)
      try workspace.write("certificates/0.crt", certificate.chain)
      var count = 1
      // As many as take this machine more than a second.
      let isShown = try [5_000, 30_000, 150_000].contains { wanted in
        while count < wanted {
          for ending in ["crt", "key"] {
            try workspace.link("certificates/\(count).\(ending)", to: "0.\(ending)")
          }
          count += 1
        }
        let text = try loading(
          workspace,
          [
            "--domains", workspace.domains, "--certificates", workspace.certificates, "--http",
            "127.0.0.1:0", "--https", "127.0.0.1:0",
          ])
        guard text.contains(" certificates, ") else { return false }
        #expect(text.firstMatch(of: /\rloading [\d,]+ of [\d,]+ certificates, \d+ %/) != nil)
        text.says(.end("\r\u{1B}[K"))
        return true
      }
      #expect(isShown)
    }

    /// The output on a terminal until the server listens, and ends.
    private func loading(_ workspace: Workspace, _ flags: [String]) throws -> String {
      let terminal = try Terminal()
      let process = try terminal.start(["serve", "--log-level", "error"] + flags)
      defer { process.signal(SIGKILL) }
      let isServing = eventually(within: .seconds(300)) {
        terminal.read()
        return String(decoding: process.now.output, as: UTF8.self).contains("listening ")
      }
      #expect(isServing)
      process.signal(SIGTERM)
      try #expect(process.waitForExit(within: .seconds(120)) == 0)
      return terminal.read()
    }

    @Test func `without a terminal there is no such line`() throws {
      let workspace = try Workspace()
      try workspace.write("a.example.json", association())
      let process = try ChildProcess(
        Server.program, ["validate", "-", workspace.path("a.example.json")], hasInput: true)
      _ = eventually(within: .seconds(1.5)) { !process.isRunning }
      process.send(association())
      process.closeInput()
      try #expect(process.waitForExit(within: .seconds(60)) == 0)
      #expect(process.now.errors.isEmpty)
    }
  }

  /// A pseudo-terminal: the program's output is read from the other side.
  private final class Terminal {
    private let own: Int32
    private let path: String
    /// Kept open, so that output can be read after the end of the program.
    private let other: Int32

    init() throws {
      // As openpty(3) does, which not every system's headers have: TIOCSPTLCK, TIOCGPTN.
      own = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
      var (lock, number): (Int32, UInt32) = (0, 0)
      guard own >= 0, ioctl(own, 0x4004_5431, &lock) == 0, ioctl(own, 0x8004_5430, &number) == 0
      else { throw Failure("no pseudo-terminal: errno \(errno)") }
      path = "/dev/pts/\(number)"
      other = open(path, O_RDWR | O_NOCTTY)
      _ = fcntl(other, F_SETFD, FD_CLOEXEC)
      _ = fcntl(own, F_SETFL, O_NONBLOCK)
    }

    deinit {
      close(own)
      close(other)
    }

    /// Runs the built program with the terminal as its standard error stream.
    func start(_ arguments: [String], hasInput: Bool = false) throws -> ChildProcess {
      try ChildProcess(
        "/bin/sh", ["-c", #"exec "$0" "$@" 2>"$AASATERMINAL""#, Server.program] + arguments,
        environment: ["AASATERMINAL": path, "TERM": "xterm"], hasInput: hasInput)
    }

    private var text: [UInt8] = []

    /// All output so far. Call it often, because the kernel's buffer is small.
    @discardableResult func read() -> String {
      var buffer = [UInt8](repeating: 0, count: 65_536)
      while true {
        let count = Foundation.read(own, &buffer, buffer.count)
        if count <= 0 { break }
        text += buffer[..<count]
      }
      return String(decoding: text, as: UTF8.self)
    }
  }
#endif
