/// Text without special meaning in a cell of a Markdown table.
package func markdownCell(_ text: String) -> String {
  var result = ""
  for character in escapingControls(text) {
    if "\\`*_{}[]<>|#&!~".contains(character) { result += "\\" }
    result.append(character)
  }
  return result
}

/// The same as code, which GitHub does not make into a link.
package func markdownCode(_ text: String) -> String {
  if text.contains("`") { return markdownCell(text) }
  return "`"
    + escapingControls(text).split(separator: "|", omittingEmptySubsequences: false)
    .joined(separator: "\\|") + "`"
}
