import Foundation
import TestRunning
import Testing

@testable import EndToEnd

/// The target of a link outside the folder may be a secret.
@Suite("withdrawal: links to secrets", .manyAtOnce) struct SecretContentTests {
  private static let secret = "root:$6$hunter2:19000:0:99999:7:::\nnobody:*:18000\n"
  private let workspace: Workspace

  init() throws {
    workspace = try Workspace()
    try workspace.write("domains/example.com.json", association("A"))
    try workspace.write("outside/shadow", Self.secret)
    try workspace.write("outside/quoted", "\"hunter2\"")
    try workspace.write("outside/almost", "{\"password\": hunter2}")
    try workspace.write("outside/site/.well-known/apple-app-site-association", Self.secret)
  }

  /// Links that leave the domains folder, at any step.
  static let links = [
    ("domains/a.example.json", "../outside/shadow"),
    ("domains/a.example.json", "../outside/quoted"),
    ("domains/a.example.json", "../outside/almost"),
    ("domains/a.example", "../outside/site"),
    ("domains/example.com.json", "../outside/shadow"),
    ("domains/a.example.assetlinks.json", "../outside/shadow"),
    ("domains/example.com.cases", "../outside/shadow"),
  ]

  @Test(arguments: links)
  func `content that is not JSON is described and never quoted`(link: String, target: String)
    throws
  {
    try workspace.write("domains/a.example.json", association("A"))
    try withServer(workspace, withAdmin) { server in
      try? workspace.remove(link)
      if link == "domains/a.example" { try workspace.remove("domains/a.example.json") }
      try workspace.link(link, to: target)
      let name = (link as NSString).lastPathComponent
      server.expect(stderr: name, "error")
      server.allow(stderr: name)
      server.allow(stderr: "example.com.json")
      server.allow(stderr: "removed")
      let pages = try ["/status", "/status?domain=a.example", "/status?domain=example.com"].map {
        try server.askAdmin($0).text
      }
      let status = try server.aasa("status")
      #expect(status.exitCode == 1)
      for text in pages + [server.errorText, status.text, status.errors] {
        #expect(!text.contains("hunter2") && !text.contains("$6$"), "\(text)")
        #expect(!text.contains("nobody:*"), "\(text)")
      }
    }
  }
}

extension Server {
  /// All that was written to the standard error stream.
  var errorText: String { String(decoding: process.now.errors, as: UTF8.self) }
}
