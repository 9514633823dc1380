package import AppSiteAssociation
internal import Diagnostics
internal import DigitalAssetLinks
internal import Posix

/// Compares what a device recorded with what the domains serve now.
package struct DeviceCheck: Sendable {
  private let name: String
  private let text: DeviceText
  private let settings: ClientSettings
  private let cdn: CDNAddress?
  private let apple: CDNAddress?
  private let google: HostTarget?
  private let policy: VerdictPolicy
  private let parallel: Int
  private let form: CheckedSubject.Form

  /// - Parameter name: Of the file.
  package init(
    _ text: DeviceText, named name: String, settings: ClientSettings, cdn: CDNAddress?,
    apple: CDNAddress?, google: HostTarget?, policy: VerdictPolicy, parallel: Int,
    form: CheckedSubject.Form
  ) {
    self.text = text
    self.name = name
    self.settings = settings
    self.cdn = cdn
    self.apple = apple
    self.google = google
    self.policy = policy
    self.parallel = parallel
    self.form = form
  }

  package struct Result: Sendable {
    package let subjects: [CheckedSubject]
    /// One sentence: what to do.
    package let advice: String
  }

  /// Each domain as it is now, then what the device recorded about it.
  package func run() -> Result {
    let records = text.records
    let checked = inParallel(records.count, slice: 1, threads: parallel) { range in
      records[range].map(now)
    }.flatMap(\.self)
    var subjects: [CheckedSubject] = []
    var names: Set<String> = []
    for (record, now) in zip(records, checked) {
      if let now, names.insert(now.name).inserted { subjects.append(now) }
      subjects.append(recorded(record))
    }
    if let strange = strangerFinding { subjects.append(strange) }
    return Result(subjects: subjects, advice: advice(zip(records, checked).map { ($0, $1) }))
  }

  /// Nil if the record is about nothing that can be asked.
  private func now(_ record: DeviceRecord) -> CheckedSubject? {
    switch record.system {
    case .apple:
      guard Association.serviceNames.contains(record.service),
        var subject = try? CheckSubject("\(record.service):\(record.domain)")
      else { return nil }
      subject.services = [NamedService(name: record.service, apps: [record.app])]
      let run = CheckRun(
        subjects: [subject], settings: settings, requirements: Requirements(), cdn: cdn,
        apple: apple,
        policy: policy, parallel: 1, form: form)
      return run.check(0)
    case .android:
      let host = record.domain.hasPrefix("*.") ? String(record.domain.dropFirst(2)) : record.domain
      guard let target = try? HostTarget(host) else { return nil }
      let app = AndroidApp(
        packageName: record.app, fingerprints: record.fingerprints.map(normalizedFingerprint))
      let check = AndroidAppCheck(
        apps: [app], relations: [.openLinks], settings: settings, google: google, policy: policy)
      return check.check(target).first
    }
  }

  private func recorded(_ record: DeviceRecord) -> CheckedSubject {
    let name = "\(record.domain) on the device, for \(record.app)"
    let place = "\(self.name):\(record.line)"
    switch record.state {
    case .verified:
      return CheckedSubject(good: name, "\(name): verified")
    case .failed(let word):
      var finding = Finding(
        .deviceFailure, "the device recorded \"\(word)\"\(record.since)",
        help: record.system == .apple
          ? nil : deviceStateKind(of: word).map { "\($0.what) (aasa explain \(word))" })
      finding.evidence = [place] + (record.error.map { [$0] } ?? [])
      return CheckedSubject(name, [finding], policy)
        ?? CheckedSubject(good: name, "\(name): \(word)")
    case .refused(let who):
      var finding = Finding(
        .deviceRefusal, "the domain is verified, and \(who) decided against the app")
      finding.evidence = [place]
      return CheckedSubject(name, [finding], policy)
        ?? CheckedSubject(good: name, "\(name): \(who)")
    }
  }

  private var strangerFinding: CheckedSubject? {
    guard let first = text.strangers.first else { return nil }
    let more = text.strangers.count - 1
    var finding = Finding(
      .deviceLine,
      "line \(first) was not understood" + (more > 0 ? ", and \(more) more" : ""))
    finding.evidence = text.strangers.prefix(10).map { "\(name):\($0)" }
    return CheckedSubject(name, [finding], policy)
  }

  // MARK: What to do

  private func advice(_ all: [(record: DeviceRecord, now: CheckedSubject?)]) -> String {
    if let (record, now) = all.first(where: { $0.now?.outcome == .wrong }), let now {
      if now.findings.contains(where: { $0.isOf(.androidLinksMissing) }) {
        return
          "to do: add the signature that the device has, \(record.fingerprints.first ?? "?"), to "
          + "assetlinks.json of \(record.domain), if it is that of the app signing key; if it is the "
          + "upload key, install the app from Google Play"
      }
      return "to do: first get \(record.domain) right (\(now.verdict)), then install the app again"
    }
    if let (record, _) = all.first(where: { $0.now == nil || $0.now?.outcome == .unknown }) {
      return
        "to do: \(record.domain) could not be checked from here; ask again from another network"
    }
    for (record, _) in all {
      guard case .failed(let word) = record.state else { continue }
      return record.system == .apple
        ? "to do: install the app again; \(record.domain) is right now, and the device asked before "
          + "that\(record.since)"
        : "to do: run adb shell pm verify-app-links --re-verify \(record.app), or install the app "
          + "again; \(record.domain) is right now, and the device recorded \"\(word)\" before that"
    }
    for (record, _) in all {
      guard case .refused = record.state else { continue }
      return record.system == .apple
        ? "to do: the user chose the browser: press a link of \(record.domain) for long, and choose "
          + "the app"
        : "to do: turn on \"Open supported links\" in Settings, Apps, \(record.app), Open by default"
    }
    return "to do: nothing; every recorded domain is right now, and the device verified it"
  }
}

extension DeviceRecord {
  /// For the end of a sentence.
  fileprivate var since: String { lastChecked.map { " (last checked \($0))" } ?? "" }
}
