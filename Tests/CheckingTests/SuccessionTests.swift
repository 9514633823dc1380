import Testing

@testable import Checking

@Suite struct SuccessionTests {
  @Test func `requests share a connection in their order`() {
    let asked = inSuccession(4, within: .max) { ($0, $1.map(ObjectIdentifier.init)) }
    #expect(asked.map(\.0) == [0, 1, 2, 3])
    #expect(Set(asked.map(\.1)).count == 1 && asked.allSatisfy { $0.1 != nil })
  }

  @Test func `requests do not wait for a slow server`() {
    let asked = inSuccession(4, within: 0) { ($0, $1 == nil) }
    #expect(asked.map(\.0) == [0, 1, 2, 3] && asked.allSatisfy(\.1))
    #expect(inSuccession(0) { number, _ in number }.isEmpty)
  }
}
