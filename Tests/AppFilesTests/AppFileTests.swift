import AppFileSupport
import Foundation
import TLSTestSupport
import Testing

@testable import AppFiles

@Suite struct AppFileTests {
  private let folder = FileManager.default.temporaryDirectory.path + "/app-\(UUID().uuidString)"
  private static let app = "K27TX9P4QD.org.swift.shop"
  private static let domains = ["applinks:example.com", "webcredentials:example.com"]
  private static let entitlements = AppFileSamples.entitlements(
    app: app, domains: domains, team: "K27TX9P4QD")
  private static let executable = AppFileSamples.executable(signedWith: entitlements)
  /// Its header is four bytes shorter.
  private static let executableOf32Bits: [UInt8] = {
    var bytes = executable
    bytes[0] = 0xCE
    bytes.removeSubrange(28..<32)
    bytes.insert(contentsOf: [0, 0, 0, 0], at: 60_000)
    return bytes
  }()
  private static let information = AppFileSamples.plist(
    "<dict><key>CFBundleExecutable</key><string>Run</string></dict>")

  private func profile(permitsDomains: Bool = true) -> [UInt8] {
    return TestSignedMessage.der(
      AppFileSamples.profile(
        app: Self.app, team: "K27TX9P4QD", permitsDomains: permitsDomains),
      signers: [TestCertificate("signer")])
  }

  private func write(_ name: String, _ bytes: [UInt8]) throws -> String {
    let path = folder + "/" + name
    try FileManager.default.createDirectory(
      atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    return path
  }

  private func read(_ bytes: [UInt8]) throws -> AppFile {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    return try AppFile(reading: write("file", bytes))
  }

  /// A file, shown by its name: some have thousands of bytes, and a test prints its arguments.
  struct Form: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let bytes: [UInt8]
    let kind: AppFile.Kind

    init(_ name: String, _ bytes: [UInt8], _ kind: AppFile.Kind = .entitlements) {
      (testDescription, self.bytes, self.kind) = (name, bytes, kind)
    }
  }

  @Test(arguments: [
    Form("entitlements", entitlements),
    Form(
      "with the header of their blob, as older versions of codesign print it",
      [0xFA, 0xDE, 0x71, 0x71, 0, 0, 0x3C, 0x3C] + entitlements),
    Form(
      "with the other output of codesign",
      Array("Executable=/Shop.app/Shop\n".utf8) + entitlements),
    Form(
      "with codesign's output without --xml",
      Array(
        """
        Executable=/Shop.app/Shop
        [Dict]
        \t[Key] application-identifier
        \t[Value]
        \t\t[String] \(app)
        \t[Key] com.apple.developer.associated-domains
        \t[Value]
        \t\t[Array]
        \t\t\t[String] applinks:example.com
        \t\t\t[String] webcredentials:example.com
        \t[Key] get-task-allow
        \t[Value]
        \t\t[Bool] true
        """.utf8)),
    Form(
      "a binary property list",
      AppFileSamples.binary([
        ("application-identifier", nil, app),
        ("com.apple.developer.associated-domains", domains, ""),
      ])),
    Form(
      "an app.json of Expo",
      Array(
        """
        {"expo": {"ios": {"bundleIdentifier": "org.swift.shop", "appleTeamId": "K27TX9P4QD",
          "associatedDomains": ["applinks:example.com", "webcredentials:example.com"]}}}
        """.utf8), .expo),
    Form("an executable", executable, .signedApp),
    Form("a universal executable", AppFileSamples.universal(executable, executable), .signedApp),
    Form(
      "one that is signed for one of its architectures alone",
      AppFileSamples.universal(executable, executable[..<16] + [UInt8](repeating: 0, count: 16)),
      .signedApp),
    Form("one for 32 bits", executableOf32Bits, .signedApp),
    Form(
      "a large one", AppFileSamples.universal(executable, executable, isLarge: true), .signedApp),
    Form(
      "an archive",
      AppFileSamples.archive([
        ("Payload/Shop.app/Info.plist", information), ("Payload/Shop.app/Run", executable),
      ]), .signedApp),
  ]) func `every form says the same`(form: Form) throws {
    let file = try read(form.bytes)
    #expect(file.app == Self.app && file.domains == Self.domains, "\(file)")
    #expect(file.kind == form.kind)
  }

  @Test func `a profile says what is permitted, and names no domains`() throws {
    let file = try read(profile())
    #expect(file.kind == .profile && file.app == Self.app && file.domains == nil)
    #expect(file.profile?.permitsDomains == true && file.profile?.name == "Shop Store")
    #expect(try read(profile(permitsDomains: false)).profile?.permitsDomains == false)
  }

  @Test func `folders of an app and of an archive are read`() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let app = "x.xcarchive/Products/Applications/Shop.app/"
    _ = try write(app + "Info.plist", Self.information)
    _ = try write(app + "Run", Self.executable)
    _ = try write(app + "embedded.mobileprovision", profile(permitsDomains: false))
    for path in [folder + "/x.xcarchive", folder + "/" + app] {
      let file = try AppFile(reading: path)
      #expect(file.kind == .signedApp && file.domains == Self.domains)
      #expect(file.profile?.permitsDomains == false)
    }
    try FileManager.default.removeItem(atPath: folder + "/" + app + "Run")
    #expect(try AppFile(reading: folder + "/" + app).kind == .profile)
    #expect(throws: AppFileFault.content("there is no Info.plist, so this is not an app")) {
      try AppFile(reading: folder)
    }
  }

  @Test func `an app for the Mac has its files in a folder of its own`() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    _ = try write("Shop.app/Contents/Info.plist", Self.information)
    _ = try write("Shop.app/Contents/MacOS/Run", Self.executable)
    #expect(try AppFile(reading: folder + "/Shop.app").domains == Self.domains)
  }

  @Test func `what Xcode fills in is not known`() throws {
    let file = try read(
      AppFileSamples.entitlements(
        app: "$(AppIdentifierPrefix)org.swift.shop", domains: Self.domains,
        team: "$(DEVELOPMENT_TEAM)"))
    #expect(file.app == nil && file.team == nil && file.domains == Self.domains)
  }

  @Test func `an app with more App Clips than are read is refused`() throws {
    func archive(_ clips: Int) -> [UInt8] {
      let clip = AppFileSamples.executable(
        signedWith: AppFileSamples.entitlements(app: Self.app + ".Clip", domains: []))
      let files = [("Info.plist", Self.information), ("Run", Self.executable)]
      let all =
        files
        + (0..<clips).flatMap { number in
          [
            ("AppClips/C\(number).app/Info.plist", Self.information),
            ("AppClips/C\(number).app/Run", clip),
          ]
        }
      return AppFileSamples.archive(all.map { (name: "Payload/Shop.app/" + $0.0, content: $0.1) })
    }
    defer { try? FileManager.default.removeItem(atPath: folder) }
    #expect(try AppFile(reading: write("Ten.ipa", archive(10))).clips.count == 10)
    #expect(
      throws: AppFileFault.content("the app has 11 App Clips; the limit is 10")
    ) { try AppFile(reading: write("Eleven.ipa", archive(11))) }
  }

  @Test func `App Clips within an app are read, each with its own identifier`() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let clip = AppFileSamples.executable(
      signedWith: AppFileSamples.entitlements(
        app: Self.app + ".Clip", domains: ["appclips:example.com"]))
    let files = [
      ("Shop.app/Info.plist", Self.information), ("Shop.app/Run", Self.executable),
      ("Shop.app/AppClips/Clip.app/Info.plist", Self.information),
      ("Shop.app/AppClips/Clip.app/Run", clip), ("Shop.app/AppClips/remark.txt", []),
    ]
    for (name, bytes) in files { _ = try write(name, bytes) }
    let archive = AppFileSamples.archive(files.map { (name: "Payload/" + $0.0, content: $0.1) })
    for path in [folder + "/Shop.app", try write("Shop.ipa", archive)] {
      let file = try AppFile(reading: path)
      #expect(file.app == Self.app && file.place == nil)
      #expect(file.clips.map(\.app) == [Self.app + ".Clip"])
      #expect(file.clips.map(\.place) == ["AppClips/Clip.app"])
      #expect(file.clips.map(\.domains) == [["appclips:example.com"]])
    }
    try FileManager.default.removeItem(atPath: folder + "/Shop.app/AppClips/Clip.app/Run")
    #expect(
      throws: AppFileFault.content(
        "AppClips/Clip.app: the app is not signed: it has neither entitlements nor a profile")
    ) { try AppFile(reading: folder + "/Shop.app") }
  }

  @Test func `the App Clips that an app's entitlements name are known`() throws {
    let file = try read(
      AppFileSamples.entitlements(
        app: Self.app, domains: Self.domains,
        more: "<key>com.apple.developer.associated-appclip-app-identifiers</key>"
          + "<array><string>\(Self.app).Clip</string><string>$(X).Clip</string></array>"))
    #expect(file.clipIdentifiers == [Self.app + ".Clip"])
  }

  struct Refusal: Sendable, CustomTestStringConvertible {
    let bytes: [UInt8]
    let message: String

    var testDescription: String { message }
  }

  @Test(arguments: [
    Refusal(bytes: Array("[Dict]\n\t[Key] a".utf8), message: "not a property list"),
    Refusal(
      bytes: Array("[Dict]\n\t[Key] a\n\t[Value]\n[Bool] true".utf8), message: "not a property"),
    Refusal(
      bytes: Array("{\"applinks\": {}}".utf8), message: "the JSON file has no \"ios\" member"),
    Refusal(bytes: Array("{".utf8), message: "is not valid JSON"),
    Refusal(bytes: [0x30, 0x82, 1, 2, 3], message: "not a provisioning profile"),
    Refusal(bytes: AppFileSamples.archive([("a.txt", [1])]), message: "is not an .ipa"),
    Refusal(
      bytes: AppFileSamples.archive([("Payload/A.app/Info.plist", information)]),
      message: "the app is not signed"),
    Refusal(
      bytes: AppFileSamples.archive([
        ("Payload/A.app/Info.plist", information), ("Payload/B.app/Info.plist", information),
      ]), message: "several apps"),
    Refusal(bytes: [0x50, 0x4B, 3, 4], message: "the archive is incomplete"),
    Refusal(bytes: AppFileSamples.plist("<array/>"), message: "has no dictionary at the top level"),
    Refusal(
      bytes: [UInt8](repeating: 0x20, count: 9 << 20),
      message: "so it contains neither entitlements nor a profile"),
  ]) func `what says nothing of an app is named`(refusal: Refusal) throws {
    do {
      Issue.record("\(try read(refusal.bytes))")
    } catch let fault as AppFileFault {
      #expect(fault.line("x").contains(refusal.message), "\(fault)")
    }
  }

  @Test func `an executable that is cut is refused, or has no entitlements`() throws {
    for end in stride(from: 32, to: Self.executable.count, by: 997) {
      let reader = ForwardReader(ByteSource(Array(Self.executable[..<end])))
      #expect(throws: AppFileFault.self) { try CodeSignature.entitlements(reader) }
    }
    var changed = Self.executable
    for place in Array(0..<100) + Array((changed.count - 400)..<changed.count) {
      let kept = changed[place]
      changed[place] = 0xFF
      _ = try? CodeSignature.entitlements(ForwardReader(ByteSource(changed)))
      changed[place] = kept
    }
  }
}
