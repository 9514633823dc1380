import AppFiles
import Diagnostics
import Testing

@testable import Checking

/// What the filters of a manifest take.
@Suite struct ManifestScopeTests {
  /// Of a manifest with one filter, which has this inside beside its action and categories.
  private func scope(_ data: String) throws -> ManifestScope {
    let text = """
      <manifest xmlns:android="http://schemas.android.com/apk/res/android"><application>
        <activity android:name=".Main" android:exported="true"><intent-filter>
          <action android:name="android.intent.action.VIEW" />
          <category android:name="android.intent.category.DEFAULT" />
          <category android:name="android.intent.category.BROWSABLE" />
          <data android:scheme="https" />\(data)
        </intent-filter></activity>
      </application></manifest>
      """
    return ManifestScope(try AndroidManifest(Array(text.utf8)))
  }

  private static let group =
    #"<data android:host="a.example" android:pathPrefix="/buy" /><uri-relative-filter-group />"#

  @Test(arguments: [
    (#"<data android:host="a.example" />"#, "https://a.example/x", true),
    (#"<data android:host="a.example" />"#, "https://A.example:8443/x", true),
    (#"<data android:host="a.example" />"#, "https://b.a.example/x", false),
    (#"<data android:host="*.a.example" />"#, "https://b.a.example/x", true),
    // With a port the filter is for links that have it.
    (#"<data android:host="a.example" android:port="8443" />"#, "https://a.example:8443/x", true),
    (#"<data android:host="a.example" android:port="8443" />"#, "https://a.example/x", false),
    // A link in a browser has no type.
    (#"<data android:host="a.example" android:mimeType="text/*" />"#, "https://a.example/", false),
    (group, "https://a.example/buy/1", true),
  ])
  func `a link is taken, or stays in the browser`(data: String, link: String, isTaken: Bool) throws
  {
    if case .takes = try scope(data).verdict(link) {
      #expect(isTaken)
    } else {
      #expect(!isTaken)
    }
  }

  @Test func `a path is excluded where no filter may take it`() throws {
    var budget = Budget(operations: 10_000)
    let plain = #"<data android:host="a.example" android:pathPrefix="/buy" />"#
    #expect(try scope(plain).excludes(path: "/sell", ofHost: "a.example", &budget))
    #expect(try !scope(plain).excludes(path: "/b*", ofHost: "a.example", &budget))
    #expect(try !scope(plain).excludes(path: "/sell", ofHost: "b.example", &budget))
    let spent = budget.spent
    #expect(try scope(plain).excludes(path: "/sell", ofHost: "a.example", &budget))
    var exact = Budget(operations: budget.spent - spent)
    #expect(try scope(plain).excludes(path: "/sell", ofHost: "a.example", &exact))
    var less = Budget(operations: budget.spent - spent - 1)
    #expect(try !scope(plain).excludes(path: "/sell", ofHost: "a.example", &less))
    // A group may take what the paths leave.
    #expect(try !scope(Self.group).excludes(path: "/sell", ofHost: "a.example", &budget))
  }
}
