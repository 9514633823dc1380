/// Collects what the exploration of a part needs: the conditions of its rules, each once, the reader
/// and the characters to try.
struct PartSetup {
  private let system: RuleSystem
  private let part: URLPart
  private(set) var conditions: [Condition] = []
  private var numbers: [Int: Int] = [:]
  private var names: [[UInt32]: UInt16] = [:]

  init(_ system: RuleSystem, _ part: URLPart) {
    self.system = system
    self.part = part
  }

  /// Numbers the conditions of some rules first. Returns how many there are; 0 when one of the rules
  /// asks for nothing here, or for query items, so that its conditions say nothing alone.
  mutating func lead(with rules: [Int]) -> Int {
    for rule in rules { _ = contender(rule) }
    let asks = rules.allSatisfy { rule in
      let atoms = system.rules[rule].atoms[part.rawValue]
      return !atoms.isEmpty && atoms.allSatisfy { system.atoms[part.rawValue][$0].name == nil }
    }
    return asks ? conditions.count : 0
  }

  mutating func contender(_ index: Int) -> PartExploration.Contender {
    let rule = system.rules[index]
    return PartExploration.Contender(
      rule: index, conditions: rule.atoms[part.rawValue].map { condition($0) },
      isUnrestrictedAfter: rule.isUnrestricted(from: part.next))
  }

  private mutating func condition(_ index: Int) -> Int {
    if let number = numbers[index] { return number }
    let atom = system.atoms[part.rawValue][index]
    var nameNumber: UInt16 = 0
    if let name = atom.name {
      nameNumber = names[name] ?? UInt16(truncatingIfNeeded: names.count)
      names[name] = nameNumber
    }
    numbers[index] = conditions.count
    conditions.append(Condition(system.patterns[atom.pattern], atom, nameNumber: nameNumber))
    return conditions.count - 1
  }

  var hasOnlyItems: Bool { conditions.allSatisfy { $0.name != nil } }

  var ordersItems: Bool {
    hasOnlyItems && names.count < Int(UInt16.max)
      && (conditions.allSatisfy(\.isDecoded) || !conditions.contains(where: \.isDecoded))
  }

  var reader: TextReader {
    TextReader(
      part: part, needsWritten: conditions.contains { !$0.isDecoded },
      needsDecoded: conditions.contains { $0.isDecoded }, encodings: encodings)
  }

  /// The UTF-8 forms of characters beyond ASCII that decoded conditions name.
  private var encodings: [[UInt8]] {
    var scalars: Set<UInt32> = []
    for condition in conditions where condition.isDecoded {
      scalars.formUnion(condition.pattern.automaton.otherSymbols)
      scalars.formUnion(condition.name?.filter { $0 >= 128 } ?? [])
    }
    return scalars.sorted().compactMap { Unicode.Scalar($0).map { Array(String($0).utf8) } }
  }

  /// The characters to try, the most readable first: of those that are all alike one is enough.
  var symbols: [UInt8] {
    let possible = Self.readable(isNamed: isNamed).filter(isPossible)
    return representatives(possible) { symbol in
      switch symbol {
      case UInt8(ascii: "/"): part == .path ? UInt16(symbol) : 0
      case UInt8(ascii: "&"), UInt8(ascii: "="): part == .query ? UInt16(symbol) : 0
      case UInt8(ascii: "%"): UInt16(symbol)
      default: 0
      }
    }
  }

  /// The digits to try after `%`. They differ by their values when something is decoded.
  var digits: [UInt8] {
    let needsDecoded = conditions.contains { $0.isDecoded }
    return representatives(Array("0123456789ABCDEFabcdef".utf8)) { digit in
      let value = digit < UInt8(ascii: "A") ? digit & 15 : digit & 15 + 9
      return needsDecoded ? UInt16(value) : 0
    }
  }

  /// Refines the classes of characters by each condition in turn.
  private func representatives(_ symbols: [UInt8], role: (UInt8) -> UInt16) -> [UInt8] {
    let nameSymbols = Set(names.keys.joined())
    var classes = symbols.map { symbol in
      role(symbol) << 8 | (nameSymbols.contains(UInt32(symbol)) ? UInt16(symbol) : 0)
    }
    var numbers: [UInt32: UInt16] = [:]
    for condition in conditions {
      let kinds = condition.pattern.kinds
      numbers.removeAll(keepingCapacity: true)
      for (index, symbol) in symbols.enumerated() {
        let key = UInt32(classes[index]) << 16 | UInt32(kinds[Int(symbol)])
        let next = UInt16(truncatingIfNeeded: numbers.count)
        classes[index] = numbers[key] ?? next
        if numbers[key] == nil { numbers[key] = next }
      }
    }
    var seen: Set<UInt16> = []
    return zip(symbols, classes).filter { seen.insert($1).inserted }.map(\.0)
  }

  /// pchar = unreserved / pct-encoded / sub-delims / ":" / "@"; query and fragment also `/` and `?`
  /// (RFC 3986 section 3.3 to 3.5). Brackets are not among them but do occur.
  private func isPossible(_ symbol: UInt8) -> Bool {
    switch symbol {
    case UInt8(ascii: "?"): part != .path
    case UInt8(ascii: "%"): needsEncoding
    default: true
    }
  }

  /// Whether texts with `%` show anything that others do not. Where all patterns are compared with
  /// the decoded text it is the same how a character is written that may stand for itself; and of
  /// characters that no pattern names one is as good as another.
  private var needsEncoding: Bool {
    if part == .query || conditions.contains(where: { !$0.isDecoded }) || !encodings.isEmpty {
      return true
    }
    let plain = Self.readable(isNamed: isNamed).filter {
      $0 != UInt8(ascii: "%") && (part != .path || $0 != UInt8(ascii: "?"))
    }
    return plain.allSatisfy(isNamed)
      || (UInt8(0)..<128).contains { isNamed($0) && !plain.contains($0) }
  }

  private func isNamed(_ symbol: UInt8) -> Bool {
    conditions.contains { $0.pattern.automaton.asciiClasses[Int(symbol)] != 0 }
  }

  /// All characters of URLs: letters that patterns name first.
  private static func readable(isNamed: (UInt8) -> Bool) -> [UInt8] {
    let lower = Array(UInt8(ascii: "a")...UInt8(ascii: "z"))
    return lower.filter(isNamed) + lower.filter { !isNamed($0) }
      + Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ/-_.~&=+,;:@!$'()*?[]%".utf8)
  }
}
