import Foundation
import TestRunning
import Testing

@testable import EndToEnd

/// Somebody deploys the files of another site: the new ones are served, and the old ones stay until
/// somebody confirms that they were removed on purpose.
@Suite("withdrawal: wrong deployments", .manyAtOnce) struct WrongDeploymentTests {
  /// Shell scripts in which `$live` is the folder that is served. It holds the files of `right`, and
  /// then those of `wrong`.
  struct Deployment: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var first = "cp -p right/* $live"
    let second: String
  }

  static let synchronizing = Deployment(
    testDescription: "rsync", second: "rsync -a --delete wrong/ $live/")

  static let deployments = [
    Deployment(testDescription: "rm and cp", second: "rm $live/*; cp -p wrong/* $live"),
    Deployment(
      testDescription: "tar over an emptied folder",
      second: "tar -C wrong -cf all.tar .; rm -r $live/*; tar -C $live -xpf all.tar"),
    Deployment(testDescription: "another folder", second: "mv $live away; cp -rp wrong $live"),
    // As the kubelet does it, with other keys.
    Deployment(
      testDescription: "ConfigMap or Secret",
      first: """
        cp -rp right $live/..1
        ln -s ..1 $live/..data
        for file in right/*; do ln -s ..data/${file#right/} $live; done
        """,
      second: """
        cp -rp wrong $live/..2
        ln -s ..2 $live/..data_tmp
        mv -T $live/..data_tmp $live/..data
        for file in wrong/*; do ln -s ..data/${file#wrong/} $live; done
        for file in right/*; do rm $live/${file#right/}; done
        rm -r $live/..1
        """),
  ]

  /// There are fewer wrong files than right ones: then it does not matter how long copying takes.
  private let workspace: Workspace

  init() throws { workspace = try Workspace() }

  private func deploy(_ script: String, to folder: String) throws {
    try workspace.shell("live=\(folder)\n" + script)
  }

  /// What may be reported if the machine is slow, and a file is incomplete for long.
  private func allowHalfFiles(_ server: Server) {
    server.allowEmptyFiles()
    server.allow(stderr: "cannot be read", "No such file")
    for code in ["[T001]", "[T003]", "[T031]", "[T034]"] { server.allow(stderr: code) }
  }

  private func keepsDomains(over deployment: Deployment) throws {
    let hosts = (0..<8).map { "h\($0).example" }
    for host in hosts { try workspace.write("right/\(host).json", association("A")) }
    for host in ["x.example", "y.example"] {
      try workspace.write("wrong/\(host).json", association("W"))
    }
    try deploy(deployment.first, to: "domains")
    let environment = withdrawing(after: "1s")
    try withServer(workspace, withAdmin, environment: environment) { server in
      allowHalfFiles(server)
      try server.keepsServing(hosts, only: [association("A")]) {
        try deploy(deployment.second, to: "domains")
        try server.expectWithheld(WithheldReason.replaced)
        try server.expectServed("x.example", association("W"))
        try server.expectServed("y.example", association("W"))
        // Much longer than a missing file is served.
        goOn(for: .seconds(2))
        try #expect(server.holds().count == 1)
        try deploy("cp -p right/* $live", to: "domains")
        try server.expectBelieved()
      }
    }
  }

  private func keepsCertificates(over deployment: Deployment) throws {
    let authority = try TestAuthority()
    let hosts = ["a", "b", "c", "d"].map { "\($0).example" }
    for host in hosts + ["x.example"] {
      try workspace.write("domains/\(host).json", association("A"))
      let folder = host == "x.example" ? "wrong" : "right"
      let certificate = try authority.issue(host, subject: "of \(host)")
      try workspace.write("\(folder)/\(host).key", certificate.key, mode: 0o600)
      try workspace.write("\(folder)/\(host).crt", certificate.chain)
    }
    try deploy(deployment.first, to: "certificates")
    let environment = authority.environment.merging(withdrawing(after: "1s")) { $1 }
    try withServer(workspace, https: true, withAdmin, environment: environment) { server in
      allowHalfFiles(server)
      server.expect(stderr: "no certificate covers x.example", "[H014]")
      let shown = hosts.map { ($0, ["of \($0), chain of 2"]) }
      try server.keepsShowing(Dictionary(uniqueKeysWithValues: shown)) {
        try deploy(deployment.second, to: "certificates")
        try server.expectWithheld(WithheldReason.replaced, folder: "certificates")
        #expect(eventually { server.shown("x.example") == "of x.example, chain of 2" })
        goOn(for: .seconds(2))
        try #expect(server.holds().count == 1)
        try deploy("cp -p right/* $live", to: "certificates")
        try server.expectBelieved("certificates")
      }
    }
  }

  @Test(arguments: deployments)
  func `the hosts that a wrong deployment lacks are served as before`(deployment: Deployment)
    throws
  {
    try keepsDomains(over: deployment)
  }

  @Test(.needs(.openssl), arguments: deployments)
  func `the certificates that a wrong deployment lacks are served as before`(
    deployment: Deployment
  ) throws {
    try keepsCertificates(over: deployment)
  }

  @Test(.needs(.rsync)) func `rsync from the wrong folder withdraws no host`() throws {
    try keepsDomains(over: Self.synchronizing)
  }

  @Test(.needs(.rsync), .needs(.openssl))
  func `rsync from the wrong folder withdraws no certificate`() throws {
    try keepsCertificates(over: Self.synchronizing)
  }
}
