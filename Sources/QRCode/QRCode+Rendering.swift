extension QRCode {
  /// The colors in which a terminal shows the code.
  package enum TerminalColours: Sendable {
    /// The terminal shows light text on a dark background, which is the usual default. Light
    /// modules are drawn as full blocks.
    case lightOnDark
    /// The terminal shows dark text on a light background.
    case darkOnLight
    /// Black on white, regardless of the terminal's colors (ECMA-48 SGR).
    case explicit
  }

  /// Returns the code as lines of text. Each character shows two modules, one above the other.
  package func terminalLines(_ colours: TerminalColours) -> [String] {
    // Use only half of the required quiet zone. Cameras accept this, and small terminals have no
    // room for more.
    let quiet = Self.quietZone / 2
    return stride(from: -quiet, to: size + quiet, by: 2).map { row in
      var line = ""
      for column in -quiet..<(size + quiet) {
        var upper = isDark(row: row, column: column)
        var lower = isDark(row: row + 1, column: column)
        if case .lightOnDark = colours { (upper, lower) = (!upper, !lower) }
        line += upper ? (lower ? "█" : "▀") : (lower ? "▄" : " ")
      }
      guard case .explicit = colours else { return line }
      return "\u{1B}[38;2;0;0;0;48;2;255;255;255m\(line)\u{1B}[0m"
    }
  }

  /// An SVG image of the code. One path draws all dark modules. Each module is one unit wide, and
  /// the `viewBox` includes the quiet zone.
  package var svg: String {
    let side = size + 2 * Self.quietZone
    var path = ""
    for row in 0..<size {
      var column = 0
      while column < size {
        guard isDark(row: row, column: column) else {
          column += 1
          continue
        }
        let start = column
        while column < size, isDark(row: row, column: column) { column += 1 }
        path +=
          "M\(start + Self.quietZone) \(row + Self.quietZone)h\(column - start)v1"
          + "h-\(column - start)z"
      }
    }
    return #"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \#(side) \#(side)" "#
      + #"shape-rendering="crispEdges"><path fill="white" d="M0 0h\#(side)v\#(side)H0z"/>"#
      + #"<path d="\#(path)"/></svg>"#
  }
}
