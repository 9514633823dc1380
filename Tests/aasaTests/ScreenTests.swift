import AppSiteAssociation
import Diagnostics
import Foundation
import JSON
import Rules
import TestRunning
import Testing

@testable import Issuance
@testable import aasa

/// What commands show on a terminal of 80 columns, kept in `Tests/Corpus/reports/screens`.
@Suite struct ScreenTests {
  private static let good = #"[{"/":"/account/*","exclude":true},{"/":"/buy/*"}]"#

  private func file(_ components: String, at path: String = "site.json") -> SourceText {
    let text = """
      { "applinks": { "details": [ {
        "appIDs": ["K27TX9P4QD.org.swift.shop"],
        "components": \(components)
      } ] } }

      """
    return SourceText(path: path, bytes: Array(text.utf8))
  }

  private func document(_ source: SourceText) throws -> Document {
    try #require(AssociationFile(source).document)
  }

  @Test(arguments: [
    ("validate-good", good), ("validate-faulty", #"[{"/":"/buy/:id"},{"/":"/sell","excluded":1}]"#),
  ]) func `validate`(name: String, components: String) throws {
    let source = file(components)
    let report = SubjectReport(
      path: "site.json", source: source,
      diagnostics: AssociationFile(source).report(ValidationOptions()).diagnostics)
    var tally = Tally()
    tally.add(report.diagnostics.map(\.severity).max(), in: "site.json")
    try expectScreen(TerminalRenderer(.screen).render(report) + tally.summary, name)
  }

  @Test(arguments: [false, true]) func `match`(explains: Bool) throws {
    let report = LinkReport(try AppleLinks(document(file(Self.good)), domain: nil))
    let urls = ["https://example.com/buy/42", "/account/1", "/imprint-of-a-shop"]
    let text = try urls.map { url in
      let answer = try report.answer(url, explaining: explains)
      return answer.heading + answer.text
    }
    try expectScreen(text.joined(), explains ? "match-explain" : "match")
  }

  @Test func `test`() throws {
    let folder = FileManager.default.temporaryDirectory.path + "/screen-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try Data(file(Self.good).bytes).write(to: URL(filePath: folder + "/site.json"))
    let cases = "/buy/42 opens K27TX9P4QD.org.swift.shop\n/sell/1 opens K27TX9P4QD.org.swift.shop\n"
    try Data(cases.utf8).write(to: URL(filePath: folder + "/site.cases"))
    var testing = ExpectationTesting(
      try #require(AssociationFiles(path: folder + "/site.json", domain: nil)))
    testing.run(folder + "/site.cases")
    try expectScreen(testing.rendered(as: .text).replacing(folder + "/", with: ""), "test")
  }

  @Test func `diff`() throws {
    let new = file(#"[{"/":"/sell/*"},{"/":"/buy/*"}]"#, at: "new.json")
    let report = DifferenceReport(try document(file(Self.good)), try document(new), host: nil)
    try expectScreen(report.text, "diff")
  }

  @Test func `explain`() throws {
    try expectScreen(Kinds.kinds(of: "A100").map(\.page).joined(), "explain")
  }

  @Test func `acme status`() throws {
    let now: Int64 = 1_780_272_000
    let validity = Validity(notBefore: now - 2_000_000, notAfter: now + 5_776_000)
    func entry(_ host: String, _ step: Journal.Step, _ detail: String = "") -> Journal.Entry {
      Journal.Entry(time: now - 7_200, host: host, authority: "a", step: step, detail: detail)
    }
    let hosts = [
      HostCertificate("example.com", (validity, "R11"), nil, nil, now: now),
      HostCertificate(
        "links.example.com", (validity, "R11"),
        entry(
          "links.example.com", .failed,
          "links.example.com leads to 192.0.2.7, and that server does not answer the challenge; "
            + "set its A record to this server"), nil, now: now),
      HostCertificate(
        "new.example.com", nil, nil, (place: 2, count: 8, time: now + 590), now: now),
      HostCertificate(
        "old.example.com", (Validity(notBefore: 0, notAfter: now - 86_400), "R10"), nil, nil,
        now: now),
    ]
    try expectScreen(hosts.summary + hosts.text, "acme-status")
    func report(_ format: OutputFormat) -> String {
      hosts.map(\.subject).rendered(
        as: format, of: "acme status", failing: .error, text: "", json: "")
    }
    #expect(report(.markdown).contains("| ✅ example.com | until 2026-08-06, renews 2026-07-07, "))
    #expect(report(.markdown).contains("| ❌ new.example.com | no certificate, waits for an order"))
    #expect(report(.junit).contains(#"<testsuites tests="4" failures="3" errors="0">"#))
    #expect(report(.github).hasPrefix("::error title=H059::links.example.com: until "))
    #expect(hosts.map(\.isFine) == [true, false, false, false])
    #expect(hosts.map(\.needsSomebody) == [false, true, false, true])
  }
}
