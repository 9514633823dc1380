import Diagnostics
import JSON
import TestRunning
import Testing

private func root(_ text: String) throws -> Value {
  try Document(parsing: SourceText(path: "test.json", bytes: Array(text.utf8))).root
}

@Suite struct ValueTests {
  @Test func `members keep their order and their duplicates`() throws {
    let object = try root(#"{"b": 1, "a": {"x": [1, 2]}, "b": [3, {}]}"#)
    #expect(object.kind == .object)
    #expect(object.members.map(\.key) == ["b", "a", "b"])
    #expect(object.members.map(\.keyRange) == [1..<4, 9..<12, 29..<32])
    #expect(object.members.map(\.value.range) == [6..<7, 14..<27, 34..<41])
  }

  @Test func `the last duplicate is the member`() throws {
    let object = try root(#"{"a": 1, "b": 2, "a": 3}"#)
    #expect(object.member("a")?.integer == 3)
    #expect(object.member("c") == nil)
    #expect(try root("[1]").member("a") == nil)
  }

  @Test func `elements come in order, whatever is within them`() throws {
    let array = try root(#"[[], {}, [[1], 2], "x", null, true, false]"#)
    #expect(
      array.elements.map(\.kind) == [
        .array, .object, .array, .string, .null, .boolean, .boolean,
      ])
    #expect(array.elements.map(\.bool) == [nil, nil, nil, nil, nil, true, false])
    #expect(
      array.elements.map { $0.kind == .null } == [false, false, false, false, true, false, false])
    #expect(array.members.isEmpty && !array.elements.isEmpty)
    #expect(try root("[ ]").elements.isEmpty)
    #expect(try root("{ }").members.isEmpty)
  }

  @Test(arguments: [
    (#""""#, ""),
    (#""abc""#, "abc"),
    (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"),
    (#""\u0041\u00e9\u20AC""#, "Aé€"),
    // A surrogate pair.
    (#""\uD834\uDD1E""#, "\u{1D11E}"),
    (#""\ud83d\ude00x""#, "😀x"),
    // Lone and inverted surrogates.
    (#""\uD834""#, "\u{FFFD}"),
    (#""\uD834x""#, "\u{FFFD}x"),
    (#""\uDD1E\uD834""#, "\u{FFFD}\u{FFFD}"),
    (#""\uD834\uD834\uDD1E""#, "\u{FFFD}\u{1D11E}"),
    (#""\uD834\n""#, "\u{FFFD}\n"),
    (#""\u0000""#, "\0"),
    (#""é😀""#, "é😀"),
  ]) func `a string is decoded`(text: String, expected: String) throws {
    let value = try root(text)
    #expect(value.string == expected)
    #expect(value.stringEquals(expected))
    #expect(!value.stringEquals(expected + "x"))
    #expect(!value.stringEquals("y" + expected))
  }

  @Test func `keys are compared by their scalars`() throws {
    let object = try root(#"{"appl\u0069nks": 1, "é": 2, "": 3}"#)
    #expect(object.member("applinks")?.integer == 1)
    #expect(object.member("é")?.integer == 2)
    // The decomposed form is another key.
    #expect(object.member("e\u{301}") == nil)
    #expect(object.member("")?.integer == 3)
    #expect(object.members.map { $0.keyEquals("applink") } == [false, false, false])
  }

  @Test(
    arguments: [
      ("0", 0.0, 0), ("-0", -0.0, 0), ("12", 12, 12), ("-7", -7, -7),
      ("1.5", 1.5, nil), ("1e2", 100, nil), ("1.0", 1, nil), ("2E-1", 0.2, nil),
      ("9223372036854775807", 9_223_372_036_854_775_808, Int.max),
      // Too large for Int; too large for Double.
      ("9223372036854775808", 9_223_372_036_854_775_808, nil), ("1e400", nil, nil),
      ("1e-400", 0, nil),
    ] as [(String, Double?, Int?)])
  func `a number is a Double, and an Int when written as one`(
    text: String, number: Double?, integer: Int?
  ) throws {
    let value = try root(text)
    #expect(value.kind == .number)
    #expect(value.number == number)
    #expect(value.integer == integer)
  }

  @Test func `a value of one kind is nothing of another`() throws {
    let text = try root(#""1""#)
    #expect(text.number == nil && text.integer == nil && text.bool == nil && text.kind != .null)
    #expect(text.elements.isEmpty)
    let number = try root("1")
    #expect(number.string == nil && !number.stringEquals("1"))
  }
}

@Suite struct LimitsTests {
  private func nested(_ depth: Int) -> [UInt8] {
    Array((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8)
  }

  @Test func `128 levels are accepted, 129 are not`() throws {
    #expect(throws: Never.self) {
      try Document(parsing: SourceText(path: "", bytes: nested(128)))
    }
    let error = #expect(throws: SyntaxError.self) {
      try Document(parsing: SourceText(path: "", bytes: nested(129)))
    }
    #expect(error?.kind == .tooDeep && error?.range == 128..<129)
  }

  @Test func `a text as large as the limit is accepted, one byte more is not`() throws {
    let limits = JSONLimits(bytes: 10)
    func check(_ count: Int) -> SyntaxError.Kind? {
      let bytes = Array(("[" + String(repeating: " ", count: count - 2) + "]").utf8)
      let source = SourceText(path: "", bytes: bytes)
      do throws(SyntaxError) { _ = try Document(parsing: source, limits: limits) } catch {
        return error.kind
      }
      return nil
    }
    #expect(check(10) == nil)
    #expect(check(11) == .tooLarge)
  }

  @Test func `whatever the bytes, the reader answers`() {
    var generator = SystemRandomNumberGenerator()
    let alphabet =
      Array(#"{}[]:,"\u0e-+.tfn /#'<"#.utf8) + [0, 9, 10, 0x80, 0xC3, 0xE2, 0xEF, 0xF0]
    for _ in 0..<rounds(4_000, stress: 20_000) {
      let count = Int.random(in: 0...24, using: &generator)
      let bytes = (0..<count).map { _ in alphabet.randomElement(using: &generator) ?? 0 }
      let source = SourceText(path: "garbage", bytes: bytes)
      do throws(SyntaxError) { _ = try Document(parsing: source) } catch {
        let inside = error.range.lowerBound >= 0 && error.range.upperBound <= count
        #expect(inside, "\(bytes)")
        _ = error.diagnostic(in: source).line
      }
    }
  }

  @Test func `every truncation of a text is refused or complete`() throws {
    let text = #"{"a": [1, -2.5e+3, true, null, "x\u00e9é"], "b": {"c": false}}"#
    let bytes = Array(text.utf8)
    for count in 0..<bytes.count {
      let source = SourceText(path: "", bytes: Array(bytes[..<count]))
      #expect(throws: SyntaxError.self) { try Document(parsing: source) }
    }
    #expect(try root(text).kind == .object)
  }
}
