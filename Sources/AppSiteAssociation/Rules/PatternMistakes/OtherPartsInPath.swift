internal import Bytes
internal import Diagnostics
internal import Rules

let otherPartInPathRules: [AssociationRule] = [
  AssociationRule(
    "A090", .warning, "fragment-in-path", .verified, in: .components, each: \.patterns,
    "a path or query pattern contains `#`",
    "the fragment is never part of the path or query, so the pattern never matches",
    wrong: #"{ "/": "/buy#offers" }"#, right: ##"{ "/": "/buy", "#": "offers" }"##
  ) { use, _, findings in
    guard use.part != .fragment && !use.isForItem, !use.text.contains("://"),
      let sign = use.bytes.firstIndex(of: UInt8(ascii: "#"))
    else { return }
    findings.report(
      use.range(sign..<use.bytes.count),
      "a \(use.part == .path ? "path" : "query") never contains a fragment",
      help: use.isLegacyPath
        ? ##"`paths` cannot test fragments: write `{"/": "/buy", "#": "offers"}` in `components`"##
        : ##"write the fragment separately: `"/": "/buy", "#": "offers"`"##)
  },
  AssociationRule(
    "A091", .warning, "query-in-path", .documented, in: .components, each: \.patterns,
    "a path pattern contains what looks like a query",
    "the query is never part of the path, and in a pattern `?` stands for any one character",
    wrong: #"{ "/": "/buy?id=*" }"#, right: #"{ "/": "/buy", "?": { "id": "?*" } }"#
  ) { use, _, findings in
    guard use.part == .path && !use.text.contains("://"), let range = queryRange(in: use.bytes)
    else {
      return
    }
    findings.report(
      use.range(range), "a path never contains a query",
      help: use.isLegacyPath
        ? #"`paths` cannot test queries: write `{"/": "/buy", "?": {"id": "?*"}}` in `components`"#
        : #"write the query separately: `"/": "/buy", "?": {"id": "?*"}`"#)
  },
  AssociationRule(
    "A092", .warning, "url-in-path", .documented, in: .components, each: \.patterns,
    "a path pattern is a whole URL",
    "a path pattern is compared only with the path, so a URL never matches",
    wrong: #"{ "/": "https://example.com/buy/*" }"#, right: #"{ "/": "/buy/*" }"#
  ) { use, _, findings in
    guard use.part == .path, use.bytes.first?.isLetter == true,
      let mark = use.bytes.firstRange(of: "://"),
      use.bytes[..<mark.lowerBound].allSatisfy({ $0.isLetter || $0 == UInt8(ascii: "*") })
    else { return }
    let path = use.bytes[mark.upperBound...].drop { $0 != UInt8(ascii: "/") }
    let text = path.isEmpty ? "*" : String(decoding: path, as: UTF8.self)
    findings.report(
      use.located.range, "a path pattern never matches a scheme and a host",
      help: "write only the path: `\(text)`")
  },
  AssociationRule(
    "A093", .warning, "host-in-path", .reasoned, in: .components, each: \.patterns,
    "a path pattern begins with what looks like a host",
    "a path pattern is compared only with the path, which contains no host",
    wrong: #"{ "/": "www.example.com/buy/*" }"#, right: #"{ "/": "/buy/*" }"#
  ) { use, _, findings in
    guard use.part == .path, let range = hostRange(in: use.bytes) else { return }
    let host = String(decoding: use.bytes[range], as: UTF8.self)
    let rest = String(decoding: use.bytes[range.upperBound...], as: UTF8.self)
    findings.report(
      use.range(range), "`\(host)` at the beginning of a path looks like a host",
      help: "write only the path: `\(rest.isEmpty ? "*" : rest)`")
  },
  AssociationRule(
    "A115", .note, "query-name-in-path", .documented, in: .components, each: \.patterns,
    "a path pattern ends with `?` and a word, like a query",
    "the query is never part of the path, and in a pattern `?` stands for any one character",
    wrong: #"{ "/": "/reset?token" }"#, right: #"{ "/": "/reset", "?": { "token": "?*" } }"#
  ) { use, _, findings in
    guard use.part == .path, let mark = use.bytes.lastIndex(of: UInt8(ascii: "?")), mark > 1 else {
      return
    }
    let word = use.bytes[(mark + 1)...]
    let isWord = word.allSatisfy { $0.isLetter || $0.isDigit || $0 == 0x5F }
    let before = use.bytes[mark - 1]
    // Several question marks are probably meant as wildcards. A question mark after a wildcard is
    // probably a wildcard too.
    guard word.count > 1, isWord, before.isLetter || before.isDigit else { return }
    let path = String(decoding: use.bytes[..<mark], as: UTF8.self)
    let name = String(decoding: word, as: UTF8.self)
    let component = #"{"/": "\#(path)", "?": {"\#(name)": "?*"}}"#
    findings.report(
      use.range(mark..<use.bytes.count), "this looks like a query in a path",
      help: use.isLegacyPath
        ? "`paths` cannot test queries: write `\(component)` in `components`"
        : "if a query is meant, write `\(component)`")
  },
]

/// Returns the range of a text in the path that looks like a query: it begins with `?`, a name and
/// `=`.
private func queryRange(in bytes: [UInt8]) -> Range<Int>? {
  for start in bytes.indices where bytes[start] == UInt8(ascii: "?") {
    var end = start + 1
    while end < bytes.count,
      bytes[end].isLetter || bytes[end].isDigit || bytes[end] == 0x5F
    {
      end += 1
    }
    if end > start + 1, end < bytes.count, bytes[end] == UInt8(ascii: "=") {
      return start..<bytes.count
    }
  }
  return nil
}

/// Returns the range of the first segment of a path if the segment looks like a host, perhaps with
/// a port: it begins with `www.`, or ends with a common top-level domain.
private func hostRange(in bytes: [UInt8]) -> Range<Int>? {
  let start = bytes.first == UInt8(ascii: "/") ? 1 : 0
  let end = bytes[start...].firstIndex(of: UInt8(ascii: "/")) ?? bytes.count
  let segment = bytes[start..<end].prefix { $0 != UInt8(ascii: ":") }
  let isHost = segment.allSatisfy {
    $0.isLetter || $0.isDigit || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-")
      || $0 == UInt8(ascii: "*")
  }
  guard isHost, let dot = segment.lastIndex(of: UInt8(ascii: ".")), dot > start else {
    return nil
  }
  let name = String(decoding: segment[(dot + 1)...], as: UTF8.self).lowercased()
  return segment.starts(with: "www.".utf8) || endings.contains(name) ? start..<end : nil
}

private let endings: Set<String> = [
  "com", "org", "net", "io", "dev", "co", "de", "uk", "fr", "jp", "cn", "eu", "edu", "gov",
]

let pathEndRules: [AssociationRule] = [
  AssociationRule(
    "A111", .note, "optional-slash", .verified, in: .components, each: \.patterns,
    "a path pattern ends with `/?`",
    "`?` stands for exactly one character; Apple's systems ignore a slash at the end of the path",
    wrong: #"{ "/": "/buy/?" }"#, right: #"{ "/": "/buy" }"#
  ) { use, _, findings in
    guard use.part == .path else { return }
    let count = use.bytes.count
    guard use.text.hasSuffix("/?"), count > 2 else { return }
    findings.report(
      use.range((count - 1)..<count),
      "this `?` stands for exactly one character",
      help: "write `\(use.text.dropLast(2))`, which matches with and without a slash at the end")
  },
  AssociationRule(
    "A114", .note, "undocumented-end", .undocumented, in: .components, each: \.patterns,
    "a path pattern ends with characters whose meaning Apple does not document",
    "the pattern may also match the path without these characters",
    wrong: #"{ "/": "/buy/*/" }"#, right: #"{ "/": "/buy/*" }"#
  ) { use, _, findings in
    guard use.part == .path else { return }
    let count = use.bytes.count
    if use.text.hasSuffix("/*/"), count > 3 {
      findings.report(
        use.range((count - 2)..<count),
        "Apple does not say whether this pattern also matches `\(use.text.dropLast(3))`",
        help: "write `\(use.text.dropLast(1))`, which matches `\(use.text.dropLast(3))`, "
          + "or `\(use.text.dropLast(2))?*`, which does not")
    } else if use.text.hasSuffix("?*"), count > 2, !"/?*)".utf8.contains(use.bytes[count - 3]) {
      findings.report(
        use.range((count - 2)..<count),
        "a path never contains a query, and in a pattern `?` stands for any one character",
        help: "write `\(use.text.dropLast(2))`, which matches the path with or without a query, or "
          + "`\(use.text.dropLast(2))*` for every path that begins with this path",
        note: "`?*` matches only paths with at least one more character")
    }
  },
]
