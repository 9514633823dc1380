import Testing

@testable import Catalog
@testable import Settings

@Suite struct HostTableTests {
  static func table(_ names: [String]) -> HostTable {
    var table = HostTable()
    for (index, name) in names.enumerated() { table.set(name.utf8, to: Int32(index)) }
    return table
  }

  static func exact(_ table: HostTable, _ host: String) -> Int32? {
    let bytes = Array(host.utf8)
    return table.value(of: bytes.span, in: 0..<bytes.count)
  }

  static func suffix(_ table: HostTable, _ host: String) -> Int32? {
    let bytes = Array(host.utf8)
    return table.longestSuffixValue(of: bytes.span, in: 0..<bytes.count)
  }

  struct Row: CustomTestStringConvertible {
    let host: String
    /// Indices into `names`.
    let exact: Int32?
    let suffix: Int32?
    var testDescription: String { host }
  }

  static let names = ["example.com", "a.example.com", "com", "x", "xn--bcher-kva.example"]

  static let rows = [
    // itself
    Row(host: "example.com", exact: 0, suffix: 0),
    // letters of any case, at the ends of the alphabet too
    Row(host: "EXAMPLE.Com", exact: 0, suffix: 0),
    Row(host: "XN--BCHER-KVA.EXAMPLE", exact: 4, suffix: 4),
    // a subdomain
    Row(host: "b.example.com", exact: nil, suffix: 0),
    // of any depth
    Row(host: "d.c.b.example.com", exact: nil, suffix: 0),
    // the longest wins
    Row(host: "b.a.example.com", exact: nil, suffix: 1),
    Row(host: "B.A.EXAMPLE.COM", exact: nil, suffix: 1),
    Row(host: "a.example.com", exact: 1, suffix: 1),
    // the same letters without a dot between: another domain
    Row(host: "notexample.com", exact: nil, suffix: 2),
    Row(host: "aa.example.com", exact: nil, suffix: 0),
    Row(host: "xx", exact: nil, suffix: nil),
    // a part of a name is not a name
    Row(host: "example.co", exact: nil, suffix: nil),
    Row(host: "xample.com", exact: nil, suffix: 2),
    Row(host: "ample.com", exact: nil, suffix: 2),
    // a name as a prefix is not a name
    Row(host: "example.com.evil", exact: nil, suffix: nil),
    // only letters have another case: `@` and `[` are next to the letters
    Row(host: "@xample.com", exact: nil, suffix: 2),
    Row(host: "[", exact: nil, suffix: nil),
    // empty labels and hosts never come from the parser, and do no harm
    Row(host: "", exact: nil, suffix: nil),
    Row(host: ".", exact: nil, suffix: nil),
    Row(host: ".example.com", exact: nil, suffix: 0),
    Row(host: "example.com.", exact: nil, suffix: nil),
  ]

  @Test(arguments: rows)
  func `a host is found whole, and by its longest parent`(_ row: Row) {
    let table = Self.table(Self.names)
    #expect(Self.exact(table, row.host) == row.exact)
    #expect(Self.suffix(table, row.host) == row.suffix)
  }

  @Test func `a host is found anywhere in a buffer`() {
    let table = Self.table(Self.names)
    let buffer = Array("Host: b.EXAMPLE.com\r\n".utf8)
    let whole = table.value(of: buffer.span, in: 8..<19)
    let parent = table.longestSuffixValue(of: buffer.span, in: 6..<19)
    // The bytes around it are not part of it.
    let cut = table.value(of: buffer.span, in: 8..<18)
    #expect(whole == 0)
    #expect(parent == 0)
    #expect(cut == nil)
  }

  @Test func `an empty table finds nothing`() {
    let table = HostTable()
    #expect(table.count == 0)
    #expect(Self.exact(table, "example.com") == nil)
    #expect(Self.suffix(table, "example.com") == nil)
  }

  @Test func `a name that is set again has the new value`() {
    var table = Self.table(["a", "b"])
    table.set("a".utf8, to: 7)
    #expect(table.count == 2)
    #expect(Self.exact(table, "a") == 7)
    #expect(Self.exact(table, "b") == 1)
  }

  @Test func `the longest host that there can be is found`() {
    // 127 labels of one letter: 253 bytes.
    let longest = Array(repeating: "a", count: 127).joined(separator: ".")
    #expect(longest.utf8.count == 253)
    // Every parent that has an even number of labels.
    let parents = stride(from: 2, through: 126, by: 2).map {
      Array(repeating: "a", count: $0).joined(separator: ".")
    }
    let table = Self.table(parents + [longest])
    #expect(Self.exact(table, longest) == 63)
    #expect(Self.suffix(table, longest) == 63)
    #expect(Self.suffix(table, String(longest.dropFirst(2))) == 62)
    #expect(Self.suffix(table, String(longest.dropFirst(4))) == 61)
  }

  @Test(arguments: [0, 100_000])
  func `a hundred thousand names are all found, and no others`(_ capacity: Int) {
    var table = HostTable(minimumCapacity: capacity)
    for index in 0..<100_000 { table.set("host-\(index).example.com".utf8, to: Int32(index)) }
    #expect(table.count == 100_000)
    var wrong = 0
    for index in 0..<100_000 {
      if Self.exact(table, "host-\(index).example.com") != Int32(index) { wrong += 1 }
      if Self.exact(table, "ghost-\(index).example.com") != nil { wrong += 1 }
    }
    #expect(wrong == 0)
    #expect(Self.suffix(table, "a.b.HOST-99999.example.com") == 99_999)
  }

  @Test func `a suffix with more labels than every name is not found, and the longest name is`() {
    let table = Self.table(["b.example.com", "com"])
    let deep = Array(repeating: "a", count: 100).joined(separator: ".")
    #expect(Self.suffix(table, deep + ".b.example.com") == 0)
    #expect(Self.suffix(table, deep + ".c.example.com") == 1)
    #expect(Self.suffix(table, deep) == nil)
  }

  /// Hashes the beginning of a name by multiplication and rotation, without a key.
  private static func unkeyedState(_ beginning: [UInt8], of count: Int) -> UInt64 {
    var state = UInt64(count)
    for start in stride(from: 0, to: beginning.count, by: 8) {
      let word = beginning[start..<start + 8].reversed().reduce(UInt64(0)) {
        $0 << 8 | UInt64($1 | 0x20)
      }
      state = (state ^ word) &* 0x9E37_79B9_7F4A_7C15
      state = state &<< 29 | state &>> 35
    }
    return state
  }

  /// Returns 2^`blocks` names that all collide without a key, because each block of 16 bytes may be
  /// one of two.
  private static func collidingNames(blocks: Int) -> [[UInt8]] {
    let block = Array("aaaaaaapaaaaaaaa".utf8)
    var names = [[UInt8]()]
    for _ in 0..<blocks {
      names = names.flatMap { name in
        let state = unkeyedState(name + block, of: blocks * 16)
        // Bit 62 of the first word becomes bit 27 of the state, which the second word undoes.
        let others = (UInt8(ascii: "a")...UInt8(ascii: "z")).map { low in
          var other = block
          (other[7], other[11]) = (UInt8(ascii: "0"), low)
          return name + other
        }
        return [name + block] + others.filter { unkeyedState($0, of: blocks * 16) == state }
      }
    }
    return names
  }

  @Test func `names that collide under a known hash do not make a lookup long`() throws {
    let names = Self.collidingNames(blocks: 8)
    try #require(Set(names.map { Self.unkeyedState($0, of: 128) }).count == 1)
    try #require(names.count >= 256)
    var table = HostTable()
    for (index, name) in names.enumerated() { table.set(name, to: Int32(index)) }
    #expect(table.longestLookup < 40)
  }
}
