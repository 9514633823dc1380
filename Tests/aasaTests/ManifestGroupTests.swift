import AppFiles
import Testing

@testable import Checking

/// Groups of a filter: Android's documentation of `<uri-relative-filter-group>`.
@Suite struct ManifestGroupTests {
  private static func verdict(
    _ data: String, _ url: String, variables: [String: String] = [:]
  ) throws -> ManifestScope.Verdict {
    let text = """
      <manifest xmlns:android="http://schemas.android.com/apk/res/android" package="org.swift.shop">
        <application><activity android:name=".Main" android:exported="true"><intent-filter>
          <action android:name="android.intent.action.VIEW" />
          <category android:name="android.intent.category.DEFAULT" />
          <category android:name="android.intent.category.BROWSABLE" />
          <data android:scheme="https" android:host="a.example" />
          \(data)
        </intent-filter></activity></application>
      </manifest>
      """
    let manifest = try AndroidManifest(Array(text.utf8)).filling(variables)
    return ManifestScope(manifest).verdict("https://a.example" + url)
  }

  private static func group(_ parts: String..., allow: String? = nil) -> String {
    "<uri-relative-filter-group\(allow.map { " android:allow=\"\($0)\"" } ?? "")>"
      + parts.map { "<data \($0)/>" }.joined() + "</uri-relative-filter-group>"
  }

  private static let items = group(
    #"android:query="param1=value1""#, #"android:query="param2=value2""#)
  private static let ends = group(
    #"android:pathPrefix="/prefix""#, #"android:pathSuffix="suffix""#)
  private static let blocked =
    group(#"android:path="/path""#, #"android:query="query=v""#, allow: "false")
    + group(#"android:path="/path""#, allow: "true")

  @Test(arguments: [
    (items, "/any/path/here?param1=value1&param2=value2&param3=value3", true),
    (items, "/any?param2=value2&param1=value1", true), (items, "/any?param1=value1", false),
    (items, "/any", false), (ends, "/prefix/suffix", true), (ends, "/prefix/x", false),
    // The first that matches decides.
    (blocked, "/path", true), (blocked, "/path?query=v", false), (blocked, "/path?query=w", true),
    (group(#"android:fragmentPrefix="a""#), "/x#ab", true),
    (group(#"android:fragmentPrefix="a""#), "/x", false),
    (group(#"android:queryPattern="id=.*""#), "/x?lang=en&id=7", true),
    (group(#"android:queryAdvancedPattern="id=[0-9]+""#), "/x?id=a", false),
    // Several attributes of one element are several parts.
    (group(#"android:path="/x" android:query="id=7""#), "/y?id=7", false),
    (group(), "/x", false),
    // The filter's paths come first.
    (
      #"<data android:path="/help"/>"# + group(#"android:path="/help""#, allow: "false"), "/help",
      true
    ),
  ])
  func `groups decide what the filter's paths leave`(
    data: String, url: String, takes: Bool
  ) throws {
    switch try Self.verdict(data, url) {
    case .takes: #expect(takes)
    case .leaves: #expect(!takes)
    case .unknown(let reason): Issue.record("\(reason)")
    }
  }

  @Test func `a group that the build fills in decides when its value is given`() throws {
    let data = Self.group(#"android:pathPrefix="${area}""#)
    #expect(
      try Self.verdict(data, "/buy/1")
        == .unknown("a path in a filter has a placeholder that only the build replaces"))
    let verdict = try Self.verdict(data, "/buy/1", variables: ["area": "/buy"])
    #expect(
      verdict
        == .takes("the <uri-relative-filter-group> in line 7 matches it on Android 15"))
  }
}
