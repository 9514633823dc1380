import Gzip
import Testing

@Suite struct GzipTests {
  private static let text = Array(
    String(repeating: #"{"applinks":{"details":[]}} "#, count: 200).utf8)
  private static let packed = GzipCompressor().compress(text.span)

  private func outcome(_ bytes: [UInt8], limit: Int = 1_000_000) -> Result<[UInt8], GzipFault> {
    Result { () throws(GzipFault) in try gunzip(bytes, limit: limit) }
  }

  @Test func `compressed text comes back`() {
    #expect(outcome(Self.packed) == .success(Self.text))
    #expect(outcome(GzipCompressor().compress([UInt8]().span)) == .success([]))
    // Incompressible, and more than one step.
    let noise = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 13) }
    #expect(outcome(GzipCompressor().compress(noise.span)) == .success(noise))
  }

  @Test func `several members are one text, and padding is ignored`() {
    #expect(outcome(Self.packed + Self.packed) == .success(Self.text + Self.text))
    #expect(outcome(Self.packed + [0, 0, 0]) == .success(Self.text))
    #expect(outcome(Self.packed + [0x1F, 0x8B, 0]) == .failure(.truncated(decoded: 5600)))
  }

  @Test func `anything but gzip is reported`() {
    #expect(outcome(Array("{}".utf8)) == .failure(.malformed(decoded: 0)))
    // zlib's own wrapper, which some servers send as deflate.
    #expect(outcome([0x78, 0x9C, 3, 0]) == .failure(.malformed(decoded: 0)))
    #expect(outcome([]) == .failure(.truncated(decoded: 0)))
  }

  @Test func `every cut and every changed byte is reported or harmless, and never a crash`() {
    for count in Self.packed.indices {
      guard case .failure(.truncated) = outcome(Array(Self.packed[..<count])) else {
        Issue.record("cut at \(count)")
        continue
      }
      var changed = Self.packed
      changed[count] ^= 0x10
      _ = outcome(changed)
    }
  }

  @Test func `a bomb stops at the limit`() {
    #expect(outcome(Self.packed, limit: Self.text.count) == .success(Self.text))
    #expect(outcome(Self.packed, limit: Self.text.count - 1) == .failure(.tooLarge(limit: 5599)))
    let zeros = [UInt8](repeating: 0, count: 20_000_000)
    let bomb = GzipCompressor().compress(zeros.span)
    #expect(bomb.count < 30_000)
    #expect(outcome(bomb) == .failure(.tooLarge(limit: 1_000_000)))
  }
}
