internal import Posix
internal import TLS

/// Why a host has no certificate, or not a new one; why a call to a CA came to nothing.
package enum Setback: Error, Sendable, Equatable {
  /// The name does not lead here, or may not have a certificate of the CA: the CA was not asked.
  case name(NameFault)
  /// The CA refuses.
  case refused(ProblemDocument)
  /// The CA gives no answer that can be understood.
  case noAnswer(String)
  /// What came cannot be used, or something of ours does not work.
  case unfit(String)
  /// The state folder cannot be written.
  case storage(String)
  /// This machine's clock and the CA's are more than a day apart: the CA's less ours.
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
  /// The same with what to do, as far as that is known.
  var advice: String {
    if case .name(let fault) = self { return "\(text); \(fault.help)" }
    return text
  }

  /// The CA counts such failures.
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

  /// It mostly goes by itself, within seconds.
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

/// What our disk refuses is a setback of that kind.
func stored<Value>(_ body: () throws(SystemError) -> Value) throws(Setback) -> Value {
  do throws(SystemError) { return try body() } catch { throw .storage("\(error)") }
}

/// What OpenSSL cannot do is a fault of ours.
func signed<Value>(_ body: () throws(TLSError) -> Value) throws(Setback) -> Value {
  do throws(TLSError) { return try body() } catch { throw .unfit("\(error)") }
}

/// What is wrong with a name, and how to fix it.
package struct NameFault: Error, Sendable, Equatable {
  /// CAA forbids it.
  package let isForbidden: Bool
  package let message: String
  package let help: String

  init(isForbidden: Bool = false, _ message: String, help: String) {
    self.isForbidden = isForbidden
    self.message = message
    self.help = help
  }
}

/// Seconds until a host is checked again.
///
/// What costs the CA nothing is checked often; what costs it something as its documentation asks.
///
/// - Parameter failures: how often in a row, this time included.
package func pause(after trouble: Setback, failures: Int) -> Int64 {
  let (steps, last): ([Int64], Int64) =
    switch trouble {
    // After a month of hourly looks, once a day.
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

/// Seconds until a name that was not ready is checked again if clients ask for it meanwhile. It grows too:
/// otherwise whoever connects again and again would have it checked all the time.
///
/// - Parameter failures: how often in a row.
func pause(afterRequests failures: Int) -> Int64 {
  let steps: [Int64] = [5, 15, 30, 60]
  return failures <= steps.count ? steps[max(0, failures - 1)] : 300
}

/// Seconds for which a CA is left alone that does not answer, so that many hosts do not ask it one after
/// the other.
///
/// - Parameter count: of requests in a row that came to nothing.
package func rest(afterSilence count: Int) -> Int64 {
  let steps: [Int64] = [0, 0, 0, 5, 15, 60]
  return count < steps.count ? steps[max(0, count)] : 300
}

/// A span of time in the unit that suits it, whichever its sign.
func span(_ seconds: Int64) -> String {
  let length = abs(seconds)
  if length >= 2 * 86_400 { return "\(length / 86_400) days" }
  return length >= 2 * 3_600 ? "\(length / 3_600) hours" : "\(length) s"
}
