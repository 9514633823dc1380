package import Catalog
internal import Posix

/// `/metrics`: all counters and states, for scrapers. Documentation/Run.md describes names and
/// labels.
package struct MetricsPage: Sendable {
  private let server: ServerMetrics
  private let hosting: StatusPublisher
  private let health: Health
  private let build: [(name: String, value: String)]
  private let started: Int64
  private let hasDomains: Bool
  private let checks: OutsideChecks?
  private let issuance: (@Sendable () -> IssuanceSamples)?

  /// - Parameters:
  ///   - build: The versions of the program's parts, as labels.
  ///   - started: Seconds since 1970.
  ///   - hasDomains: Whether there are samples for each domain.
  ///   - checks: The outside checks; nil if they are off.
  ///   - issuance: Returns the metrics of automatic certificates; nil if they are off.
  package init(
    server: ServerMetrics, hosting: StatusPublisher, health: Health,
    build: [(name: String, value: String)], started: Int64, hasDomains: Bool,
    checks: OutsideChecks? = nil, issuance: (@Sendable () -> IssuanceSamples)? = nil
  ) {
    self.server = server
    self.hosting = hosting
    self.health = health
    self.build = build
    self.started = started
    self.hasDomains = hasDomains
    self.checks = checks
    self.issuance = issuance
  }

  func answer(_ request: PageRequest) -> PageAnswer {
    let format = MetricsWriter.Format(accept: request.field("accept") ?? "")
    var writer = MetricsWriter(format)
    let status = hosting.current
    writer.write(server.snapshot())
    if let lost = server.lostLogLines {
      writer.family(
        "aasa_access_log_lost_lines", .counter,
        "Lines of the access log that could not be written in time, or at all.")
      writer.sample([], lost)
    }
    writer.write(status, isReady: health.obstacles().isEmpty, now: Clock.wallSeconds())
    if hasDomains { writer.writeDomains(status) }
    if let checks { writer.write(checks, status.catalog, limit: MetricsWriter.domains) }
    if let issuance { writer.write(issuance()) }
    writer.write(ProcessFacts.current(), started: started)
    writer.family(
      "aasa_build", .info, "Versions of the program and its libraries; the value is always 1.")
    writer.sample(build.map { ($0.name, $0.value) }, 1)
    writer.end()
    return PageAnswer(contentType: format.contentType, writer.bytes)
  }
}

extension MetricsWriter {
  fileprivate mutating func write(_ process: ProcessFacts, started: Int64) {
    family(
      "process_cpu_seconds", .counter, unit: "seconds", "Processor time, user and system together.")
    sample([], process.processorSeconds)
    family(
      "process_start_time_seconds", .gauge, unit: "seconds",
      "When the server started, in seconds since 1970.")
    sample([], started)
    for (name, unit, value, help) in [
      ("process_open_fds", nil, process.openDescriptors, "Open file descriptors."),
      ("process_max_fds", nil, process.descriptorLimit, "The limit of open file descriptors."),
      (
        "process_resident_memory_bytes", "bytes", process.residentMemory,
        "Memory that is in use and not swapped out."
      ),
      (
        "process_virtual_memory_bytes", "bytes", process.virtualMemory,
        "Address space, most of which is not in use."
      ),
      ("process_threads", nil, process.threads, "Threads of the operating system."),
    ] as [(String, String?, Int?, String)] {
      guard let value else { continue }
      family(name, .gauge, unit: unit, help)
      sample([], value)
    }
  }
}
