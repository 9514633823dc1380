import AppSiteAssociation

/// Rule lists made by chance, the same in every run.
struct RuleGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  /// SplitMix64.
  mutating func next(_ bound: Int) -> Int {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return Int((z ^ (z >> 31)) % UInt64(bound))
  }

  mutating func text(_ pieces: [String], upTo length: Int) -> String {
    (0..<next(length + 1)).map { _ in pieces[next(pieces.count)] }.joined()
  }

  static let variables =
    #","substitutionVariables": {"v": ["a", "ab", "/b"], "w": ["*a", ""], "none": []}"#

  mutating func pathRule() -> String {
    let pieces = ["a", "a", "b", "/", "/", "*", "*", "?", "A", "%2F", "%61", "$(v)", "$(w)", "é"]
    var members = [#""/": "\#(text(pieces, upTo: 5))""#]
    addOptions(&members)
    return "{" + members.joined(separator: ",") + "}"
  }

  mutating func wholeRule() -> String {
    var members: [String] = []
    if next(4) == 0 { members.append(#""/": "\#(text(["a", "*", "?"], upTo: 2))""#) }
    switch next(3) {
    case 0:
      members.append(#""?": "\#(text(["a", "b", "=", "&", "*", "?", "%26"], upTo: 4))""#)
    default:
      let names = [["a", "b"], ["a"], ["b"], ["b", "a"], ["A", "", "a=b"]][next(5)]
      let items = names.map {
        #""\#($0)": "\#(text(["a", "b", "*", "?", "&", "=", "$(w)"], upTo: 2))""#
      }
      members.append(#""?": {\#(items.joined(separator: ","))}"#)
    }
    if next(4) == 0 { members.append(##""#": "\##(text(["a", "*", "?"], upTo: 2))""##) }
    addOptions(&members)
    return "{" + members.joined(separator: ",") + "}"
  }

  private mutating func addOptions(_ members: inout [String]) {
    if next(5) == 0 { members.append(#""caseSensitive": false"#) }
    if next(4) == 0 { members.append(#""percentEncoded": false"#) }
    if next(3) == 0 { members.append(#""exclude": true"#) }
  }

  mutating func components(_ count: Int, whole: Bool) -> String {
    let rules = (0..<count).map { _ in whole ? wholeRule() : pathRule() }
    return "[" + rules.joined(separator: ",\n") + "]"
  }

  static func file(_ components: String) -> String {
    #"{"applinks": {"details": [{"appID": "A.b", "components": \#(components)}]\#(variables)}}"#
  }
}

/// All URLs of a few pieces.
enum URLs {
  static func texts(_ pieces: [String], upTo length: Int) -> [String] {
    var all = [""]
    var last = [""]
    for _ in 0..<length {
      last = last.flatMap { text in pieces.map { text + $0 } }
      all += last
    }
    return all
  }

  static let paths = texts(["a", "b", "/", "A", "%2F", "%C3%A9"], upTo: 4).map { "/" + $0 }

  static let wholes: [String] = texts(["a", "b=", "a=", "b", "&", "%26"], upTo: 4).flatMap {
    query in
    ["/", "/a"].flatMap { path in ["", "#a"].map { path + "?" + query + $0 } }
  }
}
