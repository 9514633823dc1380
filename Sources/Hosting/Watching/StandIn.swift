internal import Diagnostics
internal import TLS

/// A certificate for where there is none, made for this run, so that HTTPS can be tried; devices
/// refuse it. Nil when none can be made; the report tells.
func makeStandIn(
  _ sites: [Site], _ options: HostingOptions, _ report: inout Maintenance.Report
) -> Certificate? {
  var names = ["localhost", "127.0.0.1", "::1"]
  for site in sites where names.count < 100 {
    switch site.name {
    case .host(let host): names.append(host)
    case .wildcard(let parent): names += ["*." + parent, parent]
    case .any: break
    }
  }
  do throws(TLSError) {
    let certificate = try selfSigned(names: Array(names.prefix(100)))
    report.diagnostics.append(
      Diagnostic(
        .warning, code: "H021",
        "there is no certificate, so HTTPS uses one made for this run, which devices refuse",
        at: .init(path: options.certificates ?? ""),
        help: "put NAME.crt and NAME.key there, or a certbot or Kubernetes TLS folder"))
    return certificate
  } catch {
    report.diagnostics.append(
      Diagnostic(.error, code: "H020", "no certificate could be made: \(error)"))
    return nil
  }
}
