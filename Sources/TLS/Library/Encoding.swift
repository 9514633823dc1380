/// Returns the DER encoding that one of OpenSSL's `i2d` functions writes; nil if it fails.
///
/// - Parameter write: Writes to the given address and advances it to the end. Returns the number of
///   bytes, even without an address.
func encoding(
  _ write: (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?) -> Int32
) -> [UInt8]? {
  let count = write(nil)
  guard count > 0 else { return nil }
  var bytes = [UInt8](repeating: 0, count: Int(count))
  let written = unsafe bytes.withUnsafeMutableBufferPointer { buffer in
    var position = buffer.baseAddress
    return unsafe write(&position)
  }
  return written == count ? bytes : nil
}
