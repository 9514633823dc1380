import AppFileSupport
import Testing

@testable import AppFiles

@Suite struct SigningCertificateTests {
  private static let digest: [UInt8] = [
    0x3E, 0x3F, 0xDD, 0x15, 0x35, 0x04, 0x62, 0xD0, 0x86, 0x6C, 0xB2, 0xCE, 0xFA, 0x2D, 0xE0, 0xFB,
    0xEF, 0xC2, 0xBA, 0x7A, 0x2A, 0xE0, 0xA2, 0xAB, 0x9D, 0xAA, 0xA6, 0x10, 0x55, 0xD8, 0xC0, 0x68,
  ]
  /// What keytool 17 prints, without what stands before and after it.
  private static let keytool = """
    Owner: CN=Shop, O=Swift, C=US
    Issuer: CN=Shop, O=Swift, C=US
    Serial number: cc263c19e98a530e
    Certificate fingerprints:
    \t SHA1: F1:3A:E6:0E:59:7D:49:CF:3A:86:FD:65:59:80:6D:EA:4B:FA:DB:FF
    \t SHA256: 3E:3F:DD:15:35:04:62:D0:86:6C:B2:CE:FA:2D:E0:FB:EF:C2:BA:7A:2A:E0:A2:AB:9D:AA:A6:10:55:D8:C0:68
    Signature algorithm name: SHA256withECDSA
    """
  private static let apksigner = """
    Signer #1 certificate DN: CN=Android Debug, O=Android, C=US
    Signer #1 certificate SHA-256 digest: 3e3fdd15350462d0866cb2cefa2de0fbefc2ba7a2ae0a2ab9daaa61055d8c068
    Signer #1 certificate SHA-1 digest: f13ae60e597d49cf3a86fd6559806dea4bfadbff
    """
  private static let gradle =
    "SHA-256: 3E:3F:DD:15:35:04:62:D0:86:6C:B2:CE:FA:2D:E0:FB:EF:C2:BA:7A:2A:E0:A2:AB:9D:AA:A6:10:55:D8:C0:68"

  private static func read(_ text: String) throws -> [SigningCertificate] {
    try SigningCertificate.all(printed: Array(text.utf8))
  }

  @Test(arguments: [(keytool, false), (apksigner, true), (gradle, false)])
  func `the output of tools is read`(text: String, isForDebugging: Bool) throws {
    let expected = SigningCertificate(digest: Self.digest, isForDebugging: isForDebugging)
    #expect(try Self.read(text) == [expected])
    #expect(try Self.read(text + "\r\n" + text) == [expected])
  }

  @Test func `of a chain the first certificate counts, of several entries each`() throws {
    let other = Self.keytool.replacing("SHA256: 3E", with: "SHA256: 00")
    let chain = "Certificate[1]:\n\(Self.keytool)\nCertificate[2]:\n\(other)\n"
    #expect(try Self.read(chain).map(\.digest) == [Self.digest])
    let second = "Alias name: b\nCertificate[1]:\n\(other)\n"
    #expect(try Self.read(chain + second).map { $0.digest[0] } == [0x3E, 0])
    let trusted = "Alias name: b\nEntry type: trustedCertEntry\n\(other)\n"
    #expect(try Self.read(chain + trusted).map { $0.digest[0] } == [0x3E, 0])
  }

  @Test(arguments: [
    "", "SHA256:", "SHA256: 3E:3F", "SHA1: F1:3A", "\u{0}\u{1}", "SHA256: " + gradle.dropFirst(10),
    gradle.replacing("3E", with: "3G"), gradle.replacing("SHA-256", with: "MD5"),
  ])
  func `a text without a digest is refused`(text: String) {
    #expect(throws: AppFileFault.self) { try Self.read(text) }
  }

  @Test func `bytes that are not text are refused`() {
    #expect(throws: AppFileFault.self) { try SigningCertificate.all(printed: [0x30, 0x82, 0xFF]) }
  }

  @Test func `a package has the first certificate of each signer, each once`() throws {
    let (one, two) = (Array("certificate 1".utf8), Array("CN=Android Debug".utf8))
    // The schemes 2, 3 and 3.1, and another one.
    let bytes = AppFileSamples.signedPackage([
      (0x7109_871A, [one]), (0xF053_68C0, [one, two]), (0x1B93_AD61, [[3], one]),
      (0x1234_5678, [[7]]),
    ])
    let found = try SigningCertificate.all(inPackage: ByteSource(bytes))
    #expect(found.map(\.isForDebugging) == [false, true, false])
    // sha256sum of the 13 bytes.
    #expect(
      found[0].digest.prefix(4).map { String($0, radix: 16) } == ["cb", "a1", "c1", "60"])
  }

  @Test func `a package that is not signed, or by jarsigner alone, is explained`() {
    func fault(_ bytes: [UInt8]) -> String? {
      do throws(AppFileFault) {
        _ = try SigningCertificate.all(inPackage: ByteSource(bytes))
        return nil
      } catch { return error.line("a") }
    }
    #expect(
      fault(AppFileSamples.archive([("a", [1])]))
        == "a: the package is not signed, or is not an .apk")
    let bundle = AppFileSamples.archive([("META-INF/KEY.RSA", [1]), ("b", [2])])
    #expect(fault(bundle)?.contains("upload key") == true)
    #expect(
      fault(AppFileSamples.signedPackage([(0x1234_5678, [[7]])]))
        == "a: the package's signature has no certificate")
  }

  @Test func `signers and the bytes of a signature have a limit`() throws {
    func found(_ certificates: [[UInt8]]) -> String? {
      do throws(AppFileFault) {
        let bytes = AppFileSamples.signedPackage([(0x7109_871A, certificates)])
        return "\(try SigningCertificate.all(inPackage: ByteSource(bytes)).count)"
      } catch { return error.line("a") }
    }
    let many = (0..<AppFileLimits.signers).map { [UInt8($0)] }
    #expect(found(many) == "\(AppFileLimits.signers)")
    #expect(found(many + [[99]]) == "a: the package's signature is broken")
    // What stands around one certificate.
    let rest = AppFileSamples.signedPackage([(0x7109_871A, [[]])]).count
    let empty = AppFileSamples.archive([
      ("AndroidManifest.xml", [3, 0, 8, 0]), ("classes.dex", [1, 2, 3]),
    ]).count
    let size = AppFileLimits.signingBlockBytes - (rest - empty - 8)
    #expect(found([[UInt8](repeating: 7, count: size)]) == "1")
    #expect(
      found([[UInt8](repeating: 7, count: size + 1)])
        == "a: the package's signature has more than 16777216 bytes")
  }

  @Test func `a package that is cut, or changed in one byte, is refused or read`() throws {
    let bytes = AppFileSamples.signedPackage([(0x7109_871A, [Array("certificate".utf8)])])
    for end in 0..<bytes.count {
      #expect(throws: AppFileFault.self) {
        try SigningCertificate.all(inPackage: ByteSource(Array(bytes[..<end])))
      }
    }
    for place in bytes.indices {
      for value in [0, 0x7F, 0xFF] as [UInt8] {
        var changed = bytes
        changed[place] = value
        _ = try? SigningCertificate.all(inPackage: ByteSource(changed))
      }
    }
  }
}
