internal import Posix
internal import TLS

/// Why a host has no certificate, or no new one, or why a call to a CA failed.
package struct Setback: Error, Sendable, Equatable {
  /// What fails, by the words of the metrics.
  package enum Kind: String, Sendable {
    /// The name does not lead here. The CA was not asked.
    case name
    /// CAA records forbid a certificate. The CA was not asked.
    case caa
    /// The CA refuses.
    case refused
    /// The CA gives no intelligible answer.
    case noAnswer = "no-answer"
    /// The CA's answer cannot be used, or something on our side does not work.
    case unfit
    /// The state folder cannot be written.
    case storage
    /// This machine's clock and the CA's are more than a day apart.
    case clock
  }

  package let kind: Kind
  /// One lower-case sentence without a full stop.
  package let text: String
  /// How to fix a fault of a name or of its CAA records; empty for the other kinds.
  package let help: String
  /// The CA's words, if it refuses.
  let problem: ProblemDocument?

  private init(
    _ kind: Kind, _ text: String, help: String = "", problem: ProblemDocument? = nil
  ) {
    (self.kind, self.text, self.help, self.problem) = (kind, text, help, problem)
  }

  static func name(_ text: String, help: String) -> Self { Self(.name, text, help: help) }
  static func caa(_ text: String, help: String) -> Self { Self(.caa, text, help: help) }
  static func noAnswer(_ reason: String) -> Self { Self(.noAnswer, reason) }
  static func unfit(_ reason: String) -> Self { Self(.unfit, reason) }
  static func storage(_ reason: String) -> Self { Self(.storage, reason) }

  static func refused(_ problem: ProblemDocument) -> Self {
    let detail = problem.detail
    return Self(
      .refused, detail.isEmpty ? problem.type : "\(detail) (\(problem.type))", problem: problem)
  }

  /// - Parameter seconds: The CA's clock minus ours.
  static func clock(seconds: Int64) -> Self {
    let side = seconds > 0 ? "behind" : "ahead of"
    return Self(.clock, "this machine's clock is \(span(seconds)) \(side) the CA's")
  }

  /// Not a fault of the name: a record names an account or a CA, and ours is not known yet.
  static let needsAccount = name("the CA has not yet said who we are", help: "")
}

extension Setback {
  /// The text, followed by what to do if that is known.
  var advice: String { help.isEmpty ? text : "\(text); \(help)" }

  /// Whether the CA was not asked, because of the name.
  var isOfName: Bool { kind == .name || kind == .caa }

  /// Whether the failure counts against the CA's limits.
  var isCostly: Bool { kind == .unfit || problem?.isTransient == false }

  /// Whether the setback usually passes by itself within seconds.
  var isTransient: Bool { kind == .noAnswer || problem?.isTransient == true }

  /// Whether somebody must do something at the CA.
  var needsAction: Bool { problem?.type == "userActionRequired" }

  /// One word, for metrics.
  var result: String { problem?.isLimit == true ? "limit" : kind.rawValue }
}

/// Runs `body`, and turns an error of our disk into a setback.
func stored<Value>(_ body: @autoclosure () throws(SystemError) -> Value) throws(Setback) -> Value {
  do throws(SystemError) { return try body() } catch { throw .storage("\(error)") }
}

/// Runs `body`, and turns an error of OpenSSL into a setback on our side.
func signed<Value>(_ body: @autoclosure () throws(TLSError) -> Value) throws(Setback) -> Value {
  do throws(TLSError) { return try body() } catch { throw .unfit("\(error)") }
}

/// Returns the seconds until a host is checked again.
///
/// Checks that cost the CA nothing are frequent; the others are as rare as its documentation asks.
///
/// - Parameter failures: The number of consecutive failures, including this one.
package func pause(after setback: Setback, failures: Int) -> Int64 {
  let problem = setback.problem
  let (steps, last): ([Int64], Int64) =
    switch setback.kind {
    // After a month of hourly checks, check once a day.
    case .name, .caa: failures > 720 ? ([], 86_400) : ([60, 120, 300, 600, 1_800], 3_600)
    case .refused where setback.needsAction: ([], 86_400)
    case .refused where problem?.isLimit == true: ([], problem?.retryAfter ?? 3_600)
    case .noAnswer,
      .refused where setback.isTransient:
      problem?.retryAfter.map { ([], $0) } ?? ([2, 5, 15, 60, 600, 6_000], 86_400)
    case .refused, .unfit: ([60, 600, 6_000], 86_400)
    case .storage: ([5, 15, 60], 300)
    case .clock: ([], 5)
    }
  return failures <= steps.count ? steps[max(0, failures - 1)] : last
}

/// Returns the seconds for which a CA that does not answer is left alone, so that many hosts do not
/// try it one after another.
///
/// - Parameter count: The number of consecutive failed requests.
package func rest(afterSilence count: Int) -> Int64 {
  let steps: [Int64] = [0, 0, 0, 5, 15, 60]
  return count < steps.count ? steps[max(0, count)] : 300
}

/// Returns a time span in a suitable unit, whatever its sign.
func span(_ seconds: Int64) -> String {
  let length = abs(seconds)
  if length >= 2 * 86_400 { return "\(length / 86_400) days" }
  return length >= 2 * 3_600 ? "\(length / 3_600) hours" : "\(length) s"
}
