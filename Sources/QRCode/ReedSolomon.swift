/// Error correction over GF(2^8) with the polynomial x^8 + x^4 + x^3 + x^2 + 1 (ISO/IEC 18004
/// section 7.5.2).
struct ReedSolomon {
  /// The coefficients of the generator polynomial without the first coefficient, which is always 1.
  private let divisor: [UInt8]

  init(degree: Int) {
    var divisor = [UInt8](repeating: 0, count: degree)
    divisor[degree - 1] = 1
    var root: UInt8 = 1
    for _ in 0..<degree {
      // Multiply the polynomial by (x - root).
      for index in 0..<degree {
        divisor[index] = multiply(divisor[index], root)
        if index + 1 < degree { divisor[index] ^= divisor[index + 1] }
      }
      root = multiply(root, 2)
    }
    self.divisor = divisor
  }

  /// Returns the error correction codewords for the data.
  func remainder(of data: ArraySlice<UInt8>) -> [UInt8] {
    var result = [UInt8](repeating: 0, count: divisor.count)
    for byte in data {
      let factor = byte ^ result.removeFirst()
      result.append(0)
      for index in result.indices { result[index] ^= multiply(divisor[index], factor) }
    }
    return result
  }
}

/// Returns the product of two numbers in GF(2^8).
private func multiply(_ left: UInt8, _ right: UInt8) -> UInt8 {
  var product: UInt8 = 0
  for bit in stride(from: 7, through: 0, by: -1) {
    product = (product << 1) ^ (product >> 7 &* 0x1D)
    if right >> UInt8(bit) & 1 == 1 { product ^= left }
  }
  return product
}
