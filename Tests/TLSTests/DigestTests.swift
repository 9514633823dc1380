import Testing

@testable import TLS

@Suite struct DigestTests {
  @Test(arguments: [
    // FIPS 180-4's examples and the empty message.
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
  ])
  func `SHA-256 matches the standard`(text: String, hex: String) {
    let bytes = Array(text.utf8)
    let digest = Digest.sha256(bytes.span)
    let digits = digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
    #expect(digits.joined() == hex)
  }

  @Test func `random bytes are as many as asked for, and differ`() {
    #expect(randomBytes(0) == [])
    #expect(randomBytes(32).count == 32)
    #expect(randomBytes(32) != randomBytes(32))
  }
}
