import Diagnostics
import Settings
import Testing

/// The examples that `aasa explain` shows for faults of the configuration.
@Suite struct ExampleTests {
  /// Resolves an example: a server.json, a variable, or flags as a shell reads them.
  private func resolved(_ example: String) throws -> Resolution {
    if example.hasPrefix("{") || example.hasPrefix("[") {
      return resolve(files: ["Config/server.json": example])
    }
    var flags: [String: [String]] = [:]
    let isVariable = !example.hasPrefix("--")
    let separator: Character = isVariable ? "=" : " "
    for word in (" " + example).split(separator: " --") {
      let parts = word.split(separator: separator, maxSplits: 1)
      let name = String(try #require(parts.first))
      let value = String(try #require(parts.last))
      if isVariable { return resolve(environment: [name.filter { $0 != " " }: value]) }
      let setting = try #require(Setting.all.first { $0.flag == "--" + name }, "\(name)")
      flags[setting.key, default: []].append(value.filter { $0 != "'" })
    }
    return resolve(flags: flags)
  }

  private static let kinds = configurationKinds.filter { $0.wrong != nil || $0.right != nil }

  @Test(arguments: kinds)
  func `a wrong example has its fault, and a right one has none`(kind: Kind) throws {
    if let wrong = kind.wrong {
      #expect(try resolved(wrong).diagnostics.map(\.code) == [kind.code])
    }
    let right = try resolved(try #require(kind.right))
    #expect(right.diagnostics.map(\.line) == [] && right.configuration != nil)
  }

  @Test func `most faults have an example`() { #expect(Self.kinds.count > 20) }
}
