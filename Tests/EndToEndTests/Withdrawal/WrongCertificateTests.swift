import Foundation
import TestRunning
import Testing

@testable import EndToEnd

/// What comes in the place of a served certificate is not always one.
@Suite("withdrawal: wrong certificates", .manyAtOnce, .needs(.openssl))
struct WrongCertificateTests {
  private let workspace: Workspace
  private let authority: TestAuthority

  init() throws {
    workspace = try Workspace()
    authority = try TestAuthority()
    for host in ["a", "b", "c", "d"].map({ "\($0).example" }) {
      try workspace.write("domains/\(host).json", association("A"))
    }
  }

  private func install(_ host: String, _ subject: String) throws {
    try workspace.install(try authority.issue(host, subject: subject), as: host)
  }

  private func serve(_ flags: [String] = [], _ body: (Server) throws -> Void) throws {
    try withServer(
      workspace, https: true, withAdmin + flags, environment: authority.environment, body)
  }

  /// A shell script in the folder of the new pair, `tls.crt` and `tls.key`, and what is reported.
  struct Fault: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let script: String
    let file: String
    let code: String
  }

  static let faults = [
    Fault(
      testDescription: "a request for a certificate",
      script: "openssl req -new -key tls.key -subj /CN=a.example -out tls.crt",
      file: "a.example.crt", code: "[T001]"),
    Fault(
      testDescription: "DER", script: "openssl x509 -in tls.crt -outform der -out tls.der",
      file: "a.example.crt", code: "[T001]"),
    Fault(
      testDescription: "key and chain exchanged",
      script: "mv tls.crt x; mv tls.key tls.crt; mv x tls.key",
      file: "a.example", code: "[T001]"),
    Fault(
      testDescription: "the key of another",
      script: "openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out tls.key",
      file: "a.example.key", code: "[T004]"),
    Fault(
      testDescription: "an encrypted key",
      script: "openssl pkey -in tls.key -aes128 -passout pass:x -out new.key; mv new.key tls.key",
      file: "a.example.key", code: "[T005]"),
    Fault(
      testDescription: "a chain that was cut off", script: "head -c 300 tls.crt >x; mv x tls.crt",
      file: "a.example.crt", code: "[T002]"),
  ]

  @Test(arguments: faults)
  func `the old certificate stays, and the message says what came`(fault: Fault) throws {
    for host in ["a", "b", "c", "d"] { try install("\(host).example", "of \(host)") }
    let next = try authority.issue("a.example", subject: "next")
    try workspace.write("new/tls.crt", next.chain)
    try workspace.write("new/tls.key", next.key, mode: 0o600)
    try workspace.shell("cd new; (\(fault.script)) >../script.txt 2>&1")
    if workspace.exists("new/tls.der") { try workspace.move("new/tls.der", to: "new/tls.crt") }
    try workspace.setMode("new/tls.key", 0o600)
    try serve { server in
      // In the file of the key, too.
      server.allow(stderr: "no private key", "[T003]")
      if fault.code != "[T004]" { server.allow(stderr: "does not match", "[T004]") }
      try server.keepsShowing(["a.example": ["of a, chain of 2"]]) {
        try workspace.move("new/tls.key", to: "certificates/a.example.key")
        try workspace.move("new/tls.crt", to: "certificates/a.example.crt")
        server.expect(stderr: fault.file, "error", "last good version", fault.code)
        try #expect(server.aasa("status").exitCode == 1)
      }
      try install("a.example", "right")
      #expect(eventually { server.shown("a.example") == "right, chain of 2" })
      try #expect(eventually { try server.aasa("status").exitCode == 0 })
    }
  }

  @Test func `lines that end in CR LF are as good as others`() throws {
    for host in ["a", "b", "c", "d"] { try install("\(host).example", "of \(host)") }
    let next = try authority.issue("a.example", subject: "next")
    try serve { server in
      server.allow(stderr: "does not match", "[T004]")
      try server.keepsShowing(["a.example": ["of a, chain of 2", "next, chain of 2"]]) {
        try workspace.write(
          "certificates/a.example.key", next.key.replacing("\n", with: "\r\n"), mode: 0o600)
        try workspace.write("certificates/a.example.crt", next.chain.replacing("\n", with: "\r\n"))
        #expect(eventually { server.shown("a.example") == "next, chain of 2" })
      }
    }
  }

  @Test func `of four certificates, three that are replaced by the fourth at once stay`() throws {
    let hosts = ["a", "b", "c", "d"].map { "\($0).example" }
    for host in hosts { try install(host, "of \(host)") }
    try workspace.shell("cp -pr certificates saved")
    try serve { server in
      let shown = hosts.map { ($0, ["of \($0), chain of 2"]) }
      try server.keepsShowing(Dictionary(uniqueKeysWithValues: shown)) {
        // While a key and its chain are replaced, one of them is another's.
        server.allow(stderr: "does not match", "[T004]")
        try workspace.shell(
          """
          cd certificates
          for host in a b c; do
            cp -p d.example.key $host.example.key; cp -p d.example.crt $host.example.crt
          done
          """)
        for host in hosts.dropLast() {
          server.expect(stderr: "\(host).crt", "error", "does not cover \(host)", "[T038]")
        }
        try #expect(server.aasa("status").exitCode == 1)
        try #expect(eventually { try server.holds().count == 3 })
        try workspace.shell("cp -p saved/* certificates")
        try #expect(eventually { try server.aasa("status").exitCode == 0 })
      }
      try install("b.example", "next")
      #expect(eventually { server.shown("b.example") == "next, chain of 2" })
    }
  }

  @Test(arguments: ["auto", "poll"])
  func `a folder that is swapped as a whole, by a link, is taken as a whole`(watch: String) throws {
    let hosts = ["a", "b", "c", "d"].map { "\($0).example" }
    for version in ["first", "second", "third"] {
      for host in hosts {
        let certificate = try authority.issue(host, subject: "\(version) \(host)")
        try workspace.write("\(version)/\(host).key", certificate.key, mode: 0o600)
        try workspace.write("\(version)/\(host).crt", certificate.chain)
      }
    }
    try workspace.link("live", to: "first")
    try serve(["--certificates", workspace.path("live"), "--watch", watch]) { server in
      let versions = ["first", "second", "third"]
      let shown = hosts.map { host in (host, versions.map { "\($0) \(host), chain of 2" }) }
      try server.keepsShowing(Dictionary(uniqueKeysWithValues: shown)) {
        for version in versions.dropFirst() {
          try workspace.link("next", to: version)
          try workspace.move("next", to: "live")
          for host in hosts {
            #expect(eventually { server.shown(host) == "\(version) \(host), chain of 2" })
          }
        }
        try #expect(server.aasa("status").exitCode == 0)
      }
    }
  }
}
