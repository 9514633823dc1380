// Building blocks for rule examples, so that each example shows only what matters.

/// Members of an entry: an app, and a rule for its links.
let exampleEntry = """
  "appIDs": ["K27TX9P4QD.org.swift.shop"],
  "components": [{ "/": "/buy/*" }]
  """

/// The member `details` of `applinks`, with one entry.
let exampleDetails = details("/buy/*")

/// Another member of `applinks`, followed by `details`.
func exampleAppLinks(_ member: String) -> String { member + ",\n" + exampleDetails }

/// Variables, and a pattern that uses them.
func exampleVariables(_ members: String, pattern: String = "/buy/$(food)/*") -> String {
  "\"substitutionVariables\": { \(members) },\n" + details(pattern)
}

private func details(_ pattern: String) -> String {
  """
  "details": [
    { "appIDs": ["K27TX9P4QD.org.swift.shop"], "components": [{ "/": "\(pattern)" }] }
  ]
  """
}
