package import Diagnostics

/// One expectation about a file's decision on a URL.
package struct Expectation: Sendable, Equatable {
  package let url: String
  package let outcome: LinkOutcome
  /// The app; nil for all apps of the file. The app is never nil if the outcome is `opens`.
  package let app: String?
  /// The platform of the app. An Android app is identified by its package name.
  package let platform: LinkPlatform
  /// The byte range of the URL in the file of expectations.
  package let urlRange: Range<Int>
}

/// A file of expectations: a text with one expectation per line, or CSV from a spreadsheet (RFC
/// 4180).
///
///     https://example.com/buy/42   opens    ABCDE12345.com.example.app
///     /account                     blocked
///     /help                        browser  # everything after a `#` that begins a word
///     /sell                        opens    ios:ABCDE12345.com.example.app android:com.example.app
///
/// In CSV the fields are URL, expectation and app; a header line `url,expectation,app` is skipped.
package struct CaseFile: Sendable {
  package let source: SourceText
  private var expectations: [Expectation] = []
  /// The faults of the lines or records that are not valid expectations.
  package private(set) var diagnostics: [Diagnostic] = []
  /// Whether the file is CSV. This is determined from the file's name or its first line.
  package let isCSV: Bool

  /// - Parameter most: The maximum number of expectations.
  package init(_ source: SourceText, most: Int = CaseLimits.expectations) {
    self.source = source
    isCSV = Self.isCSV(source)
    guard source.bytes.count <= CaseLimits.fileBytes else {
      diagnostics.append(
        Diagnostic(
          .expectationsTooLarge, "the file has more than \(CaseLimits.fileBytes) bytes",
          at: .init(path: source.path)))
      return
    }
    // Read two records more than the limit: one record may be a header, and one more record shows
    // that there are too many expectations.
    for record in isCSV ? csvRecords(source, most + 2) : plainRecords(source.bytes, most + 2) {
      guard count < most else {
        report(
          record.range, .expectationsTooLarge, "there are more than \(most) expectations")
        break
      }
      guard diagnostics.count < CaseLimits.diagnostics else { break }
      take(record)
    }
  }

  /// The number of expectations about apps of all platforms.
  package var count: Int { expectations.count }

  /// The expectations about one platform's apps, in the order of the file.
  package func expectations(on platform: LinkPlatform) -> [Expectation] {
    expectations.filter { $0.platform == platform }
  }

  private mutating func take(_ record: CaseRecord) {
    if let fault = record.fault { return report(record.range, .expectationUnreadable, fault) }
    let fields = record.fields
    if isCSV, record.isFirst, fields.first?.text.lowercased() == "url" { return }
    guard fields.count >= 2 else {
      return report(record.range, .expectationMissing, "the line has no expectation")
    }
    let word = fields[1]
    guard let outcome = LinkOutcome(rawValue: word.text.lowercased()) else {
      let hint = nearest(to: word.text, among: LinkOutcome.allCases.map(\.rawValue))
      return report(
        word.range, .expectationUnknown, "`\(word.text)` is not an expectation",
        help: (hint.map { "did you mean `\($0)`? " } ?? "")
          + "expectations are opens, blocked and browser")
    }
    let app = fields.count > 2 && !fields[2].text.isEmpty ? fields[2].text : nil
    let platforms = fields.dropFirst(2).flatMap(appsOfPlatforms)
    if outcome == .opens, app == nil || platforms.contains(where: \.app.isEmpty) {
      return report(word.range, .expectationWithoutApp, "`opens` needs an app")
    }
    if fields.count > 3, !isCSV, platforms.count < fields.count - 2 {
      return report(
        fields[3].range, .textAfterExpectation, "this text after the app is not allowed")
    }
    let url = Array(fields[0].text.utf8)
    do throws(URLFault) {
      _ = try URLParts(url.span)
    } catch {
      return report(fields[0].range, .expectationURL, error.message)
    }
    for (platform, app) in platforms.isEmpty ? [(.apple, app ?? "")] : platforms {
      expectations.append(
        Expectation(
          url: fields[0].text, outcome: outcome, app: app.isEmpty ? nil : app, platform: platform,
          urlRange: fields[0].range))
    }
  }

  /// Splits the app field of an expectation into the apps of each platform: `ios:APP` and
  /// `android:PACKAGE`. A CSV field may contain both, separated by white space.
  private func appsOfPlatforms(_ field: CaseRecord.Field) -> [(platform: LinkPlatform, app: String)]
  {
    let words = field.text.split(separator: " ")
    let apps = words.compactMap { word -> (platform: LinkPlatform, app: String)? in
      for (prefix, platform) in [("ios:", LinkPlatform.apple), ("android:", .android)]
      where word.hasPrefix(prefix) {
        return (platform, String(word.dropFirst(prefix.count)))
      }
      return nil
    }
    return apps.count == words.count ? apps : []
  }

  private mutating func report(
    _ range: Range<Int>, _ kind: Kind, _ message: String, help: String? = nil
  ) {
    diagnostics.append(Diagnostic(kind, message, at: source.location(of: range), help: help))
  }

  private static func isCSV(_ source: SourceText) -> Bool {
    let name = source.path.lowercased()
    let line = source.bytes.prefix { $0 != 0x0A && $0 != 0x0D }
    let start = String(decoding: line.prefix(64), as: UTF8.self).lowercased()
    return name.hasSuffix(".csv") || start.hasPrefix("url,") || start.hasPrefix("\"url\",")
      || start.hasPrefix("\u{FEFF}url,")
  }
}

/// The limits of a file of expectations.
package enum CaseLimits {
  package static let fileBytes = 4_194_304
  package static let expectations = 100_000
  /// The maximum number of diagnostics for one file of expectations. Without this limit, a file of
  /// another kind would get a diagnostic for each of its lines.
  package static let diagnostics = 20
  /// The budget for checking the expectations about one hosted file. One operation compares a rule
  /// with `bytesAtOnce` bytes of a URL, which takes about 100 nanoseconds.
  package static let hosted = Budget(operations: 8_000_000)
  /// The budget of a command that tests expectations.
  package static let tested = Budget(operations: 400_000_000)
  /// The number of bytes of a URL that a rule is compared with in one operation.
  static let bytesAtOnce = 64
  /// The cost, in operations, of finding an app's rules among the rules of all apps.
  static let workOfApp = 8
  /// The cost, in operations for each rule, of finding the reasons of a failure.
  static let workOfReasons = 100
}

/// Diagnostics about files of expectations.
extension Kind {
  package static let expectationsTooLarge = Kind(
    "E001", "expectations-too-large",
    "a file of expectations has more than 4 MiB or more than 100,000 lines",
    "aasa would have to skip the expectations beyond the limit, so it does not check any "
      + "expectation", nil,
    fix: "split the file into several")
  package static let expectationUnreadable = Kind(
    "E002", "expectation-unreadable", "a line cannot be split into its fields",
    "in CSV, a field that contains a quote must be in quotes, with each of its quotes doubled",
    "RFC 4180 section 2", wrong: #"/a,"opens,K27TX9P4QD.org.swift.shop"#,
    right: #"/a,"opens",K27TX9P4QD.org.swift.shop"#)
  package static let expectationMissing = Kind(
    "E003", "expectation-missing", "a line has a URL without an expectation",
    "a line without an expectation checks nothing", nil,
    fix: "after the URL write what should happen, for example `opens ABCDE12345.com.example.app`",
    wrong: "/buy/42",
    right: "/buy/42  opens K27TX9P4QD.org.swift.shop")
  package static let expectationUnknown = Kind(
    "E004", "expectation-unknown", "a word is not one of opens, blocked and browser",
    "a line without a known expectation checks nothing", nil,
    wrong: "/buy/42  open K27TX9P4QD.org.swift.shop",
    right: "/buy/42  opens K27TX9P4QD.org.swift.shop")
  package static let expectationWithoutApp = Kind(
    "E005", "expectation-without-app", "`opens` has no app after it",
    "with several apps it would be unclear which app is expected", nil,
    fix: "write the app after `opens`, as in `opens ABCDE12345.com.example.app`",
    wrong: "/buy/42  opens",
    right: "/buy/42  opens K27TX9P4QD.org.swift.shop")
  package static let textAfterExpectation = Kind(
    "E006", "text-after-expectation", "a line has text after the app",
    "the text may be a second expectation, which would not be checked", nil,
    fix: "write remarks after a `#`",
    wrong: "/help  browser K27TX9P4QD.org.swift.shop help pages",
    right: "/help  browser K27TX9P4QD.org.swift.shop  # help pages")
  package static let expectationURL = Kind(
    "E007", "expectation-url", "the beginning of an expectation is neither a URL nor a path",
    "rules can be matched only with URLs and paths", "RFC 3986", wrong: "buy/42  browser",
    right: "/buy/42  browser")
  package static let expectationNotMet = Kind(
    "E010", "expectation-not-met", "the association file does not decide the URL as expected",
    "aasa serve rejects a version that breaks its own expectations, and keeps the last good "
      + "version",
    nil,
    fix: "aasa match --explain shows which rule decides; correct the association file, or "
      + "correct the line if your expectation has changed")
  package static let patternsTooLargeForExpectations = Kind(
    "E011", "patterns-too-large-for-expectations",
    "the patterns of the association file are too large to be checked against expectations",
    "many rules use variables with many values; see A136", nil,
    fix: "use fewer values, or use the variable in fewer rules")
  static let expectationsTooExpensive = Kind(
    "E012", "expectations-too-expensive",
    "the server does not check so many expectations against so many rules",
    "the server skipped some expectations and treats the version as if it broke them", nil,
    fix: "keep the important expectations beside the association file, and check all "
      + "expectations with aasa test")
}

/// All kinds of diagnostics about expectations.
package let expectationKinds: [Kind] = [
  .expectationsTooLarge, .expectationUnreadable, .expectationMissing, .expectationUnknown,
  .expectationWithoutApp, .textAfterExpectation, .expectationURL, .expectationNotMet,
  .patternsTooLargeForExpectations, .expectationsTooExpensive,
]
