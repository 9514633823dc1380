import AppSiteAssociation
import Diagnostics
import Foundation
import Rules
import Testing

@testable import DigitalAssetLinks

/// Files from the field, each judged by hand: nothing is reported falsely, and nothing is missed.
@Suite struct FieldFileTests {
  struct Row: CustomTestStringConvertible, Sendable {
    let codes: [String]
    let statements: String
    var testDescription: String { statements }
  }

  private static let rows: [Row] = {
    let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Corpus/assetlinks.txt")
    let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    return text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { line in
      let parts = line.split(separator: "|", maxSplits: 1, omittingEmptySubsequences: false)
      return Row(
        codes: parts[0].split(separator: " ").map(String.init),
        statements: parts.last.map { $0.trimmingCharacters(in: .whitespaces) } ?? "")
    }
  }()

  @Test func `there are many`() { #expect(Self.rows.count > 60) }

  @Test(arguments: rows) func `a file has the faults that a person found`(row: Row) {
    let text = row.statements.hasPrefix("[") ? row.statements : Self.list(row.statements)
    let report = AssetLinksFile(SourceText(path: "a", bytes: Array(text.utf8))).report()
    let found = report.diagnostics.map(\.code).map { $0.hasPrefix("J") ? "J" : $0 }
    #expect(found == row.codes, "\(text)")
  }

  private static func list(_ statements: String) -> String {
    var digests = Digests()
    let objects = statements.split(separator: ";").map { statement in
      let words = statement.split(separator: " ").map(String.init)
      let relations = words[0].map { $0 == "L" ? "handle_all_urls" : "get_login_creds" }
        .map { "\"delegate_permission/common.\($0)\"" }.joined(separator: ", ")
      let target: String
      if words[1] == "web" {
        target = #""namespace": "web", "site": "\#(words[2])""#
      } else {
        let namespace = words[1] == "app" ? "android_app" : words[1]
        let fingerprints = words[3].split(separator: ",").compactMap { digests.text(String($0)) }
          .map { "\"\($0)\"" }.joined(separator: ", ")
        target =
          #""namespace": "\#(namespace)", "package_name": "\#(words[2])", "#
          + #""sha256_cert_fingerprints": [\#(fingerprints)]"#
      }
      return "{\"relation\": [\(relations)], \"target\": {\(target)}}"
    }
    return "[" + objects.joined(separator: ",\n") + "]"
  }

  /// Digests that no app has, always the same ones.
  private struct Digests {
    private var state: UInt64 = 1

    private mutating func next() -> String {
      let bytes = (0..<32).map { _ in
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return UInt8(truncatingIfNeeded: state >> 56)
      }
      return fingerprintText(bytes)
    }

    /// Nil for an empty list.
    mutating func text(_ word: String) -> String? {
      switch word {
      case "none": return nil
      case "ok": return next()
      case "lower": return next().lowercased()
      case "short": return String(next().dropLast(6))
      case "debug": return FingerprintFault.reactNativeKey
      case _ where word.hasPrefix("="):
        var fixed = Digests()
        for _ in 0..<(Int(word.dropFirst()) ?? 0) { _ = fixed.next() }
        return fixed.next()
      default: return word
      }
    }
  }
}
