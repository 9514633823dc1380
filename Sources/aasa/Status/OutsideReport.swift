internal import JSON

/// Formats the results of a server's checks of one domain from outside.
struct OutsideReport {
  private let value: Value
  private let times: Times

  init(_ value: Value, _ times: Times) {
    self.value = value
    self.times = times
  }

  private var origin: String { value.member("origin")?.string ?? "" }
  private var copy: String { value.member("cdn")?.string ?? "" }

  var isFailing: Bool { origin == "failing" }
  var isFaulty: Bool { isFailing || ["other", "missing"].contains(copy) }

  /// The rows of a domain's report.
  var lines: [(name: String, text: String)] {
    let time = value.member("checked")?.integer.map { times.ago(Int64($0)) } ?? "never"
    var rows = [("outside", "\(words), checked \(time)")]
    if let fault = value.member("fault")?.string {
      rows.append(("", "\(fault); aasa check shows more"))
    }
    return rows
  }

  private var words: String {
    let age = value.member("cdnAge")?.integer.map { " (\(Times.length(Int64($0))) old)" } ?? ""
    let copyWords =
      switch copy {
      case "same": "Apple's CDN has the same\(age)"
      case "other": "Apple's CDN has ANOTHER VERSION\(age)"
      case "missing": "Apple's CDN has NO FILE"
      default: "the copy of Apple's CDN is not known"
      }
    let originWords =
      switch origin {
      case "good": "served as Apple asks"
      case "failing": "NOT SERVED as Apple asks"
      default: "it could not be checked"
      }
    return "\(originWords), \(copyWords)"
  }

  /// The line about checks from outside in the server's report.
  static func summary(_ counts: Value) -> String {
    let parts = [
      ("good", "good"), ("originFailing", "not served as Apple asks"),
      ("cdnDiffers", "with another version or none at Apple's CDN"),
      ("unknown", "that could not be checked"),
    ].compactMap { key, words -> String? in
      guard let count = counts.member(key)?.integer, count > 0 else { return nil }
      return "\(count) \(words)"
    }
    let round = counts.member("listedRound")?.integer.map {
      "; a round over the listed hosts takes \(Times.length(Int64($0)))"
    }
    return "seen from outside: " + (parts.isEmpty ? "nothing yet" : parts.joined(separator: ", "))
      + (round ?? "")
  }
}
