internal import Catalog
internal import Checking
internal import Diagnostics
internal import Issuance
internal import Keeping
internal import Posix
internal import Server
internal import Settings
internal import Synchronization
internal import TLS

/// Reports what a start of the server would report, without opening a port or writing a file.
///
/// Returns 0 if all is well, 1 if files have errors, 2 if the server would not start.
func validateServing(_ configuration: Configuration) -> Int32 {
  let log: ServerLog
  do throws(SystemError) {
    log = try ServerLog(configuration.logFormat, configuration.logLevel)
  } catch {
    printError("error: \(error)")
    return 2
  }
  defer { log.close() }
  do {
    let plan = ListeningPlan(configuration, [])
    _ = try context(configuration, isSecure: plan.isSecure, nil)
    if case .file(let path) = accessLogOptions(configuration)?.target {
      do throws(SystemError) {
        try LogDestination.check(path: path)
      } catch {
        log.report(diagnostic(ofAccessLog: error))
        return 2
      }
    }
    _ = try OutsideMonitor(configuration, environment: environmentVariables())
    _ = try Issuing(configuration, environment: environmentVariables())
    return try read(plan, configuration, log) ? 0 : 1
  } catch let fault as StateFault {
    log.report(fault.diagnostic)
    return 2
  } catch let fault as SettingFault {
    log.report(fault.diagnostic)
    return 2
  } catch {
    log.report(error: "\(error)")
    return 2
  }
}

/// Reads every file. Returns true if none has an error.
private func read(
  _ plan: ListeningPlan, _ configuration: Configuration, _ log: ServerLog
) throws -> Bool {
  let progress = ProgressLine("loading", of: "domains")
  let certificateProgress = ProgressLine("loading", of: "certificates")
  var options = configuration.hosting(isSecure: plan.isSecure)
  if plan.isSecure {
    options.issuedCertificates = Issuing.certificates(configuration)
  }
  options.progress = { progress.advance($0, of: $1) }
  options.certificateProgress = { certificateProgress.advance($0, of: $1) }
  let hasErrors = Atomic<Bool>(false)
  let maintenance = try Maintenance(options, requests: try MaintenanceRequests()) { report in
    progress.end()
    certificateProgress.end()
    if report.diagnostics.contains(where: { $0.severity == .error }) {
      hasErrors.store(true, ordering: .relaxed)
    }
    write(report, to: log)
  }
  let publisher = CatalogPublisher(maintenance.load())
  maintenance.finishBackground(publisher: publisher)
  log.announce(
    banner(
      publisher.current, maintenance.domainCounts, maintenance.certificateSummary, plan.endpoints,
      [], configuration, isTrial: true))
  return !hasErrors.load(ordering: .relaxed)
}
