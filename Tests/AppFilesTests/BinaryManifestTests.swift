import AppFileSupport
import Testing

@testable import AppFiles

@Suite struct BinaryManifestTests {
  private static let names: [String: UInt32] = [
    "name": 0x0101_0003, "exported": 0x0101_0010, "scheme": 0x0101_0027, "host": 0x0101_0028,
    "port": 0x0101_0029, "pathPrefix": 0x0101_002B, "autoVerify": 0x0101_04EE,
  ]

  private static func fault(_ bytes: [UInt8]) -> String? {
    do throws(AppFileFault) {
      _ = try AndroidManifest(bytes)
      return nil
    } catch { return error.line("m") }
  }

  @Test(arguments: [
    (true, [:]), (false, [:]), (true, names), (false, names),
  ])
  func `filters are read as from the text`(isUTF8: Bool, names: [String: UInt32]) throws {
    let bytes = BinaryManifest.bytes(
      of: BinaryManifest.shop(path: "/kauf/\u{E4}\u{1F6D2}/"), isUTF8: isUTF8, namesNumbers: names)
    let manifest = try AndroidManifest(bytes)
    #expect(manifest.packageName == "org.swift.shop")
    let filter = try #require(manifest.filters.first)
    #expect(filter.activity == ".Main" && filter.line == 4)
    #expect(filter.isVerified && filter.isExported == true && filter.categories.count == 2)
    #expect(filter.authorities == [.init(host: "a.example", port: "8443")])
    #expect(filter.paths == [.init(attribute: "pathPrefix", text: "/kauf/\u{E4}\u{1F6D2}/")])
  }

  @Test func `a reference to a resource has its number, and may be filled in`() throws {
    let root = BinaryManifest.shop(host: .reference(0x7F0B_0001))
    let manifest = try AndroidManifest(BinaryManifest.bytes(of: root))
    #expect(manifest.filters.first?.hosts == ["@0x7f0b0001"])
    #expect(
      manifest.filling(["@0x7f0b0001": "a.example"]).filters.first?.hosts == ["a.example"])
  }

  @Test(arguments: [0x7F, 0x80, 0x7FFF]) func `long strings are read`(count: Int) throws {
    let path = "/" + String(repeating: "a", count: count - 1)
    for isUTF8 in [true, false] {
      let bytes = BinaryManifest.bytes(of: BinaryManifest.shop(path: path), isUTF8: isUTF8)
      #expect(try AndroidManifest(bytes).filters.first?.paths.map(\.text) == [path])
    }
    let longer = BinaryManifest.bytes(
      of: BinaryManifest.shop(path: String(repeating: path, count: 9)), isUTF8: false)
    #expect(try AndroidManifest(longer).filters.first?.paths.first?.text.count == 9 * count)
  }

  @Test func `the manifest of a package is read from it`() throws {
    let bytes = BinaryManifest.bytes(of: BinaryManifest.shop())
    let archive = AppFileSamples.archive([("AndroidManifest.xml", bytes), ("classes.dex", [1])])
    let manifest = try AndroidManifest(inPackage: ByteSource(archive))
    #expect(manifest.filters.first?.hosts == ["a.example"])
  }

  @Test(arguments: [
    ("base/manifest/AndroidManifest.xml", "bundletool dump manifest --bundle=APP.aab"),
    ("Payload/Shop.app/Info.plist", "the archive is not an .apk"),
  ])
  func `an archive without a manifest says what to give`(name: String, message: String) {
    let source = ByteSource(AppFileSamples.archive([(name, [1])]))
    let fault = #expect(throws: AppFileFault.self) { try AndroidManifest(inPackage: source) }
    #expect(fault?.line("a").contains(message) == true)
  }

  @Test func `depth and number of binary elements have a limit`() {
    func nested(_ depth: Int) -> BinaryManifest.Element {
      depth == 1
        ? .init("manifest") : .init("manifest", [], [nested(depth - 1)])
    }
    #expect(Self.fault(BinaryManifest.bytes(of: nested(AppFileLimits.depth))) == nil)
    let many = { (count: Int) in
      BinaryManifest.bytes(
        of: .init("manifest", [], Array(repeating: .init("a"), count: count - 1)))
    }
    #expect(Self.fault(many(AppFileLimits.values)) == nil)
    for bytes in [
      BinaryManifest.bytes(of: nested(AppFileLimits.depth + 1)), many(AppFileLimits.values + 1),
    ] {
      #expect(
        Self.fault(bytes)?.contains("too many, too long or too deeply nested elements") == true)
    }
  }

  @Test func `a string that is used many times counts each time`() {
    // One byte of each value is the value's own, the others are the name's. Each string also counts
    // when it is decoded.
    let name = String(repeating: "a", count: 32_760)
    let decoded = "manifest" + "a" + name + "http://schemas.android.com/apk/res/android"
    let most = AppFileLimits.manifestBytes - "manifest".utf8.count - decoded.utf8.count
    let fits = most / ("a".utf8.count + "android:".utf8.count + name.utf8.count)
    func bytes(_ count: Int) -> [UInt8] {
      let element = BinaryManifest.Element("a", [(name, .text(""))])
      return BinaryManifest.bytes(
        of: .init("manifest", [], Array(repeating: element, count: count)))
    }
    #expect(Self.fault(bytes(fits)) == nil)
    #expect(Self.fault(bytes(fits + 1))?.contains("too many, too long or") == true)
  }

  @Test func `a manifest larger than the limit is refused`() {
    let bytes = [UInt8](repeating: 0, count: AppFileLimits.manifestBytes + 1)
    let source = ByteSource(AppFileSamples.archive([("AndroidManifest.xml", bytes)]))
    let fault = #expect(throws: AppFileFault.self) { try AndroidManifest(inPackage: source) }
    #expect(fault?.line("a").contains("AndroidManifest.xml has 16777217 bytes") == true)
  }

  @Test func `a binary manifest that is cut, or changed in one byte, is refused or read`() {
    let bytes = BinaryManifest.bytes(of: BinaryManifest.shop(), namesNumbers: Self.names)
    for end in 4..<bytes.count {
      #expect(Self.fault(Array(bytes[..<end])) == "m: the binary manifest is broken")
    }
    for place in bytes.indices {
      for value in [0, 1, 0x7F, 0xFF] as [UInt8] {
        var changed = bytes
        changed[place] = value
        _ = try? AndroidManifest(changed)
      }
    }
  }
}
