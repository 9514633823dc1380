internal import AppSiteAssociation
internal import ArgumentParser
internal import Bytes
internal import Diagnostics
internal import JSON

struct ConvertCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "convert",
    abstract: "Convert an association file to another form, or for Android.",
    usage: "aasa convert <file> [<options>]",
    discussion: """
      Writes the result only after proving that it means the same. If the file is too large for \
      Apple, --minify and --strip-comments make it smaller.
      Also converts rules for links into an Android app's dynamic rules in \
      assetlinks.json, and the reverse. If the other platform cannot express some rules, lists \
      these rules with their lines and writes nothing; with --nearly, writes all other rules.

      EXAMPLES:
        aasa convert site.json --to components -o new.json
        aasa convert site.json --to paths      # for systems before iOS 13
        aasa convert site.json --both          # for old and new systems in one file
        aasa convert site.json --strip-comments --minify -o site.json --force
        aasa convert site.json --to assetlinks --package org.swift.shop \\
          --fingerprint 5E:8F:… -o assetlinks.json
        aasa convert assetlinks.json --to applinks --app K27TX9P4QD.org.swift.shop

      EXIT CODES:
        0 written
        1 the file cannot be expressed in that form or is still too large, or the
          output exists
        2 wrong usage, or a file cannot be read or written
      """)

  @Argument(help: "the association file, - for standard input", completion: .file()) var file:
    String
  @Option(
    help: ArgumentHelp(
      "the form to write: components, paths, both or assetlinks; for an assetlinks.json: applinks",
      valueName: "FORM"),
    completion: .list(["components", "paths", "both", "assetlinks", "applinks"]))
  var to: String?
  @Flag(help: "the same as --to both") var both = false
  @Flag(help: "leave out white space") var minify = false
  @Flag(help: "leave out comments: keys such as `comment`") var stripComments = false
  @Option(
    help: ArgumentHelp(
      "with --to assetlinks: the app to convert; with --to applinks: the app to write for",
      valueName: "TEAM.bundle"))
  var app: String?
  @Option(
    help: ArgumentHelp(
      "with --to assetlinks: the app to write for; with --to applinks: the app to convert",
      valueName: "PACKAGE"))
  var package: String?
  @Option(
    name: .customLong("fingerprint"),
    help: ArgumentHelp(
      "with --to assetlinks: the SHA-256 of the app's signing certificate, or a file that contains "
        + "it: an .apk, or keytool's or apksigner's output (repeatable)",
      valueName: "SHA-256"))
  var fingerprints: [String] = []
  @Flag(
    help: ArgumentHelp(
      "with --to assetlinks or --to applinks: write the rules that can be converted, and list the "
        + "other rules"))
  var nearly = false
  @OptionGroup var result: OutputFile

  func validate() throws {
    if let to, Conversion.Form(rawValue: to) == nil, OtherPlatform(rawValue: to) == nil {
      let forms = ["components", "paths", "both", "assetlinks", "applinks"]
      throw ValidationError(
        "--to \(to) is not a known output format; "
          + (nearest(to: to, among: forms).map { "did you mean \($0)?" }
            ?? "write components, paths, both, assetlinks or applinks"))
    }
    try validatePlatform()
    if to != nil && both { throw ValidationError("give --to or --both, not both") }
    if to == nil && !both && !minify && !stripComments {
      throw ValidationError(
        "say what to do: --to components, --to paths, --both, --minify, --strip-comments")
    }
  }

  func run() throws {
    if let platform { return try convert(to: platform) }
    guard let document = readAssociation(file, isTooLargeTaken: true) else {
      throw ExitCode.usage
    }
    let form = both ? .both : to.flatMap(Conversion.Form.init)
    let conversion = Conversion(form: form, stripsComments: stripComments)
    if form == .components, dropsPaths(document) {
      printError(
        "note: the paths of entries that also have components are left out; --both keeps these "
          + "paths for systems before iOS 13")
    }
    let tree = try mapping(conversion.convert(document)) { (fault: ConversionFault) in
      failure("\(place(of: fault, in: document)): \(fault.message)")
    }
    let bytes = minify ? tree.minified : tree.indented
    if bytes.count > AppleLimits.fileBytes {
      throw failure(
        "\(file): the result would have \(bytes.count) bytes, but Apple accepts at most "
          + "\(AppleLimits.fileBytes)"
          + (minify && stripComments
            ? "; combine rules with wildcards" : "; add --minify and --strip-comments"))
    }
    try result.write(bytes, endingLine: minify)
  }

  private func dropsPaths(_ document: Document) -> Bool {
    Association(document.root).entries.contains {
      $0.ruleForm == .components && $0.source.member("paths") != nil
    }
  }

  private func place(of fault: ConversionFault, in document: Document) -> String {
    guard case .notExpressible(let reference, _) = fault,
      let applinks = Association(document.root).applinks
    else { return file }
    let rule = applinks.entries[reference.entry].rules[reference.rule]
    let place = document.source.place(of: rule.source.range)
    return "\(document.source.path):\(place.line):\(place.column)"
  }
}
