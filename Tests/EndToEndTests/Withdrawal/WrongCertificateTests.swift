import Foundation
import TestRunning
import Testing

@testable import EndToEnd

/// What comes in the place of a served certificate is not always one.
@Suite("withdrawal: wrong certificates", .manyAtOnce, .needs(.openssl))
struct WrongCertificateTests {
  private static let hosts = ["a", "b", "c", "d"].map { "\($0).example" }
  private let workspace: Workspace
  private let authority: TestAuthority

  init() throws {
    workspace = try Workspace()
    authority = try TestAuthority()
    for host in Self.hosts { try workspace.write("domains/\(host).json", association("A")) }
  }

  private func install(_ host: String, _ subject: String) throws {
    try workspace.install(try authority.issue(host, subject: subject), as: host)
  }

  private func installAll() throws { for host in Self.hosts { try install(host, "of \(host)") } }

  private func serve(_ flags: [String] = [], _ body: (Server) throws -> Void) throws {
    try withServer(
      workspace, https: true, withAdmin + flags, environment: authority.environment, body)
  }

  /// A shell script in the folder of the new pair, `tls.crt` and `tls.key`; the file that is
  /// reported, and how.
  static let faults = [
    // a request for a certificate
    ("openssl req -new -key tls.key -subj /CN=a.example -out tls.crt", ".crt", "[T001]"),
    // the key of another
    (
      "openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out tls.key", ".key",
      "[T004]"
    ),
  ]

  @Test(arguments: faults)
  func `the old certificate stays, and the message says what came`(
    script: String, file: String, code: String
  ) throws {
    try installAll()
    let next = try authority.issue("a.example", subject: "next")
    try workspace.write("new/tls.crt", next.chain)
    try workspace.write("new/tls.key", next.key, mode: 0o600)
    try workspace.shell("cd new; (\(script)) >../script.txt 2>&1")
    try workspace.setMode("new/tls.key", 0o600)
    try serve { server in
      // In the file of the key, too.
      server.allow(stderr: "no private key", "[T003]")
      if code != "[T004]" { server.allow(stderr: "does not match", "[T004]") }
      try server.keepsShowing(["a.example": ["of a.example, chain of 2"]]) {
        try workspace.move("new/tls.key", to: "certificates/a.example.key")
        try workspace.move("new/tls.crt", to: "certificates/a.example.crt")
        server.expect(stderr: "a.example" + file, "error", "last good version", code)
        try #expect(server.aasa("status").exitCode == 1)
      }
      // On a slow machine the right key is there long before the right chain.
      server.allow(stderr: "a.example", "error", code)
      try install("a.example", "right")
      #expect(eventually { server.shown("a.example") == "right, chain of 2" })
      try server.expectStatus(0)
    }
  }

  /// What each host may show.
  private static func shown(_ subjects: (_ host: String) -> [String]) -> [String: [String]] {
    Dictionary(
      uniqueKeysWithValues: hosts.map { host in (host, subjects(host).map { "\($0), chain of 2" }) }
    )
  }

  @Test(arguments: ["auto", "poll"])
  func `a folder that is swapped as a whole, by a link, is taken as a whole`(watch: String) throws {
    let versions = ["first", "second", "third"]
    for version in versions {
      for host in Self.hosts {
        let certificate = try authority.issue(host, subject: "\(version) \(host)")
        try workspace.write("\(version)/\(host).key", certificate.key, mode: 0o600)
        try workspace.write("\(version)/\(host).crt", certificate.chain)
      }
    }
    try workspace.link("live", to: "first")
    try serve(["--certificates", workspace.path("live"), "--watch", watch]) { server in
      let shown = Self.shown { host in versions.map { "\($0) \(host)" } }
      try server.keepsShowing(shown) {
        for version in versions.dropFirst() {
          try workspace.link("next", to: version)
          try workspace.move("next", to: "live")
          for host in Self.hosts {
            #expect(eventually { server.shown(host) == "\(version) \(host), chain of 2" })
          }
        }
        try server.expectStatus(0)
      }
    }
  }
}
