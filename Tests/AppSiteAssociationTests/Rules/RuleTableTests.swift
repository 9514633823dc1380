import Diagnostics
import Rules
import Testing

@testable import AppSiteAssociation

@Suite struct RuleTableTests {
  /// Codes that meant something once and must not come back with another meaning.
  static let retired: Set<String> = []

  @Test func `a code means one thing for ever`() {
    let codes = associationKinds.map(\.code)
    #expect(Set(codes).count == codes.count)
    #expect(Self.retired.isDisjoint(with: codes))
    let names = associationKinds.map(\.name)
    #expect(Set(names).count == names.count)
  }

  @Test func `there are rules for every kind of mistake`() {
    #expect(associationRules.count >= 60)
    #expect(Set(associationRules.map(\.kind.code)).count == associationRules.count)
  }

  @Test(arguments: associationKinds)
  func `a page is written like the others`(kind: Kind) {
    #expect(kind.code.utf8.count == 4)
    #expect(kind.name.allSatisfy { $0.isLowercase || $0.isNumber || $0 == "-" }, "\(kind.name)")
    for text in [kind.what, kind.consequence] {
      #expect(!text.hasSuffix("."), "\(text)")
      #expect(text.first?.isUppercase != true || text.hasPrefix("A") || text.hasPrefix("JSON"))
    }
    #expect(kind.page.hasPrefix("\(kind.code) \(kind.name) ("))
  }
}
