import Foundation
import TestRunning
import Testing

@testable import EndToEnd

/// A folder that is mounted, unmounted, or mounted over, which the kernel does not report.
@Suite("withdrawal: mounts", .manyAtOnce, .needsMounts) struct MountTests {
  private static let hosts = ["a.example", "b.example"]
  private let workspace: Workspace

  init() throws {
    workspace = try Workspace()
    for host in Self.hosts {
      try workspace.write("src/\(host).json", association("A"))
      try workspace.write("other/\(host).json", association("B"))
    }
  }

  private func serve(
    _ script: String, https: Bool = false, environment: [String: String] = [:],
    watch: String = "auto", _ body: (Server) throws -> Void
  ) throws {
    try workspace.write("server.json", "{}")
    try workspace.handOver()
    let environment = environment.merging(withdrawing(after: "300ms")) { $1 }
    try withServer(
      workspace, https: https, workspace.withState + ["--watch", watch], environment: environment,
      through: MountNamespace.runner("cd \(workspace.root); \(script)"), body)
  }

  @Test(arguments: ["auto", "poll"])
  func `a domains folder that is unmounted withdraws nothing`(watch: String) throws {
    let script = "mount -t tmpfs none domains; cp -r src/. domains; chmod 755 domains"
    try serve(script, watch: watch) { server in
      try server.keepsServing(Self.hosts, only: [association("A")]) {
        try server.amongMounts("umount -l \(workspace.domains)")
        try server.expectWithheld(WithheldReason.otherDevice + WithheldReason.empty)
        goOn(for: .seconds(1))
        #expect(server.unexpectedLines == [], "it is reported once")
      }
      // Mounted again, it is served, and its changes are seen.
      try server.amongMounts(
        """
        cd \(workspace.root)
        mount -t tmpfs none domains; cp -r other/. domains; chmod 755 domains
        """)
      // Another mount is another device: that may be asked about once more.
      server.allow(stderr: "domains", "error")
      let isServed = try eventually {
        // A hold may end, or grow, after its ID was read.
        server.allow(stderr: "no hold has the ID", "[H045]")
        _ = try server.aasa("confirm", "--all")
        return try Self.hosts.allSatisfy { try server.served($0) == association("B") }
      }
      #expect(isServed)
      try server.expectBelieved()
      try server.amongMounts("cp \(workspace.path("src"))/a.example.json \(workspace.domains)/")
      try server.expectServed("a.example", association("A"))
    }
  }

  @Test(arguments: ["auto", "poll"])
  func `another device that is mounted over the domains folder is withheld until that is confirmed`(
    watch: String
  ) throws {
    try serve("cp -r src/. domains", watch: watch) { server in
      try server.keepsServing(Self.hosts, only: [association("A")]) {
        try server.amongMounts(
          """
          cd \(workspace.root)
          mount -t tmpfs none domains; cp other/a.example.json domains; chmod 755 domains
          """)
        try server.expectWithheld(WithheldReason.otherDevice, within: .seconds(30))
        goOn(for: .seconds(1))
      }
      try server.confirmLoss()
      try server.expectServed("a.example", association("B"))
      try server.expectServed("b.example", "404")
      server.expect(stderr: "warning", "removed: b.example")
      try server.expectBelieved()
    }
  }

  @Test(arguments: ["auto", "poll"])
  func `a folder of the same device that is bound over it is served without a signal`(
    watch: String
  ) throws {
    try serve("cp -r src/. domains", watch: watch) { server in
      let marks = [association("A"), association("B")]
      try server.keepsServing(Self.hosts, only: marks) {
        try server.amongMounts("cd \(workspace.root); mount --bind other domains")
        for host in Self.hosts { try server.expectServed(host, association("B")) }
        // A file that is written there is seen.
        try workspace.write("other/a.example.json", association("A"))
        try server.expectServed("a.example", association("A"))
      }
    }
  }

  @Test func `a mount that a link leads into is unmounted, and its entry stays`() throws {
    let script = """
      cp src/b.example.json domains; mkdir -p data
      mount -t tmpfs none data; cp src/a.example.json data; chmod 755 data
      ln -s ../data/a.example.json domains/a.example.json
      """
    try serve(script) { server in
      try server.keepsServing(Self.hosts, only: [association("A")]) {
        try server.amongMounts("umount -l \(workspace.path("data"))")
        // The link leads nowhere now, which proves nothing.
        server.expect(stderr: "a.example.json", "error", workspace.root)
        goOn(for: .seconds(1))
      }
    }
  }

  @Test func `a file that is mounted by itself is reported at the start`() throws {
    let script = """
      cp -r src/. domains; mount --bind src/a.example.json domains/a.example.json
      mount --bind server.json server.json
      """
    try serve(script) { server in
      server.expect(
        stderr: "warning: this file is mounted as a single file (the first of 2 such "
          + "files)", "[H053]")
    }
  }

  @Test(.needs(.openssl), arguments: ["unmounted", "mounted over"])
  func `a certificates folder that loses its content keeps the certificates`(way: String) throws {
    let authority = try TestAuthority()
    for (host, subject) in [("a.example", "first"), ("b.example", "other")] {
      try workspace.install(try authority.issue(host, subject: subject), as: host)
    }
    try workspace.shell("cp src/* domains; cp -r certificates saved")
    let mount = "mount -t tmpfs none certificates; chmod 755 certificates"
    let script =
      way == "unmounted"
      ? "\(mount); cp saved/* certificates; chown -R 65534 certificates" : "true"
    let shown = ["a.example": ["first, chain of 2"], "b.example": ["other, chain of 2"]]
    try serve(script, https: true, environment: authority.environment) { server in
      try server.keepsShowing(shown) {
        let loss = way == "unmounted" ? "umount -l certificates; rm -f certificates/*" : mount
        try server.amongMounts("cd \(workspace.root); \(loss)")
        try server.expectWithheld(
          WithheldReason.otherDevice + WithheldReason.empty, folder: "certificates")
        goOn(for: .seconds(1))
      }
    }
  }
}
