internal import AppSiteAssociation
internal import Diagnostics
internal import DigitalAssetLinks
import JSON
internal import Rules

/// A URL in the first line, and a file after it: through all rules for `assetlinks.json` and for
/// other well-known files. Each app that the file names decides the URL by one of its rules; the file
/// does not differ from itself; and its rules can be written for Apple's systems and back.
@Sendable func fuzzAssetLinks(_ bytes: [UInt8]) {
  let line = bytes.prefix { $0 != 0x0A }
  let source = SourceText(path: "fuzz", bytes: Array(bytes.dropFirst(line.count + 1)))
  let read = AssetLinksFile(source)
  check(read.report(), statementRules.map(\.kind), source)
  for file in JudgedFile.allCases {
    check(JudgedReading(source, as: file).report(), file.kinds, source)
  }
  guard let apps = read.list?.linkedApps else { return }
  precondition(statementDifferences(old: read, new: read) == [])
  let empty = AssetLinksFile(SourceText(path: "fuzz", bytes: Array("[]".utf8)))
  _ = statementDifferences(old: empty, new: read)
  for app in apps { checkConversion(of: app, read) }
  guard let url = try? AndroidURL(String(decoding: line, as: UTF8.self)) else { return }
  for app in apps {
    for rule in app.rules ?? [] { precondition(rule.mismatch(url) != "") }
    let decision = app.decision(url)
    switch decision.outcome {
    case .opens:
      precondition(
        decision.rule.map { app.rules?[$0.index].excludes == false } ?? (app.rules == nil))
    case .blocked: precondition(decision.rule.map { app.rules?[$0.index].excludes == true } == true)
    case .browser: precondition(app.rules != nil && decision.rule == nil)
    }
  }
}

private func checkConversion(of app: LinkedApp, _ file: AssetLinksFile) {
  guard let form = try? AppleForm(file, package: app.packageName),
    let file = try? form.convert(app: "ABCDE12345.a.b")
  else { return }
  let bytes = file.tree.minified
  guard let document = try? Document(parsing: SourceText(path: "fuzz", bytes: bytes)) else {
    preconditionFailure("the written text can be parsed")
  }
  _ = Association(document.root)
}

private func check(_ report: ValidationReport, _ kinds: [Kind], _ source: SourceText) {
  for diagnostic in report.diagnostics {
    precondition(!diagnostic.line.isEmpty)
    precondition(
      kinds.contains { $0.code == diagnostic.code }
        || associationKinds.first { $0.code == diagnostic.code } != nil)
    if let range = diagnostic.location?.place?.range {
      precondition(0 <= range.lowerBound && range.upperBound <= source.bytes.count + 1)
    }
  }
}
