import Foundation
import TestRunning
import Testing

@testable import EndToEnd

/// The state folder cannot be written for a while.
@Suite(
  "issuance: disks", .manyAtOnce, .needsPebble, .needsNameServer, .needsMounts, .needsOrdinaryServer
)
struct StateDiskTests {
  private static let full =
    "mount -t tmpfs -o size=256k none state; chmod 777 state; cat /dev/zero > state/fill "
    + "2>/dev/null || true"
  private static let readOnly =
    "mount -t tmpfs none state; chmod 777 state; mount -o remount,ro state"

  private static let rows = [
    (full, "rm state/fill", "free space on the folder's file system"),
    (readOnly, "mount -o remount,rw state", "let the server's user write to the folder"),
  ]

  @Test(arguments: rows)
  func `a disk that is full or read-only is reported, and when it is not, a certificate comes`(
    fault: String, cure: String, help: String
  ) throws {
    let issuance = try Issuance(["example.com"])
    try issuance.workspace.write("state/README", "")
    try issuance.workspace.write("server.json", "{}")
    for workspace in [issuance.workspace, issuance.pebble.workspace] { try workspace.handOver() }
    let root = issuance.workspace.root
    try withServer(
      issuance.workspace, https: true, issuance.flags(), environment: issuance.world.environment,
      through: MountNamespace.runner("cd \(root); \(fault)")
    ) { server in
      server.expect(stderr: help, "[I007]")
      server.allow(stderr: "[I007]")
      try server.expectServed("example.com", association("A"))
      #expect(issuance.pebble.requests("order-plz") == 0)
      try server.amongMounts("cd \(root); \(cure)")
      issuance.expectTrusted(by: server)
    }
    #expect(issuance.pebble.issued == 1)
  }

  @Test func `a disk that is full when a certificate is renewed keeps the old one`() throws {
    let issuance = try Issuance(["example.com"])
    try issuance.workspace.write("state/README", "")
    try issuance.workspace.write("server.json", "{}")
    for workspace in [issuance.workspace, issuance.pebble.workspace] { try workspace.handOver() }
    let root = issuance.workspace.root
    let place = "mount -t tmpfs -o size=512k none state; chmod 777 state"
    try withServer(
      issuance.workspace, https: true, issuance.flags(), environment: issuance.world.environment,
      through: MountNamespace.runner("cd \(root); \(place)")
    ) { server in
      #expect(eventually { server.outputLines.contains { $0.contains(": served, until") } })
      try server.amongMounts(
        "cd \(root); touch state/acme/renew/example.com; cat /dev/zero > state/fill 2>/dev/null "
          + "|| true"
      )
      server.expect(stderr: "[I007]")
      server.allow(stderr: "[I007]")
      #expect(server.isTrusted("example.com", roots: issuance.pebble.roots))
      try server.amongMounts("rm \(root)/state/fill")
      #expect(
        eventually { server.outputLines.count { $0.contains(": served, until") } == 2 },
        "\(server.outputLines) \(server.errorLines)")
    }
    #expect(issuance.pebble.issued == 2)
  }
}
