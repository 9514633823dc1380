internal import AppSiteAssociation
internal import ArgumentParser
internal import Bytes
internal import Checking
internal import Diagnostics

struct ExplainCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Explain a code, a log line or an error message.",
    discussion: """
      Each aasa code has a page with a wrong and a right example. aasa also explains messages \
      from Console, swcd, adb logcat, browsers, passkeys, Apple's CDN and tunnels, and the states \
      that Android reports. Quote the text, or pipe it in.

      EXAMPLES:
        aasa explain A044
        aasa explain SWCERR00301 legacy_failure
        aasa explain 'RP ID cannot be validated'
        aasa explain 'Error Domain=SWCErrorDomain Code=7'
        adb logcat -d | grep OriginVerifier | aasa explain -
        aasa explain --list

      EXIT CODES:
        0 explained
        1 no known message is in the text
        2 an unknown code, or wrong usage
      """)

  @Argument(
    help: ArgumentHelp(
      "a code such as A044, J010 or T010, or a text; - reads the text from standard input",
      valueName: "code or text"),
    completion: .list(Kinds.all.map(\.code)))
  var codes: [String] = []
  @Flag(help: "print all codes, one line each, grouped by subject") var list = false

  func validate() throws {
    if codes.isEmpty && !list { throw ValidationError("give a code, a text or --list") }
  }

  func run() throws {
    if list { print(Kinds.list, terminator: codes.isEmpty ? "" : "\n") }
    var texts = codes == ["-"] ? [try standardInput()] : codes
    var found = texts.map(Kinds.kinds)
    if texts.count > 1, found.contains(where: \.isEmpty) {
      // If the user gave a message without quotes, the arguments are the words of this message.
      let text = texts.joined(separator: " ")
      let kinds = SystemMessage.kinds(in: text)
      let isText = found.allSatisfy(\.isEmpty) && !texts.contains(where: Self.isMeantAsCode)
      if isText || !kinds.isEmpty { (texts, found) = ([text], [kinds]) }
    }
    let pages = found.joined().map(\.page)
    if !pages.isEmpty { print(pages.joined(separator: "\n"), terminator: "") }
    let missing = zip(texts, found).filter(\.1.isEmpty).map(\.0)
    for text in missing {
      let message = Self.isMeantAsCode(text) ? unknownCode(text) : unknownText(text)
      printError("error: " + escapingInvisible(message))
    }
    if missing.contains(where: Self.isMeantAsCode) { throw ExitCode.usage }
    if !missing.isEmpty { throw ExitCode.found }
  }

  private func standardInput() throws -> String {
    let limit = SystemMessage.Limits.bytes
    let text = try readInput("-", limit: limit, orFailWith: .usage)
    guard text.bytes.count <= limit else {
      throw failure(
        "the text has more than \(limit >> 10) KiB; pass only the relevant lines", .usage)
    }
    return String(decoding: text.bytes, as: UTF8.self)
  }

  /// Whether a text looks like a code: it begins with a letter and a digit, and has at most 8
  /// bytes. True for an empty text.
  private static func isMeantAsCode(_ text: String) -> Bool {
    guard let first = text.utf8.first else { return true }
    return first.isLetter && text.utf8.count <= 8 && text.utf8.dropFirst().first?.isDigit == true
  }
}

/// Returns the error for a text that contains no known message.
func unknownText(_ text: String) -> String {
  let near = SystemMessage.nearest(to: text).map { "\"\($0)\"" }.joined(separator: ", ")
  let line = text.split(whereSeparator: \.isNewline).first ?? ""
  let isShort = line.count <= 120 || !line.contains(where: \.isWhitespace)
  let shown = isShort ? String(line) : line.prefix(119) + "…"
  return "no known message is in \"\(shown)\"; the most similar messages are \(near)"
}

func unknownCode(_ code: String) -> String {
  let near = nearest(to: code, among: Kinds.all.map(\.code))
  return "there is no code \(code); "
    + (near.map { "did you mean \($0)?" } ?? "aasa explain --list prints all")
}
