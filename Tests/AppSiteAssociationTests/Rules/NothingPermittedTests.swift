import AppSiteAssociation
import Diagnostics
import Rules
import Testing

/// A file that does nothing for any app is an error; one that may do something is not.
@Suite struct NothingPermittedTests {
  private static func errors(_ text: String, ignoring ignored: Set<String> = []) -> [String] {
    var options = ValidationOptions()
    options.ignored = ignored
    return validate(SourceText(path: "f", bytes: Array(text.utf8)), options: options).diagnostics
      .filter { $0.severity == .error }.map(\.code)
  }

  private static func links(_ app: String, _ rest: String) -> String {
    #"{"applinks":{"details":[{"appIDs":["\#(app)"]\#(rest)}]}}"#
  }

  private static let shop = "K27TX9P4QD.org.swift.shop"

  @Test(arguments: [
    ("{}", "A010"), (#"{"apps":[]}"#, "A010"), (#"{"_comment":"later"}"#, "A010"),
    (#"{"applinks":{"apps":[],"details":[]}}"#, "A007"),
    (#"{"applinks":{}}"#, "A160"), (#"{"applinks":{"details":[]}}"#, "A160"),
    (#"{"webcredentials":{"apps":[]}}"#, "A160"),
    (#"{"Webcredentials":{"apps":["\#(shop)"]}}"#, "A160"),
    (#"{"webcredentials":{"apps":["TEAMID.org.swift.shop"]}}"#, "A160"),
    (links("YOUR_TEAM_ID.org.swift.shop", #","components":[{"/":"*"}]"#), "A160"),
    (links("org.swift.shop", #","components":[{"/":"*"}]"#), "A160"),
    (links("K27TX9P4Q.org.swift.shop", #","paths":["*"]"#), "A160"),
    (links("K27TX9P4QD-org.swift.shop", #","paths":["*"]"#), "A160"),
    (links("K27TX9P4QD.org.swift.*", #","paths":["*"]"#), "A160"),
    (links(shop, #","components":[]"#), "A160"),
    (links(shop, #","components":[{"/":"*","exclude":true}]"#), "A160"),
    (links(shop, #","components":[{"/":"*","exclude":true},{"/":"/buy/*"}]"#), "A160"),
    (links(shop, #","paths":["NOT /a"]"#), "A160"),
    // No service is a text, a number or a list, and none contains another.
    (#"{"x":true}"#, "A010"), (#"{"message":"Not Found","status":404}"#, "A010"),
    (#"{"aasa":{"webcredentials":{"apps":["\#(shop)"]}}}"#, "A010"),
  ]) func `a file by which no app can do anything is an error`(text: String, code: String) {
    #expect(Self.errors(text) == [code])
    #expect(Self.errors(text, ignoring: [code]) == [])
  }

  @Test(arguments: [
    #"{"webcredentials":{"apps":["\#(shop)"]}}"#, #"{"appclips":{"apps":["\#(shop).Clip"]}}"#,
    #"{"activitycontinuation":{"apps":["\#(shop)"]}}"#,
    // One that works is enough.
    #"{"applinks":{"details":[]},"webcredentials":{"apps":["TEAMID.a.b","\#(shop)"]}}"#,
    links(shop, #","components":[{"/":"*","exclude":true,"?":{"a":"1"}},{"/":"/buy/*"}]"#),
    // Apple does not say that these open nothing.
    links(shop, ""), links(shop, #","components":["/buy/*"]"#), links(shop, #","paths":[1]"#),
    #"{"applinks":{"apps":["\#(shop)"]}}"#,
    links(shop, #","components":[{"/":"/buy/\\*"}]"#),
    #"{"applinks":{"substitutionVariables":{"a":"b"},"details":[{"appIDs":["\#(shop)"],"components":[{"/":"/$(a)"}]}]}}"#,
    // Perhaps a service that is newer than this program.
    #"{"x":{}}"#, #"{"futureservice":{"apps":[]}}"#,
    // Strange, but perhaps valid.
    links("ABCDE12345.com.example.app", #","paths":["*"]"#),
    links("1234567890.org.swift.shop", #","paths":["*"]"#),
  ]) func `a file that may do something is not an error`(text: String) {
    #expect(Self.errors(text) == [])
  }

  @Test func `the two rules about apps without details say the same of them`() {
    let text = #"{"applinks":{"apps":["\#(Self.shop)"]}}"#
    let notes = validate(SourceText(path: "f", bytes: Array(text.utf8))).diagnostics
      .compactMap(\.note)
    let shared = "Apple does not say whether apps listed in `apps` may open links without `details`"
    #expect(notes.count == 2 && notes.allSatisfy { $0.hasPrefix(shared) }, "\(notes)")
  }
}
