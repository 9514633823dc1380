import Foundation
import TestRunning
import Testing

@testable import EndToEnd

/// Foreign tools' checks of the TLS port. Each test skips if its tool is not installed.
@Suite("trust: tools for TLS", .stress, .needs(.openssl)) struct ToolTests {
  private static func find(_ names: String...) -> String? {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    return folders.flatMap { folder in names.map { "\(folder)/\($0)" } }
      .first { access($0, X_OK) == 0 }
  }

  private static let testssl = find("testssl", "testssl.sh")
  /// A launcher may be there for a tool that is not.
  private static let sslyze = find("sslyze").flatMap { path in
    (try? run(path, ["--help"]).exitCode) == 0 ? path : nil
  }

  private func serving(_ body: (Server, TestAuthority) throws -> Void) throws {
    let workspace = try Workspace()
    let authority = try TestAuthority()
    try workspace.write("domains/localhost.json", association())
    try workspace.install(try authority.issue("localhost", "127.0.0.1"), as: "localhost")
    try withServer(workspace, https: true, environment: authority.environment) { server in
      try body(server, authority)
    }
  }

  /// Findings about the tests' certificate, which is in no log and cannot be revoked.
  private static let aboutCertificates = ["cert_", "OCSP", "DNS_CAA"]

  @Test(.enabled(if: Self.testssl != nil, "testssl.sh is not installed"))
  func `testssl-sh finds nothing above info, but for the certificate`() throws {
    try serving { server, authority in
      let report = server.workspace.path("report.json")
      let tool = try ChildProcess(
        try #require(Self.testssl),
        [
          "--quiet", "--warnings", "off", "--color", "0", "--nodns", "min", "--protocols", "--std",
          "--server-preference", "--server-defaults", "--fs", "--vulnerable", "--jsonfile", report,
          "--add-ca",
          authority.rootFile, "localhost:\(server.https)",
        ])
      // It asks thousands of questions.
      _ = try tool.waitForExit(within: .seconds(600))
      let data = try Data(contentsOf: URL(fileURLWithPath: report))
      let findings = try #require(JSONSerialization.jsonObject(with: data) as? [[String: String]])
      #expect(findings.count > 30, "\(String(decoding: tool.now.output, as: UTF8.self))")
      for finding in findings {
        let name = finding["id"] ?? ""
        // WARN: something that the tool could not find out.
        guard let severity = finding["severity"],
          !["OK", "INFO", "DEBUG", "WARN"].contains(severity)
        else { continue }
        #expect(Self.aboutCertificates.contains { name.hasPrefix($0) }, "\(finding)")
      }
      try #expect(server.get(host: "localhost").status == 200)
    }
  }

  @Test(.enabled(if: Self.sslyze != nil, "sslyze is not installed"))
  func `sslyze finds it as Mozilla's intermediate configuration wants it`() throws {
    try serving { server, _ in
      let finished = try run(
        try #require(Self.sslyze), ["--mozilla_config=intermediate", "localhost:\(server.https)"])
      let text = finished.text
      let judgement = try #require(text.range(of: "COMPLIANCE AGAINST"))
      let faults = text[judgement.upperBound...].split(separator: "\n")
        .filter { $0.trimmingCharacters(in: .whitespaces).hasPrefix("*") }
      // The root is the test's own.
      #expect(faults.allSatisfy { $0.contains("certificate_path_validation") }, "\(text)")
      #expect(text.components(separatedBy: "OK - Not vulnerable").count > 4, "\(text)")
    }
  }
}
