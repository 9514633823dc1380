import Foundation
import TestRunning
import Testing

@testable import EndToEnd

/// The commands with curl that the documents print, run as they are printed against a server that has
/// the file. Only `.curlrc` says where the server is.
@Suite("documented curl", .needs(.curl), .needs(.openssl)) struct DocumentedCurlTests {
  /// In blocks, and in the text between backticks.
  private static func commands() throws -> [String] {
    let pages =
      ["README.md"] + ["BesideYourSite.md", "GettingStarted.md"].map { "Documentation/" + $0 }
    return try pages.flatMap { page in
      try String(contentsOfFile: repositoryFile(page), encoding: .utf8)
        .components(separatedBy: "\n").flatMap { $0.components(separatedBy: "`") }
        .map { $0.trimmingCharacters(in: .whitespaces) }
        .filter { $0.hasPrefix("curl -") && !$0.contains("…") }
    }
  }

  @Test func `commands with curl get the file`() throws {
    let workspace = try Workspace()
    let authority = try TestAuthority()
    let file = shopFile(components: #"[{"/":"/buy/*"}]"#)
    try workspace.write("domains/_default.json", file)
    try workspace.write("domains/example.com.json", file)
    try workspace.install(authority.issue("example.com", "localhost"), as: "example.com")
    let commands = try Self.commands()
    #expect(commands.count >= 6, "\(commands)")
    try withServer(workspace, https: true) { server in
      // A root of the tests is not one of the system's.
      server.allow(stderr: "is not in the file and is not a root")
      try workspace.write(
        ".curlrc",
        """
        silent
        cacert = "\(authority.rootFile)"
        connect-to = "localhost:8080:127.0.0.1:\(server.http)"
        connect-to = "127.0.0.1:8080:127.0.0.1:\(server.http)"
        connect-to = "localhost:8443:127.0.0.1:\(server.https)"
        connect-to = "example.com:443:127.0.0.1:\(server.https)"

        """)
      for command in commands {
        try? workspace.remove("new")
        let line = command.replacing("-o domains/", with: "-o new/domains/")
        let finished = try run(
          "/bin/sh", ["-c", line], environment: ["CURL_HOME": workspace.root],
          folder: workspace.root)
        let written = try? workspace.text("new/domains/example.com.json")
        #expect(finished.exitCode == 0, "\(command): \(finished.errors)")
        #expect((written ?? finished.text).contains(file), "\(command): \(finished.text)")
      }
    }
  }
}
