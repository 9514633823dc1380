package import Diagnostics
internal import JSON
internal import Rules

/// A rule about association files.
typealias AssociationRule = FileRule<FileUnderCheck>

extension FileRule<FileUnderCheck> {
  /// - Parameters:
  ///   - effect: `.allDevices` if breaking the rule disables the whole file.
  ///   - what: The mistake that the rule finds: one sentence without a full stop.
  ///   - consequence: The consequence on devices, with the evidence. This text is the note of every
  ///     diagnostic.
  ///   - wrong: A part of a file that breaks the rule, short enough to read.
  ///   - right: The same part without the mistake.
  init(
    _ code: String, _ severity: Diagnostic.Severity, _ name: String, _ grade: Grade,
    effect: Kind.Effect = .none, in context: ExampleContext, _ what: String, _ consequence: String,
    wrong: String? = nil, right: String? = nil,
    check: @escaping @Sendable (FileUnderCheck, inout Findings) -> Void
  ) {
    self.init(
      Kind(
        code, name, what, consequence, grade.words, grade: grade, severity: severity,
        effect: effect, wrong: wrong, right: right, in: context),
      check: check)
  }

  /// A rule that checks each of the file's patterns, entries, … separately.
  init<Part>(
    _ code: String, _ severity: Diagnostic.Severity, _ name: String, _ grade: Grade,
    in context: ExampleContext,
    each parts: @escaping @Sendable (FileUnderCheck) -> [Part],
    _ what: String, _ consequence: String, wrong: String? = nil, right: String? = nil,
    check: @escaping @Sendable (Part, FileUnderCheck, inout Findings) -> Void
  ) {
    self.init(
      code, severity, name, grade, in: context, what, consequence, wrong: wrong, right: right
    ) { file, findings in
      for part in parts(file) { check(part, file, &findings) }
    }
  }
}

/// The text of an association file before and after an example.
extension ExampleContext {
  /// The context of examples that consist of members of `applinks`.
  static let applinks = ExampleContext("{\n  \"applinks\": {\n", indentation: 4, "\n  }\n}\n")
  /// The context of examples that consist of members of an entry of `details`. The examples also
  /// list the entry's app.
  static let entry = ExampleContext(
    "{\n  \"applinks\": {\n    \"details\": [\n      {\n", indentation: 8,
    "\n      }\n    ]\n  }\n}\n")
  /// The context of examples that consist of an app identifier in quotes.
  static let identifier = ExampleContext(
    "{\n  \"applinks\": {\n    \"details\": [\n      {\n        \"appIDs\": [", indentation: 0,
    "],\n        \"components\": [{ \"/\": \"/buy/*\" }]\n      }\n    ]\n  }\n}\n")
  /// The context of examples that consist of elements of `components`.
  static let components = list("components")
  /// The context of examples that consist of elements of `paths`.
  static let paths = list("paths")

  private static func list(_ key: String) -> ExampleContext {
    ExampleContext(
      "{\n  \"applinks\": {\n    \"details\": [\n      {\n"
        + "        \"appIDs\": [\"K27TX9P4QD.org.swift.shop\"],\n        \"\(key)\": [\n",
      indentation: 10, "\n        ]\n      }\n    ]\n  }\n}\n")
  }
}

// Parts of the examples of rules. With these parts, the code of each example contains only what
// matters.

/// Members of an entry: an app, and a rule for its links.
let exampleEntry = """
  "appIDs": ["K27TX9P4QD.org.swift.shop"],
  "components": [{ "/": "/buy/*" }]
  """

/// The member `details` of `applinks`, with one entry.
let exampleDetails = details("/buy/*")

/// Another member of `applinks`, followed by `details`.
func exampleAppLinks(_ member: String) -> String { member + ",\n" + exampleDetails }

/// Variables, and a pattern that uses them.
func exampleVariables(_ members: String, pattern: String = "/buy/$(food)/*") -> String {
  "\"substitutionVariables\": { \(members) },\n" + details(pattern)
}

/// A file whose app opens links.
///
/// - Parameters:
///   - path: The path that opens the app.
///   - webcredentials: An app that shares passwords.
func exampleFile(_ path: String = "/buy/*", webcredentials app: String? = nil) -> String {
  """
  {
    "applinks": {
      "details": [
        { "appIDs": ["K27TX9P4QD.org.swift.shop"], "components": [{ "/": "\(path)" }] }
      ]
    }\(app.map { ",\n  \"webcredentials\": { \"apps\": [\"\($0)\"] }" } ?? "")
  }
  """
}

private func details(_ pattern: String) -> String {
  """
  "details": [
    { "appIDs": ["K27TX9P4QD.org.swift.shop"], "components": [{ "/": "\(pattern)" }] }
  ]
  """
}

/// Every rule, in the order in which the rules run. The last rules look at the findings of the
/// others.
let associationRules: [AssociationRule] =
  [
    formRules, detailsRules, misspeltKeyRules, structureTypeRules, strangeKeyRules, appKeyRules,
    namedAppRules, identifierRules, similarIdentifierRules, ruleListRules, ruleTypeRules,
    testedPartRules, exclusionRules, coverageRules, appsAndLinksRules,
    otherPartInPathRules, percentEncodingRules, otherSyntaxRules, pathEndRules, queryRules,
    variableNameRules, variableTypeRules, variableValueRules, predefinedVariableRules,
    appListRules, appClipRules, serviceTypeRules, callbackRules, remarkRules, neverMatchingRules,
    nothingPermittedRules,
  ].flatMap(\.self)

let rulesWithoutNotes = associationRules.filter { $0.kind.severity > .note }

/// The kinds of diagnostics that rules report. Rules run only on files that devices can read.
package let associationRuleKinds: [Kind] = associationRules.map(\.kind)

/// The kinds of diagnostics about association files, in the order of their codes.
package let associationKinds: [Kind] =
  (associationRuleKinds + formKinds + pathKinds + Kind.ofSyntaxErrors)
  .sorted { $0.code < $1.code }
