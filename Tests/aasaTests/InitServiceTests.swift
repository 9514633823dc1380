import AppSiteAssociation
import Foundation
import Testing

@testable import aasa

/// The services that `aasa init` writes, and links that are given as paths.
@Suite struct InitServiceTests {
  /// The written services, and the exit code.
  private static func run(
    _ arguments: [String], entitlements domains: [String]? = nil
  ) throws -> (text: String, code: Int32) {
    let folder = FileManager.default.temporaryDirectory.path + "/aasa-init-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    var arguments = ["init", "-o", folder + "/site.json"] + arguments
    if let domains {
      let list = domains.map { "<string>\($0)</string>" }.joined()
      let file = folder + "/App.entitlements"
      let text =
        "<plist><dict><key>com.apple.developer.associated-domains</key><array>\(list)</array>"
        + "</dict></plist>"
      try Data(text.utf8).write(to: URL(filePath: file))
      arguments += ["--entitlements", file]
    }
    let code = Program.run(arguments, output: { _ in }, errors: { _ in })
    let data = (try? Data(contentsOf: URL(filePath: folder + "/site.json"))) ?? Data()
    return (String(decoding: data, as: UTF8.self), code)
  }

  private static let app = ["--app", "K27TX9P4QD.org.swift.shop"]
  private static let named = ["--team", "K27TX9P4QD", "--bundle", "org.swift.shop"]

  @Test(
    arguments: [
      (app, nil, ["applinks"]), (app + ["--webcredentials"], nil, ["webcredentials"]),
      (app + ["--service", "authsrv"], nil, ["authsrv"]),
      (app + ["--service", "messagefilter", "--links"], nil, ["applinks", "messagefilter"]),
      (named, ["authsrv:example.com?mode=managed"], ["authsrv"]),
      (app + ["--webcredentials", "--links"], nil, ["applinks", "webcredentials"]),
      (app + ["--webcredentials", "--path", "/buy/*"], nil, ["applinks", "webcredentials"]),
      (["--appclip", "K27TX9P4QD.org.swift.shop.Clip"], nil, ["appclips"]),
      (named, ["webcredentials:example.com"], ["webcredentials"]),
      (named, ["applinks:example.com"], ["applinks"]),
      (
        named, ["applinks:example.com", "webcredentials:*.example.com"],
        ["applinks", "webcredentials"]
      ),
      (named, ["activitycontinuation:example.com"], ["activitycontinuation"]),
      (named + ["--webcredentials"], ["applinks:example.com"], ["applinks", "webcredentials"]),
    ] as [([String], [String]?, [String])])
  func `services are those that are asked for`(
    arguments: [String], entitlements: [String]?, services: [String]
  ) throws {
    let (text, code) = try Self.run(arguments, entitlements: entitlements)
    let all = Association.serviceNames
    #expect(code == 0)
    #expect(all.filter { text.contains("\"\($0)\"") }.sorted() == services.sorted())
  }

  @Test func `entitlements without a service give no file`() throws {
    let (text, code) = try Self.run(Self.named, entitlements: [])
    #expect(code == 1 && text.isEmpty)
  }

  @Test(
    arguments: [
      (["applinks:example.com", "applinks:https://example.com/"], 1),
      (["applinks:example.com", "applinks:example.com"], 0),
      (["applinks:example.com", "applinks:$(DOMAIN)"], 0),
    ] as [([String], Int32)])
  func `a wrong entry gives the file and exit code 1, a questionable one only a warning`(
    entitlements: [String], code: Int32
  ) throws {
    let found = try Self.run(Self.named, entitlements: entitlements)
    #expect(found.code == code && found.text.contains("\"applinks\""))
  }

  @Test(arguments: [
    ("/buy/*", #"{ "/": "/buy/*" }"#), ("/id/????", #"{ "/": "/id/????" }"#),
    ("https://example.com/buy/*", #"{ "/": "/buy/*" }"#), ("https://example.com", #"{ "/": "/" }"#),
    ("/buy?id=*", #"{ "/": "/buy", "?": { "id": "?*" } }"#),
    ("/buy?id=4?&a=b", #"{ "/": "/buy", "?": { "id": "4?", "a": "b" } }"#),
    ("/reset?token", #"{ "/": "/reset", "?": { "token": "?*" } }"#),
    ("/help#faq", ##"{ "/": "/help", "#": "faq" }"##), ("/a?b", #"{ "/": "/a?b" }"#),
  ]) func `a link becomes the component that is meant`(path: String, component: String) throws {
    let (text, code) = try Self.run(Self.app + ["--path", path])
    #expect(code == 0 && text.contains(component), "\(text)")
  }
}
