internal import Catalog
internal import Diagnostics
internal import Keeping
internal import Posix
internal import Server
package import Settings
internal import Synchronization

/// Reports the faults that the server would report at its start. Opens no port and writes no file.
///
/// Returns 0 if there are no faults, 1 if files have errors, 2 if the server would not start.
package func validateServing(_ configuration: Configuration) -> Int32 {
  withLog(configuration, failure: 2) { try Startup(configuration, $0).validate() ? 0 : 1 }
}

extension Startup {
  /// Reads every file. Returns true if no file has an error.
  fileprivate func validate() throws -> Bool {
    if case .file(let path) = accessLog?.target {
      do throws(SystemError) { try LogDestination.check(path: path) } catch {
        throw ServerError.accessLog(error)
      }
    }
    var options = hosting(configuration)
    // Do not use the state folder, because a running server may be using it.
    options.state = nil
    let hasErrors = Atomic<Bool>(false)
    let maintenance = try maintenance(options, try MaintenanceRequests()) { report in
      if report.diagnostics.contains(where: { $0.severity == .error }) {
        hasErrors.store(true, ordering: .relaxed)
      }
    }
    let publisher = CatalogPublisher(maintenance.load())
    maintenance.finishBackground(publisher: publisher)
    log.announce(
      banner(
        publisher.current, maintenance.domainCounts, maintenance.certificateSummary,
        plan.endpoints, [], configuration, isTrial: true))
    return !hasErrors.load(ordering: .relaxed)
  }
}
