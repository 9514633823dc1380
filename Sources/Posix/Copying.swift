extension MutableSpan<UInt8> {
  /// Copies all of `source` to `offset`, and returns the index behind it.
  @inlinable
  package mutating func copy(_ source: Span<UInt8>, at offset: Int) -> Int {
    let size = source.count
    if size == 0 { return offset }
    precondition(offset >= 0 && size <= count - offset)
    unsafe withUnsafeMutableBytes { target in
      unsafe source.withUnsafeBytes { source in
        unsafe UnsafeMutableRawBufferPointer(rebasing: target[offset...]).copyMemory(from: source)
      }
    }
    return offset + size
  }

  /// Copies `source`, from its index `start` on, to `offset`, and returns the index behind it.
  ///
  /// One call of the C library, where a loop over two spans may stay a loop over bytes. Inlined: a
  /// response is copied from five places, and most are short.
  @inlinable @inline(__always)
  package mutating func copy(_ source: [UInt8], from start: Int = 0, at offset: Int) -> Int {
    let size = source.count - start
    if size == 0 { return offset }
    precondition(start >= 0 && size > 0 && offset >= 0 && size <= count - offset)
    unsafe withUnsafeMutableBytes { target in
      unsafe source.withUnsafeBytes { source in
        unsafe UnsafeMutableRawBufferPointer(rebasing: target[offset...])
          .copyMemory(from: UnsafeRawBufferPointer(rebasing: source[start...]))
      }
    }
    return offset + size
  }
}
