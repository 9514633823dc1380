import Foundation
import TestRunning
import Testing

@testable import EndToEnd

/// `page.html`: how it comes, stays and goes, and for whose links it is.
@Suite("the life of a page for people without the app", .manyAtOnce) struct PageLifeTests {
  private static let file = "domains/a.example/apple-app-site-association"
  private static let page = "domains/a.example/page.html"

  private func workspace() throws -> Workspace {
    let workspace = try Workspace()
    try workspace.write(Self.file, shopFile(components: #"[{"/":"/buy/*"}]"#))
    try workspace.write(Self.page, "<p>first")
    return workspace
  }

  private func get(_ server: Server, _ path: String = "/buy/1") throws -> Response {
    try server.get(path, host: "a.example")
  }

  /// How many reloads there were, whatever came of them.
  private func reloads(_ server: Server) throws -> Double {
    try ["success", "failure"].reduce(0) { sum, result in
      try sum + (server.sample(#"aasa_reloads_total{result="\#(result)"}"#) ?? 0)
    }
  }

  @Test func `after SIGHUP a new page is served, or the last good one`() throws {
    let workspace = try workspace()
    try withServer(workspace, withAdmin + ["--watch", "poll"]) { server in
      try #expect(get(server).text == "<p>first")
      for text in ["<p>second", "<p>third"] {
        try workspace.write(Self.page, text)
        server.process.signal(SIGHUP)
        #expect(try eventually { try get(server).text == text }, "\(text)")
      }
      try workspace.write(Self.page, "")
      server.process.signal(SIGHUP)
      server.expect(
        stderr: "the page is empty", "the last good version of the file is still served", "[H046]")
      // Whatever a signal has read again, it is the same.
      let before = try reloads(server)
      server.process.signal(SIGHUP)
      try #expect(server.becomes { try reloads(server) > before })
      try #expect(get(server).text == "<p>third")
    }
  }

  @Test func `a page that cannot be read does not replace the last good one`() throws {
    let workspace = try workspace()
    try withServer(workspace) { server in
      guard mkfifo(workspace.path("pipe"), 0o600) == 0 else { throw Failure("no pipe") }
      try workspace.move("pipe", to: Self.page)
      server.expect(
        stderr: "cannot be read", "last good version of the file is still served", "[H003]")
      try #expect(get(server).text == "<p>first")
      // The pipe may be read before the link takes its place, and described after that.
      server.allow(stderr: "page.html", "Not a regular file", "[H003]")
      try workspace.makeFolder("domains/a.example/folder")
      try workspace.link("domains/a.example/.next", to: "folder")
      try workspace.move("domains/a.example/.next", to: Self.page)
      server.expect(
        stderr: "Is a directory", "last good version of the file is still served", "[H003]")
      try #expect(get(server).text == "<p>first")
      // A file in its place is the page again.
      try workspace.write("new", "<p>second")
      try workspace.move("new", to: Self.page)
      #expect(try eventually { try get(server).text == "<p>second" })
    }
  }

  @Test func `a host whose file is withdrawn has no page either`() throws {
    let workspace = try workspace()
    try withServer(workspace, ["--withdraw-after", "0s"]) { server in
      try #expect(get(server).status == 200)
      try workspace.remove(Self.file)
      server.expect(stderr: "removed: a.example", "[H036]")
      server.allow(stderr: "domains/a.example", "no association file", "[H0")
      #expect(try eventually { try get(server).status == 404 })
      try #expect(get(server, associationPaths[0]).status == 404)
      // With its file it has the page again.
      try workspace.write(Self.file, shopFile(components: #"[{"/":"/sell"}]"#))
      #expect(try eventually { try get(server, "/sell").text == "<p>first" })
      try #expect(get(server).status == 404)
    }
  }

  @Test func `the links of every app in the file get the page`() throws {
    let workspace = try workspace()
    let first =
      #"{"appIDs":["\#(shop)"],"components":[{"/":"/buy/secret","exclude":true},{"/":"/buy/*"}]}"#
    let second =
      #"{"appIDs":["K27TX9P4QD.org.swift.other"],"components":[{"/":"/sell/*"},{"/":"/buy/secret"}]}"#
    try workspace.write(Self.file, #"{"applinks":{"details":[\#(first),\#(second)]}}"#)
    try withServer(workspace) { server in
      // The first app excludes the last of these, and the second permits it.
      for path in ["/buy/1", "/sell/1", "/buy/secret"] {
        try #expect(get(server, path).text == "<p>first", "\(path)")
      }
      for path in ["/", "/sells", "/other/1"] {
        try #expect(get(server, path).status == 404, "\(path)")
      }
    }
  }

  @Test(.needs(.curl)) func `a host that the connection's certificate lacks gets no page`() throws {
    let workspace = try workspace()
    let authority = try TestAuthority()
    try workspace.write("domains/b.example.json", shopFile(components: #"[{"/":"/buy/*"}]"#))
    try workspace.write("domains/b.example.page.html", "<p>other")
    try workspace.install(try authority.issue("a.example"), as: "a")
    try withServer(workspace, https: true, environment: authority.environment) { server in
      server.allow(stderr: "warning", "b.example")
      for (host, status) in [("a.example", 200), ("b.example", 421)] {
        let run = try server.curl(
          "--cacert", authority.rootFile, "--header", "Host: \(host)", "https://a.example/buy/1")
        #expect(run.exitCode == 0 && run.response?.status == status, "\(host): \(run.errors)")
        #expect(run.response?.text.contains("<p>other") == false)
      }
    }
  }
}
