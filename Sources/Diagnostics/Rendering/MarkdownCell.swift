/// Escapes text for a cell of a Markdown table.
package func markdownCell(_ text: String) -> String {
  var result = ""
  for character in escapingControls(text) {
    if "\\`*_{}[]<>|#&!~".contains(character) { result += "\\" }
    result.append(character)
  }
  return result
}

/// Formats text as code in a table cell, so that GitHub does not turn it into a link.
package func markdownCode(_ text: String) -> String {
  if text.contains("`") { return markdownCell(text) }
  return "`"
    + escapingControls(text).split(separator: "|", omittingEmptySubsequences: false)
    .joined(separator: "\\|") + "`"
}
