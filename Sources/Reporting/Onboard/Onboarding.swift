internal import AppSiteAssociation
package import Checking
package import Diagnostics
package import Issuance
package import Keeping
package import Posix

/// The progress of setting up a new host: the server to which the host's DNS records point, the
/// files that this server serves, and the remaining steps.
package struct Onboarding {
  /// One thing that the user must do. The elements of `steps` are in the order in which the user
  /// must do these things.
  struct Step {
    /// An identifier of this kind of step, for programs that read the JSON output. If a check found
    /// the fault, the identifier is the name of the kind of finding.
    let kind: String
    let fault: Diagnostic
    var what: String {
      if fault.isOf(.needsAttention) { return fault.message }
      return kind == "file-faulty" ? fault.line : "\(fault.message) [\(fault.code)]"
    }
    var help: String? { fault.help }

    init(kind: String, _ fault: Diagnostic) { (self.kind, self.fault) = (kind, fault) }

    init(kind: String, what: String, help: String?) {
      let fault = Diagnostic(.needsAttention, what, help: help)
      self.init(kind: kind, help == nil ? fault.withoutHelp : fault)
    }
  }

  /// Whether the DNS records of the host point to this service.
  enum Presence: String { case here, elsewhere, unknown }

  /// The paths of the lists of hosts that contain one host.
  package struct NamingLists {
    package var all: [String] = []
    /// The list whose files the server uses if the host is new in all of these lists. Otherwise the
    /// server uses the files of the list that contained the host first. Nil if the host has its own
    /// entry.
    package var serving: String?

    package init() {}
  }

  /// The facts that are known before any request is sent.
  package struct Plan {
    let host: String
    /// The addresses of this service; empty if the user gave no addresses.
    package var expected: [SocketAddress] = []
    /// For each CA that issues automatic certificates, the check of a host that the issuer makes
    /// before it orders a certificate.
    package var trials: [NameCheck] = []
    /// The CAs that issue automatic certificates, with their names in CAA records.
    package var caaIdentities: [CAAIdentity] = []
    /// The domains folder; nil if the folder does not exist.
    package var folder: String?
    /// The host's files in the domains folder; nil if the folder contains no file for the host.
    package var files: ServedPaths?
    /// The lists in the domains folder that contain the host.
    package var lists = NamingLists()
    /// Why the association file in the domains folder cannot be used; nil if it can be used.
    package var fileFault: Diagnostic?
    let run: CheckRun
    /// The DNS server to ask; nil for the system's resolver.
    package var resolver: SocketAddress?

    package init(_ host: String, _ run: CheckRun) {
      self.host = host
      self.run = run
    }
  }

  let plan: Plan
  private(set) var addresses: [SocketAddress] = []
  private(set) var presence = Presence.unknown
  private(set) var steps: [Step] = []
  /// The reasons why some facts could not be determined.
  private(set) var unknowns: [String] = []
  /// The CAA records that apply to the host; nil if the records cannot be read.
  private(set) var authorization: NearestAuthorization?
  private(set) var live: LiveState?
  private(set) var google: GoogleStatements?
  /// Whether Google's copy of the host's statements is the same as the `assetlinks.json` in the
  /// domains folder. If that folder has no `assetlinks.json` for the host, Google's copy is
  /// compared with the `assetlinks.json` that the host serves.
  private(set) var googleIsSame: Bool?

  var host: String { plan.host }
  /// The exit code. Each value has the same meaning as for `aasa check`.
  package var exitCode: Int32 { !steps.isEmpty ? 1 : unknowns.isEmpty ? 0 : 4 }

  package init(_ plan: Plan) {
    self.plan = plan
    lookForFiles()
    resolveName()
    tryAuthorities()
    readAuthorization()
    lookAtHost()
    askGoogle()
  }

  /// Whether the domains folder has no file for the host yet. If so, the host's wrong responses are
  /// not reported as faults.
  private var isMissing: Bool { plan.folder != nil && plan.files == nil }

  /// Whether a server answered for the host. If no server answered, the files that the host serves
  /// are unknown.
  var wasAsked: Bool { live?.certificate != nil && !addresses.isEmpty }

  private mutating func lookForFiles() {
    if let fault = plan.fileFault {
      steps.append(Step(kind: "file-faulty", fault))
    }
    guard let folder = plan.folder, isMissing else { return }
    steps.append(
      Step(
        kind: "file-missing", what: "\(folder) has no file for \(host)",
        help: "aasa hosts add \(host) --file \(folder)/NAME.hosts, or put \(host).json into "
          + "\(folder)"))
  }

  private mutating func resolveName() {
    let target = plan.expected.map(\.host).joined(separator: " and ")
    let help =
      "set A and AAAA records of \(host) to \(target.isEmpty ? "this service" : target), or a CNAME "
      + "to a name that points there"
    do throws(ResolutionFault) {
      addresses = try resolve(
        host, port: 443, by: plan.resolver, until: Deadline(afterMilliseconds: 10_000))
    } catch .noAddress {
      presence = .elsewhere
      steps.append(Step(kind: "no-address", what: "\(host) has no address", help: help))
      return
    } catch {
      unknowns.append(error.description)
      return
    }
    if plan.expected.isEmpty { return }
    let others = addresses.map(\.host).filter { !plan.expected.map(\.host).contains($0) }
    presence = others.isEmpty ? .here : .elsewhere
    if others.isEmpty { return }
    steps.append(
      Step(
        kind: "leads-elsewhere",
        what: "\(host) points to \(others.joined(separator: " and ")), not to "
          + "\(target)", help: help)
    )
  }

  /// Checks the host as the issuer does before it orders a certificate.
  private mutating func tryAuthorities() {
    if addresses.isEmpty || presence == .elsewhere { return }
    for trial in plan.trials {
      switch trial.trial(host) {
      case .ready: presence = .here
      case .unseen, .needsAccount: break
      // Add no step for this fault. The CAA records may permit another CA, and `readAuthorization`
      // checks the records for all CAs.
      case .fault(let fault) where fault.kind == .caa: break
      case .fault(let fault):
        presence = .elsewhere
        steps.append(
          Step(
            kind: fault.kind == .rival ? "other-account" : "leads-elsewhere", what: fault.text,
            help: fault.help))
        return
      }
    }
  }

  private mutating func readAuthorization() {
    let found: NearestAuthorization
    do throws(IssuanceFailure) {
      found = try nearestAuthorization(above: host, by: plan.resolver)
    } catch {
      unknowns.append(error.text)
      return
    }
    authorization = found
    guard let domain = found.domain else { return }
    let faults = plan.caaIdentities.map { obstacle(in: found.records, of: domain, for: $0) }
    // If at least one CA may issue certificates for the host, no step is needed.
    guard let fault = faults.compactMap(\.self).first, !faults.contains(nil) else { return }
    steps.append(Step(kind: "caa-forbids", what: fault.text, help: fault.help))
  }

  /// Checks the files that the host serves. Ignores the result if the host has no address, or if
  /// the host's DNS records point to another server.
  private mutating func lookAtHost() {
    live = plan.run.liveState()
    guard let live, presence != .elsewhere, !addresses.isEmpty else { return }
    switch live.checked.outcome {
    case .unknown: unknowns.append(live.checked.verdict)
    case .wrong where isMissing: break
    case .wrong:
      for finding in live.checked.findings where finding.severity == .error {
        steps.append(Step(kind: finding.kind.name, finding.diagnostic))
      }
    case .good, .cdn: break
    }
  }

  private mutating func askGoogle() {
    guard let service = plan.run.context.google else { return }
    let found = GoogleStatements(of: host, plan.run.context.settings, service: service)
    google = found
    let own = plan.files?.assetLinks.flatMap { try? readFile($0, limit: 1 << 20) }
    googleIsSame = (own ?? live?.assetLinks).flatMap { found.isSame(as: $0) }
  }
}
