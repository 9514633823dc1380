import Bytes
import Foundation
import Testing

@Suite struct Base64Tests {
  private static func bytes(_ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37) }
  }

  private static func decoded(_ text: [UInt8]) -> [UInt8]? {
    let range = 0..<text.count
    var output = [UInt8](repeating: 0, count: Base64.capacity(for: range))
    return Base64.decode(text.span, range, into: &output).map { Array(output[..<$0]) }
  }

  @Test(arguments: 1...100) func `text of any length and line length is decoded`(count: Int) {
    let bytes = Self.bytes(count)
    for options in [[], .lineLength64Characters] as [Data.Base64EncodingOptions] {
      for end in ["", "\n", "\r\n"] {
        let text = Array((Data(bytes).base64EncodedString(options: options) + end).utf8)
        #expect(Self.decoded(text) == bytes)
      }
    }
  }

  @Test(arguments: 1...9) func `line ends may be anywhere`(length: Int) {
    let bytes = Self.bytes(80)
    var text = Array(Data(bytes).base64EncodedString().utf8)
    for position in stride(from: length, to: 2 * text.count, by: length + 1)
    where position < text.count {
      text.insert(UInt8(ascii: "\n"), at: position)
    }
    #expect(Self.decoded(text) == bytes)
    text[text.count / 2] = UInt8(ascii: "*")
    #expect(Self.decoded(text) == nil)
  }

  @Test(arguments: 0...100) func `bytes are encoded as another encoder does it`(count: Int) {
    let bytes = Self.bytes(count)
    #expect(Base64.encode(bytes) == Data(bytes).base64EncodedString())
  }

  @Test(arguments: ["", "A", "AQ", "AQI", "AQ=", "A===", "====", "AQ==AQID", "AQI_", "AQ I\u{0}"])
  func `what is not Base64 is refused`(text: String) {
    #expect(Self.decoded(Array(text.utf8)) == nil)
  }
}
