internal import Posix
internal import TLS

/// Why a host has no certificate, or no new one, or why a call to a CA failed.
package enum Setback: Error, Sendable, Equatable {
  /// The name does not lead here, or may not have a certificate from the CA. The CA was not asked.
  case name(NameFault)
  /// The CA refuses.
  case refused(ProblemDocument)
  /// The CA gives no intelligible answer.
  case noAnswer(String)
  /// The CA's answer cannot be used, or something on our side does not work.
  case unfit(String)
  /// The state folder cannot be written.
  case storage(String)
  /// This machine's clock and the CA's are more than a day apart. `seconds` is the CA's minus ours.
  case clock(seconds: Int64)

  /// One lower-case sentence without a full stop.
  package var text: String {
    switch self {
    case .name(let fault): fault.message
    case .refused(let problem):
      problem.detail.isEmpty ? problem.type : "\(problem.detail) (\(problem.type))"
    case .noAnswer(let reason), .unfit(let reason), .storage(let reason): reason
    case .clock(let seconds):
      "this machine's clock is \(span(seconds)) \(seconds > 0 ? "behind" : "ahead of") the CA's"
    }
  }
}

extension Setback {
  /// The text, followed by what to do if that is known.
  var advice: String {
    if case .name(let fault) = self { return "\(text); \(fault.help)" }
    return text
  }

  /// Whether the failure counts against the CA's limits.
  var isCostly: Bool {
    switch self {
    case .refused(let problem): !problem.isTransient
    case .unfit: true
    case .name, .noAnswer, .storage, .clock: false
    }
  }

  var isOfStorage: Bool {
    if case .storage = self { true } else { false }
  }

  /// Whether the setback usually passes by itself within seconds.
  var isPassing: Bool {
    switch self {
    case .noAnswer: true
    case .refused(let problem): problem.isTransient
    default: false
    }
  }

  /// One word, for metrics.
  var kind: String {
    switch self {
    case .name(let fault): fault.isForbidden ? "caa" : "name"
    case .refused(let problem): problem.isLimit ? "limit" : "refused"
    case .noAnswer: "no-answer"
    case .unfit: "unfit"
    case .storage: "storage"
    case .clock: "clock"
    }
  }
}

/// Runs `body`, and turns an error of our disk into a setback.
func stored<Value>(_ body: () throws(SystemError) -> Value) throws(Setback) -> Value {
  do throws(SystemError) { return try body() } catch { throw .storage("\(error)") }
}

/// Runs `body`, and turns an error of OpenSSL into a setback on our side.
func signed<Value>(_ body: () throws(TLSError) -> Value) throws(Setback) -> Value {
  do throws(TLSError) { return try body() } catch { throw .unfit("\(error)") }
}

/// What is wrong with a name, and how to fix it.
package struct NameFault: Error, Sendable, Equatable {
  /// Whether CAA forbids a certificate.
  package let isForbidden: Bool
  /// Whether the name is not at fault: a record names an account or a CA, and ours is not known yet.
  let isOfAccount: Bool
  package let message: String
  package let help: String

  init(
    isForbidden: Bool = false, isOfAccount: Bool = false, _ message: String, help: String
  ) {
    self.isForbidden = isForbidden
    self.isOfAccount = isOfAccount
    self.message = message
    self.help = help
  }

  static let needsAccount = NameFault(
    isOfAccount: true, "the CA has not yet said who we are", help: "")
}

/// Returns the seconds until a host is checked again.
///
/// Checks that cost the CA nothing are frequent; the others are as rare as its documentation asks.
///
/// - Parameter failures: The number of consecutive failures, including this one.
package func pause(after trouble: Setback, failures: Int) -> Int64 {
  let (steps, last): ([Int64], Int64) =
    switch trouble {
    // After a month of hourly checks, check once a day.
    case .name where failures > 720: ([], 86_400)
    case .name: ([60, 120, 300, 600, 1_800], 3_600)
    case .refused(let problem) where problem.type == "userActionRequired": ([], 86_400)
    case .refused(let problem) where problem.isLimit: ([], problem.retryAfter ?? 3_600)
    case .refused(let problem) where problem.isTransient && problem.retryAfter != nil:
      ([], problem.retryAfter ?? 60)
    case .refused(let problem) where problem.isTransient: ([2, 5, 15, 60, 600, 6_000], 86_400)
    case .noAnswer: ([2, 5, 15, 60, 600, 6_000], 86_400)
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
