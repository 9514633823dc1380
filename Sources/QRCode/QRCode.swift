/// A QR code (ISO/IEC 18004) with bytes as content, for links that a phone's camera opens.
///
/// Uses byte mode and error correction level M, which recovers 15 % of the codewords. Supports the
/// versions 1 to 40, which are large enough for links.
package struct QRCode: Sendable, Equatable {
  /// The number of modules on a side: 21 for version 1, and four more for each further version.
  package let size: Int
  private let modules: [Bool]

  /// The maximum number of bytes in a QR code, which is the capacity of the largest version.
  package static let maximumBytes = Version.all.last?.capacity ?? 0

  /// Makes the smallest code for the bytes; nil if there are more than `maximumBytes`.
  package init?(_ bytes: [UInt8]) {
    guard let version = Version.all.first(where: { bytes.count <= $0.capacity }) else {
      return nil
    }
    let codewords = version.interleaved(version.dataCodewords(of: bytes))
    var matrix = Matrix(version)
    matrix.place(codewords)
    matrix.applyBestMask()
    size = matrix.size
    modules = matrix.modules
  }

  package init?(_ text: String) { self.init(Array(text.utf8)) }

  /// Whether a module is dark; modules outside the code are light.
  package func isDark(row: Int, column: Int) -> Bool {
    guard (0..<size).contains(row), (0..<size).contains(column) else { return false }
    return modules[row * size + column]
  }

  /// The width in modules of the light border on each side (ISO/IEC 18004 section 6.3.8).
  package static let quietZone = 4
}
