import AppFiles
import AppSiteAssociation
import Diagnostics
import Foundation
import JSON
import Rules
import TLSTestSupport
import Testing

@testable import Checking
@testable import Keeping
@testable import aasa

/// Files that people complained about, and files made after them: services beyond links and
/// passwords, statements about web apps, and controls. Each verdict was written before the program
/// was run.
@Suite struct FieldServiceTests {
  private static let corpus = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Corpus/field")

  private static func bytes(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: corpus.appending(path: name)))
  }

  private static func document(_ name: String) throws -> Document {
    try Document(parsing: SourceText(path: name, bytes: bytes(name)))
  }

  @Test(
    arguments: [
      ("sso-authsrv-only.json", "site.json", []),
      ("sso-authsrv-and-links.json", "site.json", []),
      ("spotlight-image.json", "site.json", ["note A149"]),
      ("details-one-object.json", "site.json", ["warning A017", "error A160"]),
      ("fragment-only.json", "site.json", ["warning A037"]),
      ("assetlinks/app-and-query-webapk.json", "assetlinks.json", []),
      ("assetlinks/other-relations.json", "assetlinks.json", []),
      ("assetlinks/no-colons.json", "assetlinks.json", ["error D135"]),
      ("assetlinks/site-with-slash.json", "assetlinks.json", ["warning D127"]),
      // A file outside .well-known is what its name says.
      ("webauthn/no-scheme.json", "webauthn", ["error D151"]),
      ("webauthn/http-origin.json", "webauthn", ["warning D151"]),
      ("webauthn/slash-port.json", "webauthn", ["note D154"]),
      ("webauthn/local-origin.json", "webauthn", []),
      ("passkey-endpoints/prf.json", "passkey-endpoints", []),
    ] as [(String, String, [String])])
  func `validate gives the verdict that was written first`(
    input: String, name: String, findings: [String]
  ) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "field-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let file = folder.appending(path: name)
    try Data(Self.bytes(input)).write(to: file)
    let found = collectInputs([file.path]).flatMap { input in
      input.judged(.init(), keeping: .note).file.diagnostics
    }
    #expect(found.map { "\($0.severity.rawValue) \($0.code)" } == findings, "\(found)")
  }

  @Test func `entitlements and a profile name the single sign-on service`() throws {
    for name in ["sso.entitlements", "sso-managed.mobileconfig"] {
      let file = try AppFile(Self.bytes(name))
      let app = try #require(file.apps.first)
      #expect(file.apps.count == 1 && app.app == "K27TX9P4QD.org.swift.psso")
      let found = AssociatedDomains(app)
      #expect(found.findings.isEmpty, "\(name)")
      let subject = try #require(found.subjects.first)
      #expect(subject.target.host == "example.com" && subject.isDirect)
      #expect(subject.services.map(\.name) == ["authsrv"])
      #expect(subject.services.first?.apps == ["K27TX9P4QD.org.swift.psso"])
    }
  }

  @Test func `a device's record of the service is read`() throws {
    let text = DeviceText(try Self.bytes("device/swcutil-sso.txt"))
    #expect(text.strangers.isEmpty)
    #expect(text.records.map(\.service) == ["authsrv", "applinks"])
    #expect(text.records.first?.state == .failed("denied"))
    #expect(text.records.first?.host == "example.com")
  }

  @Test(arguments: [("wechat-exact.json", 1, "browser: "), ("wechat-right.json", 0, "opens: ")])
  func `WeChat appends a path to the link that an app registers`(
    input: String, code: Int32, outcome: String
  ) throws {
    let link = "https://example.com/app/wx1234567890abcdef/pay/?ret=0"
    let path = Self.corpus.appending(path: input).path
    #expect(Program.run(["match", path, link], output: { _ in }, errors: { _ in }) == code)
    let report = LinkReport(try AppleLinks(Self.document(input)))
    let text = try report.answer(link, explaining: false).text
    #expect(text.hasPrefix("  K27TX9P4QD.org.swift.shop: " + outcome), "\(text)")
  }

  @Test(arguments: [TestSignedMessage.Options(), .withoutAttributes, .streamed])
  func `a signed profile is read`(form: TestSignedMessage.Options) throws {
    let content = try Self.bytes("sso-managed.mobileconfig")
    let signed = TestSignedMessage.der(content, signers: [TestCertificate("signer")], form)
    let file = try AppFile(signed)
    #expect(file.kind == .managed && file.apps.map(\.app) == ["K27TX9P4QD.org.swift.psso"])
    let plain = try AppFile(content)
    #expect(file.apps.map(\.domains) == plain.apps.map(\.domains))
  }

  @Test func `a file with the service differs from one without`() throws {
    let found = DifferenceReport(
      try Self.document("sso-authsrv-and-links.json"), try Self.document("spotlight-image.json"),
      host: nil)
    let lines = found.text.split(separator: "\n")
    #expect(lines.contains { $0.contains("swift.psso") && $0.contains("authsrv") }, "\(lines)")
  }
}

/// What holds for each of Apple's services.
@Suite struct ServiceTableTests {
  private static let app = "K27TX9P4QD.org.swift.shop"
  private static let lists = AppleService.all.filter { $0.form == .apps }.map(\.name)

  private static func file(_ service: String) -> SourceText {
    SourceText(path: "f", bytes: Array(#"{"\#(service)":{"apps":["\#(app)"]}}"#.utf8))
  }

  @Test func `a rule's source is one that exists`() {
    let codes = ["A064", "A070", "A102", "A103", "A121", "A126", "A131", "A133", "A146", "A149"]
    let sources = Kinds.all.filter { codes.contains($0.code) }.map {
      "\($0.code) \($0.source ?? "")"
    }
    let documented = "Apple's documentation says so"
    let silent = "Apple does not document this"
    #expect(
      sources == [
        "A064 \(documented)", "A070 \(silent)", "A102 \(documented)", "A103 \(silent)",
        "A121 \(silent)", "A126 \(silent)", "A131 \(silent)", "A133 \(silent)", "A146 \(silent)",
        "A149 \(documented)",
      ])
  }

  @Test func `there are seven`() {
    #expect(
      Association.serviceNames == [
        "applinks", "webcredentials", "appclips", "activitycontinuation", "authsrv",
        "messagefilter", "classificationreport",
      ])
  }

  @Test(arguments: lists) func `a file with one alone is clean`(service: String) {
    #expect(validate(Self.file(service)).diagnostics == [])
    let broken = SourceText(path: "f", bytes: Array(#"{"\#(service)":{"apps":"a"}}"#.utf8))
    #expect(validate(broken).diagnostics.map(\.code) == ["A141"])
  }

  @Test(arguments: lists) func `losing or gaining its app is a change`(service: String) throws {
    let empty = SourceText(path: "e", bytes: Array("{}".utf8))
    let (with, without) = (
      try #require(AssociationFile(Self.file(service)).document),
      try #require(AssociationFile(empty).document)
    )
    for (old, new, word) in [(with, without, "removed"), (without, with, "new")] {
      let report = DifferenceReport(old, new, host: nil)
      #expect(!report.isSame && report.text.contains(service), "\(word): \(report.text)")
    }
    let merged = try merging(with, without)
    #expect(merged.description.contains(service))
  }

  @Test(arguments: AppleService.all.map(\.name))
  func `an entry of an app names it`(service: String) throws {
    let list = "<string>\(service):example.com</string>"
    let text =
      "<plist><dict><key>application-identifier</key><string>\(Self.app)</string>"
      + "<key>com.apple.developer.associated-domains</key><array>\(list)</array></dict></plist>"
    let found = AssociatedDomains(try AppFile(Array(text.utf8)))
    #expect(found.findings.isEmpty && found.subjects.first?.services.map(\.name) == [service])
    #expect(found.subjects.first?.takesPaths == ["applinks", "appclips"].contains(service))
  }

  @Test(arguments: [
    ("authsvr", "error", "did you mean authsrv?"), ("spotlight-image-search", "note", "iOS 10"),
    ("futureservice", "note", "messagefilter"),
  ])
  func `an unknown service is an error only if it is misspelled`(
    service: String, severity: String, help: String
  ) throws {
    let text =
      "<plist><dict><key>com.apple.developer.associated-domains</key>"
      + "<array><string>\(service):example.com</string></array></dict></plist>"
    let findings = AssociatedDomains(try AppFile(Array(text.utf8))).findings
    #expect(findings.map(\.code) == ["F081"])
    #expect(findings.first?.severity.rawValue == severity)
    #expect(findings.first?.help?.contains(help) == true, "\(findings.first?.help ?? "")")
  }

  @Test(arguments: [
    (#"{"futureservice":{"apps":["K27TX9P4QD.org.swift.shop"]}}"#, ["A021"]),
    (
      #"{"futureservice":{"K27TX9P4QD.org.swift.shop":{}},"applinks":{"details":[]}}"#,
      ["A014", "A021"]
    ),
    (#"{"spotlight-image-search":{"apps":["K27TX9P4QD.org.swift.shop"]}}"#, ["A149"]),
    // What names no app permits nothing, as far as is known here.
    (#"{"futureservice":{"apps":[]}}"#, ["A010", "A021"]), (#"{"x":{}}"#, ["A010", "A021"]),
  ])
  func `a service that is not known is a note`(text: String, codes: [String]) {
    let report = validate(SourceText(path: "f", bytes: Array(text.utf8)))
    #expect(report.diagnostics.map(\.code).sorted() == codes)
    #expect(report.worst == (codes.contains("A010") ? .warning : .note))
  }

  @Test func `a configuration profile has the domains of each app`() throws {
    func configuration(_ app: String, _ entry: String, _ more: String = "") -> String {
      "<dict><key>ApplicationIdentifier</key><string>K27TX9P4QD.\(app)</string>"
        + "<key>AssociatedDomains</key><array><string>\(entry)</string></array>\(more)</dict>"
    }
    func profile(_ type: String) -> [UInt8] {
      let direct = "<key>EnableDirectDownloads</key><true/>"
      let list =
        configuration("a", "authsrv:a.example", direct) + configuration("b", "applinks:b.example")
      return Array(
        ("<plist><dict><key>PayloadContent</key><array><dict><key>PayloadType</key>"
          + "<string>\(type)</string><key>Configuration</key><array>\(list)</array></dict></array>"
          + "</dict></plist>").utf8)
    }
    let file = try AppFile(profile("com.apple.associated-domains"))
    #expect(file.kind == .managed && file.apps.map(\.app) == ["K27TX9P4QD.a", "K27TX9P4QD.b"])
    let subjects = file.apps.flatMap { AssociatedDomains($0).subjects }
    #expect(subjects.map(\.target.host) == ["a.example", "b.example"])
    #expect(subjects.map(\.isDirect) == [true, false])
    #expect(throws: AppFileFault.self) { try AppFile(profile("com.apple.wifi.managed")) }
  }

  @Test(
    arguments: [
      ("authsrv:K27TX9P4QD.a.b", nil), ("K27TX9P4QD.a.b", nil), ("auth:K27TX9P4QD.a.b", "authsrv"),
      ("authsrv:", "authsrv"),
    ] as [(String, String?)])
  func `an expected app may have its service before it`(text: String, fault: String?) {
    let found = Requirements.fault(ofApp: text)
    #expect((found == nil) == (fault == nil) && found?.contains(fault ?? "") != false)
  }
}
