package import Diagnostics

extension SourceText {
  /// The text after a byte order mark; nil if there is none.
  package var withoutByteOrderMark: SourceText? {
    guard bytes.starts(with: [0xEF, 0xBB, 0xBF]) else { return nil }
    return SourceText(path: path, bytes: Array(bytes.dropFirst(3)))
  }

  /// The diagnostic about the mark before this text.
  var byteOrderMarkDiagnostic: Diagnostic {
    Diagnostic(
      .warning, code: "J003", "the file begins with a byte order mark",
      at: bytes.isEmpty ? .init(path: path) : location(of: 0..<1),
      help: "save it as \u{201C}UTF-8\u{201D}, not as \u{201C}UTF-8 with BOM\u{201D}",
      note: "Apple's parser takes it; whether devices and the CDN do, Apple does not say")
  }
}
