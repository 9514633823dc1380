internal import Bytes
package import Checking
internal import Posix

/// The user's choice of a tunnel. The tunnel gives this machine a public name.
package enum TunnelChoice: Sendable, Equatable {
  /// `cloudflared`, with the path of the program.
  case cloudflared(String)
  case ngrok(String)
  /// A command for the shell. In the command, `{port}` is replaced by the port.
  case command(String)
  /// No tunnel. `isWanted` is true if the user did not turn the tunnel off, but no tunnel program
  /// was found.
  case none(isWanted: Bool)

  /// - Parameters:
  ///   - text: The value of the option `--tunnel`.
  ///   - path: The folders to search for programs.
  package init(_ text: String, searching path: String) throws(UsageFault) {
    func find(_ name: String) throws(UsageFault) -> String {
      if let found = programPath(name, searching: path) { return found }
      throw UsageFault(
        "--tunnel \(name): there is no program \(name) on the PATH; \(Self.advice)")
    }
    switch text {
    case "cloudflared": self = .cloudflared(try find(text))
    case "ngrok": self = .ngrok(try find(text))
    case "none": self = .none(isWanted: false)
    case "": throw UsageFault("--tunnel: give a program, a command, or none")
    case "auto":
      self =
        programPath("cloudflared", searching: path).map(Self.cloudflared)
        ?? programPath("ngrok", searching: path).map(Self.ngrok) ?? .none(isWanted: true)
    default:
      guard isCommand(text) else {
        throw UsageFault(
          "--tunnel: there is no program \(firstWord(text)); give one that is on the PATH, or its"
            + " path")
      }
      self = .command(text)
    }
  }

  /// The name of the tunnel for the inspector's page.
  var name: String {
    switch self {
    case .cloudflared: "cloudflared"
    case .ngrok: "ngrok"
    case .command: "command"
    case .none: "none"
    }
  }

  var isNone: Bool {
    if case .none = self { return true }
    return false
  }

  private static let advice =
    "install cloudflared (brew install cloudflared, or https://github.com/cloudflare/cloudflared), "
    + "which needs no account"

  /// Returns the message to show until the public name is known.
  func message(_ port: UInt16) -> String {
    switch self {
    case .none(isWanted: true):
      "there is no tunnel, because neither cloudflared nor ngrok is on the PATH: \(Self.advice), "
        + "or point your own tunnel at http://127.0.0.1:\(port) and give its name with --host"
    case .none(isWanted: false):
      "there is no tunnel: point your own tunnel at http://127.0.0.1:\(port), and give its name "
        + "with --host"
    default: "starting \(programName)"
    }
  }

  /// The name of the tunnel program, for use in sentences.
  var programName: String {
    if case .command = self { return "the tunnel's command" }
    return name
  }

  /// Returns the program to run; nil if there is no tunnel.
  func program(port: UInt16) -> (path: String, arguments: [String])? {
    switch self {
    case .cloudflared(let path):
      (path, ["tunnel", "--no-autoupdate", "--url", "http://127.0.0.1:\(port)"])
    case .ngrok(let path):
      (path, ["http", "http://127.0.0.1:\(port)", "--log", "stdout", "--log-format", "logfmt"])
    case .command(let text): ("/bin/sh", ["-c", replacing("{port}", in: text, by: String(port))])
    case .none: nil
    }
  }
}

/// Whether the shell can probably run the command: its first word is a program, builtin or keyword
/// of the shell. Also true if the first word contains a variable or a quotation mark, because only
/// the shell can expand this word.
private func isCommand(_ text: String) -> Bool {
  let word = firstWord(text)
  let isPlain = word.utf8.allSatisfy { $0.isLetter || $0.isDigit || "._/+-".utf8.contains($0) }
  guard isPlain, let check = try? ChildProgram("/bin/sh", ["-c", "command -v -- \(word)"]) else {
    return true
  }
  while !check.read().isEmpty {}
  return check.wait() == "with exit code 0"
}

private func firstWord(_ text: String) -> String {
  text.split(whereSeparator: \.isWhitespace).first.map(String.init) ?? ""
}

private func replacing(_ mark: String, in text: String, by other: String) -> String {
  var result = ""
  var rest = text[...]
  while let first = rest.first {
    if rest.hasPrefix(mark) {
      result += other
      rest = rest.dropFirst(mark.count)
    } else {
      result.append(first)
      rest = rest.dropFirst()
    }
  }
  return result
}
