internal import ArgumentParser
internal import Posix

/// Wrong or outdated options of a command, and the advice to show to a user who gives such an
/// option.
private struct Cure {
  let command: String
  let options: [String]
  let words: String

  init(_ command: String, _ options: String..., words: String) {
    self.command = command
    self.options = options
    self.words = words
  }
}

private let cures = [
  Cure("serve", "--port", "-p", "--listen", "--address", "--bind", words: "write --http 8080"),
  Cure(
    "serve", "--host",
    words: "write --http 127.0.0.1:8080; the files in the folder of --domains define the hosts"),
  Cure(
    "serve", "--key", "--tls",
    words: "write --certificates DIR; put NAME.crt and NAME.key into DIR"),
  Cure("serve", "--dir", "--root", "-d", "--file", words: "write --domains DIR"),
  Cure("serve", "--dry-run", "--check-config", "-t", words: "write --validate-only"),
  Cure("serve", "--verbose", "-v", "--debug", words: "write --log-level debug"),
  Cure("serve", "-c", words: "write --config FILE"),
  Cure("serve", "--letsencrypt", words: "write --acme letsencrypt"),
  Cure("init", "--passkeys", words: "write aasa passkeys FOLDER"),
  Cure("init", "--origin", "--enroll", "--manage", words: "write aasa passkeys FOLDER"),
  Cure("init", "--page", "--name", "--app-store-id", "--site", words: "write aasa page"),
  Cure("init", "--code", words: "write aasa code FRAMEWORK"),
  Cure("init", "--file", words: "write -o FILE"),
  Cure("init", "--package", words: "write --android PACKAGE:FINGERPRINT"),
  Cure("init", "--domain", "--host", words: "write --path https://example.com/buy/*"),
  Cure("passkeys", "-o", "--output", words: "no option is needed: aasa passkeys FOLDER"),
  Cure("page", "--title", words: "write --name TEXT"),
  Cure("dev", "-p", words: "write --port PORT"),
  Cure("dev", "--domain", words: "write --host HOST, your tunnel's public name"),
  Cure("check", "--domain", "--host", words: "no option is needed: aasa check example.com"),
  Cure("check", "-f", words: "write --file FILE"),
  Cure("check", "--app", words: "write --expect TEAM.bundle"),
  Cure("validate", "--file", "-f", words: "no option is needed: aasa validate FILE"),
  Cure("match", "--file", "-f", "--url", words: "no option is needed: aasa match FILE URL"),
  Cure("explain", "--code", words: "no option is needed: aasa explain A044"),
  Cure("status", "--host", "--domain", words: "no option is needed: aasa status example.com"),
  Cure("hosts", "-f", words: "write --file NAME.hosts"),
  Cure("acme", "--host", "--domain", words: "no option is needed: aasa acme status example.com"),
  Cure("acme", "--email", words: "leave the option out: no CA needs an email address"),
  Cure("convert", "--format", words: "write --to FORM"),
]

/// Returns ArgumentParser's message, with advice about the wrong argument in place of the first
/// line; nil if no advice is known.
func withCure(_ message: String, _ arguments: [String]) -> String? {
  // Look for an outdated option even if the message is about a different argument.
  let other = cures.first { cure in
    cure.command == arguments.first && arguments.contains(where: cure.options.contains)
  }
  var lines = message.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  guard let name = arguments.first, let first = lines.first else { return nil }
  let quoted = first.split(separator: "'", omittingEmptySubsequences: false)
  let word = quoted.count > 2 ? String(quoted[1]) : ""
  let cure: String
  if let other, let option = arguments.first(where: other.options.contains) {
    cure = "Error: unknown option \(option); \(other.words)"
  } else if first.hasPrefix("Error: Unknown option") {
    guard let found = longerOption(than: word, of: name) else { return nil }
    cure = "Error: unknown option \(word); \(found)"
  } else if name == "serve", first.contains("nexpected argument") {
    let isFile = (try? status(word))?.kind == .regular
    cure =
      "Error: unexpected argument \(word); "
      + (isFile
        ? "serve takes a folder: --domains DIR; to try one file: aasa dev \(word)"
        : "write --domains \(word)")
  } else {
    return nil
  }
  lines[0] = cure
  return lines.joined(separator: "\n")
}

/// Finds the shortest of the command's options that begin with the given text, for example
/// `--certificates` for `--cert`. Returns a question that suggests this option; nil if no option is
/// found.
private func longerOption(than option: String, of name: String) -> String? {
  let command = AASA.configuration.subcommands.first { $0._commandName == name }
  guard let command, option.hasPrefix("--"), option.count > 4 else { return nil }
  let words = command.helpMessage(includeHidden: true, columns: 1_000).split {
    $0.isWhitespace || ",.;:()".contains($0)
  }
  let longer = words.filter { $0.hasPrefix(option) && $0 != option }
  return longer.min { $0.count < $1.count }.map { "did you mean \($0)?" }
}
