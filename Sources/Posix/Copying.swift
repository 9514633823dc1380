extension MutableSpan<UInt8> {
  /// Copies all of `source` to `offset`, and returns the index behind it.
  ///
  /// One call of the C library, where a loop over two spans may stay a loop over bytes. Inlined, and
  /// its bounds looked at once: a response is copied from five places, a line of the access log from
  /// eight, and most are short.
  @inlinable @inline(__always)
  package mutating func copy(_ source: Span<UInt8>, at offset: Int) -> Int {
    let size = source.count
    precondition(offset >= 0 && size <= count &- offset)
    unsafe withUnsafeMutableBytes { target in
      unsafe source.withUnsafeBytes { source in
        guard let target = target.baseAddress, let source = source.baseAddress else { return }
        unsafe (target + offset).copyMemory(from: source, byteCount: size)
      }
    }
    return offset &+ size
  }

  /// Copies `source`, from its index `start` on, to `offset`, and returns the index behind it.
  @inlinable @inline(__always)
  package mutating func copy(_ source: [UInt8], from start: Int = 0, at offset: Int) -> Int {
    copy(source.span.extracting(start...), at: offset)
  }
}
