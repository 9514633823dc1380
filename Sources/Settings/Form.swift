internal import Bytes
internal import Diagnostics
internal import JSON
internal import Posix

/// The notation for values of one type: as text in flags and variables, and as JSON in server.json.
struct Form<Content: Sendable>: Sendable {
  /// Parses the texts of a flag or variable. For a list, a text may contain several entries,
  /// separated by commas.
  let parse: @Sendable ([String]) throws(Fault) -> Content
  /// Reads the value of a member of server.json. If the value is refused, the thrown fault contains
  /// the value's position in the file.
  let read: @Sendable (Value, Member) throws(LocatedFault) -> Content
  /// Formats a value as a user would write it for a flag.
  let text: @Sendable (Content) -> String
  /// Whether the flag may be given several times to add entries to a list.
  var isList = false
  var kind = Setting.ValueKind.other
  /// An example of the value in server.json; nil if the default serves as an example.
  var example: String?
  var isNumber = false
  /// Puts `folder` in front of a value that is a relative path. Nil if the values of this type are
  /// not paths.
  var place: (@Sendable (Content, _ folder: String) -> Content)?

  /// The key of a member of server.json and an example of its value, for messages.
  struct Member {
    let key: String
    let example: String

    func wrongType(_ value: Value, _ expected: String) -> LocatedFault {
      LocatedFault(
        Fault(
          .wrongType, "`\(key)` must be \(expected), not \(value.kind.words)",
          help: "write `\"\(key)\": \(example)`, or omit the key"),
        value.range)
    }
  }
}

// Forms for values that are written as a single text.
extension Form {
  /// The JSON type of a value in server.json. In a flag, the same value is a single text.
  enum Shape: Sendable {
    case string
    case number
    /// A number or a string. The associated value describes the allowed values in words, for
    /// messages.
    case numberOrString(String)

    func text(of value: Value, _ member: Member) throws(LocatedFault) -> String {
      let number = value.integer.flatMap { $0 < 0 ? nil : String($0) }
      switch self {
      case .string:
        if let text = value.string { return text }
        throw member.wrongType(value, "a string")
      case .number:
        if let number { return number }
        throw member.wrongType(value, "a whole number")
      case .numberOrString(let expected):
        if let text = value.string ?? number { return text }
        throw member.wrongType(value, expected)
      }
    }
  }

  init(
    _ shape: Shape = .string, text: @escaping @Sendable (Content) -> String,
    parse: @escaping @Sendable (String) throws(Fault) -> Content
  ) {
    self.init(
      parse: { (texts) throws(Fault) in try parse(texts.last ?? "") },
      read: { (value, member) throws(LocatedFault) in
        let text = try shape.text(of: value, member)
        return try located(value, parse(text))
      }, text: text)
  }
}

extension Form<String> {
  static let file = Self.text(kind: .file, parsePath)
  static let folder = Self.text(
    kind: .folder, place: { joined($1, $0) },
    { (text) throws(Fault) in withoutTrailingSlashes(try parsePath(text)) })
  /// The path of a file, or one of the words `stdout` and `none`.
  static let log = Self.text(
    place: { ["stdout", "none"].contains($0) ? $0 : joined($1, $0) }, parsePath)
  /// The path of a file, or the word `none`.
  static let fileOrNone = Self.text(
    kind: .file, place: { $0 == "none" ? $0 : joined($1, $0) }, parsePath)
  /// The path of a folder, or the word `none`.
  static let folderOrNone = Self.text(
    kind: .folder, place: { $0 == "none" ? $0 : joined($1, $0) },
    { (text) throws(Fault) in withoutTrailingSlashes(try parsePath(text)) })
  /// A thumbprint, the path of a file that contains a thumbprint, or the word `none`.
  static let thumbprint = Self.text(
    place: { $0 == "none" || IssuanceOptions.isThumbprint($0) ? $0 : joined($1, $0) }, parsePath)
  static let profile = Self.text(parseProfile)
  /// The beginning of a URL, or one of the words `apple` and `none`.
  static let url = Self.text(parseURL)
  static let certificateName = Self.text(parseCertificateName)
  static let fieldValue = Self.text(parseFieldValue)

  private static func text(
    kind: Setting.ValueKind = .other, place: (@Sendable (String, String) -> String)? = nil,
    _ parse: @escaping @Sendable (String) throws(Fault) -> String
  ) -> Form {
    var form = Form(text: { $0 }, parse: parse)
    form.kind = kind
    form.place = place
    return form
  }
}

extension Form<Int64> {
  /// A duration in milliseconds.
  static func duration(_ range: ClosedRange<Int>) -> Form { time(range, wholeSeconds: false) }

  /// A duration in milliseconds that must be a whole number of seconds, because clients receive it
  /// in seconds.
  static func wholeSeconds(_ range: ClosedRange<Int>) -> Form { time(range, wholeSeconds: true) }

  private static func time(_ range: ClosedRange<Int>, wholeSeconds: Bool) -> Form {
    Form(
      .numberOrString("a number or a string with a unit"), text: { durationText(Int($0)) },
      parse: { (text) throws(Fault) in
        Int64(try parseDuration(text, in: range, wholeSeconds: wholeSeconds))
      })
  }
}

extension Form<Int> {
  /// A size in bytes.
  static func size(_ range: ClosedRange<Int>) -> Form {
    Form(.numberOrString("a number or a string with a unit"), text: sizeText) {
      (text) throws(Fault) in try parseSize(text, in: range)
    }
  }

  static func count(_ range: ClosedRange<Int>) -> Form {
    var form = Form(.number, text: \.description) { (text) throws(Fault) in
      try parseCount(text, in: range)
    }
    form.isNumber = true
    return form
  }
}

extension Form<Bool> {
  /// A Boolean value. The two arguments are the words that the user writes for false and for true.
  static func either(_ no: String, _ yes: String) -> Form {
    var form = Form(
      text: { $0 ? yes : no },
      parse: { (text) throws(Fault) in try parseChoice(text, of: [no, yes]) == yes })
    form.kind = .words([no, yes])
    return form
  }
}

extension Form
where Content: RawRepresentable & CaseIterable & Sendable, Content.RawValue == String {
  /// One of the type's cases, written as its raw value.
  static var choice: Form {
    let words = Content.allCases.map(\.rawValue)
    var form = Form(text: \.rawValue) { (text) throws(Fault) in
      guard let choice = Content(rawValue: text) else { throw badChoice(text, of: words) }
      return choice
    }
    form.kind = .words(words)
    return form
  }
}

extension Form<ListenAddress?> {
  /// One address, or `none`. A port without an address means the loopback address.
  static let localAddress = Form(
    .numberOrString("a string"), text: { $0?.description ?? "none" }, parse: parseLocalAddress)
}

extension Form<SocketAddress?> {
  /// The address of a name server, or `none`.
  static let nameServer = Form(text: { $0?.description ?? "none" }, parse: parseNameServer)
}

private func parseChoice(_ text: String, of words: [String]) throws(Fault) -> String {
  if words.contains(text) { return text }
  throw badChoice(text, of: words)
}

func badChoice(_ text: String, of words: [String]) -> Fault {
  let longer = words.filter { text.count > 2 && $0.hasPrefix(text) }
  let near = longer.count == 1 ? longer[0] : nearest(to: text, among: words)
  let guess = near.map { "did you mean `\($0)`?" }
  return Fault(
    .badChoice, "`\(text)` is not one of \(words.map { "`\($0)`" }.joined(separator: ", "))",
    help: guess ?? "write `\(words[0])`")
}

/// Returns `result`. If the expression `result` throws a fault, adds the position of the value in
/// server.json to this fault.
func located<Result>(
  _ value: Value, _ result: @autoclosure () throws(Fault) -> Result
) throws(LocatedFault) -> Result {
  try mapping(result()) { (fault: Fault) in LocatedFault(fault, value.range) }
}

extension Value.Kind {
  /// The kind of value as the end of the sentence "must be …, not …".
  fileprivate var words: String {
    switch self {
    case .object: "an object"
    case .array: "an array"
    case .string: "a string"
    case .number: "this number"
    case .boolean: "true or false"
    case .null: "null"
    }
  }
}
