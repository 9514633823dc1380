/// The DER encoding that one of OpenSSL's `i2d` functions writes; nil if it fails.
///
/// - Parameter write: Writes to the address that it is given, and moves it to the end; returns the
///   number of bytes, also without an address.
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
