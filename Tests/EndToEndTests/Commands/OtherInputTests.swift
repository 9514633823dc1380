import Foundation
import ScriptedServer
import TestRunning
import Testing

@testable import EndToEnd

/// Domains and folders where other commands are given files.
@Suite(.manyAtOnce) struct OtherInputTests {
  private let workspace = Result { try Workspace() }
  private static let old = shopFile(components: #"[{"/":"/buy/*"}]"#)
  private static let new = shopFile(components: #"[{"/":"/sell/*"}]"#)

  @Test func `diff compares what two domains serve, and a domain with a file`() throws {
    let workspace = try workspace.get()
    let (old, new) = (Self.old, Self.new)
    let before = try ScriptedServer { _ in [.answer(old)] }
    let after = try ScriptedServer { _ in [.answer(new)] }
    try workspace.aasa("diff", before.url, after.url).says("/buy/", exit: 1)
    try workspace.write("old.json", old)
    try workspace.aasa("diff", "old.json", before.url).says(exit: 0, errors: .nothing)
    let missing = try ScriptedServer { _ in [.answer("404 Not Found", "no")] }
    try workspace.aasa("diff", before.url, missing.url).says(exit: 2, errors: "there is no file")
    try workspace.aasa("diff", "old.json", "old.json", "--timeout", "1s")
      .says(exit: 2, errors: "give a domain as https://HOST")
  }

  @Test func `validate reads a folder with a list of hosts, and counts each file once`() throws {
    let workspace = try workspace.get()
    try workspace.write("lists/links.json", Self.old)
    try workspace.write("lists/links.hosts", "a.example\nnot a host!\n")
    let lists = try workspace.aasa("validate", "lists")
    lists.text.says("[H033]", .end("\n2 files: 1 with errors, 1 clean\n"))
    try workspace.write("host/.well-known/apple-app-site-association", Self.old)
    try workspace.write(
      "host/.well-known/assetlinks.json", statements("org.swift.shop", #"[{"/": "/sell/*"}]"#))
    let host = try workspace.aasa("validate", "host")
    host.text.says("[D180]", "\n2 files: ")
    let json = try workspace.aasa("validate", "--format", "json", "host")
    json.text.says(#""files":2"#, .lacks(#""files":3"#))
  }

  @Test func `validate says what in a list is no host, and what is meant`() throws {
    let workspace = try workspace.get()
    for name in ["links", "zone"] { try workspace.write("domains/\(name).json", Self.old) }
    try workspace.write(
      "domains/links.hosts",
      """
      good.example # the first
      https://links.c.com/buy
       links.d.com.
      bücher.de
      a.com, b.com
      192.0.2.1
      links.j.com;
      not a host!
      good.example
      """)
    let rows = [
      ("::error file=domains/links.hosts,line=2,", "did you mean links.c.com?"),
      ("::error file=domains/links.hosts,line=3,", "did you mean links.d.com?"),
      ("::error file=domains/links.hosts,line=4,", "did you mean xn--bcher-kva.de?"),
      ("::error file=domains/links.hosts,line=5,", "did you mean a.com and b.com?"),
      (
        "::error file=domains/links.hosts,line=6,",
        "192.0.2.1 is an IP address, but app links need a host name"
      ),
      ("::error file=domains/links.hosts,line=7,", "did you mean links.j.com?"),
      ("::error file=domains/links.hosts,line=8,", "one host per line"),
      ("::warning file=domains/links.hosts,line=9,", "good.example is in this file twice"),
    ]
    let found = try workspace.aasa("validate", "domains", "--format", "github")
    #expect(found.exitCode == 1)
    for (place, words) in rows {
      let isSaid = found.text.split(separator: "\n").contains {
        $0.hasPrefix(place) && $0.contains(words) && $0.contains("H033")
      }
      #expect(isSaid, "\(place) \(words) \(found.text)")
    }
    try workspace.write("domains/links.hosts", "good.example\nother.example\n")
    try workspace.write("domains/zone.hosts", "last.example\nother.example\n")
    try workspace.aasa("validate", "domains").says(
      "zone.hosts:2:1", "other.example is in domains/links.hosts too", "[H035]", exit: 0)
  }

  @Test func `match says why a list of statements cannot be read`() throws {
    let workspace = try workspace.get()
    let list = statements("org.swift.shop", nil).replacing("[{", with: #"[{"version": 1, "#)
    try workspace.write("k.json", list)
    try workspace.aasa("match", "k.json", "https://example.com/buy/1")
      .says(exit: 2, errors: "a number (D112 in line 1)")
  }

  @Test func `match takes the file of a URL's host from a folder`() throws {
    let workspace = try workspace.get()
    try workspace.write("domains/example.com.json", Self.old)
    try workspace.write(
      "domains/_wildcard.example.org/.well-known/apple-app-site-association", Self.new)
    let text = try workspace.aasa(
      "match", "domains", "https://example.com/buy/1", "https://a.example.org/sell/1")
    #expect(
      text.exitCode == 0 && text.text.components(separatedBy: ": opens").count == 3,
      "\(text.text)\(text.errors)")
    try workspace.aasa("match", "domains", "https://example.com/sell/1").says(exit: 1)
    try workspace.aasa("match", "domains", "--domain", "example.com", "/buy/1").says(exit: 0)
    try workspace.aasa("match", "domains", "https://other.net/", "/buy/1").says(
      exit: 2, errors: "domains has no file for other.net", "/buy/1 has no host")
  }

  @Test func `a host that a list in the folder names has the files of that list's entry`() throws {
    let workspace = try workspace.get()
    try workspace.write("domains/platform.example.json", Self.old)
    try workspace.write(
      "domains/platform.example.hosts", "shop.customer.net # the first\n*.customer.org\nown.net\n")
    try workspace.write("domains/own.net.json", Self.new)
    try workspace.write("domains/_default.json", Self.new)
    // A later list has only what no earlier one has.
    try workspace.write("domains/zone.example.json", Self.new)
    try workspace.write("domains/zone.example.hosts", "shop.customer.net\nlate.net\n")
    try workspace.write(
      "met.cases",
      """
      https://shop.customer.net/buy/1 opens \(shop)
      https://a.customer.org/buy/1 opens \(shop)
      https://own.net/buy/1 browser
      https://late.net/buy/1 browser
      """)
    try workspace.aasa("test", "met.cases", "--file", "domains").says(exit: 0, errors: .nothing)
    for (url, code) in [
      ("https://shop.customer.net/buy/1", Int32(0)), ("https://a.customer.org/buy/1", 0),
      ("https://own.net/buy/1", 1), ("https://late.net/sell/1", 0),
    ] {
      try workspace.aasa("match", "domains", url).says(exit: code, errors: .nothing)
    }
    try workspace.write("other.cases", "https://elsewhere.test/ browser")
    try workspace.remove("domains/_default.json")
    try workspace.aasa("test", "other.cases", "--file", "domains").says(
      "domains has no elsewhere.test.json, and no .hosts list in this folder contains the host",
      exit: 1)
  }
}
