internal import AppSiteAssociation
internal import ArgumentParser
internal import Bytes
internal import Posix

struct PasskeysCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "passkeys",
    abstract: "Write a domain's files for passwords and passkeys.",
    usage: "aasa passkeys <folder> [<options>]",
    discussion: """
      Writes up to four files into the folder's subfolder .well-known: the association file if \
      you give an app, assetlinks.json with --android, webauthn with --origin, and always \
      passkey-endpoints. aasa serve can serve the folder.

      EXAMPLES:
        aasa passkeys domains/example.com --app K27TX9P4QD.org.swift.shop
        aasa passkeys domains/swift.org --app K27TX9P4QD.org.swift.shop \\
          --android org.swift.shop:5E:8F:… --origin https://swift.example

      EXIT CODES:
        0 written
        1 something cannot be read or written, or the entitlements have errors
        2 wrong usage
      """)

  @Argument(
    help: ArgumentHelp(
      "the folder of the domain, such as domains/example.com", valueName: "folder"),
    completion: .directory)
  var folder: String
  @OptionGroup var association: AssociationOptions
  @Option(
    name: .customLong("android"),
    help: ArgumentHelp(
      "an Android app; FINGERPRINT is the SHA-256 of its signing certificate, or a file that "
        + "contains it: an .apk, or keytool's or apksigner's output (repeatable)",
      valueName: "PACKAGE:FINGERPRINT"))
  var androidApps: [String] = []
  @Option(
    name: .customLong("origin"),
    help: ArgumentHelp(
      "another site that may use the passkeys (repeatable)", valueName: "https://host"))
  var origins: [String] = []
  @Option(
    help: ArgumentHelp("the page on which users create a passkey", valueName: "https://…"))
  var enroll: String?
  @Option(
    help: ArgumentHelp("the page on which users manage their passkeys", valueName: "https://…"))
  var manage: String?
  @Flag(help: "replace files that exist") var force = false

  func validate() throws {
    let name = folder.split(separator: "/").last.map(String.init) ?? ""
    if SocketAddress(literal: name, port: 443) != nil {
      throw ValidationError(
        "\(folder): \(name) is an IP address, but passkeys belong to a domain; name the folder "
          + "after the domain, such as domains/example.com")
    }
    for app in androidApps { _ = try AndroidArgument(app) }
    for address in [enroll, manage].compactMap(\.self)
    where !address.lowercased().hasPrefix("https://") {
      throw ValidationError("\(address): write the full URL of the page, https://…")
    }
    // Require an Apple app only if no other app or site is given.
    if androidApps.isEmpty && origins.isEmpty { try association.requireApp() }
  }

  func run() throws {
    let (files, found) = try association.plan(usual: "webcredentials")
    var plan = PasskeyPlan(association: files)
    plan.androidApps = try androidApps.map { try AndroidArgument($0).withFingerprints() }
    plan.origins = origins
    plan.enroll = enroll
    plan.manage = manage
    for file in plan.files { try check(file.report) }
    let folder = folder + "/.well-known"
    try mapping(makeFolders(folder)) { (error: SystemError) in
      failure("cannot make \(folder): \(error.reason)")
    }
    for file in plan.files {
      let path = "\(folder)/\(file.name)"
      try writeOutput(Array(file.text.utf8), to: path, replacing: force)
      printError("wrote \(path)")
    }
    for line in found.domainLines { printError(line) }
    if found.haveErrors { throw ExitCode.found }
  }
}
