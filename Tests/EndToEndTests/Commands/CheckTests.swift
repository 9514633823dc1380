import Foundation
import ScriptedServer
import TestRunning
import Testing

@testable import EndToEnd

/// `aasa check`: each finding with the whole report that a person reads.
@Suite(.manyAtOnce) struct CheckTests {
  private let workspace = Result { try Workspace() }
  private static let good = shopFile(components: #"[{"/":"/buy/*"}]"#)

  /// A report with the parts that differ from run to run made equal.
  private func report(
    _ host: String, _ arguments: [String] = [], port: Int, exitCode: Int32 = 1,
    at location: SourceLocation = #_sourceLocation
  ) throws -> String {
    let run = try workspace.get().aasa(["check", host] + arguments)
      .says(exit: exitCode, errors: .nothing, at: location)
    return run.text.replacingOccurrences(of: ":\(port)", with: ":PORT")
      .replacing(/until \d{4}-\d\d-\d\d/, with: "until DAY")
      .replacing(/on \d{4}-\d\d-\d\d/, with: "on DAY")
      .replacing(/in \d+ days/, with: "in N days")
      .replacing(/for \d+ more days/, with: "for N more days")
  }

  /// The report on a scripted server without TLS, without the finding about that.
  private func plainReport(
    _ arguments: String..., exitCode: Int32 = 1, at location: SourceLocation = #_sourceLocation,
    script: @escaping ScriptedServer.Script
  ) throws -> String {
    let server = try ScriptedServer(script: script)
    let text = try report(
      server.url, arguments, port: Int(server.port), exitCode: exitCode, at: location)
    return text.replacingOccurrences(
      of: """
        warning: the file was fetched by plain HTTP, as requested [F009]
          help: devices and Apple's CDN use HTTPS only: check https:// too
          source: Apple asks for HTTPS with a publicly trusted certificate (grade D)


        """, with: "")
  }

  /// The report on a server with this identity, asked for example.com.
  private func secureReport(
    _ authority: TestAuthority, _ identity: TestCertificate, exitCode: Int32 = 1,
    trusting root: String? = nil, at location: SourceLocation = #_sourceLocation
  ) throws -> String {
    let file = Self.good
    let pem = Array((identity.chain + identity.key).utf8)
    let server = try ScriptedServer(identity: pem) { _ in [.answer(file)] }
    return try report(
      "example.com",
      ["--origin", "127.0.0.1:\(server.port)", "--ca", root ?? authority.rootFile],
      port: Int(server.port), exitCode: exitCode, at: location)
  }

  @Test(.needs(.openssl)) func `aasa serve is all right`() throws {
    let authority = try TestAuthority()
    let workspace = try workspace.get()
    try workspace.write("domains/example.com.json", Self.good)
    try workspace.install(authority.issue("example.com"), as: "example.com")
    try withServer(workspace, https: true) { server in
      // A root of the tests is not one of the system's.
      server.allow(stderr: "is neither in the file nor a root")
      let arguments = ["--origin", "127.0.0.1:\(server.https)", "--ca", authority.rootFile]
      let text = try report("example.com", arguments, port: server.https, exitCode: 0)
      #expect(
        text == """
          example.com: the association file is served as Apple asks; Apple's CDN was not asked (an \
          address was given)
          skipped: port 80, www, assetlinks.json, passkeys

          fine: connected to 127.0.0.1:PORT, TLSv1.3 with a certificate by "Test Intermediate" for \
          N more days, status 200 with 97 bytes of application/json, the same at both paths, \
          the same for Apple's robot, devices and browsers, cache-control public, max-age=3600

          """)
      let json = try workspace.aasa(["check", "example.com", "--json"] + arguments)
      let object = try JSONSerialization.jsonObject(with: Data(json.output)) as? [String: Any]
      #expect(object?["good"] as? Bool == true && object?["tls"] as? String == "TLSv1.3")
      #expect((object?["exchanges"] as? [Any])?.count == 4)
      #expect((object?["findings"] as? [Any])?.isEmpty == true)
    }
  }

  private static let served = "the association file is served as Apple asks"

  @Test func `a server that says nothing in time`() throws {
    let text = try plainReport("--timeout", "1500ms") { _ in [.stall] }
    #expect(
      text.hasPrefix(
        "127.0.0.1: universal links will not work: timed out while the answer was received, after 1500 ms\n"
      ),
      "\(text)")
    #expect(text.contains("[F020]"))
    try expectKept(text, as: "F020")
  }

  @Test func `failures before there is an answer`() throws {
    let server = try ScriptedServer { _ in [.text("HTTP/1.1 400 Bad Request\r\n\r\n")] }
    let origin = ["--origin", "127.0.0.1:\(server.port)"]
    let plain = try report("example.com", origin, port: Int(server.port))
    #expect(
      plain == """
        example.com: universal links will not work: the server does not speak TLS on this port
        skipped: Apple's CDN (an address was given)

        error: the server does not speak TLS on this port [F010]
          help: serve HTTPS on port 443; often a plain HTTP port is forwarded to 443
          source: Apple asks for HTTPS with a publicly trusted certificate (grade D)

        fine: connected to 127.0.0.1:PORT

        """)
    let unknown = try workspace.get().aasa(
      "check", "none.invalid", "--timeout", "30s", "--cdn", "none")
    #expect(  // Where no resolver answers, nothing is known of the name.
      unknown.exitCode == 1 && unknown.text.contains("[F001]")
        || unknown.exitCode == 4 && unknown.text.contains("[F008]"), "\(unknown.text)")
  }

  @Test(.needs(.openssl)) func `faults of certificates`() throws {
    let authority = try TestAuthority()
    let wrong = try secureReport(authority, authority.issue("www.example.com"))
    #expect(
      wrong == """
        example.com: universal links will not work: the certificate is not for example.com but for \
        www.example.com
        skipped: Apple's CDN, port 80, www, assetlinks.json, passkeys (an address was given)

        error: the certificate is not for example.com but for www.example.com [F012]
          certificate 1: "www.example.com", issued by "Test Intermediate", until DAY
          certificate 2: "Test Intermediate", issued by "Test Root", until DAY
          help: request one that has this host as subjectAltName; often it is the server's \
        default certificate because no other has the name
          source: Apple asks for HTTPS with a publicly trusted certificate (grade D)

        fine: connected to 127.0.0.1:PORT, status 200 with 97 bytes of application/json, the same \
        at both paths, the same for Apple's robot, devices and browsers

        """)
    var alone = try authority.issue("example.com")
    alone.intermediates = []
    let incomplete = try secureReport(authority, alone)
    #expect(incomplete.contains("[F016]"))
    try expectKept(incomplete, as: "F016")
    let expired = try secureReport(authority, authority.issue("example.com", validity: -9 ... -2))
    #expect(
      expired.hasPrefix(
        "example.com: universal links will not work: the certificate \"example.com\" expired on DAY\n"
      ))
    #expect(expired.contains("[F013]"))
    try expectKept(expired, as: "F013")
    let early = try secureReport(authority, authority.issue("example.com", validity: 2...9))
    #expect(early.contains("[F014]"))
    try expectKept(early.replacing(/before \d{4}-\d\d-\d\d/, with: "before DAY"), as: "F014")
    let soon = try secureReport(
      authority, authority.issue("example.com", validity: -9...9), exitCode: 0)
    #expect(soon.contains("warning: the certificate expires in N days, on DAY [F019]"), "\(soon)")
    try expectKept(soon, as: "F019")
    let own = try makeCertificate(names: ["example.com"])
    let ownReport = try secureReport(authority, own)
    #expect(ownReport.contains("[F015]"))
    try expectKept(ownReport, as: "F015")
    let other = try TestAuthority()
    let unknown = try secureReport(
      authority, authority.issue("example.com"), trusting: other.rootFile)
    #expect(unknown.contains("[F017]"))
    try expectKept(unknown, as: "F017")
  }

  @Test func `several domains have a report each, and wrong usage none`() throws {
    let file = Self.good
    let server = try ScriptedServer { _ in [.answer(file)] }
    let other = try ScriptedServer { _ in [.answer(file)] }
    // The same one twice is one.
    let run = try workspace.get().aasa("check", server.url, other.url, server.url + "/")
      .says(exit: 0)
    #expect(run.text.components(separatedBy: Self.served).count == 3)
    for arguments in [[], ["ftp://a.example"], ["a.example/b"], ["a..b"]] {
      try workspace.get().aasa(["check"] + arguments)
        .says(.nothing, exit: 2, errors: .something)
    }
  }

}
