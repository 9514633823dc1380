import ScriptedServer

@testable import EndToEnd

/// Makes scenarios of one color, whose reports begin alike.
struct Verdict: Sendable {
  let exitCode: Int32
  let beginning: String

  /// A scenario of these servers, or of what `setUp` makes.
  ///
  /// - Parameters:
  ///   - rest: The rest of the report's first line.
  ///   - second: The answer of a second address.
  ///   - cdn: The answer of Apple's CDN.
  ///   - domain: What is checked, if it is not example.com.
  func callAsFunction(
    _ name: String, _ finding: String, _ rest: String = "",
    serving answer: ScriptedServer.Step = .answer(Lab.good), showing identity: LabIdentity = .good,
    second: ScriptedServer.Step? = nil, secondShowing other: LabIdentity? = nil,
    www: ScriptedServer.Step? = nil, cdn: ScriptedServer.Step? = nil, asking domain: String? = nil,
    options: [String] = [], setUp: (@Sendable (inout Lab) throws -> Void)? = nil
  ) -> Scenario {
    Scenario(name, exitCode, finding, beginning + rest) { lab in
      if let setUp { return try setUp(&lab) }
      try lab.origin(showing: identity, answer)
      if second != nil || other != nil {
        try lab.origin(
          at: "1.0.0.2", showing: other ?? .good, second ?? .answer(Lab.good))
      }
      if let www { try lab.host("www.example.com", at: "1.0.0.8", www) }
      if let cdn { try lab.cdn(cdn) }
      if let domain { lab.arguments[0] = domain }
      lab.arguments += options
    }
  }
}

extension Scenario {
  static let served = "example.com: the association file is served as Apple asks"

  static let green = Verdict(exitCode: 0, beginning: served)
  static let red = Verdict(exitCode: 1, beginning: "example.com: universal links will not work: ")
  static let partly = Verdict(
    exitCode: 1, beginning: "example.com: universal links will fail for some devices: ")
  static let unexpected = Verdict(
    exitCode: 1, beginning: "example.com: the file is served, but is not what you expect: ")
  static let unknown = Verdict(exitCode: 4, beginning: "example.com: could not be checked: ")
}

extension ScriptedServer.Step {
  /// A copy in Apple's CDN that is ten minutes old, and is kept for an hour.
  static func copy(_ file: String) -> Self {
    answer(fields: ["Cache-Control: max-age=3600", "Age: 600", "Apple-From: cache"], file)
  }

  /// Apple's CDN has no file.
  static func failure(_ reason: String?) -> Self {
    let fields = reason.map { ["Apple-Failure-Reason: \($0)"] } ?? []
    return answer(
      "404 Not Found", type: "text/plain",
      fields: fields + ["Cache-Control: max-age=3600", "Age: 600", "Apple-Try-Direct: true"],
      "Not Found")
  }
}
