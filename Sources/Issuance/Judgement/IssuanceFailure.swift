internal import Posix
internal import TLS

/// Why a host has no certificate or no new certificate, or why a request to a CA failed.
package struct IssuanceFailure: Error, Sendable, Equatable {
  /// The kind of failure. Its raw value is used in metrics.
  package enum Kind: String, Sendable {
    /// The name does not point to this server. No request was sent to the CA.
    case name
    /// A server with another account also answers for the name. No request was sent to the CA.
    case rival = "other-account"
    /// CAA records forbid a certificate. No request was sent to the CA.
    case caa
    /// The CA refuses the request.
    case refused
    /// The CA does not answer, or its answer cannot be parsed.
    case noAnswer = "no-answer"
    /// The CA's answer cannot be used, or an operation on this machine has failed.
    case unfit
    /// The state folder cannot be written.
    case storage
    /// This machine's clock and the CA's are more than a day apart.
    case clock
  }

  package let kind: Kind
  /// One lower-case sentence without a full stop.
  package let text: String
  /// How to fix a fault of a name or of its CAA records; empty for other failures.
  package let help: String
  /// The CA's explanation, if the CA refused a request.
  let problem: ProblemDocument?

  private init(_ kind: Kind, _ text: String, help: String = "", problem: ProblemDocument? = nil) {
    (self.kind, self.text, self.help, self.problem) = (kind, text, help, problem)
  }

  static func name(_ text: String, help: String) -> Self { Self(.name, text, help: help) }
  static func rival(_ text: String, help: String) -> Self { Self(.rival, text, help: help) }
  static func caa(_ text: String, help: String) -> Self { Self(.caa, text, help: help) }
  static func noAnswer(_ reason: String) -> Self { Self(.noAnswer, reason) }
  static func unfit(_ reason: String) -> Self { Self(.unfit, reason) }
  static func storage(_ reason: String) -> Self { Self(.storage, reason) }

  static func refused(_ problem: ProblemDocument) -> Self {
    let detail = problem.detail
    return Self(
      .refused, detail.isEmpty ? problem.type : "\(detail) (\(problem.type))", problem: problem)
  }

  /// - Parameter seconds: The CA's clock minus this machine's clock.
  static func clock(seconds: Int64) -> Self {
    let side = seconds > 0 ? "behind" : "ahead of"
    return Self(.clock, "this machine's clock is \(span(seconds)) \(side) the CA's")
  }

  /// A CAA record lists an account or a CA, but our account or the CA's names are not known yet.
  /// This is not a fault of the name.
  static let needsAccount = name("the CA has not yet sent the account's URL", help: "")
}

extension IssuanceFailure {
  /// The text, followed by the help if the help is not empty.
  var advice: String { help.isEmpty ? text : "\(text); \(help)" }

  /// Whether the name has a fault. If so, the issuer has sent no request to the CA.
  var isOfName: Bool { [.name, .rival, .caa].contains(kind) }

  /// Whether the failure counts against the CA's rate limits.
  var isCostly: Bool { kind == .unfit || problem?.isTransient == false }

  /// Whether failures of this kind usually end within seconds without action.
  var isTransient: Bool { kind == .noAnswer || problem?.isTransient == true }

  /// Whether a person must act at the CA.
  var needsAction: Bool { problem?.needsAction == true }

  /// The result of the attempt in one word, for metrics.
  var result: String { problem?.isLimit == true ? "limit" : kind.rawValue }
}

/// Runs `body`. Turns a disk error into an `IssuanceFailure`.
func stored<Value>(_ body: @autoclosure () throws(StoreFault) -> Value) throws(IssuanceFailure)
  -> Value
{
  do throws(StoreFault) { return try body() } catch { throw .storage("\(error)") }
}

/// Runs `body`. Turns an OpenSSL error into an `IssuanceFailure` of this machine.
func signed<Value>(_ body: @autoclosure () throws(TLSError) -> Value) throws(IssuanceFailure)
  -> Value
{
  do throws(TLSError) { return try body() } catch { throw .unfit("\(error)") }
}

/// Returns the number of seconds to wait after a failure before the host is checked again.
///
/// Checks that send nothing to the CA are frequent. Checks that send requests to the CA are as rare
/// as the CA's documentation requires.
///
/// - Parameter failures: The number of consecutive failures, including this one.
package func pause(after failure: IssuanceFailure, failures: Int) -> Int64 {
  let problem = failure.problem
  let (steps, last): ([Int64], Int64) =
    switch failure.kind {
    // After a month of hourly checks, check the host once a day.
    case .name, .rival, .caa: failures > 720 ? ([], 86_400) : ([60, 120, 300, 600, 1_800], 3_600)
    case .refused where failure.needsAction: ([], 86_400)
    case .refused where problem?.isLimit == true: ([], problem?.retryAfter ?? 3_600)
    case .noAnswer,
      .refused where failure.isTransient:
      problem?.retryAfter.map { ([], $0) } ?? ([2, 5, 15, 60, 600, 6_000], 86_400)
    case .refused, .unfit: ([60, 600, 6_000], 86_400)
    case .storage: ([5, 15, 60], 300)
    case .clock: ([], 5)
    }
  return failures <= steps.count ? steps[max(0, failures - 1)] : last
}

/// Returns the number of seconds to pause all requests to a CA that does not answer. Without this
/// pause, every waiting host would send a request in turn.
///
/// - Parameter count: The number of consecutive requests that failed.
package func rest(afterSilence count: Int) -> Int64 {
  let steps: [Int64] = [0, 0, 0, 5, 15, 60]
  return count < steps.count ? steps[max(0, count)] : 300
}

/// Returns a time span as text, rounded to a suitable unit, without its sign.
func span(_ seconds: Int64) -> String {
  let length = abs(seconds)
  let hours = (length + 1_800) / 3_600
  if hours >= 48 { return "\((length + 43_200) / 86_400) days" }
  return hours >= 2 ? "\(hours) hours" : "\(length) s"
}
