internal import Bytes
internal import Diagnostics
internal import Gzip

/// The number of bytes that may still be unpacked from one archive. All readers of the archive
/// share this number.
final class UnpackingBudget {
  private var budget: Budget

  init(bytes: Int) { budget = Budget(bytes: bytes) }

  fileprivate func spend(_ bytes: Int) throws(AppFileFault) {
    budget.spend(0, bytes: bytes)
    if budget.isSpent { throw .content("the unpacked content of the archive is too large") }
  }
}

/// Reads a file or a compressed entry of an archive from its beginning to its end, in pieces. Only
/// one piece is in memory at a time.
final class ForwardReader {
  private let source: ByteSource
  /// The range of the content in `source`, where the content may be compressed.
  private let packed: Range<Int64>
  private let inflater: Inflater?
  private let budget: UnpackingBudget
  /// The size of the content in bytes, after decompression.
  private let size: Int64
  private var nextInput: Int64
  private var input: ArraySlice<UInt8> = []
  /// Decompressed bytes that the caller has not read yet. The first of these bytes is at `position`
  /// in the content.
  private var output: ArraySlice<UInt8> = []
  private var position: Int64 = 0

  private static let step = 262_144

  init(
    _ source: ByteSource, packed: Range<Int64>, size: Int64, isPacked: Bool,
    _ budget: UnpackingBudget
  ) {
    self.budget = budget
    self.source = source
    self.packed = packed
    self.size = isPacked ? size : packed.upperBound - packed.lowerBound
    inflater = isPacked ? Inflater() : nil
    nextInput = packed.lowerBound
  }

  convenience init(_ source: ByteSource) {
    self.init(
      source, packed: 0..<source.count, size: source.count, isPacked: false,
      UnpackingBudget(bytes: AppFileLimits.unpackedBytes))
  }

  /// Reads bytes of the content. `offset` must not be before the end of the previous read.
  func read(at offset: Int64, count: Int) throws(AppFileFault) -> [UInt8] {
    let broken = "the file ends too early, or is corrupt"
    guard offset >= position, count >= 0, offset <= size, Int64(count) <= size - offset else {
      throw .content(broken)
    }
    guard let inflater else {
      position = offset + Int64(count)
      try budget.spend(count)
      return try source.bytes(at: packed.lowerBound + offset, count: count, orElse: broken)
    }
    var result: [UInt8] = []
    while position < offset || result.count < count {
      if output.isEmpty { try unpack(inflater, broken) }
      let skipped = Int(min(Int64(output.count), max(0, offset - position)))
      output = output.dropFirst(skipped)
      let taken = output.prefix(count - result.count)
      result += taken
      output = output.dropFirst(taken.count)
      position += Int64(skipped + taken.count)
    }
    return result
  }

  private func unpack(_ inflater: Inflater, _ broken: String) throws(AppFileFault) {
    if input.isEmpty, nextInput < packed.upperBound {
      let count = Int(min(packed.upperBound - nextInput, Int64(Self.step)))
      input = try source.bytes(at: nextInput, count: count, orElse: broken)[...]
      nextInput += Int64(count)
    }
    let step = try mapping(inflater.step(input, capacity: Self.step)) { (_: GzipFault) in
      AppFileFault.content(broken)
    }
    try budget.spend(step.output.count)
    input = input.dropFirst(step.consumed)
    output = step.output[...]
    // Without progress the loop would never end, so throw.
    if output.isEmpty && (step.isAtEnd || step.consumed == 0) { throw .content(broken) }
  }
}
