/// Finds the entitlements in the code signature of an executable (mach-o/loader.h, cs_blobs.h).
enum CodeSignature {
  private static let broken = "the executable is broken"

  /// Returns the entitlements. Nil if the executable is not signed, or its signature contains no
  /// entitlements.
  static func entitlements(_ reader: ForwardReader) throws(AppFileFault) -> [UInt8]? {
    let start = try reader.read(at: 0, count: 8)
    switch bigEndian(start, 0, 4) {
    case 0xCAFE_BABE, 0xCAFE_BABF:
      let isLarge = start[3] == 0xBF
      let count = Int(bigEndian(start, 4, 4))
      guard count <= AppFileLimits.architectures else { throw .content(broken) }
      let size = isLarge ? 32 : 20
      let table = try reader.read(at: 8, count: count * size)
      let offsets = (0..<count).map { index in
        bigEndian(table, index * size + 8, isLarge ? 8 : 4)
      }
      for offset in offsets.sorted() where offset >= 0 {
        let header = try reader.read(at: offset, count: 8)
        if let found = try entitlements(reader, header, at: offset) { return found }
      }
      return nil
    default: return try entitlements(reader, start, at: 0)
    }
  }

  /// Returns the entitlements of the executable for one architecture. `start` contains the first
  /// bytes of this executable.
  private static func entitlements(
    _ reader: ForwardReader, _ start: [UInt8], at offset: Int64
  ) throws(AppFileFault) -> [UInt8]? {
    let headerSize: Int
    switch littleEndian(start, 0, 4) {
    case 0xFEED_FACF: headerSize = 32
    case 0xFEED_FACE: headerSize = 28
    default: throw .content("the executable is not a Mach-O file")
    }
    let rest = try reader.read(at: offset + 8, count: headerSize - 8)
    let size = Int(littleEndian(rest, 12, 4))
    guard size <= AppFileLimits.commandBytes else { throw .content(broken) }
    let commands = try reader.read(at: offset + Int64(headerSize), count: size)
    var place = 0
    while commands.count - place >= 8 {
      let length = Int(littleEndian(commands, place + 4, 4))
      guard length >= 8, length <= commands.count - place else { throw .content(broken) }
      // 0x1D is the load command LC_CODE_SIGNATURE, which contains the position of the signature.
      if littleEndian(commands, place, 4) == 0x1D, length >= 16 {
        let count = Int(littleEndian(commands, place + 12, 4))
        guard count <= AppFileLimits.signatureBytes else { throw .content(broken) }
        let signature = try reader.read(
          at: offset + littleEndian(commands, place + 8, 4), count: count)
        return entitlements(in: signature)
      }
      place += length
    }
    return nil
  }

  /// Finds the entitlements in a signature. The signature is a list of blobs, and a table contains
  /// the kind and offset of each blob.
  private static func entitlements(in signature: [UInt8]) -> [UInt8]? {
    guard signature.count >= 12, bigEndian(signature, 0, 4) == 0xFADE_0CC0 else { return nil }
    let count = Int(bigEndian(signature, 8, 4))
    guard count <= (signature.count - 12) / 8 else { return nil }
    for index in 0..<count where bigEndian(signature, 12 + index * 8, 4) == 5 {
      let place = Int(bigEndian(signature, 16 + index * 8, 4))
      guard place <= signature.count - 8, bigEndian(signature, place, 4) == 0xFADE_7171 else {
        return nil
      }
      let length = Int(bigEndian(signature, place + 4, 4))
      guard length >= 8, length <= signature.count - place, length <= AppFileLimits.textBytes else {
        return nil
      }
      return Array(signature[(place + 8)..<(place + length)])
    }
    return nil
  }
}
