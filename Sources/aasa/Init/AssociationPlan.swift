/// What an association file is to say.
struct AssociationPlan {
  var apps: [String] = []
  var appClips: [String] = []
  var sharesCredentials = false
  /// Patterns that block, then those that open.
  private var exclusions: [String] = []
  private var openings: [String] = []

  mutating func setPaths(_ paths: [String]) {
    for path in paths {
      if path.hasPrefix("NOT ") {
        exclusions.append(String(path.dropFirst(4)))
      } else {
        openings.append(path)
      }
    }
  }

  /// The file, in the newest form.
  var text: String {
    var services: [String] = []
    if !apps.isEmpty { services.append("  \"applinks\": \(applinks)") }
    if sharesCredentials, !apps.isEmpty {
      services.append("  \"webcredentials\": \(list(apps))")
    }
    if !appClips.isEmpty { services.append("  \"appclips\": \(list(appClips))") }
    return "{\n\(services.joined(separator: ",\n"))\n}\n"
  }

  private var applinks: String {
    let rules =
      exclusions.map { "{ \"/\": \(jsonString($0)), \"exclude\": true }" }
      + (openings.isEmpty ? ["*"] : openings).map { "{ \"/\": \(jsonString($0)) }" }
    return """
      {
          "details": [
            {
              "appIDs": [\(apps.map(jsonString).joined(separator: ", "))],
              "components": [
      \(rules.map { "          " + $0 }.joined(separator: ",\n"))
              ]
            }
          ]
        }
      """
  }

  private func list(_ apps: [String]) -> String {
    "{ \"apps\": [\(apps.map(jsonString).joined(separator: ", "))] }"
  }
}
