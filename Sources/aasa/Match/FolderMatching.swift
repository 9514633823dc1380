internal import AppSiteAssociation
internal import Catalog
internal import Checking
internal import Diagnostics
internal import Keeping
internal import Posix
internal import Rules

/// Matches URLs against the files at the path `root`: the files in a domains folder, the files in
/// the folder of one host, or a single `assetlinks.json`. In a domains folder, each URL is matched
/// against the files of its host.
struct FolderMatching {
  let root: String
  let domain: String?
  let app: String?
  private let reports = LinkReports()

  init(root: String, domain: String?, app: String?) {
    self.root = root
    self.domain = domain
    self.app = app
  }

  /// The output of the command, and its exit code.
  struct Output {
    var text = ""
    var json: [String] = []
    var errors: [String] = []
    var opens = false

    var code: Int32 { !errors.isEmpty ? 2 : opens ? 0 : 1 }
  }

  /// Returns the result for all URLs. If the folder or a file cannot be read, reports the fault and
  /// returns nil.
  func results(_ urls: [String], explaining: Bool) throws(PatternsTooLarge) -> Output? {
    let isFile = (try? status(root))?.kind != .directory
    if let files = isFile ? ServedPaths(assetLinks: root) : ServedPaths(folder: root) {
      var output = Output()
      for url in urls {
        guard try match(url, files, explaining: explaining, &output) else { return nil }
      }
      return output
    }
    guard let hosts = readOrReport(root, try readHosts(root)) else { return nil }
    var output = Output()
    for url in urls {
      guard let host = hostOfURL(url) ?? domain else {
        output.errors.append(
          "error: \(url) has no host, and \(root) is a folder of domains; write the whole URL, or "
            + "give --domain")
        continue
      }
      guard let files = hosts.entry(serving: host).flatMap({ hosts.files(of: $0) }) else {
        output.errors.append("error: \(root) has no file for \(host)")
        continue
      }
      guard try match(url, files, explaining: explaining, &output) else { return nil }
    }
    return output
  }

  /// Adds the decisions about one URL to `output`. Returns false if a file cannot be read.
  private func match(
    _ url: String, _ files: ServedPaths, explaining: Bool, _ output: inout Output
  ) throws(PatternsTooLarge) -> Bool {
    var answers: [LinkPlatform: (path: String, LinkReport.Answer)] = [:]
    for (platform, path) in files.paths {
      guard let report = try reports.report(path, platform, app: app) else { return false }
      answers[platform] = (path, try report.answer(url, explaining: explaining))
    }
    output.add(apple: answers[.apple], android: answers[.android])
    return true
  }
}

/// Reads each file only once, and uses the report on the file for all URLs.
private final class LinkReports {
  private var known: [String: LinkReport] = [:]

  /// Returns the report on a file. If the file cannot be read, reports the fault and returns nil.
  func report(
    _ path: String, _ platform: LinkPlatform, app: String?
  ) throws(PatternsTooLarge) -> LinkReport? {
    if let report = known[path] { return report }
    switch platform {
    case .apple:
      guard let document = readAssociation(path) else { return nil }
      known[path] = LinkReport(try AppleLinks(document), app: app)
    case .android:
      guard let links = readAssetLinks(path) else { return nil }
      known[path] = LinkReport(links)
    }
    return known[path]
  }
}

extension FolderMatching.Output {
  fileprivate typealias Answer = (path: String, answer: LinkReport.Answer)

  /// Adds the results for one URL on Apple's systems and on Android, followed by the reasons.
  fileprivate mutating func add(apple: Answer?, android: Answer?) {
    let answers = [apple, android].compactMap { $0?.answer }
    guard let first = answers.first else { return }
    text += first.heading
    if let error = first.error {
      errors.append(error)
    } else if let android {
      text += columns(
        ["iOS"] + (apple?.answer.cells ?? ["no association file"]),
        ["Android 15 and later"] + android.answer.cells)
    }
    text += first.fault == nil ? answers.map(\.text).joined() : first.text
    opens = opens || answers.contains(where: \.opens)
    let file = first.fault == nil ? android : nil
    let object: JSONTree = [
      "file": apple?.path.json, "urls": apple.map { [$0.answer.json] },
      "android": file.map { ["file": $0.path.json, "apps": $0.answer.apps] },
    ]
    json.append(object.description)
  }

  private func columns(_ left: [String], _ right: [String]) -> String {
    let width = left.map(\.count).max() ?? 0
    return (0..<max(left.count, right.count)).map { index in
      let cell = index < left.count ? left[index] : ""
      let other = index < right.count ? right[index] : ""
      let space = String(repeating: " ", count: other.isEmpty ? 0 : width - cell.count + 3)
      return "  \(cell)\(space)\(other)\n"
    }.joined()
  }
}

extension LinkReport.Answer {
  /// One text for each app: the identifier of the app and the result, for example
  /// `org.swift.shop: opens`.
  fileprivate var cells: [String] {
    outcomes.isEmpty
      ? ["no app"] : outcomes.map { escapingInvisible("\($0.app): \($0.outcome.rawValue)") }
  }
}

extension ServedPaths {
  /// The paths of the host's files, each with the platform that reads the file.
  fileprivate var paths: [(LinkPlatform, String)] {
    (association.map { [(.apple, $0)] } ?? []) + (assetLinks.map { [(.android, $0)] } ?? [])
  }
}

/// Reads the file names and the lists of hosts in a domains folder. Reports each list that cannot
/// be read.
func readHosts(_ root: String) throws(SystemError) -> HostListing {
  let hosts = try HostListing(reading: root)
  for fault in hosts.faults { printError("warning: \(fault)") }
  return hosts
}
