import ArgumentParser
import Checking
import Testing

@testable import aasa

/// The forms of `--android`.
@Suite struct AndroidOptionTests {
  private static let fingerprint = (1...32).map { _ in "AB" }.joined(separator: ":")

  @Test(arguments: [
    "org.swift.shop:\(fingerprint)", "Shop.apk", "./Shop.apk", "builds/a:b/Shop.apk",
    "org.swift.shop:Shop.apk", "org.swift.shop:builds/Shop.apk", "org.swift.shop:keytool.txt",
  ])
  func `a package with a fingerprint or a file, or an apk alone`(text: String) throws {
    _ = try AndroidOptions.parse(["--android", text])
  }

  @Test(arguments: [
    ("shop", "is not PACKAGE:FINGERPRINT"), (":\(fingerprint)", "is not PACKAGE:FINGERPRINT"),
    ("org.swift.shop:", "is not PACKAGE:FINGERPRINT"), ("shop:Shop.apk", "is not a package name"),
  ])
  func `anything else is refused`(text: String, words: String) {
    let error = #expect(throws: (any Error).self) {
      try AndroidOptions.parse(["--android", text])
    }
    #expect(error.map { AndroidOptions.message(for: $0).contains(words) } == true)
  }

  @Test func `fingerprints of one package are those of one app`() throws {
    let options = try AndroidOptions.parse([
      "--android", "org.swift.shop:\(Self.fingerprint)",
      "--android", "org.swift.shop:" + Self.fingerprint.replacing("AB", with: "cd"),
      "--android", "org.swift.pay:" + Self.fingerprint.filter { $0 != ":" },
    ])
    let apps = try options.apps()
    #expect(apps.map(\.packageName) == ["org.swift.shop", "org.swift.pay"])
    #expect(
      apps[0].fingerprints == [Self.fingerprint, Self.fingerprint.replacing("AB", with: "CD")])
    #expect(apps[1].fingerprints == [Self.fingerprint])
  }
}
