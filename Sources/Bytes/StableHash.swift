/// Returns the FNV-1a hash of a text. Unlike Swift's hash values, this hash is the same on every
/// machine and in every run.
package func stableHash(_ text: String) -> UInt64 {
  var hash: UInt64 = 0xCBF2_9CE4_8422_2325
  for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
  return hash
}
