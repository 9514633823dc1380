package import Diagnostics
internal import Posix

/// Returns the metrics of this process.
///
/// - Parameter started: When the process started, in seconds since 1970.
package func processMetrics(started: Int64) -> [MetricFamily] {
  let process = ProcessFacts.current()
  let facts: [(String, String?, Int?, String)] = [
    ("process_open_fds", nil, process.openDescriptors, "Open file descriptors."),
    (
      "process_max_fds", nil, process.descriptorLimit,
      "The maximum number of open file descriptors."
    ),
    (
      "process_resident_memory_bytes", "bytes", process.residentMemory,
      "Memory that is in use and not swapped out."
    ),
    (
      "process_virtual_memory_bytes", "bytes", process.virtualMemory,
      "Virtual address space; most of it is not in use."
    ),
    ("process_threads", nil, process.threads, "The number of threads in the process."),
  ]
  let families = [
    MetricFamily(
      "process_cpu_seconds", .counter, unit: "seconds",
      "Processor time in user mode and system mode together.", process.processorSeconds),
    MetricFamily(
      "process_start_time_seconds", .gauge, unit: "seconds",
      "When the server started, in seconds since 1970.", started),
  ]
  return families
    + facts.compactMap { name, unit, value, help in
      value.map { MetricFamily(name, .gauge, unit: unit, help, $0) }
    }
}
