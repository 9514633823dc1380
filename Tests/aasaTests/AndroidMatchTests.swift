import Foundation
import Testing

@testable import aasa

/// `aasa match FOLDER URL` shows what iOS and Android do.
@Suite struct AndroidMatchTests {
  private static let association =
    #"{"applinks":{"details":[{"appIDs":["K27TX9P4QD.org.swift.shop"],"#
    + #""components":[{"/":"/buy/*"}]}]}}"#

  private static func links(_ rules: String?) -> String {
    let fingerprint =
      "5E:8F:16:06:2E:A3:CD:2C:4A:0D:54:78:76:BA:A6:F3:8C:AB:F6:25:19:07:4D:93:0C:B1:F9:7A:2D:64:E8:B0"
    let relation = "delegate_permission/common.handle_all_urls"
    let dynamic =
      rules.map {
        #","relation_extensions":{"\#(relation)":{"dynamic_app_link_components":\#($0)}}"#
      } ?? ""
    return #"[{"relation":["\#(relation)"],"target":{"namespace":"android_app","#
      + #""package_name":"org.swift.shop","sha256_cert_fingerprints":["\#(fingerprint)"]}\#(dynamic)}]"#
  }

  /// The output and the exit code; the folder's path is left out.
  private static func match(
    _ files: [String: String], _ folder: String, _ arguments: String...
  ) throws -> (text: String, code: Int32) {
    let base = FileManager.default.temporaryDirectory.path + "/aasa-android-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: base) }
    for (name, text) in files {
      let file = base + "/" + name
      try FileManager.default.createDirectory(
        atPath: (file as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
      try Data(text.utf8).write(to: URL(filePath: file))
    }
    let found = FolderMatching(root: base + "/" + folder, domain: nil, app: nil)
    guard let output = try found.results(Array(arguments), explaining: false) else {
      return ("", 2)
    }
    let json = output.json.joined(separator: "\n")
    return ((output.text + json).replacing(base + "/", with: ""), output.code)
  }

  @Test func `each rule that was tried is shown, and a file may be named alone`() throws {
    let list = Self.links(
      ##"[{"/":"/buy/*","?":{"id":"?*"}},{"/":"/sell","#":"a"},{"/":"/sell/?"},{"/":"/x"}]"##)
    let base = FileManager.default.temporaryDirectory.path + "/aasa-android-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: base) }
    try FileManager.default.createDirectory(atPath: base, withIntermediateDirectories: true)
    try Data(list.utf8).write(to: URL(filePath: base + "/links.json"))
    let matching = FolderMatching(root: base + "/links.json", domain: nil, app: nil)
    let buy = try #require(try matching.results(["https://a.example/buy/1"], explaining: true))
    #expect(buy.code == 1)
    for line in [
      "no association file   org.swift.shop: browser\n",
      ": no match: no query item matches `id=?*`\n",
      ": no match: path `/buy/1` does not match `/sell`\n",
    ] {
      #expect(buy.text.contains(line), "\(buy.text)")
    }
    let sell = try #require(try matching.results(["https://a.example/sell"], explaining: true))
    #expect(sell.text.contains(": no match: the URL has no fragment\n"), "\(sell.text)")
    let one = try #require(try matching.results(["/sell/1"], explaining: true))
    #expect(one.code == 0 && one.text.contains(": matched: path /sell/?\n"), "\(one.text)")
    #expect(!one.text.contains("`/x`"))
  }

  @Test func `both platforms stand side by side, and the reasons below`() throws {
    let files = [
      "domains/a.example.json": Self.association,
      "domains/a.example.assetlinks.json": Self.links(
        #"[{"/":"/buy/x","exclude":true},{"/":"/buy/*"},{"/":"/sell"}]"#),
    ]
    let (text, code) = try Self.match(files, "domains", "https://a.example/buy/x")
    #expect(code == 0)
    #expect(
      text.hasPrefix(
        """
        https://a.example/buy/x
          iOS                                Android 15 and later
          K27TX9P4QD.org.swift.shop: opens   org.swift.shop: blocked
          K27TX9P4QD.org.swift.shop: opens: this file permits it, by domains/a.example.json:1:
        """))
    #expect(
      text.contains(
        "\n  Android org.swift.shop: blocked: by domains/a.example.assetlinks.json:1:"))
    #expect(text.contains(##" {"/":"/buy/x","exclude":true}\##n"##))
    #expect(
      text.contains(#""android":{"file":"domains/a.example.assetlinks.json","apps":[{"app":"#))
    // One of the two opens it.
    let (other, found) = try Self.match(files, "domains", "https://a.example/sell")
    #expect(
      found == 0 && other.contains("K27TX9P4QD.org.swift.shop: browser   org.swift.shop: opens"))
    let (none, last) = try Self.match(files, "domains", "https://a.example/other")
    #expect(last == 1 && none.contains("none of the 3 dynamic rules matches"))
  }

  @Test(arguments: ["site/", "site/.well-known/"])
  func `a host's folder is enough, and the URL needs no host`(place: String) throws {
    let files = [
      place + "apple-app-site-association": Self.association,
      place + "assetlinks.json": Self.links(nil),
    ]
    let (text, code) = try Self.match(files, "site", "/help")
    #expect(code == 0)
    #expect(text.contains("K27TX9P4QD.org.swift.shop: browser   org.swift.shop: opens\n"))
    #expect(text.contains("no dynamic rules exist, so the app's manifest decides\n"))
  }

  @Test func `one platform is enough`() throws {
    let links = ["site/assetlinks.json": Self.links(nil)]
    let (text, code) = try Self.match(links, "site", "/help")
    #expect(code == 0 && text.contains("no association file   org.swift.shop: opens\n"))
    let (other, found) = try Self.match(
      ["domains/a.example.json": Self.association], "domains", "https://a.example/buy/1")
    #expect(found == 0 && !other.contains("Android"))
  }

  @Test func `a file that cannot be read is an error`() throws {
    for text in ["{}", "[", ""] {
      let files = [
        "site/apple-app-site-association": Self.association, "site/assetlinks.json": text,
      ]
      try #expect(Self.match(files, "site", "/help").code == 2)
    }
  }
}
