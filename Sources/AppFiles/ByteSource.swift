internal import Bytes
package import Posix

/// A sequence of bytes that can be read at any offset, such as a large file.
package struct ByteSource: Sendable {
  package let count: Int64
  /// Reads `count` bytes from an offset. Returns fewer bytes if the source ends earlier.
  let read: @Sendable (_ offset: Int64, _ count: Int) throws(SystemError) -> [UInt8]

  package init(path: String) throws(SystemError) {
    let file = try RandomAccessFile(path)
    count = file.count
    read = { (offset, count) throws(SystemError) in try file.read(at: offset, count: count) }
  }

  package init(_ bytes: [UInt8]) {
    count = Int64(bytes.count)
    read = { (offset, count) throws(SystemError) in
      let start = min(Int(offset), bytes.count)
      return Array(bytes[start..<min(start + count, bytes.count)])
    }
  }

  /// Reads exactly `count` bytes, or throws an error.
  func bytes(
    at offset: Int64, count: Int, orElse message: String
  ) throws(AppFileFault) -> [UInt8] {
    guard offset >= 0, count >= 0, offset <= self.count, Int64(count) <= self.count - offset else {
      throw .content(message)
    }
    let found = try mapping(read(offset, count), to: AppFileFault.system)
    // If bytes are missing, somebody shortened the file while it was read.
    guard found.count == count else { throw .content(message) }
    return found
  }
}

/// Reads a little-endian number of `count` bytes. All bytes of the number must exist.
func littleEndian(_ bytes: [UInt8], _ place: Int, _ count: Int) -> Int64 {
  bytes[place..<(place + count)].reversed().reduce(0) { $0 << 8 | Int64($1) }
}

/// Reads a big-endian number of `count` bytes. All bytes of the number must exist.
func bigEndian(_ bytes: [UInt8], _ place: Int, _ count: Int) -> Int64 {
  bytes[place..<(place + count)].reduce(0) { $0 << 8 | Int64($1) }
}
