import AppSiteAssociation
import Diagnostics
import Testing

/// What formats with a summary keep of many files.
@Suite struct KeptFindingsTests {
  private static func file(_ path: String, _ count: Int, bytes: Int = 10) -> SubjectReport {
    let diagnostic = Diagnostic(.unreadable, "a fault", at: .init(path: path))
    return SubjectReport(
      path: path, source: SourceText(path: path, bytes: [UInt8](repeating: 0x20, count: bytes)),
      diagnostics: [Diagnostic](repeating: diagnostic, count: count))
  }

  @Test func `diagnostics beyond the limit are counted`() {
    #expect(KeptFindings.most == Budget(operations: 100_000, bytes: 67_108_864))
    var kept = KeptFindings(Budget(operations: 5))
    kept.add(Self.file("a", 3), of: "a")
    kept.add(Self.file("b", 2), of: "b")
    #expect(kept.files.map(\.diagnostics.count) == [3, 2] && kept.files.map(\.omitted) == [0, 0])

    kept.add(Self.file("c", 1), of: "c")
    kept.add(Self.file("d", 0), of: "d")
    #expect(kept.files.map(\.path) == ["a", "b", "c", "d"])
    #expect(kept.files.map(\.diagnostics.count) == [3, 2, 0, 0])
    #expect(kept.files.map(\.omitted) == [0, 0, 1, 0])
    #expect(kept.files.json.contains(#""errors":5"#) && kept.files.json.contains(#""omitted":1"#))
  }

  @Test func `texts beyond the limit are not kept, and their diagnostics are`() {
    var kept = KeptFindings(Budget(bytes: 20))
    for path in ["a", "b", "c"] { kept.add(Self.file(path, 1), of: path) }
    #expect(kept.files.map { $0.source != nil } == [true, true, false])
    #expect(kept.files.map(\.diagnostics.count) == [1, 1, 1])
  }

  @Test func `a file that is named twice is one, with what is omitted of both`() {
    var kept = KeptFindings(Budget(operations: 3))
    for (path, count) in [("a", 1), ("b", 1), ("a", 1), ("a", 2)] {
      kept.add(Self.file(path, count), of: path)
    }
    #expect(kept.files.map(\.path) == ["a", "b"])
    #expect(kept.files.map(\.diagnostics.count) == [2, 1])
    #expect(kept.files.map(\.omitted) == [2, 0])
  }
}
