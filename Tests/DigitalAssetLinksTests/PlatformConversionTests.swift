import AppSiteAssociation
import Diagnostics
import JSON
import Rules
import TestRunning
import Testing

@testable import DigitalAssetLinks

private let shop = "K27TX9P4QD.org.swift.shop"

private func source(_ text: String) -> SourceText {
  SourceText(path: "test.json", bytes: Array(text.utf8))
}

private func appleFile(_ components: [String], _ more: String = "") -> String {
  #"{"applinks": {\#(more)"details": [{"appIDs": ["\#(shop)"], "components": ["#
    + components.joined(separator: ", ") + "]}]}}"
}

private func androidFile(_ rules: [String]) -> String {
  Example.dynamic(
    #""delegate_permission/common.handle_all_urls": {"dynamic_app_link_components": ["#
      + rules.joined(separator: ", ") + "]}")
}

private func toAndroid(_ file: String, app: String? = nil) throws -> PlatformConversion {
  try AndroidForm(Association(Document(parsing: source(file)).root), app: app)
    .convert(package: "org.swift.shop", fingerprints: [Example.fingerprint])
}

private func toApple(_ file: String, package: String? = nil) throws -> PlatformConversion {
  try AppleForm(AssetLinksFile(source(file)), package: package).convert(app: shop)
}

/// The list of rules, without the white space between them.
private func rules(_ conversion: PlatformConversion) -> String {
  let text = String(decoding: conversion.tree.minified, as: UTF8.self)
  for key in [#""dynamic_app_link_components":"#, #""components":"#] {
    guard let start = text.firstRange(of: key)?.upperBound,
      let end = text[start...].firstIndex(of: "]")
    else { continue }
    return String(text[start...end])
  }
  return text
}

/// Whether the link opens the app; that a rule blocks it or none matches is the same to users.
private func opensOnApple(_ file: SourceText, _ url: String) throws -> Bool {
  try AppleLinks(Document(parsing: file)).decide(url, for: [shop]).first?.outcome == .opens
}

private func opensOnAndroid(_ file: SourceText, _ url: String) throws -> Bool {
  let app = try #require(AssetLinksFile(file).list?.linkedApps.first)
  return app.decision(try AndroidURL(url)).outcome == .opens
}

@Suite struct PlatformConversionTests {
  @Test(arguments: [
    (#"{"/": "/buy/*"}"#, #"[{"/":"/buy"},{"/":"/buy/*"}]"#),
    (#"{"/": "/buy"}"#, #"[{"/":"/buy"},{"/":"/buy/"}]"#),
    (#"{"/": "*"}"#, #"[{"/":"*"}]"#), ("{}", #"[{"/":"*"}]"#),
    (#"{"/": "/*", "?": {"id": "?*", "x": "*"}}"#, #"[{"?":{"id":"?*"}}]"#),
    (##"{"#": "top*", "exclude": true}"##, ##"[{"#":"top*","exclude":true}]"##),
    (#"{"/": "/a%20b*", "comment": "why"}"#, #"[{"/":"/a b*","comments":"why"}]"#),
    (#"{"/": "/$(v)*"}"#, #"[{"/":"/x*"},{"/":"/y*"}]"#),
    // A character that no URL has: the rule never matches.
    (#"{"/": "/a b"}"#, #"[{"/":"*","exclude":true}]"#),
  ])
  func `components become dynamic rules`(component: String, result: String) throws {
    let variables = #""substitutionVariables": {"v": ["x", "y"]}, "#
    let conversion = try toAndroid(appleFile([component], variables))
    #expect(rules(conversion) == result)
    #expect(conversion.losses == [])
    let report = AssetLinksFile(
      SourceText(path: "a", bytes: conversion.tree.minified)
    ).report()
    #expect(report.count(.error) == 0)
  }

  @Test(arguments: [
    (#"{"/": "/*/item"}"#, "so `/*/item` does not match `/x/y/item`", false),
    (#"{"/": "/a??"}"#, "a `?` at the end of a path matches a slash on Android", false),
    (#"{"/": "/a*", "caseSensitive": false}"#, "case-sensitive", false),
    (#"{"?": "a=1"}"#, "individual query items", true),
    (#"{"?": {"a": ""}}"#, "Android cannot match an empty text", true),
    (#"{"?": {"a*": "1"}}"#, "in the name of a query item are wildcards", true),
    (#"{"?": {"a": "1;2"}}"#, "Android may split a query at `;`", true),
    (#"{"/": "/%2A"}"#, "cannot match this percent-encoding", true),
    (#"{"/": "/%c3%a9"}"#, "cannot match this percent-encoding", true),
    (#"{"/": "/$(lang)"}"#, "expand to more than 64", true),
  ])
  func `what Android cannot say is named`(component: String, words: String, isLeftOut: Bool) throws
  {
    let file = appleFile([#"{"/": "/first"}"#, component])
    let conversion = try toAndroid(file)
    let loss = try #require(conversion.losses.first)
    #expect(conversion.losses.count == 1)
    #expect(loss.message.contains(words), "\(loss.message)")
    #expect(loss.isLeftOut == isLeftOut)
    #expect(String(decoding: Array(file.utf8)[loss.range], as: UTF8.self) == component)
  }

  @Test(arguments: [
    (#"{"/": "/buy/*"}"#, #"[{"/":"/buy/*"}]"#),
    (#"{"/": "*", "exclude": false}"#, #"[{"/":"*"}]"#),
    (#"{"/": "*/a"}"#, #"[{"/":"/a"}]"#),
    (#"{"/": "/a bé"}"#, #"[{"/":"/a%20b%C3%A9"}]"#),
    (
      ##"{"?": {"dl": "?*"}, "#": "a", "comments": "c"}"##,
      ##"[{"?":{"dl":"?*"},"#":"a","comment":"c"}]"##
    ),
    // They match no link.
    (#"{"/": "buy"}"#, #"[{"/":"*","exclude":true}]"#),
    (#"{"exclude": false}"#, #"[{"/":"*","exclude":true}]"#),
  ])
  func `dynamic rules become components`(rule: String, result: String) throws {
    let conversion = try toApple(androidFile([rule]))
    #expect(rules(conversion) == result)
    #expect(conversion.losses == [])
  }

  @Test(arguments: [
    (#"{"/": "/*/item"}"#, "so `/*/item` matches `/x/y/item` too", false),
    (#"{"?": {"dl": "*"}}"#, "on Android `*` also accepts a query item that is empty", false),
    (##"{"#": "*"}"##, "on Android `*` also accepts a fragment that is empty", false),
    (#"{"/": "/a//b"}"#, "Apple's systems merge slashes", true),
    (#"{"/": "/$(lang)"}"#, "`$(` begins a variable", true),
    (#"{"/": "/$(lang"}"#, "`$(` begins a variable", true),
    (#"{"?": {"a=b": "1"}}"#, "compare the name `a=b` of a query item exactly", true),
  ])
  func `what Apple's systems cannot say is named`(rule: String, words: String, isLeftOut: Bool)
    throws
  {
    let file = androidFile([#"{"/": "/first"}"#, rule])
    let conversion = try toApple(file)
    let loss = try #require(conversion.losses.first)
    #expect(conversion.losses.count == 1)
    #expect(loss.message.contains(words), "\(loss.message)")
    #expect(loss.isLeftOut == isLeftOut)
    #expect(String(decoding: Array(file.utf8)[loss.range], as: UTF8.self) == rule)
  }

  @Test func `the app must be clear`() throws {
    let two =
      #"{"applinks": {"details": [{"appIDs": ["A.b"], "components": [{}]}, "#
      + #"{"appIDs": ["A.c"], "components": []}]}}"#
    #expect(throws: PlatformConversionFault.severalApps(["A.b", "A.c"])) { try toAndroid(two) }
    #expect(throws: PlatformConversionFault.unknownApp("A.d")) { try toAndroid(two, app: "A.d") }
    #expect(throws: PlatformConversionFault.noRules("A.c")) { try toAndroid(two, app: "A.c") }
    #expect(throws: PlatformConversionFault.noApp) { try toAndroid(#"{"applinks": {}}"#) }
    try #expect(rules(toAndroid(two, app: "A.b")) == #"[{"/":"*"}]"#)
    #expect(throws: PlatformConversionFault.noList) { try toApple("{}") }
    #expect(throws: PlatformConversionFault.noApp) { try toApple("[]") }
    #expect(throws: PlatformConversionFault.unknownApp("a.b")) {
      try toApple(Example.right, package: "a.b")
    }
    #expect(throws: PlatformConversionFault.noRules("org.swift.shop")) {
      try toApple(androidFile([#"{"/": ""}"#]))
    }
    try #expect(rules(toApple(Example.right)) == #"[{"/":"*"}]"#)
  }

  @Test func `passwords and passkeys are shared on both sides`() throws {
    let file = appleFile(["{}"]).dropLast() + #", "webcredentials": {"apps": ["\#(shop)"]}}"#
    let android = String(decoding: try toAndroid(String(file)).tree.minified, as: UTF8.self)
    #expect(android.contains("common.get_login_creds"))
    let apple = String(decoding: try toApple(android).tree.minified, as: UTF8.self)
    #expect(apple.contains(#""webcredentials":{"apps":["\#(shop)"]}"#))
  }
}

/// Generated rules mean the same on both sides, where nothing was said to be lost.
@Suite struct PlatformConversionPropertyTests {
  /// Small alphabets, so that patterns meet the links.
  private struct Generator {
    var random: SplitMix

    mutating func text(_ characters: String, _ most: Int) -> String {
      let all = Array(characters)
      return String((0..<Int(random.next() % UInt64(most + 1))).map { _ in pick(all) })
    }

    mutating func pick<Element>(_ all: [Element]) -> Element {
      all[Int(random.next() % UInt64(all.count))]
    }

    mutating func rule(firstSlash: Bool) -> String {
      var members: [String] = []
      if pick([true, true, true, false]) {
        let start = firstSlash ? pick(["/", "/", "*/", ""]) : ""
        members.append("\"/\": \"\(start)\(text("/ab**??", 5))\"")
      }
      if pick([true, false, false]) {
        let items = ["p", "q"].prefix(pick([1, 2])).map { "\"\($0)\": \"\(text("ab*?", 3))\"" }
        members.append("\"?\": {\(items.joined(separator: ", "))}")
      }
      if pick([true, false, false, false]) { members.append("\"#\": \"\(text("ab*?", 3))\"") }
      if pick([true, false, false]) { members.append("\"exclude\": true") }
      return "{" + members.joined(separator: ", ") + "}"
    }
  }

  private struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var value = state
      value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
      value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
      return value ^ (value >> 31)
    }
  }

  /// Links of the forms that both platforms compare alike.
  private static let paths: [String] = {
    var paths = ["/"]
    var last = ["/"]
    for _ in 1...4 {
      last = last.flatMap { start in
        ["/", "a", "b"].map { start + $0 }.filter { !$0.contains("//") }
      }
      paths += last
    }
    return paths
  }()
  private static let ends = [
    "", "?p=a", "?q=b&p=ab", "?p=", "?p", "?p=&q=a", "?r=a#a", "#b", "#ba", "#", "?p=b#ab",
  ]

  @Test func `a star before the first slash may stand for nothing on Android, too`() throws {
    let file = source(appleFile([#"{"/": "*/admin"}"#]))
    let conversion = try toAndroid(String(decoding: file.bytes, as: UTF8.self))
    let converted = SourceText(path: "c", bytes: conversion.tree.minified)
    for (url, opens) in [("/admin", true), ("/a/admin", true), ("/xadmin", false)] {
      try #expect(opensOnApple(file, url) == opens, "\(url)")
      try #expect(opensOnAndroid(converted, url) == opens, "\(url)")
    }
  }

  @Test(arguments: sample(0..<4, of: 2)) func `Apple's rules as Android's`(seed: UInt64) throws {
    var generator = Generator(random: SplitMix(state: seed))
    var exact = 0
    for _ in 0..<150 {
      let file = source(
        appleFile((0...generator.pick([0, 1, 2])).map { _ in generator.rule(firstSlash: true) }))
      let conversion = try toAndroid(String(decoding: file.bytes, as: UTF8.self))
      guard conversion.losses.isEmpty else { continue }
      exact += 1
      let converted = SourceText(path: "c", bytes: conversion.tree.minified)
      for _ in 0..<40 {
        let url = generator.pick(Self.paths) + generator.pick(Self.ends)
        let (apple, android) = try (opensOnApple(file, url), opensOnAndroid(converted, url))
        let texts = [file, converted].map { String(decoding: $0.bytes, as: UTF8.self) }
        #expect(apple == android, "\(url) with \(texts)")
      }
    }
    #expect(exact > 15)
  }

  @Test(arguments: sample(0..<4, of: 2)) func `Android's rules as Apple's`(seed: UInt64) throws {
    var generator = Generator(random: SplitMix(state: seed))
    var exact = 0
    for _ in 0..<150 {
      let file = source(
        androidFile((0...generator.pick([0, 1, 2])).map { _ in generator.rule(firstSlash: false) }))
      guard let conversion = try? toApple(String(decoding: file.bytes, as: UTF8.self)),
        conversion.losses.isEmpty
      else { continue }
      exact += 1
      let converted = SourceText(path: "c", bytes: conversion.tree.minified)
      for _ in 0..<40 {
        let path = generator.pick(Self.paths.filter { $0 == "/" || !$0.hasSuffix("/") })
        let end = generator.pick(Self.ends)
        let url = path + end
        let (apple, android) = try (opensOnApple(converted, url), opensOnAndroid(file, url))
        // For Apple's systems a link with a slash at the end is the same one.
        if try path != "/" && android != opensOnAndroid(file, path + "/" + end) { continue }
        let texts = [file, converted].map { String(decoding: $0.bytes, as: UTF8.self) }
        #expect(apple == android, "\(url) with \(texts)")
      }
    }
    #expect(exact > 15)
  }
}
