import Bytes
import Testing

@Suite struct HexTests {
  @Test func `a digit has a value in either case, and other bytes have none`() {
    let digits = Array("0123456789abcdef".utf8)
    for byte in UInt8.min...UInt8.max {
      let lower = (0x41...0x46).contains(byte) ? byte + 0x20 : byte
      #expect(byte.hexValue.map(Int.init) == digits.firstIndex(of: lower))
    }
    #expect((0..<16).map { UInt8.hexDigit($0) } == Array("0123456789ABCDEF".utf8))
  }

  @Test(arguments: [
    ("", ""), ("abc", "abc"), ("%20", " "), ("a%2fb%2Fc", "a/b/c"), ("%C3%A9", "é"), ("%", "%"),
    ("%2", "%2"), ("%zz%2", "%zz%2"), ("%%41", "%A"), ("100%", "100%"), ("%4%31", "%41"),
  ]) func `percent-encodings are decoded, and invalid ones stay`(text: String, decoded: String) {
    #expect(String(decoding: text.utf8.percentDecoded, as: UTF8.self) == decoded)
  }

  @Test func `every byte is decoded from its encoding`() {
    for byte in UInt8.min...UInt8.max {
      #expect(byte.percentEncoded.utf8.count == 3)
      #expect(byte.percentEncoded.utf8.percentDecoded == [byte])
    }
  }

  @Test func `bytes have two digits each`() {
    #expect(([0, 1, 0xAB, 0xFF] as [UInt8]).hexText == "0001abff")
  }
}
