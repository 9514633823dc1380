import Diagnostics
import Foundation
import JSON
import Rules
import Testing

@testable import AppSiteAssociation

/// The schema for editors accepts what devices accept.
@Suite struct SchemaTests {
  private static var schema: [String: Any]? {
    let text = Data(Schema.tree.minified)
    return (try? JSONSerialization.jsonObject(with: text)) as? [String: Any]
  }

  /// Whether a value fits; only what our schema uses is understood.
  private static func fits(_ value: Any, _ schema: [String: Any]) -> Bool {
    if let name = (schema["$ref"] as? String)?.split(separator: "/").last {
      let definitions = Self.schema?["definitions"] as? [String: [String: Any]]
      guard let found = definitions?[String(name)] else { return false }
      return fits(value, found)
    }
    if let options = schema["anyOf"] as? [[String: Any]],
      !options.contains(where: { fits(value, $0) })
    {
      return false
    }
    if let wrong = schema["not"] as? [String: Any], fits(value, wrong) { return false }
    if let pattern = schema["pattern"] as? String, let text = value as? String,
      text.range(of: pattern, options: .regularExpression) == nil
    {
      return false
    }
    if let object = value as? [String: Any] {
      let required = schema["required"] as? [String] ?? []
      if !required.allSatisfy({ object[$0] != nil }) { return false }
      if let names = schema["propertyNames"] as? [String: Any],
        !object.keys.allSatisfy({ fits($0, names) })
      {
        return false
      }
    }
    switch schema["type"] as? String {
    case "string": return value is String
    case "boolean": return value is Bool
    case "number": return value is NSNumber
    case "array":
      guard let list = value as? [Any], let items = schema["items"] as? [String: Any] else {
        return false
      }
      return list.allSatisfy { fits($0, items) }
    case "object":
      guard let object = value as? [String: Any] else { return false }
      let known = schema["properties"] as? [String: [String: Any]] ?? [:]
      let others = schema["additionalProperties"] as? [String: Any]
      return object.allSatisfy { key, value in
        if let own = known[key] { return fits(value, own) }
        return others.map { fits(value, $0) } ?? true
      }
    default: return true
    }
  }

  private static func accepts(_ text: String) -> Bool {
    guard let schema, let value = try? JSONSerialization.jsonObject(with: Data(text.utf8)) else {
      return false
    }
    return fits(value, schema)
  }

  @Test func `every key that rules know is in it, and explained`() throws {
    let text = String(decoding: Schema.tree.indented, as: UTF8.self)
    for level in KeyLevel.allCases {
      for key in level.known { #expect(text.contains("\"\(key)\": {"), "\(key)") }
    }
    #expect(Self.schema != nil)
  }

  /// https://developer.apple.com/documentation/xcode/supporting-associated-domains
  @Test func `Apple's sample is accepted`() {
    #expect(
      Self.accepts(
        ##"""
        { "applinks": { "details": [ {
            "appIDs": [ "ABCDE12345.com.example.app", "ABCDE12345.com.example.app2" ],
            "components": [
              { "#": "no_universal_links", "exclude": true,
                "comment": "Matches any URL with a fragment that equals no_universal_links." },
              { "/": "/buy/*", "comment": "Matches any URL with a path that starts with /buy/." },
              { "/": "/help/website/*", "exclude": true },
              { "/": "/help/*", "?": { "articleNumber": "????" } } ] } ] },
          "webcredentials": { "apps": [ "ABCDE12345.com.example.app" ] },
          "appclips": { "apps": [ "ABCDE12345.com.example.MyApp.Clip" ] } }
        """##))
  }

  @Test(arguments: [
    #"{"applinks":[]}"#, #"{"applinks":{"details":"x"}}"#, #"{"webcredentials":{"apps":"x"}}"#,
    #"{"applinks":{"details":[{"appIDs":["a.b"],"components":["/x"]}]}}"#,
  ]) func `values of a wrong type are not`(text: String) { #expect(!Self.accepts(text)) }

  @Test(arguments: [
    "{}", #"{"AppLinks":{"details":[]}}"#,
    #"{"applinks":{"details":[]},"Webcredentials":{"apps":[]}}"#,
    #"{"applinks":{"details":[{"appIds":["K27TX9P4QD.a.b"]}]}}"#,
    #"{"applinks":{"details":[{"appIDs":["org.swift.shop"]}]}}"#,
    #"{"applinks":{"details":[{"appID":"k27tx9p4qd.org.swift.shop"}]}}"#,
    #"{"webcredentials":{"apps":["org.swift.shop"]}}"#,
  ])
  func `a misspelt key, a file without a service and an identifier without prefix are not`(
    text: String
  ) {
    #expect(!Self.accepts(text))
  }

  @Test func `keys of one's own are accepted`() {
    #expect(
      Self.accepts(
        ##"{"$schema":"x","_a":1,"applinks":{"details":[{"appIDs":["K27TX9P4QD.a.b"],"##
          + ##""components":[{"/":"*","Comment":"x","other":1}]}]}}"##))
  }

  @Test(arguments: RuleSnapshotTests.ruleCodes)
  func `a correct file is accepted`(code: String) throws {
    guard let example = RuleSnapshotTests.examples(of: code) else { return }
    #expect(Self.accepts(example.right))
  }

  @Test(.enabled(if: !ValidationTests.field.isEmpty, "there is no ../shared/corpus beside it"))
  func `files from the field are accepted, apart from those of a wrong type`() throws {
    for path in ValidationTests.field {
      let bytes = Array(try Data(contentsOf: URL(filePath: path)))
      let report = validate(SourceText(path: path, bytes: bytes))
      let hasWrongType = report.diagnostics.contains {
        $0.code.hasPrefix("J") || $0.severity == .error
          || Kind.ofIdentifiers.map(\.code).contains($0.code)
          || ["A011", "A018", "A019", "A020", "A054", "A055", "A053", "A146"].contains($0.code)
      }
      if hasWrongType { continue }
      #expect(Self.accepts(String(decoding: bytes, as: UTF8.self)), "\(path)")
    }
  }
}
