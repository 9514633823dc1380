import AppSiteAssociation
import ArgumentParser
import Diagnostics
import Foundation
import Testing

@testable import aasa

/// `aasa passkeys`, and what `aasa validate` says of a host's files about passkeys.
@Suite struct PasskeyCommandTests {
  private static let fingerprint =
    "5E:8F:16:06:2E:A3:CD:2C:4A:0D:54:78:76:BA:A6:F3:8C:AB:F6:25:19:07:4D:93:0C:B1:F9:7A:2D:64:E8:B0"
  private static let app = ["--app", "K27TX9P4QD.org.swift.shop"]

  /// A folder that goes with the test.
  private final class Folder {
    let path = FileManager.default.temporaryDirectory.path + "/aasa-passkeys-\(UUID().uuidString)"

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func write(_ name: String, _ text: String) throws {
      let file = path + "/" + name
      try FileManager.default.createDirectory(
        atPath: (file as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
      try Data(text.utf8).write(to: URL(filePath: file))
    }

    func text(_ name: String) -> String? {
      try? String(contentsOfFile: "\(path)/site/.well-known/\(name)", encoding: .utf8)
    }

    /// Writes the files of a host into `site`.
    func initialize(_ arguments: [String]) -> Int32 {
      Program.run(
        ["passkeys", path + "/site"] + arguments, output: { _ in },
        errors: { _ in })
    }

    /// The codes of all findings, notes included.
    func codes(_ name: String) -> [String] {
      let inputs = collectInputs([path + "/" + name])
      var hosts = HostFiles(inputs)
      var found: [Diagnostic] = []
      for input in inputs {
        let (file, read) = input.judged(.init(), keeping: .note)
        hosts.take(read, input.path)
        found += file.diagnostics
      }
      return (found + hosts.disagreements).map(\.code)
    }
  }

  @Test func `all four files are written, and agree`() throws {
    let folder = Folder()
    let arguments =
      Self.app + [
        "--android", "org.swift.shop:" + Self.fingerprint, "--origin", "https://shop.swift.org",
        "--origin", "https://example.com", "--enroll", "https://swift.org/passkeys/new",
        "--manage", "https://swift.org/passkeys",
      ]
    #expect(folder.initialize(arguments) == 0)
    for name in ["apple-app-site-association", "assetlinks.json", "webauthn", "passkey-endpoints"] {
      #expect(folder.text(name) != nil, "\(name)")
    }
    #expect(folder.codes("site") == [])
    #expect(folder.text("webauthn")?.contains("\"https://shop.swift.org\",") == true)
    #expect(folder.text("apple-app-site-association")?.contains("applinks") == false)
    // Existing files are kept.
    #expect(folder.initialize(arguments) == 1)
    #expect(folder.initialize(arguments + ["--force"]) == 0)
  }

  @Test func `only the files that are asked for are written`() throws {
    let folder = Folder()
    #expect(folder.initialize(Self.app) == 0)
    #expect(folder.text("passkey-endpoints") == "{}\n")
    #expect(folder.text("assetlinks.json") == nil && folder.text("webauthn") == nil)
    #expect(folder.codes("site") == [])
  }

  @Test(arguments: [
    ["--android", "org.swift.shop"], ["--android", "org.swift.shop:AA:BB"],
    ["--android", "shop:" + fingerprint], ["--origin", "http://example.com"],
    ["--origin", "example.com"], ["--origin", "https://a.example", "--manage", "/passkeys"], [],
  ])
  func `what clients would refuse is not written`(arguments: [String]) throws {
    let folder = Folder()
    #expect(folder.initialize(arguments) == 2)
    #expect(folder.text("passkey-endpoints") == nil)
  }

  @Test(arguments: ["domains/a.example", "site"])
  func `validate judges files about passkeys, and all files of a host together`(
    host: String
  ) throws {
    let folder = Folder()
    try folder.write(
      host + "/apple-app-site-association",
      #"{"applinks":{"details":[{"appIDs":["#
        + #""K27TX9P4QD.org.swift.shop"],"components":[{"/":"/buy/*"}]}]}}"#)
    try folder.write(host + "/.well-known/webauthn", #"{"origins": ["http://a.example"]}"#)
    try folder.write(host + "/.well-known/passkey-endpoints", "{}")
    let codes = folder.codes(String(host.prefix { $0 != "/" }))
    #expect(codes.filter { $0.hasPrefix("D") || $0.hasPrefix("H") } == ["D151", "D172"])
  }

  /// Apple's file lets the app use passwords, and Android's only open links.
  private static func writePlatformsThatDisagree(to folder: Folder) throws {
    try folder.write(
      "domains/a.example.json", #"{"webcredentials":{"apps":["K27TX9P4QD.org.swift.shop"]}}"#)
    try folder.write(
      "domains/a.example.assetlinks.json",
      #"[{"relation":["delegate_permission/common.handle_all_urls"],"target":{"#
        + #""namespace":"android_app","package_name":"org.swift.shop","#
        + #""sha256_cert_fingerprints":["\#(fingerprint)"]}}]"#)
  }

  @Test func `a file beside a folder of domains belongs to its host`() throws {
    let folder = Folder()
    try Self.writePlatformsThatDisagree(to: folder)
    #expect(folder.codes("domains") == ["D170"])
  }

  @Test func `files of one host are compared as they were read, and not read again`() throws {
    let folder = Folder()
    try Self.writePlatformsThatDisagree(to: folder)
    let inputs = collectInputs([folder.path + "/domains"])
    var hosts = HostFiles(inputs)
    for input in inputs { hosts.take(input.judged(.init(), keeping: .note).read, input.path) }
    try FileManager.default.removeItem(atPath: folder.path + "/domains")
    #expect(hosts.disagreements.map(\.code) == ["D170"])
  }

  @Test func `another file of that name is not judged`() throws {
    let folder = Folder()
    try folder.write("site/apple-app-site-association", "{}")
    try folder.write("site/webauthn", "not JSON")
    #expect(folder.codes("site") == ["A010"])
  }

  @Test(arguments: ["site/192.168.4.10", "site/192.168.4.10/"])
  func `the folder of passkeys is named after a domain`(folder: String) {
    var errors: [String] = []
    let code = Program.run(
      ["passkeys", folder] + Self.app, output: { _ in },
      errors: { errors.append($0) })
    #expect(code == 2)
    #expect(
      errors.joined().contains("192.168.4.10 is an IP address, but passkeys belong to a domain"))
  }

  @Test(arguments: [
    fingerprint.filter { $0 != ":" }.lowercased(), fingerprint.lowercased(),
    "SHA-256 digest: " + fingerprint.filter { $0 != ":" }.lowercased(),
  ])
  func `a fingerprint is taken as tools print it`(text: String) throws {
    #expect(try readFingerprints([text]) == [Self.fingerprint])
    #expect(try certificateDigests([text], of: "--android") == [Self.fingerprint])
  }

  @Test(arguments: ["keytool.txt", "Shop.apk", "folder/key.pem"])
  func `a missing file is not called a fingerprint`(path: String) {
    #expect(throws: ExitCode.self) { try readFingerprints([path]) }
  }

  @Test(arguments: ["YOUR_SHA256_FINGERPRINT", "14:6D:E9:...", "5E:8F:…"])
  func `a placeholder stays for the rules`(text: String) throws {
    #expect(try readFingerprints([text]) == [text])
  }
}
