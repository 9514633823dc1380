/// One of the 40 code sizes, at error correction level M.
struct Version: Sendable {
  let number: Int
  /// The number of error correction codewords in each block.
  let correctionPerBlock: Int
  let blocks: Int

  var size: Int { 17 + 4 * number }

  static let all: [Version] = zip(correctionPerBlock, blockCounts).enumerated().map {
    Version(number: $0 + 1, correctionPerBlock: $1.0, blocks: $1.1)
  }

  /// Columns of ISO/IEC 18004 table 9 for level M, with one number for each version.
  private static let correctionPerBlock = [
    10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26,
    26, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28,
  ]
  private static let blockCounts = [
    1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10, 10, 11, 13, 14, 16,
    17, 17, 18, 20, 21, 23, 25, 26, 28, 29, 31, 33, 35, 37, 38, 40, 43, 45, 47, 49,
  ]

  /// The row and column numbers of the centers of the alignment patterns (annex E). The first
  /// number is 6, and the last number is `size - 7`. The other numbers are spaced evenly between
  /// these two.
  var alignmentCentres: [Int] {
    if number == 1 { return [] }
    let count = number / 7 + 2
    let step = number == 32 ? 26 : (number * 4 + count * 2 + 1) / (count * 2 - 2) * 2
    return [6] + (0..<(count - 1)).map { size - 7 - $0 * step }.reversed()
  }

  /// The number of modules that are left for codewords after the function patterns are subtracted.
  private var dataModules: Int {
    var count = (16 * number + 128) * number + 64
    if number >= 2 {
      let centres = number / 7 + 2
      count -= (25 * centres - 10) * centres - 55
      if number >= 7 { count -= 36 }
    }
    return count
  }

  /// The number of codewords, including error correction.
  var codewords: Int { dataModules / 8 }
  private var dataCount: Int { codewords - correctionPerBlock * blocks }

  /// The number of bits that encode the length of the content.
  private var countBits: Int { number < 10 ? 8 : 16 }

  /// The maximum number of content bytes that fit after the four mode bits and the length.
  var capacity: Int { (dataCount * 8 - 4 - countBits) / 8 }

  /// Returns the codewords of the content in byte mode, padded to the version's size (section 7.4).
  func dataCodewords(of bytes: [UInt8]) -> [UInt8] {
    var bits = BitWriter()
    bits.append(0b0100, bits: 4)
    bits.append(bytes.count, bits: countBits)
    for byte in bytes { bits.append(Int(byte), bits: 8) }
    let room = dataCount * 8
    bits.append(0, bits: min(4, room - bits.count))
    bits.append(0, bits: (8 - bits.count % 8) % 8)
    var result = bits.bytes
    var filler: UInt8 = 0xEC
    while result.count < dataCount {
      result.append(filler)
      filler ^= 0xEC ^ 0x11
    }
    return result
  }

  /// Splits the data into blocks, adds error correction to each block, and interleaves the blocks
  /// (section 7.6).
  func interleaved(_ data: [UInt8]) -> [UInt8] {
    let short = dataCount / blocks
    let shortBlocks = blocks - dataCount % blocks
    let generator = ReedSolomon(degree: correctionPerBlock)
    var parts: [ArraySlice<UInt8>] = []
    var corrections: [[UInt8]] = []
    var start = 0
    for index in 0..<blocks {
      let end = start + short + (index < shortBlocks ? 0 : 1)
      parts.append(data[start..<end])
      corrections.append(generator.remainder(of: data[start..<end]))
      start = end
    }
    var result: [UInt8] = []
    for offset in 0...short {
      for part in parts where offset < part.count { result.append(part[part.startIndex + offset]) }
    }
    for offset in 0..<correctionPerBlock {
      for correction in corrections { result.append(correction[offset]) }
    }
    return result
  }
}

/// Bits, the most significant first, packed into bytes.
private struct BitWriter {
  private(set) var bytes: [UInt8] = []
  private(set) var count = 0

  mutating func append(_ value: Int, bits: Int) {
    for bit in stride(from: bits - 1, through: 0, by: -1) {
      if count % 8 == 0 { bytes.append(0) }
      if value >> bit & 1 == 1 { bytes[count / 8] |= 0x80 >> UInt8(count % 8) }
      count += 1
    }
  }
}
