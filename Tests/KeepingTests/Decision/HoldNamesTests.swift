import Testing

@testable import Keeping

@Suite struct HoldNamesTests {
  @Test func `the ID stays while a loss shrinks, and comes back to what it was`() {
    var names = HoldNames("domains", ["a", "b", "c"])
    let id = names.id
    for now in [["a", "b"], [], ["c"], ["a", "b", "c"]] {
      names.cover(Set(now))
      #expect(names.id == id)
    }
  }

  @Test func `one more name is another ID`() {
    var names = HoldNames("domains", ["a", "b", "c"])
    var seen = [names.id]
    for now in [["a", "b", "c", "d"], ["e"], ["a"]] {
      names.cover(Set(now))
      #expect(!seen.contains(names.id))
      seen.append(names.id)
    }
  }

  @Test func `the same loss has the same ID everywhere, and another place has another one`() {
    let names = Set((0..<1000).map { "h\($0).example" })
    #expect(HoldNames("domains", names).id == HoldNames("domains", names).id)
    #expect(HoldNames("certificates", names).id != HoldNames("domains", names).id)
    #expect(HoldNames("domains", ["a.example"]).id == "fd9dad8d")
  }

  @Test func `an ID is eight hexadecimal digits, and few losses share one`() {
    let ids = Set((0..<10_000).map { HoldNames("domains", ["h\($0).example"]).id })
    #expect(ids.count >= 9_990)
    #expect(ids.allSatisfy { $0.utf8.count == 8 && UInt32($0, radix: 16) != nil })
  }
}
