/// The square of a QR code's modules, while the code is being drawn.
struct Matrix {
  let version: Version
  let size: Int
  private(set) var modules: [Bool]
  /// Whether each module belongs to a function pattern. Function patterns contain no data and are
  /// not masked.
  private var isPattern: [Bool]

  init(_ version: Version) {
    self.version = version
    size = version.size
    modules = Array(repeating: false, count: size * size)
    isPattern = modules
    drawPatterns()
  }

  private mutating func setPattern(_ row: Int, _ column: Int, _ isDark: Bool) {
    guard (0..<size).contains(row), (0..<size).contains(column) else { return }
    modules[row * size + column] = isDark
    isPattern[row * size + column] = true
  }

  // MARK: Patterns (ISO/IEC 18004 section 6.3)

  private mutating func drawPatterns() {
    for index in 0..<size {
      setPattern(6, index, index % 2 == 0)
      setPattern(index, 6, index % 2 == 0)
    }
    for (row, column) in [(3, 3), (3, size - 4), (size - 4, 3)] { drawFinder(row, column) }
    let centres = version.alignmentCentres
    for row in centres {
      for column in centres where !isFinderCorner(row, column) {
        drawSquares(row, column, reach: 2) { $0 != 1 }
      }
    }
    // Reserve the modules of the format information. The final format information is drawn when the
    // mask is known.
    drawFormat(mask: 0)
    drawVersion()
  }

  private mutating func drawFinder(_ row: Int, _ column: Int) {
    drawSquares(row, column, reach: 4) { $0 != 2 && $0 != 4 }
  }

  /// Draws concentric squares around a center. `isDark` returns whether the modules at a distance
  /// from the center are dark.
  private mutating func drawSquares(
    _ row: Int, _ column: Int, reach: Int, isDark: (Int) -> Bool
  ) {
    for down in -reach...reach {
      for right in -reach...reach {
        setPattern(row + down, column + right, isDark(max(abs(down), abs(right))))
      }
    }
  }

  private func isFinderCorner(_ row: Int, _ column: Int) -> Bool {
    let last = size - 7
    return (row, column) == (6, 6) || (row, column) == (6, last) || (row, column) == (last, 6)
  }

  /// Draws the format information twice: the error correction level, the mask and their check bits
  /// (section 7.9).
  private mutating func drawFormat(mask: Int) {
    // The two bits for error correction level M are 00.
    let bits = withCheck(mask, checkBits: 10, polynomial: 0x537) ^ 0x5412
    func isSet(_ bit: Int) -> Bool { bits >> bit & 1 == 1 }
    for bit in 0...5 { setPattern(bit, 8, isSet(bit)) }
    setPattern(7, 8, isSet(6))
    setPattern(8, 8, isSet(7))
    setPattern(8, 7, isSet(8))
    for bit in 9...14 { setPattern(8, 14 - bit, isSet(bit)) }
    for bit in 0...7 { setPattern(8, size - 1 - bit, isSet(bit)) }
    for bit in 8...14 { setPattern(size - 15 + bit, 8, isSet(bit)) }
    setPattern(size - 8, 8, true)
  }

  /// Draws the version number twice, but only in versions from 7 up (section 7.10).
  private mutating func drawVersion() {
    if version.number < 7 { return }
    let bits = withCheck(version.number, checkBits: 12, polynomial: 0x1F25)
    for bit in 0..<18 {
      let far = size - 11 + bit % 3
      setPattern(bit / 3, far, bits >> bit & 1 == 1)
      setPattern(far, bit / 3, bits >> bit & 1 == 1)
    }
  }

  /// Returns the value's bits, followed by check bits: the remainder of a division by the
  /// polynomial.
  private func withCheck(_ value: Int, checkBits: Int, polynomial: Int) -> Int {
    var remainder = value
    for _ in 0..<checkBits {
      remainder = (remainder << 1) ^ (remainder >> (checkBits - 1)) * polynomial
    }
    return value << checkBits | remainder
  }

  // MARK: Codewords

  /// Places the codewords in pairs of columns, from right to left, alternately upwards and
  /// downwards (section 7.7.3).
  mutating func place(_ codewords: [UInt8]) {
    var bit = 0
    var isUpward = true
    var right = size - 1
    while right > 0 {
      // Skip the column of the vertical timing pattern.
      if right == 6 { right -= 1 }
      for step in 0..<size {
        let row = isUpward ? size - 1 - step : step
        for column in [right, right - 1] where !isPattern[row * size + column] {
          guard bit < codewords.count * 8 else { break }
          modules[row * size + column] = codewords[bit / 8] >> UInt8(7 - bit % 8) & 1 == 1
          bit += 1
        }
      }
      isUpward.toggle()
      right -= 2
    }
  }

  // MARK: Masks

  /// Applies the mask with the lowest penalty to the data. The data then resembles the function
  /// patterns as little as possible (section 7.8).
  mutating func applyBestMask() {
    var best = (mask: 0, penalty: Int.max)
    for mask in 0..<8 {
      var candidate = self
      candidate.apply(mask)
      let penalty = candidate.penalty
      if penalty < best.penalty { best = (mask, penalty) }
    }
    apply(best.mask)
  }

  private mutating func apply(_ mask: Int) {
    for row in 0..<size {
      for column in 0..<size
      where !isPattern[row * size + column] && isInverted(mask, row, column) {
        modules[row * size + column].toggle()
      }
    }
    drawFormat(mask: mask)
  }

  /// Returns whether a mask inverts a module (table 10).
  private func isInverted(_ mask: Int, _ row: Int, _ column: Int) -> Bool {
    switch mask {
    case 0: (row + column) % 2 == 0
    case 1: row % 2 == 0
    case 2: column % 3 == 0
    case 3: (row + column) % 3 == 0
    case 4: (row / 2 + column / 3) % 2 == 0
    case 5: row * column % 2 + row * column % 3 == 0
    case 6: (row * column % 2 + row * column % 3) % 2 == 0
    default: ((row + column) % 2 + row * column % 3) % 2 == 0
    }
  }

  /// The penalty for features that make the code hard to read (section 7.8.3.1): runs and blocks of
  /// one color, parts that look like finder patterns, and an imbalance of dark and light.
  private var penalty: Int {
    var result = 0
    for index in 0..<size {
      result += linePenalty((0..<size).map { modules[index * size + $0] })
      result += linePenalty((0..<size).map { modules[$0 * size + index] })
    }
    for row in 0..<(size - 1) {
      for column in 0..<(size - 1) {
        let first = modules[row * size + column]
        if first == modules[row * size + column + 1]
          && first == modules[(row + 1) * size + column]
          && first == modules[(row + 1) * size + column + 1]
        {
          result += 3
        }
      }
    }
    let dark = modules.count(where: \.self)
    return result + abs(dark * 20 - modules.count * 10) / modules.count * 10
  }

  private func linePenalty(_ line: [Bool]) -> Int {
    var result = 0
    var run = 0
    for (index, module) in line.enumerated() {
      run = index > 0 && module == line[index - 1] ? run + 1 : 1
      if run == 5 { result += 3 } else if run > 5 { result += 1 }
    }
    // A finder pattern has dark and light runs of the lengths 1:1:3:1:1, with four light modules on
    // one side.
    let finder = [true, false, true, true, true, false, true]
    for start in 0...(line.count - 7) where Array(line[start..<(start + 7)]) == finder {
      let before = line[max(0, start - 4)..<start]
      let after = line[(start + 7)..<min(line.count, start + 11)]
      if !before.contains(true) || !after.contains(true) { result += 40 }
    }
    return result
  }
}
