import Foundation
import ScriptedServer
import TestRunning
import Testing

@testable import EndToEnd

/// `aasa check`: each finding with the whole report that a person reads.
@Suite(.manyAtOnce) struct CheckTests {
  private let workspace = Result { try Workspace() }
  private static let good = shopFile(components: #"[{"/":"/buy/*"}]"#)
  private static let wellKnown = associationPaths[0]

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
      server.allow(stderr: "the chain is incomplete")
      let arguments = ["--origin", "127.0.0.1:\(server.https)", "--ca", authority.rootFile]
      let text = try report("example.com", arguments, port: server.https, exitCode: 0)
      #expect(
        text == """
          example.com: the association file is served as Apple asks
          skipped: Apple's CDN, port 80, www, assetlinks.json, passkeys (an address was given)

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

  @Test func `a redirect, with its kind`() throws {
    let text = try plainReport { _ in [.redirect(to: "https://www.example.com/x")] }
    #expect(
      text == """
        127.0.0.1: universal links will not work: the file redirects to https://www.example.com/x \
        (to another host)

        error: the file redirects to https://www.example.com/x (to another host) [F030]
          > GET /.well-known/apple-app-site-association HTTP/1.1
          > Host: 127.0.0.1:PORT
          < HTTP/1.1 301 Moved Permanently
          < content-length: 18
          < content-type: text/html
          < location: https://www.example.com/x
          help: serve the file itself at both paths, and exempt them from the redirect rule: \
        Apple follows no redirect
          source: Apple asks for the file without redirects (grade D)

        fine: connected to 127.0.0.1:PORT

        """)
  }

  @Test func `a page instead of the file`() throws {
    let text = try plainReport { _ in
      [.answer(type: "text/html", "\n<!DOCTYPE html><title>\u{1B}[31mShop</title>")]
    }
    #expect(
      text.hasPrefix(
        #"""
        127.0.0.1: universal links will not work: a web page is served instead of the file: it \#
        begins with "<!DOCTYPE html><title>\x1b[31mShop</title>"

        error: a web page is served instead of the file: it begins with \#
        "<!DOCTYPE html><title>\x1b[31mShop</title>" [F041]
          > GET /.well-known/apple-app-site-association HTTP/1.1

        """#), "\(text)")
  }

  struct Row: CustomTestStringConvertible, Sendable {
    let code: String
    let script: ScriptedServer.Script
    var exitCode: Int32 = 1
    /// The verdict after the host.
    let verdict: String
    /// Where several rows have one code.
    var more = ""
    var testDescription: String { code + more }
  }

  private static let broken = "universal links will not work: "
  private static let served = "the association file is served as Apple asks"

  static let rows = [
    Row(
      code: "F021", script: { _ in [.text("SSH-2.0-x\r\n")] },
      verdict: broken + #"the answer is not HTTP: it begins with "SSH-2.0-x\r\n""#),
    Row(
      code: "F021",
      script: { _ in [.text("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}")] },
      verdict: broken + "the connection ended after 2 bytes of chunked content, before its end",
      more: "-cut-off"),
    Row(
      code: "F022", script: { _ in [.answer(fields: ["Content-Encoding: gzip"], "{}")] },
      verdict: broken + "the content is labelled gzip but is not"),
    Row(
      code: "F026", script: { _ in [.answer("400 Bad Request", "No required SSL certificate")] },
      verdict: broken + "the server demands a client certificate (400)"),
    Row(
      code: "F031", script: { _ in [.answer("404 Not Found", "no")] },
      verdict: broken + "there is no file, neither in /.well-known nor at the root (404)"),
    Row(
      code: "F032", script: { _ in [.answer("403 Forbidden", "no")] },
      verdict: broken + "access to the file is refused (403)"),
    Row(
      code: "F033", script: { _ in [.answer("502 Bad Gateway", "no")] },
      verdict: broken + "the server fails (502)"),
    Row(
      code: "F034", script: { _ in [.answer("204 No Content", "")] },
      verdict: broken + "the answer has status 204 instead of 200"),
    Row(
      code: "F042", script: { _ in [.answer("200 OK", "")] },
      verdict: broken + "the answer is empty"),
    Row(
      code: "F023",
      script: { _ in
        [.text("HTTP/1.1 200 OK\nContent-Type: application/json\n\n" + good)]
      }, exitCode: 0, verdict: served + ", with 2 warnings"),
    Row(
      code: "F035",
      script: { request in
        path(of: request) == wellKnown ? [.answer("404 Not Found", "no")] : [.answer(good)]
      }, exitCode: 0, verdict: served + ", with 2 warnings"),
    Row(
      code: "F036",
      script: { request in
        path(of: request) == wellKnown ? [.answer(good)] : [.answer("404 Not Found", "no")]
      }, exitCode: 0, verdict: served + ", with 1 warning"),
    Row(
      code: "F037",
      script: { request in
        [.answer(path(of: request) == wellKnown ? good : shopFile(components: "[]"))]
      }, exitCode: 0, verdict: served + ", with 2 warnings"),
    Row(
      code: "F040", script: { _ in [.answer(type: "application/octet-stream", good)] }, exitCode: 0,
      verdict: served + ", with 2 warnings"),
    Row(
      code: "F050",
      script: { request in
        request.contains("AASA-Bot") ? [.answer("403 Forbidden", "no")] : [.answer(good)]
      },
      verdict: broken
        + "Apple's robot gets status 403, while a device and a browser get the file: a firewall "
        + "or bot protection treats them differently\n"),
    Row(
      code: "F051",
      script: { request in
        request.contains("swcd") ? [.answer("403 Forbidden", "no")] : [.answer(good)]
      },
      verdict: "devices in developer mode do not get the file: a device gets status 403, Apple's "
        + "robot the file\n"),
    Row(
      code: "F052",
      script: { request in
        [.answer(request.contains("Mozilla") ? shopFile(components: "[]") : good)]
      }, exitCode: 0, verdict: served + ", with 1 warning"),
    Row(
      code: "J0", script: { _ in [.answer("{,}")] },
      verdict: broken + "the file is not valid JSON: there is nothing before this comma\n"),
    Row(
      code: "F032",
      script: { _ in
        [
          .answer(
            "403 Forbidden", type: "text/html", fields: ["Cf-Mitigated: challenge"],
            "<title>Just a moment...</title>")
        ]
      },
      verdict: broken + "bot protection refuses access to the file (403)", more: "-challenge"),
  ]

  @Test(arguments: rows) func `each finding has its code and verdict`(_ row: Row) throws {
    let text = try plainReport(exitCode: row.exitCode, script: row.script)
    #expect(text.hasPrefix("127.0.0.1: " + row.verdict), "\(text)")
    #expect(text.contains(" [\(row.code)"), "\(text)")
    try expectKept(text, as: row.code + row.more)
  }

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

  @Test func `an answer that takes its time`() throws {
    // At least five milliseconds for each byte.
    let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 800\r\n\r\n"
    let slow = Array((head + association(ofBytes: 800)).utf8)
    let text = try plainReport("--timeout", "120s", exitCode: 0) { request in
      request.contains("AASA-Bot") && path(of: request) == Self.wellKnown
        ? [.drip(slow)] : [.bytes(slow)]
    }
    #expect(text.contains("[F024]"), "\(text)")
    try expectKept(text.replacing(/took \d+\.\d s/, with: "took N s"), as: "F024")
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

  /// The report on a good server, and a CDN that answers so.
  private func cdnReport(
    exitCode: Int32, at location: SourceLocation = #_sourceLocation,
    script: @escaping ScriptedServer.Script
  ) throws -> String {
    let cdn = try ScriptedServer { request in
      path(of: request) == "/a/v1/127.0.0.1" ? script(request) : []
    }
    let file = Self.good
    return try plainReport("--cdn", cdn.url + "/a/v1", exitCode: exitCode, at: location) { _ in
      [.answer(file)]
    }
  }

  @Test func `the copy of Apple's CDN`() throws {
    let file = Self.good
    let same = try cdnReport(exitCode: 0) { _ in [.answer(" " + file)] }
    #expect(same.contains(", Apple's CDN has the same\n"), "\(same)")

    let older = shopFile(components: #"[{"/":"/old"}]"#)
    let other = try cdnReport(exitCode: 0) { _ in
      [.answer(fields: ["Cache-Control: max-age=21600", "Age: 20000"], older)]
    }
    #expect(
      other.contains("warning: Apple's CDN has a different version of the file than the server"))
    #expect(other.contains("help: wait: it keeps its copy for at most 26 minutes"), "\(other)")
    #expect(other.contains("/old"), "\(other)")
    try expectKept(
      other.replacing(/:\d+\/a\/v1/, with: ":CDN/a/v1").replacing(
        /Host: 127.0.0.1:\d+/, with: "Host: CDN"), as: "F062")

    let failed = try cdnReport(exitCode: 1) { _ in
      [
        .answer(
          "404 Not Found", type: nil,
          fields: [
            "Apple-Failure-Reason: SWCERR00301 Timeout\u{1B}[31m",
            "Apple-From: https://example.com/.well-known/apple-app-site-association",
          ], "")
      ]
    }
    #expect(
      failed.hasPrefix(
        "127.0.0.1: universal links will not work: Apple's CDN has no file, because of "
          + #"SWCERR00301 Timeout\x1b[31m"#), "\(failed)")
    #expect(failed.contains("< apple-from: https://example.com/"))
    #expect(failed.contains("help: the CDN's request timed out: "))
    try expectKept(failed.replacing(/Host: 127.0.0.1:\d+/, with: "Host: CDN"), as: "F061")

    let silent = try cdnReport(exitCode: 0) { _ in [] }
    #expect(silent.contains("note: Apple's CDN could not be queried: the server closed"))
    try expectKept(silent, as: "F060")
  }
}
