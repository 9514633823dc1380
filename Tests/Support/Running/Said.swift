package import Testing

/// What a text has; a string alone is a part of it.
package enum Said: ExpressibleByStringInterpolation, Sendable {
  case part(String)
  case start(String)
  case end(String)
  case whole(String)
  /// Does not have the part.
  case lacks(String)
  case nothing, something

  package init(stringLiteral part: String) { self = .part(part) }

  package func isIn(_ text: String) -> Bool {
    switch self {
    case .part(let part): text.contains(part)
    case .start(let start): text.hasPrefix(start)
    case .end(let end): text.hasSuffix(end)
    case .whole(let whole): text == whole
    case .lacks(let part): !text.contains(part)
    case .nothing: text.isEmpty
    case .something: !text.isEmpty
    }
  }
}

extension StringProtocol {
  /// Expects each of these in the text.
  @discardableResult
  package func says(_ parts: Said..., at location: SourceLocation = #_sourceLocation) -> Self {
    says(parts, at: location)
  }

  @discardableResult
  package func says(_ parts: [Said], at location: SourceLocation = #_sourceLocation) -> Self {
    for said in parts {
      #expect(said.isIn(String(self)), "\(said)\n\(self)", sourceLocation: location)
    }
    return self
  }
}
