import AppFiles
import Diagnostics
import Rules
import Testing

@testable import Checking

/// Filters that no link matches, and hosts that are verified together.
@Suite struct ManifestLinksTests {
  private func links(_ filters: String...) throws -> ManifestLinks {
    let all = filters.map { data in
      """
      <intent-filter android:autoVerify="true">
        <action android:name="android.intent.action.VIEW" />
        <category android:name="android.intent.category.DEFAULT" />
        <category android:name="android.intent.category.BROWSABLE" />\(data)
      </intent-filter>
      """
    }
    let text = """
      <manifest xmlns:android="http://schemas.android.com/apk/res/android"><application>
        <activity android:name=".Main" android:exported="true">\(all.joined())</activity>
      </application></manifest>
      """
    return ManifestLinks(try AndroidManifest(Array(text.utf8)))
  }

  private static let https =
    #"<data android:scheme="https" android:host="example.com" />"#
  private static let http = #"<data android:scheme="http" android:host="example.com" />"#
  private static let typed = https + #"<data android:mimeType="text/html" />"#

  @Test func `a filter with a type matches no link`() throws {
    let found = try links(Self.typed)
    #expect(found.findings.map(\.code) == ["F135"] && found.findings[0].severity == .error)
    // Beside a filter for links it may stand for files.
    #expect(try links(Self.typed, Self.https).findings.isEmpty)
  }

  @Test func `a filter for http alone matches no https link`() throws {
    let found = try links(Self.http)
    #expect(found.findings.map(\.code) == ["F136"] && found.findings[0].severity == .warning)
    #expect(try links(Self.http, Self.https).findings.isEmpty)
    #expect(try links(Self.http + #"<data android:scheme="https" />"#).findings.isEmpty)
  }

  @Test func `one host without a list keeps all from being verified on Android 11`() throws {
    let found = try links(
      #"<data android:scheme="https" /><data android:host="example.com" />"#
        + #"<data android:host="peer.example.net" />"#)
    let policy = VerdictPolicy()
    let good = CheckedSubject(good: "example.com", "good")
    let bad = CheckedSubject(
      "peer.example.net", [Finding(.hostWithoutStatements, "there is no list")], policy)
    let result = try #require(found.allOrNone([good, bad], of: "App.apk", policy))
    #expect(result.findings.map(\.code) == ["F137"] && result.exitCode == 0)
    #expect(
      result.verdict.contains(
        "verify no host of the app, because peer.example.net has no assetlinks.json that lists"))
    #expect(found.allOrNone([good, good], of: "App.apk", policy) == nil)
    // All hosts have their own error.
    #expect(found.allOrNone([bad, bad], of: "App.apk", policy) == nil)
  }
}
