import Foundation
import Testing

@testable import AppFiles

@Suite struct AndroidManifestTests {
  private static let namespace = #"xmlns:android="http://schemas.android.com/apk/res/android""#

  private static func manifest(_ filter: String, activity: String = "") -> String {
    """
    <?xml version="1.0" encoding="utf-8"?>
    <!-- Shop -->
    <manifest \(namespace) package="org.swift.shop">
      <application>
        <activity android:name=".Main" \(activity)>
          \(filter)
        </activity>
      </application>
    </manifest>
    """
  }

  private static let filter = """
    <intent-filter android:autoVerify="true">
      <action android:name="android.intent.action.VIEW" />
      <category android:name="android.intent.category.DEFAULT"/>
      <data android:scheme="https" android:host='a.example' />
      <data android:host="b.example" android:pathPrefix="/a&amp;b&#x2F;" />
    </intent-filter>
    """

  private static func read(_ text: String) throws -> AndroidManifest {
    try AndroidManifest(Array(text.utf8))
  }

  @Test func `filters for links are read`() throws {
    let manifest = try Self.read(Self.manifest(Self.filter, activity: #"android:exported="true""#))
    #expect(manifest.packageName == "org.swift.shop")
    let filter = try #require(manifest.filters.first)
    #expect(filter.activity == ".Main" && filter.line == 6)
    #expect(filter.isVerified && filter.isExported == true)
    #expect(filter.actions == ["android.intent.action.VIEW"])
    #expect(filter.categories == ["android.intent.category.DEFAULT"])
    #expect(filter.schemes == ["https"] && filter.hosts == ["a.example", "b.example"])
    #expect(filter.paths == [.init(attribute: "pathPrefix", text: "/a&b/")])
  }

  @Test func `another prefix for the names of Android counts`() throws {
    let text = Self.manifest(Self.filter).replacing("android:", with: "a:")
      .replacing("xmlns:a:", with: "xmlns:a=").replacing(Self.namespace, with: "")
    let named = text.replacing(
      "<manifest ", with: #"<manifest xmlns:a="http://schemas.android.com/apk/res/android" "#)
    #expect(try Self.read(named).filters.first?.hosts == ["a.example", "b.example"])
  }

  @Test func `filters without a scheme of the web are left out`() throws {
    let text = Self.manifest(Self.filter.replacing("https", with: "shop"))
    #expect(try Self.read(text).filters == [])
  }

  @Test(arguments: [
    ("", "line 1: this is not XML"), ("{}", "line 1: this is not XML"),
    ("<a/>", "this is not an Android manifest: it begins with <a>"),
    ("<manifest>", "line 1: the XML text ends before the expected </manifest>"),
    ("<manifest>\n</b>", "line 2: </manifest> is expected"),
    ("<manifest a>", "line 1: the attribute a has no value"),
    ("<manifest a=1>", "line 1: the value of the attribute a is not in quotes"),
    ("<manifest a='1", "line 1: the value of the attribute a has no closing quotation mark"),
    (
      "<manifest a='1<2'/>",
      "line 1: the value of the attribute a has no closing quotation mark before the next `<`; in a "
        + "value, write `<` as `&lt;`"
    ),
    ("<manifest a='1' a='2'/>", "line 1: the attribute a is repeated"),
    ("<manifest a='&b;'/>", "line 1: there is no entity &b;"),
    ("<manifest a='&#xD800;'/>", "line 1: &#xD800; is not a character"),
    ("<!DOCTYPE a [<!ENTITY b 'c'>]><manifest/>", "line 1: document types are not supported"),
    ("<manifest/><b/>", "line 1: there is content after the root element"),
    ("<manifest><!-- ", "line 1: the XML text ends before the expected -->"),
    ("\u{3}\u{0}\u{8}\u{0}", "the binary manifest is broken"), ("PK", "line 1: this is not XML"),
  ])
  func `what is no manifest is refused with the line`(text: String, message: String) {
    let fault = #expect(throws: AppFileFault.self) { try Self.read(text) }
    #expect(fault?.line("m").hasPrefix("m: " + message) == true, "\(fault?.line("m") ?? "")")
  }

  @Test func `depth and number of elements have a limit`() {
    func nested(_ count: Int) -> String {
      String(repeating: "<manifest>", count: count) + String(repeating: "</manifest>", count: count)
    }
    func many(_ count: Int) -> String {
      "<manifest>" + String(repeating: "<a/>", count: count - 1) + "</manifest>"
    }
    #expect(throws: Never.self) { try Self.read(nested(AppFileLimits.depth + 1)) }
    #expect(throws: Never.self) { try Self.read(many(AppFileLimits.values)) }
    let deep = String(repeating: "<manifest>", count: 100_000)
    for text in [deep, nested(AppFileLimits.depth + 2), many(AppFileLimits.values + 1)] {
      let fault = #expect(throws: AppFileFault.self) { try Self.read(text) }
      #expect(fault?.line("m").contains("too many or too deeply nested elements") == true)
    }
  }

  @Test func `a file of a text has a limit`() throws {
    let path = NSTemporaryDirectory() + "manifest-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: path) }
    for (count, isRead) in [(AppFileLimits.textBytes, true), (AppFileLimits.textBytes + 1, false)] {
      let text = "<manifest/>" + String(repeating: " ", count: count - 11)
      try Data(text.utf8).write(to: URL(filePath: path))
      #expect(((try? AndroidManifest(reading: path)) != nil) == isRead)
      let printed = Self.digest + String(repeating: "\n", count: count - Self.digest.utf8.count)
      try Data(printed.utf8).write(to: URL(filePath: path))
      #expect(((try? SigningCertificate.all(reading: path)) != nil) == isRead)
    }
  }

  private static let digest = "SHA256: " + String(repeating: "3E", count: 32)

  @Test func `a manifest that is cut, or changed in one byte, is refused or read`() {
    let bytes = Array(Self.manifest(Self.filter).utf8)
    for end in 0..<(bytes.count - 1) {
      #expect(throws: AppFileFault.self) { try AndroidManifest(Array(bytes[..<end])) }
    }
    for place in bytes.indices {
      for value in [0, 0x3C, 0x22, 0xFF] as [UInt8] {
        var changed = bytes
        changed[place] = value
        _ = try? AndroidManifest(changed)
      }
    }
  }
}
