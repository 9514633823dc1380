import Foundation
import TestRunning
import Testing

@testable import EndToEnd

/// `aasa validate` on signed files.
@Suite(.manyAtOnce, .needs(.openssl)) struct SignedValidationTests {
  private let workspace: Workspace
  private let authority: TestAuthority

  init() throws {
    workspace = try Workspace()
    authority = try TestAuthority()
    try workspace.write("site.json", shopFile(components: #"[{"/":"/buy/*"}]"#))
    try workspace.write("root.pem", authority.root.certificate)
  }

  /// Signs `site.json` as `signed`.
  private func sign(by certificate: TestCertificate, withChain: Bool = true) throws {
    try workspace.write("site.crt", withChain ? certificate.chain : certificate.certificate)
    try workspace.write("site.key", certificate.key)
    let signed = try workspace.aasa(
      "sign", "site.json", "--certificate", "site.crt", "--key", "site.key", "-o", "signed",
      "--force")
    try #require(signed.exitCode == 0, "\(signed.errors)")
  }

  /// The reported codes with their severities.
  private func codes(_ flags: [String], of name: String = "signed") throws -> (Int32, [String]) {
    let run = try workspace.aasa(["validate", name, "--format", "json"] + flags)
    #expect(run.errors.isEmpty)
    let report = try JSONDecoder().decode(Report.self, from: Data(run.output))
    return (run.exitCode, report.diagnostics.map { "\($0.severity) \($0.code)" })
  }

  private struct Report: Decodable {
    struct Diagnostic: Decodable {
      let severity: String
      let code: String
    }

    let diagnostics: [Diagnostic]
  }

  private static let trust = ["--trust", "root.pem"]

  @Test func `a signature that leads to a trusted root is good`() throws {
    try sign(by: authority.issue("example.com", kind: .rsa))
    let (code, report) = try codes(Self.trust)
    #expect(code == 0 && report == ["note A190"])
    try workspace.aasa(["validate", "signed", "--strict"] + Self.trust).says(
      #"signed by "example.com", valid until 20"#, "iOS 9 and later need no signature", exit: 0)
  }

  @Test func `one that leads nowhere is untrusted`() throws {
    try sign(by: authority.issue("example.com"))
    // The system does not know the root.
    var (code, report) = try codes([])
    #expect(code == 0 && report == ["warning A191"])
    try #expect(codes(["--strict"]).0 == 1)
    // Another root; and the intermediate is missing.
    try workspace.write("other.pem", TestAuthority().root.certificate)
    (code, report) = try codes(["--trust", "other.pem"])
    #expect(code == 0 && report == ["warning A191"])
    try sign(by: authority.issue("example.com"), withChain: false)
    (code, report) = try codes(Self.trust)
    #expect(code == 0 && report == ["warning A191"])
  }

  @Test(arguments: [-9 ... -2, 2...9])
  func `one outside its validity is reported as such`(validity: ClosedRange<Int>) throws {
    try sign(by: authority.issue("example.com", validity: validity))
    let (code, report) = try codes(Self.trust)
    #expect(code == 0 && report == ["warning A192"])
    try #expect(codes(Self.trust + ["--strict"]).0 == 1)
  }

  @Test func `altered content is an error`() throws {
    try sign(by: authority.issue("example.com"))
    var bytes = Array(try Data(contentsOf: URL(fileURLWithPath: workspace.path("signed"))))
    let place = try #require(bytes.firstRange(of: Array("/buy/".utf8)))
    bytes[place.lowerBound + 1] = UInt8(ascii: "g")
    try workspace.write("altered", bytes)
    let (code, report) = try codes(Self.trust, of: "altered")
    #expect(code == 1 && report == ["error A193"])
  }

  @Test func `one whose content is elsewhere or broken is an error`() throws {
    try sign(by: authority.issue("example.com"))
    let openssl = try #require(Tool.openssl.path)
    let detached = try run(
      openssl,
      [
        "cms", "-sign", "-binary", "-in", "site.json", "-signer", "site.crt", "-inkey",
        "site.key", "-outform", "DER", "-out", "detached",
      ], folder: workspace.root)
    try #require(detached.exitCode == 0)
    var (code, report) = try codes(Self.trust, of: "detached")
    #expect(code == 1 && report == ["error A194"])
    // The same length, and nothing in it can be read.
    var bytes = Array(try Data(contentsOf: URL(fileURLWithPath: workspace.path("signed"))))
    for index in 20..<80 { bytes[index] = 0xFF }
    try workspace.write("broken", bytes)
    (code, report) = try codes(Self.trust, of: "broken")
    #expect(code == 1 && report == ["error A194"])
  }

  @Test func `the rules read the content`() throws {
    try workspace.write(
      "site.json", shopFile(components: #"[{"/":"/buy/*"},{"/":"/buy/a","exclude":true}]"#))
    try sign(by: authority.issue("example.com"))
    let (_, report) = try codes(Self.trust)
    #expect(report.first == "note A190" && report.count > 1, "\(report)")
    let plain = try codes([], of: "site.json").1
    #expect(Array(report.dropFirst()) == plain)
  }

  @Test func `the system's roots are loaded only when a signature needs them`() throws {
    try sign(by: authority.issue("example.com"))
    guard mkfifo(workspace.path("roots"), 0o600) == 0 else { throw Failure("no pipe") }
    func validate(_ name: String) throws -> Finished {
      try run(
        Server.program, ["validate", name, "--format", "json"],
        environment: ["SSL_CERT_FILE": workspace.path("roots")], folder: workspace.root)
    }
    // Nobody writes into the pipe, so who reads it waits.
    try validate("site.json").says(exit: 0, errors: .nothing)
    let writer = try ChildProcess(
      "/bin/sh", ["-c", "exec cat root.pem > roots"], folder: workspace.root)
    let signed = try validate("signed")
    try #expect(writer.waitForExit() == 0)
    signed.says(#""code":"A190""#, exit: 0)
  }

  @Test func `a store of roots that cannot be read is 2`() throws {
    try sign(by: authority.issue("example.com"))
    for (store, words) in [("absent.pem", "cannot read absent.pem"), ("site.json", "site.json")] {
      try workspace.aasa("validate", "signed", "--trust", store)
        .says(.nothing, exit: 2, errors: .part(words))
    }
  }
}
