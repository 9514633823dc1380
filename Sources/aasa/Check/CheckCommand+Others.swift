internal import ArgumentParser
internal import Checking
internal import Diagnostics
internal import Posix
internal import Rules

/// The checks of Android apps' permissions, and the checks of records that devices keep of their
/// domains.
extension CheckCommand {
  /// Checks which permissions each domain gives to each Android app.
  func check(
    _ apps: [AndroidApp], _ targets: [HostTarget], _ links: [String], _ settings: ClientSettings,
    _ policy: VerdictPolicy
  ) throws -> [CheckedSubject] {
    if targets.isEmpty { throw ValidationError("--android needs a domain") }
    let check = AndroidAppCheck(
      apps: apps, links: links, settings: settings,
      google: try android.service(isPrivate: client.server.isPrivate),
      asksAlways: android.google != nil, policy: policy)
    return inParallel(targets.count, slice: 1, threads: parallel) { range in
      targets[range].flatMap(check.check)
    }.flatMap(\.self)
  }

  /// Returns the URLs of the links that should open an app. A path becomes a URL for each domain.
  func links(of subjects: [CheckSubject]) -> [String] {
    let paths = url.filter { hostOfURL($0) == nil }
    var links: [String] = []
    for subject in subjects {
      for path in paths + [subject.link].compactMap(\.self) {
        links.append("https://\(subject.target.host)\(path.hasPrefix("/") ? "" : "/")\(path)")
      }
    }
    return links + url.filter { hostOfURL($0) != nil }
  }

  /// Reads a file in which a device recorded the state of its domains.
  func readDevice(_ path: String) throws -> DeviceText {
    let text = DeviceText(
      try readWhole(path, limit: DeviceText.Limits.bytes, "a file of device records").bytes)
    if text.records.isEmpty {
      throw failure(
        "\(inputName(path)): no device records were found; pass the whole output of adb shell "
          + "pm get-app-links, or the file swcutil_show.txt of a sysdiagnose", .usage)
    }
    return text
  }

  /// Checks each domain in a device's record. Advice for the user is part of the result.
  func check(
    _ text: DeviceText, _ settings: ClientSettings, _ policy: VerdictPolicy
  ) throws -> DeviceCheck.Result {
    let cdns = try cdns()
    return DeviceCheck(
      text, named: inputName(device ?? ""), settings: settings, cdn: cdns.named, apple: cdns.apple,
      google: try android.service(isPrivate: client.server.isPrivate), policy: policy,
      parallel: parallel, form: format.choice
    ).run()
  }

  /// The CDN from the option `--cdn`. If this option is missing, Apple's CDN for all domains that
  /// this CDN can reach.
  func cdns() throws -> (named: CDNAddress?, apple: CDNAddress?) {
    if let cdn { return (try cdnAddress(cdn), nil) }
    return (nil, client.server.isPrivate ? nil : try cdnAddress(CDNAddress.apple))
  }
}

/// Returns the domains in a file, or in standard input if the path is `-`.
func readDomainList(_ path: String, takesRemarks: Bool = true) throws -> [ListedDomain] {
  let text = try readWhole(path, limit: CheckLimits.listBytes, "a list of domains")
  return Checking.domains(in: text.bytes, named: text.path, takesRemarks: takesRemarks)
}

/// Reads a whole file. Reads standard input if the path is `-`.
private func readWhole(_ path: String, limit: Int, _ what: String) throws -> SourceText {
  let text = try readInput(path, limit: limit, orFailWith: .usage)
  guard text.bytes.count <= limit else {
    throw failure("\(path): \(what) may have at most \(limit >> 20) MiB; split the file", .usage)
  }
  return text
}
