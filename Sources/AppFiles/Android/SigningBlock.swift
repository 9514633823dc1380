/// The APK Signing Block of an `.apk`. The block is directly before the archive's central
/// directory.
///
/// Source: source.android.com, "APK Signature Scheme v2" and "v3". Each byte is read only once, so
/// the size limit of the block also limits the work.
struct SigningBlock {
  private let bytes: [UInt8]

  private static let broken = "the package's signature is broken"
  private static let magic = Array("APK Sig Block 42".utf8)
  /// The numbers of the signature schemes v2, v3 and v3.1. Only newer versions of Android read
  /// v3.1.
  private static let schemes: [Int64] = [0x7109_871A, 0xF053_68C0, 0x1B93_AD61]

  /// Nil if the archive has no signing block.
  init?(_ source: ByteSource, before directory: Int64) throws(AppFileFault) {
    let footerSize: Int64 = 24
    guard directory >= footerSize + 8 else { return nil }
    let footer = try source.bytes(
      at: directory - footerSize, count: Int(footerSize), orElse: Self.broken)
    guard Array(footer[8...]) == Self.magic else { return nil }
    // The size in the footer does not include the 8-byte size field at the beginning of the block.
    let size = littleEndian(footer, 0, 8)
    guard size >= footerSize, size <= directory - 8 else { throw .content(Self.broken) }
    guard size <= AppFileLimits.signingBlockBytes else {
      throw .content(
        "the package's signature has more than \(AppFileLimits.signingBlockBytes) bytes")
    }
    let block = try source.bytes(
      at: directory - size - 8, count: Int(size) + 8, orElse: Self.broken)
    guard littleEndian(block, 0, 8) == size else { throw .content(Self.broken) }
    bytes = Array(block[8..<(block.count - Int(footerSize))])
  }

  /// Returns the first certificate of each signer, in DER form.
  func certificates() throws(AppFileFault) -> [[UInt8]] {
    var result: [[UInt8]] = []
    var pairs = bytes[...]
    while !pairs.isEmpty {
      guard pairs.count >= 12 else { throw .content(Self.broken) }
      let length = littleEndian(Array(pairs.prefix(8)), 0, 8)
      let scheme = littleEndian(Array(pairs.dropFirst(8).prefix(4)), 0, 4)
      guard length >= 4, length <= pairs.count - 8 else { throw .content(Self.broken) }
      if Self.schemes.contains(scheme) {
        var value = pairs.dropFirst(12).prefix(Int(length) - 4)
        var signers = try Self.take(&value)
        while !signers.isEmpty {
          var signer = try Self.take(&signers)
          var signedData = try Self.take(&signer)
          // Skip the digests of the package's content.
          _ = try Self.take(&signedData)
          var chain = try Self.take(&signedData)
          result.append(Array(try Self.take(&chain)))
          guard result.count <= AppFileLimits.signers else { throw .content(Self.broken) }
        }
      }
      pairs = pairs.dropFirst(8 + Int(length))
    }
    return result
  }

  /// Removes a 4-byte length, and then as many bytes as this length states. Returns these bytes
  /// without the length.
  private static func take(
    _ bytes: inout ArraySlice<UInt8>
  ) throws(AppFileFault) -> ArraySlice<UInt8> {
    guard bytes.count >= 4 else { throw .content(broken) }
    let length = littleEndian(Array(bytes.prefix(4)), 0, 4)
    guard length <= bytes.count - 4 else { throw .content(broken) }
    let result = bytes.dropFirst(4).prefix(Int(length))
    bytes = bytes.dropFirst(4 + Int(length))
    return result
  }
}
