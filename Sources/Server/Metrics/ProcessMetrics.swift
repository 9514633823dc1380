package import Diagnostics
internal import Posix

/// Returns the metrics of this process.
///
/// - Parameter started: When the process started, in seconds since 1970.
package func processMetrics(started: Int64) -> [MetricFamily] {
  let process = ProcessFacts.current()
  return [
    MetricFamily(
      "process_cpu_seconds", .counter, unit: "seconds",
      "Processor time in user mode and system mode together.", process.processorSeconds),
    MetricFamily(
      "process_start_time_seconds", .gauge, unit: "seconds",
      "When the server started, in seconds since 1970.", started),
  ]
    + [
      process.openDescriptors.map {
        MetricFamily("process_open_fds", .gauge, "Open file descriptors.", $0)
      },
      process.descriptorLimit.map {
        MetricFamily(
          "process_max_fds", .gauge, "The maximum number of open file descriptors.", $0)
      },
      process.residentMemory.map {
        MetricFamily(
          "process_resident_memory_bytes", .gauge, unit: "bytes",
          "Memory that is in use and not swapped out.", $0)
      },
      process.virtualMemory.map {
        MetricFamily(
          "process_virtual_memory_bytes", .gauge, unit: "bytes",
          "Virtual address space; most of it is not in use.", $0)
      },
      process.threads.map {
        MetricFamily("process_threads", .gauge, "The number of threads in the process.", $0)
      },
    ].compactMap(\.self)
}
