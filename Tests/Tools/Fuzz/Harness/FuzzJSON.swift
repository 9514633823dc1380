internal import AppSiteAssociation
internal import Diagnostics
internal import JSON

/// A fault is within the text, and every value can be decoded.
@Sendable func fuzzJSON(_ bytes: [UInt8]) {
  let source = SourceText(path: "fuzz", bytes: bytes)
  do throws(SyntaxError) {
    let document = try Document(parsing: source)
    visit(document.root, within: 0..<bytes.count)
  } catch {
    precondition(error.range.lowerBound >= 0 && error.range.upperBound <= bytes.count + 1)
    precondition(!error.diagnostic(in: source).line.isEmpty)
  }
  _ = AssociationFile(source)
}

private func visit(_ value: Value, within outer: Range<Int>) {
  precondition(outer.contains(value.range.lowerBound) && value.range.upperBound <= outer.upperBound)
  _ = (value.string, value.number, value.integer, value.bool)
  for member in value.members {
    precondition(member.keyEquals(member.key) || member.key.unicodeScalars.contains("\u{FFFD}"))
    visit(member.value, within: value.range)
  }
  for element in value.elements { visit(element, within: value.range) }
}
