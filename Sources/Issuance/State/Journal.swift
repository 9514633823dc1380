internal import Diagnostics
internal import JSON
internal import Posix
internal import Synchronization

/// A log of the issuer's steps. The issuer writes one JSON line before each step.
package struct Journal: Sendable {
  let store: Store
  let name = "acme/journal"
  /// Serializes writes, because several threads write.
  private static let turn = Mutex(())

  /// The steps of an order, in their usual sequence.
  package enum Step: String, Sendable, CaseIterable {
    case account, rollover, ordering, ordered, answering, finalising, downloading, installing
    case installed, served
    /// The order has failed. The line's `detail` contains the reason.
    case failed
  }

  package struct Entry: Sendable, Equatable {
    /// The time of the step, in seconds since 1970.
    package let time: Int64
    package let host: String
    package let authority: String
    package let step: Step
    /// The reason for a failure. For the step `installing`, the certificate's lifetime in seconds.
    package let detail: String
  }

  /// - Parameter authority: The name of the CA.
  func write(
    _ step: Step, _ host: String, at authority: String, _ detail: String = "",
    time: Int64 = Clock.wallSeconds()
  ) throws(StoreFault) {
    let line: JSONTree = [
      "time": time.json, "host": host.json, "authority": authority.json,
      "step": step.rawValue.json, "detail": detail.json,
    ]
    try Self.turn.withLock { _ throws(StoreFault) in
      try store.append(name, line.minified + [0x0A], limit: IssuanceLimits.journalBytes)
    }
  }

  /// Returns the valid lines of the previous and the current file, oldest first.
  package func entries() -> [Entry] {
    [name + ".1", name].flatMap { name in
      let bytes = (try? store.read(name, limit: 8 * Int(IssuanceLimits.journalBytes))) ?? []
      return bytes.split(separator: 0x0A).compactMap { Entry(Array($0)) }
    }
  }
}

extension Journal.Entry {
  /// Reads a line; nil if the line is malformed.
  init?(_ line: [UInt8]) {
    guard let root = try? Document(parsing: SourceText(path: "", bytes: line)).root,
      let time = root.time("time"), let host = root.text("host"),
      let step = root.text("step").flatMap(Journal.Step.init(rawValue:))
    else { return nil }
    self.init(
      time: time, host: host, authority: root.text("authority") ?? "", step: step,
      detail: root.text("detail") ?? "")
  }
}
