import Foundation
import TestRunning
import Testing

@testable import EndToEnd

/// Which file answers for which host.
@Suite("domains folder: names", .manyAtOnce) struct DomainNameTests {
  /// The content of each file is its mark.
  static let files: [(name: String, mark: Character)] = [
    ("file.example.json", "A"),
    ("root.example/apple-app-site-association", "B"),
    ("known.example/.well-known/apple-app-site-association", "C"),
    ("_wildcard.wild.example.json", "D"),
    ("*.star.example.json", "E"),
    ("own.wild.example.json", "F"),
    ("_wildcard.deep.wild.example.json", "G"),
    ("_wildcard.web.example/.well-known/apple-app-site-association", "H"),
    ("apex.example.json", "I"),
    ("_wildcard.apex.example.json", "J"),
    ("UPPER.Example.json", "K"),
    ("xn--bcher-kva.example.json", "L"),
    ("_default.json", "Z"),
    (".hidden.example.json", "X"),
    (".hidden2.example/apple-app-site-association", "Y"),
  ]

  static let hosts: [(host: String?, mark: Character)] = [
    ("file.example", "A"),
    ("FILE.Example", "A"),  // hosts have no case
    ("file.example:8080", "A"),
    ("file.example.", "A"),  // fully qualified
    ("root.example", "B"),
    ("known.example", "C"),
    ("a.wild.example", "D"),
    ("a.b.c.wild.example", "D"),  // any depth
    ("wild.example", "D"),  // Apple fetches a wildcard's file from its root
    ("a.star.example", "E"),
    ("star.example", "E"),
    ("own.wild.example", "F"),  // its own entry goes before a wildcard
    ("below.own.wild.example", "D"),  // an entry is not a wildcard
    ("a.deep.wild.example", "G"),  // the longest match
    ("deep.wild.example", "G"),
    ("a.web.example", "H"),
    ("apex.example", "I"),  // an entry of its own goes before the wildcard's root
    ("a.apex.example", "J"),
    ("upper.example", "K"),
    ("xn--bcher-kva.example", "L"),
    ("elsewhere.test", "Z"),
    ("notwild.example", "Z"),  // not at a label's border
    ("127.0.0.1", "Z"),
    ("[::1]:8080", "Z"),
    ("hidden.example", "Z"),  // names with a dot are skipped
    (".hidden2.example", "Z"),
    ("hidden2.example", "Z"),
  ]

  @Test func `every naming form answers for its hosts, at both paths`() throws {
    let workspace = try Workspace()
    for file in Self.files { try workspace.write("domains/" + file.name, association(file.mark)) }
    try withServer(workspace) { server in
      for (host, mark) in Self.hosts where host != ".hidden2.example" {
        for path in associationPaths {
          let response = try server.get(path, host: host)
          #expect(response.status == 200, "\(host ?? "") \(path)")
          #expect(response.text == association(mark), "\(host ?? "") \(path)")
        }
      }
    }
  }

  @Test func `without a default, another host is not found`() throws {
    let workspace = try Workspace(serving: ["example.com": association()])
    try withServer(workspace) { server in
      for host in ["other.example", "www.example.com", "com", "xexample.com", "127.0.0.1"] {
        try #expect(server.get(host: host).status == 404, "\(host)")
      }
    }
  }

  @Test func `an alias is served the files of another host`() throws {
    let workspace = try Workspace(serving: [
      "example.com": association("A"), "_wildcard.example.org": association("B"),
      "example.com.assetlinks": assetLinksList,
    ])
    try workspace.write(
      "server.json",
      """
      {"aliases": {
        "www.example.com": "example.com", "Shop.Example": "example.com",
        "example.net": "any.example.org"
      }}
      """)
    try withServer(workspace, ["--alias", "unused.example=example.com"]) { server in
      // A flag is stronger than the file.
      try #expect(server.served("unused.example") == association("A"))
      try #expect(server.get(host: "www.example.com").status == 404)
    }
    try withServer(workspace) { server in
      try #expect(server.served("www.example.com") == association("A"))
      try #expect(server.served("shop.example") == association("A"))
      try #expect(server.served("example.net") == association("B"))
      try #expect(
        server.get("/.well-known/assetlinks.json", host: "www.example.com").text == assetLinksList)
      try #expect(server.get(host: "unused.example").status == 404)
    }
  }

  @Test func `an alias whose target has no entry is warned of`() throws {
    let workspace = try Workspace(serving: ["example.com": association()])
    try withServer(workspace, ["--alias", "a.example=missing.example"]) { server in
      server.expect(stderr: "warning", "a.example", "missing.example")
      try #expect(server.get(host: "a.example").status == 404)
    }
  }

  @Test func `a name that cannot be a host is warned of`() throws {
    let workspace = try Workspace(serving: ["example.com": association()])
    try workspace.write("domains/apple-app-site-association", association())
    try workspace.write("domains/my site.json", association())
    try workspace.write("domains/other.example.txt", association())
    try workspace.write("domains/README.md", "# notes")
    try withServer(workspace) { server in
      server.expect(
        stderr: "domains/apple-app-site-association: warning", "put this file into a folder named")
      server.expect(stderr: "domains/my site.json: warning")
      server.expect(stderr: "domains/other.example.txt: warning")
      try #expect(server.served("example.com") == association())
    }
  }

  @Test func `symbolic links to files and folders are followed`() throws {
    let workspace = try Workspace()
    try workspace.write("elsewhere/file", association("A"))
    try workspace.write("elsewhere/web/.well-known/apple-app-site-association", association("B"))
    try workspace.write("domains/other.example/keep", "")
    try workspace.write("domains/other.example/apple-app-site-association", association("C"))
    try workspace.link("domains/file.example.json", to: "../elsewhere/file")
    try workspace.link(
      "domains/chain.example.json", to: workspace.path("domains/file.example.json"))
    try workspace.link("domains/web.example", to: workspace.path("elsewhere/web"))
    try withServer(workspace) { server in
      try #expect(server.served("file.example") == association("A"))
      try #expect(server.served("chain.example") == association("A"))
      try #expect(server.served("web.example") == association("B"))
      try #expect(server.served("other.example") == association("C"))
    }
  }

  @Test func `a folder that is mounted from a ConfigMap works as it is`() throws {
    let workspace = try Workspace(serving: [
      "..2026_01_01/example.com": association("A"), "..2026_01_01/_default": association("Z"),
    ])
    try workspace.link("domains/..data", to: "..2026_01_01")
    try workspace.link("domains/example.com.json", to: "..data/example.com.json")
    try workspace.link("domains/_default.json", to: "..data/_default.json")
    try withServer(workspace) { server in
      try #expect(server.served("example.com") == association("A"))
      try #expect(server.served("other.example") == association("Z"))
    }
  }

  @Test func `the domains folder itself may be a link`() throws {
    let workspace = try Workspace()
    try workspace.write("real/example.com.json", association("A"))
    try workspace.link("linked", to: "real")
    try withServer(workspace, ["--domains", workspace.path("linked")]) { server in
      try #expect(server.served("example.com") == association("A"))
    }
  }
}
