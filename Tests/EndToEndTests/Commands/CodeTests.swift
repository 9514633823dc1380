import TestRunning
import Testing

@testable import EndToEnd

/// `aasa code`.
@Suite(.manyAtOnce) struct CodeTests {
  private let workspace: Workspace

  init() throws { workspace = try Workspace() }

  private func run(_ arguments: [String]) throws -> (code: Int32, output: String, errors: String) {
    let run = try workspace.aasa(["code"] + arguments)
    return (run.exitCode, run.text, run.errors)
  }

  @Test func `an app in SwiftUI gets its lines, its entitlement and test links`() throws {
    let printed = try run(["swiftui", "--path", "https://example.com/buy/*"])
    #expect(printed.code == 0 && printed.errors.isEmpty)
    #expect(
      printed.output.hasPrefix(
        "== ShopApp.swift (SwiftUI, from iOS 14: onOpenURL(perform:) in Apple's documentation)\n\n"
          + "import SwiftUI\n"))
    #expect(
      printed.output.hasSuffix(
        """
        == NAME.entitlements

        <key>com.apple.developer.associated-domains</key>
        <array>
          <string>applinks:example.com</string>
        </array>

        == Test each link twice: while the app runs, and after you quit it

        xcrun simctl openurl booted 'https://example.com/buy/1'
        The simulator may open Safari although a device would open the app: test on a device.
        On a device, tap the link in Notes or in a message; do not type it into a browser.

        """))
  }

  @Test func `an app in Kotlin gets an intent filter with its hosts and paths`() throws {
    let paths = [
      "https://a.example/buy/*", "https://b.example/help?id=?*", "/x?y", "/a.b*c", "NOT /buy/x",
    ].flatMap { ["--path", $0] }
    let printed = try run(paths + ["kotlin"])
    #expect(printed.code == 0)
    #expect(
      printed.output.contains(
        #"""
          <category android:name="android.intent.category.BROWSABLE" />
          <data android:scheme="https" />
          <data android:host="a.example" />
          <data android:host="b.example" />
          <data android:pathPrefix="/buy/" />
          <data android:path="/help" />
          <data android:pathPattern="/x.y" />
          <data android:pathPattern="/a\\.b.*c" />
        </intent-filter>
        <!-- Exclusions and queries belong to the dynamic rules of assetlinks.json. -->
        """#))
    #expect(printed.output.contains(#"-d "'https://b.example/help?id=1'""#))
    #expect(!printed.output.contains("entitlements"))
  }

  @Test(arguments: [
    ("swiftui", true, false), ("uikit", true, false), ("objc", true, false),
    ("appkit", true, false), ("maui", true, true),
    ("react-native", true, true), ("flutter", true, true), ("kotlin", false, true),
  ])
  func `every framework receives a link that starts the app and one while it runs`(
    framework: String, isForApple: Bool, isForAndroid: Bool
  ) throws {
    let printed = try run([framework])
    #expect(printed.code == 0)
    #expect(
      printed.errors
        == "note: replace example.com with your host, or pass full links with --path\n")
    #expect(printed.output.lowercased().contains("link that starts the app"))
    #expect(printed.output.contains("applinks:example.com") == isForApple)
    #expect(printed.output.contains("android:autoVerify=\"true\"") == isForAndroid)
  }

  @Test func `an app for the Mac is tried on the Mac and not in a simulator`() throws {
    let printed = try run(["--path", "https://example.com/buy/*", "appkit"])
    #expect(printed.output.contains("NSApplicationDelegate"))
    #expect(printed.output.contains("\nhttps://example.com/buy/1\nControl-click the link in Notes"))
    #expect(!printed.output.contains("simctl"))
  }

  @Test func `another framework is refused with the list of those that are known`() throws {
    let printed = try run(["cordova"])
    #expect(printed.code == 2 && printed.errors.contains("react-native"))
  }
}
