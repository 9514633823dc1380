package import Diagnostics
package import JSON
package import Rules

/// The options of a validation.
package struct ValidationOptions: Sendable {
  /// The maximum number of diagnostics to report for a file. If there are more diagnostics, notes
  /// are omitted first, then warnings, then errors.
  package var limit = 200
  /// Returns the size of a file after compression with gzip. This is a closure because this module
  /// does not use zlib.
  package var gzipSize: (@Sendable ([UInt8]) -> Int?)?
  /// Reads a signed file: returns its content and the diagnostics about its signature. Returns nil
  /// if the content cannot be read.
  package var signedContent: (@Sendable (SourceText) -> SignedContent?)?
  /// The codes of rules to skip, and the codes of findings about the signature to omit. A fault
  /// that makes a file unreadable is always reported.
  package var ignored: Set<String> = []
  /// Whether to run rules of severity note.
  package var includesNotes = true
  /// The maximum work for finding which links each rule decides. This limit has an effect only if
  /// it is less than the usual maximum; see `ReachabilityLimits.fileSteps`. A report that would
  /// need more work is marked as unfinished.
  package var mostSteps = Int.max

  package init() {}
}

/// The content of a signed file.
package struct SignedContent: Sendable {
  /// The JSON text of the signed file; nil if the text cannot be read.
  package var bytes: [UInt8]?
  package var diagnostics: [Diagnostic]
  /// The finding that the content was changed after the file was signed. Some readers refuse a file
  /// with changed content. Nil if the content was not changed or was not compared.
  package var alteration: Diagnostic?

  package init(bytes: [UInt8]?, diagnostics: [Diagnostic], alteration: Diagnostic? = nil) {
    self.bytes = bytes
    self.diagnostics = diagnostics
    self.alteration = alteration
  }
}

/// Reads an association file and runs every rule on it.
package func validate(
  _ source: SourceText, options: ValidationOptions = ValidationOptions()
) -> ValidationReport {
  AssociationFile(source, options: options).report(options)
}

extension AssociationFile {
  /// Runs every rule on the file. Returns a report with the diagnostics.
  ///
  /// For an unreadable file, reports only the reason, because rules cannot check such a file.
  package func report(_ options: ValidationOptions) -> ValidationReport {
    var report = ValidationReport(isReadable: form != nil, diagnostics: remarks, text: text)
    if let document {
      let file = FileUnderCheck(document, options: options)
      let found = AssociationRule.report(
        of: options.includesNotes ? associationRules : rulesWithoutNotes, on: file, in: text,
        ignoring: options.ignored, limit: options.limit, total: options.limit)
      report.isUnfinished = file.reach.isUnfinished
      report.diagnostics += found.diagnostics
      report.omitted = found.omitted
    } else if let fault, !remarks.contains(fault) {
      report.diagnostics.append(fault)
    }
    // The fault that makes a file unreadable is always reported.
    if fault == nil {
      report.diagnostics.removeAll {
        options.ignored.contains($0.code) || !options.includesNotes && $0.severity == .note
      }
    }
    return report
  }
}

/// An association file with everything that several rules need, computed once.
package struct FileUnderCheck: Sendable {
  package let source: SourceText
  package let association: Association
  package let options: ValidationOptions
  /// Every pattern, in the order of services, entries and rules.
  package let patterns: [PatternUse]
  /// Every app identifier that devices read, in each service.
  package let identifiers: [IdentifierUse]
  /// The app identifier that help shows: the first identifier in the file without a fault. If the
  /// file has no such identifier, an example identifier.
  let app: String
  /// Every object whose keys Apple defines.
  let objects: [(level: KeyLevel, source: Value)]
  /// The objects with unknown keys.
  let keyed: [KeyedObject]
  /// An index that finds lines quickly, because one finding may mention the lines of hundreds of
  /// rules.
  private let lines: LineIndex
  /// For each object with unknown keys, the byte offset at which the object begins (the key), and
  /// the index of the object in `keyed` (the value).
  private let keyedIndexes: [Int: Int]
  /// The texts for human readers: the values of the keys for comments, and of other keys that look
  /// like comments. Empty if notes are turned off, because rules about comments report only notes.
  let remarks: [Located<String>]
  /// Which URLs each rule decides, given the rules before it.
  let reach: ReachOfEntries

  package init(_ document: Document, options: ValidationOptions) {
    source = document.source
    association = Association(document.root)
    self.options = options
    patterns = PatternUse.all(in: association, of: source)
    identifiers = IdentifierUse.all(in: association)
    app = identifiers.first { $0.fault == nil }?.text ?? IdentifierUse.example
    objects = association.objects
    keyed = objects.compactMap { KeyedObject($0.level, $0.source) }
    var indexes: [Int: Int] = [:]
    for index in keyed.indices { indexes[keyed[index].source.range.lowerBound] = index }
    keyedIndexes = indexes
    var remarks: [Located<String>] = []
    if options.includesNotes { Self.collectRemarks(in: document.root, &remarks) }
    self.remarks = remarks
    ruleObjects = objects.filter { $0.level == .component || $0.level == .defaults }.map(\.source)
    reach = ReachOfEntries(association, mostSteps: options.mostSteps)
    lines = LineIndex(source.bytes)
  }

  private static func collectRemarks(in value: Value, _ remarks: inout [Located<String>]) {
    switch value.kind {
    case .array:
      for element in value.elements { collectRemarks(in: element, &remarks) }
    case .object:
      for member in value.members {
        if member.value.kind != .string {
          collectRemarks(in: member.value, &remarks)
        } else if isRemark(member.key), let text = member.locatedString {
          remarks.append(text)
        }
      }
    default: break
    }
  }

  /// The entries of `details` that are objects.
  package var entries: [DetailsEntry] { association.entries }
  /// The objects with patterns and flags: components and `defaults`.
  let ruleObjects: [Value]

  var variables: [SubstitutionVariables.Variable] { association.variables.all }

  var appLists: [(name: String, list: AppList)] { association.appLists }

  /// Whether `object` has a misspelled form of `key`. Another rule reports the misspelled key.
  func hasMisspeltKey(_ key: String, in object: Value) -> Bool {
    guard let index = keyedIndexes[object.range.lowerBound] else { return false }
    return keyed[index].strangeKeys.contains { $0.fault == .misspelt(key) }
  }

  /// The line at which a range begins, counted from 1. Messages use this line to mention a second
  /// place in the file.
  func line(of range: Range<Int>) -> Int { lines.line(of: range.lowerBound) + 1 }
}
