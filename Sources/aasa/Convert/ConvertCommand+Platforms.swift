internal import AppSiteAssociation
internal import ArgumentParser
internal import Bytes
internal import Diagnostics
internal import DigitalAssetLinks
internal import JSON
internal import Rules

/// The file formats to which `aasa convert` can convert a file of the other platform.
enum OtherPlatform: String {
  /// Converts an association file to an `assetlinks.json`.
  case assetlinks
  /// Converts an `assetlinks.json` to an association file.
  case applinks
}

extension ConvertCommand {
  var platform: OtherPlatform? { to.flatMap(OtherPlatform.init) }

  func validatePlatform() throws {
    switch platform {
    case nil:
      if app != nil || package != nil || !fingerprints.isEmpty || nearly {
        throw ValidationError(
          "--app, --package, --fingerprint and --nearly need --to assetlinks or --to applinks")
      }
    case .assetlinks:
      if package == nil || fingerprints.isEmpty {
        throw ValidationError("--to assetlinks needs --package and --fingerprint")
      }
    case .applinks:
      if app == nil { throw ValidationError("--to applinks needs --app TEAM.bundle") }
      if !fingerprints.isEmpty { throw ValidationError("--to applinks takes no --fingerprint") }
    }
  }

  func convert(to platform: OtherPlatform) throws {
    let conversion: PlatformConversion
    let source: SourceText
    switch platform {
    case .assetlinks:
      guard let document = readAssociation(file, isTooLargeTaken: true) else {
        throw ExitCode.usage
      }
      source = document.source
      let fingerprints = try readFingerprints(fingerprints)
      conversion = try naming(
        "--app",
        AndroidForm(Association(document.root), app: app)
          .convert(package: package ?? "", fingerprints: fingerprints))
    case .applinks:
      guard let text = readText(file) else { throw ExitCode.usage }
      source = text
      let form = try naming("--package", AppleForm(AssetLinksFile(text), package: package))
      conversion = try naming("--package", form.convert(app: app ?? ""))
      if form.leavesAllToManifest {
        printError(
          "note: the file has no dynamic rules: on Android, the manifest alone says which links "
            + "open the app")
      }
    }
    try report(conversion.losses, in: source)
    let tree = stripComments ? conversion.tree.withoutComments : conversion.tree
    let bytes = minify ? tree.minified : tree.indented
    try check(SourceText(path: file, bytes: bytes), platform)
    try result.write(bytes, endingLine: minify)
    printError(
      "note: Apple and Android compare repeated slashes, percent-encoding and repeated query items "
        + "differently"
        + (platform == .applinks ? ", and also a slash at the end of a path" : ""))
  }

  /// Returns `result`. If the conversion fails, prints the fault, and mentions the option that may
  /// help.
  private func naming<Result>(
    _ option: String, _ result: @autoclosure () throws(PlatformConversionFault) -> Result
  ) throws -> Result {
    try mapping(result()) { (fault: PlatformConversionFault) in
      failure("\(file): \(fault.message(option: option))")
    }
  }

  /// Reports the parts of rules that are lost in the conversion. With `--nearly`, reports these
  /// losses as warnings; otherwise as errors.
  private func report(_ losses: [ConversionLoss], in source: SourceText) throws {
    for loss in losses {
      let place = source.place(of: loss.range)
      let words = loss.isLeftOut ? "the rule is left out: " : ""
      printError(
        "\(nearly ? "warning" : "error"): \(source.path):\(place.line):\(place.column): "
          + (nearly ? words : "") + loss.message)
    }
    if losses.isEmpty || nearly { return }
    throw failure("nothing was written; --nearly writes the rules that can be converted")
  }

  /// Reports invalid identifiers and fingerprints in the result as wrong usage, because the user
  /// gave these identifiers and fingerprints on the command line.
  private func check(_ result: SourceText, _ platform: OtherPlatform) throws {
    let faults =
      switch platform {
      case .assetlinks:
        AssetLinksFile(result).report().diagnostics.filter {
          $0.severity == .error && Kind.ofTargets.contains($0.kind)
        }
      case .applinks:
        // Include warnings. An invalid app identifier in a user's file is only a warning, but on
        // the command line it is wrong usage.
        AppSiteAssociation.validate(result).diagnostics.filter {
          $0.severity > .note && Kind.ofIdentifiers.contains($0.kind)
        }
      }
    for fault in faults {
      printError(
        Diagnostic(fault.kind, severity: .error, fault.message, help: fault.help).line)
    }
    if !faults.isEmpty { throw ExitCode.usage }
  }
}
