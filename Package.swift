// swift-tools-version: 6.2
import PackageDescription

/// With AASA_PORTABLE the server is built as for systems that have neither epoll nor inotify, and
/// without what lies above it: `Tests/check portable` runs its tests so.
let isPortable = Context.environment["AASA_PORTABLE"] != nil
let portability: [SwiftSetting] = isPortable ? [.define("PORTABLE")] : []

/// With AASA_STRICT a warning is an error, as in `Tests/check`. A newer compiler may warn of more.
let strictness: [SwiftSetting] =
  Context.environment["AASA_STRICT"] == nil ? [] : [.treatAllWarnings(as: .error)]

// Every module of ours: no existential without `any`, imports are internal unless
// said otherwise, a member is visible only where its module is imported, and every
// use of an unsafe construct must be spelled `unsafe`.
let testSettings: [SwiftSetting] =
  strictness + [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
  ]
let settings = testSettings + [.strictMemorySafety()] + portability

/// A module of the program, with the modules that it imports.
func module(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: settings)
}

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .testTarget(name: name, dependencies: dependencies, swiftSettings: testSettings)
}

/// What several test targets use; in no product.
func support(
  _ name: String, in folder: String, _ dependencies: [Target.Dependency] = []
) -> Target {
  .target(
    name: name, dependencies: dependencies, path: "Tests/Support/\(folder)",
    swiftSettings: testSettings)
}

let package = Package(
  name: "aasa",
  // `Array.span` and `InlineArray` need the systems of 2025. Nobody has built the library for iOS
  // yet.
  platforms: [.macOS("26.0"), .iOS("26.0")],
  products: [
    .executable(name: "aasa", targets: ["aasa"]),
    // For the unit tests of an app: Documentation/Library.md.
    .library(name: "AppSiteAssociation", targets: ["AppSiteAssociation"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
  ],
  targets: [
    // Layer 0: C modules and pure code.
    .systemLibrary(
      name: "COpenSSL", pkgConfig: "openssl",
      providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]),
    .systemLibrary(
      name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
    .systemLibrary(name: "CSystem"),
    .systemLibrary(name: "CResolver"),
    module("Bytes"),
    module("Diagnostics", ["Bytes"]),
    module("JSON", ["Diagnostics", "Bytes"]),
    module("HTTP", ["Bytes"]),
    module("QRCode"),
    module("LibC", ["CSystem", "CResolver"]),

    // Layer 1: what rules need; the C boundary.
    module("Rules", ["JSON", "Diagnostics", "Bytes"]),
    module("Posix", ["LibC", "Bytes"]),
    module("TLS", ["Posix", "LibC", "COpenSSL", "Diagnostics", "Bytes"]),
    module("Gzip", ["CZlib"]),

    // Layer 2: the languages of the files; from files to answers; requests to other servers.
    module("AppSiteAssociation", ["Rules", "JSON", "Diagnostics", "Bytes"]),
    module(
      "DigitalAssetLinks", ["AppSiteAssociation", "Rules", "JSON", "Diagnostics", "Bytes"]),
    module("AppFiles", ["JSON", "Diagnostics", "Bytes", "Posix", "TLS", "Gzip"]),
    module("Settings", ["Rules", "JSON", "Diagnostics", "Bytes", "HTTP", "Posix"]),
    module("Catalog", ["Settings", "Diagnostics", "Bytes", "HTTP", "Posix", "TLS", "Gzip"]),
    module("Client", ["TLS", "HTTP", "Posix", "Gzip", "Bytes"]),

    // Layer 3: keeping and serving, and looking at what others serve.
    module(
      "Keeping",
      [
        "Catalog", "Settings", "AppSiteAssociation", "DigitalAssetLinks", "Rules", "JSON",
        "Diagnostics", "Bytes", "HTTP", "Posix", "TLS",
      ]),
    module(
      "Server",
      [
        "Catalog", "Settings", "Diagnostics", "TLS", "HTTP", "Posix", "Bytes",
        .product(name: "Logging", package: "swift-log"),
      ]),
    module(
      "Checking",
      [
        "Client", "AppFiles", "AppSiteAssociation", "DigitalAssetLinks", "Rules", "JSON",
        "Diagnostics", "Bytes", "HTTP", "Posix", "TLS", "Gzip",
      ]),

    module(
      "Issuance",
      ["Settings", "Client", "TLS", "HTTP", "JSON", "Posix", "Diagnostics", "Bytes"]),

    // Layer 4: a server for one developer.
    module(
      "Development",
      [
        "Checking", "Server", "Client", "Keeping", "Catalog", "Settings", "AppSiteAssociation",
        "DigitalAssetLinks", "Rules", "JSON", "Diagnostics", "Bytes", "HTTP", "Posix", "TLS",
        "QRCode",
      ]),

    // What a running server, several of them, and the checks of a host say.
    module(
      "Reporting",
      [
        "Checking", "Issuance", "Server", "Keeping", "Catalog", "Settings", "AppSiteAssociation",
        "Rules", "JSON", "TLS", "HTTP", "Posix", "Diagnostics", "Bytes",
      ]),

    // Layer 5: a running server: all that a start makes from settings.
    module(
      "Serving",
      [
        "Reporting", "Checking", "Issuance", "Server", "Keeping", "Catalog", "Settings",
        "AppSiteAssociation",
        "Rules", "TLS", "HTTP", "Posix", "Diagnostics", "Bytes",
        .product(name: "Logging", package: "swift-log"),
      ]),

    // Layer 6: the command line.
    .executableTarget(
      name: "aasa",
      dependencies: [
        "Serving", "Reporting", "Development", "Checking", "Issuance", "Server", "Client",
        "Keeping", "Catalog",
        "Settings", "AppFiles", "Gzip", "TLS", "HTTP", "Posix", "AppSiteAssociation",
        "DigitalAssetLinks", "Rules", "JSON", "Diagnostics", "Bytes",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      // The versions of its packages, and its own commit, in the program itself.
      resources: [.embedInCode("Package.resolved"), .embedInCode("Revision")],
      swiftSettings: settings),

    tests("BytesTests", ["Bytes"]),
    tests("DiagnosticsTests", ["Diagnostics"]),
    tests("JSONTests", ["JSON", "Diagnostics", "TestRunning"]),
    tests("HTTPTests", ["HTTP", "TestRunning"]),
    tests("QRCodeTests", ["QRCode", "TestRunning"]),
    tests(
      "AppSiteAssociationTests",
      ["AppSiteAssociation", "Rules", "JSON", "Diagnostics", "TestRunning"]),
    tests(
      "DigitalAssetLinksTests",
      ["TestRunning", "DigitalAssetLinks", "AppSiteAssociation", "Rules", "JSON", "Diagnostics"]),
    tests("PosixTests", ["Posix", "Bytes"]),
    tests("GzipTests", ["Gzip"]),
    tests("AppFilesTests", ["AppFiles", "Diagnostics", "AppFileSupport", "TLSTestSupport"]),
    tests("TLSTests", ["TLS", "Posix", "Diagnostics", "TestRunning", "TLSTestSupport"]),
    tests("SettingsTests", ["Settings", "JSON", "Diagnostics", "Posix", "HTTP"]),
    tests(
      "CatalogTests",
      [
        "Catalog", "CatalogSupport", "Settings", "HTTP", "TLS", "Posix", "Diagnostics", "CZlib",
      ]),
    tests(
      "KeepingTests",
      [
        "Keeping", "Catalog", "CatalogSupport", "Settings", "HTTP", "TLS", "Posix", "JSON",
        "Diagnostics", "Bytes", "TestRunning", "TLSTestSupport",
      ]),
    tests(
      "ServerTests",
      [
        "Server", "Catalog", "Settings", "Diagnostics", "HTTP", "TLS", "Posix", "Bytes",
        "TestRunning",
        .product(name: "Logging", package: "swift-log"),
      ]),
    tests(
      "ReportingTests",
      [
        "Reporting", "Server", "Keeping", "Catalog", "Settings", "Diagnostics", "HTTP",
        "TestRunning",
      ]),
    tests(
      "ServingTests",
      [
        "Serving", "Server", "Keeping", "Issuance", "Catalog", "Settings", "TLS", "Posix",
        "Diagnostics", "TestRunning",
        .product(name: "Logging", package: "swift-log"),
      ]),
    tests(
      "aasaTests",
      [
        "aasa", "AppFiles", "AppFileSupport", "AppSiteAssociation", "Rules", "Checking", "JSON",
        "Development",
        "Diagnostics", "TLS", "DigitalAssetLinks", "Issuance", "Keeping", "Settings", "TestRunning",
        "TLSTestSupport",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),
    tests(
      "ClientTests",
      ["Client", "Gzip", "HTTP", "TLS", "Posix", "Diagnostics", "ScriptedServer", "TLSTestSupport"]),
    tests(
      "CheckingTests",
      [
        "Checking", "AppFiles", "AppSiteAssociation", "Client", "DigitalAssetLinks", "Gzip",
        "Rules", "Diagnostics", "JSON", "HTTP", "Posix", "TLS", "TestRunning",
      ]),
    tests(
      "DevelopmentTests",
      ["Development", "AppSiteAssociation", "Rules", "Diagnostics", "Server"]),
    tests(
      "IssuanceTests",
      [
        "Issuance", "Bytes", "Settings", "Client", "TLS", "HTTP", "JSON", "Posix", "Diagnostics",
        "ScriptedServer", "TestRunning", "TLSTestSupport",
      ]),
    tests(
      "EndToEndTests",
      ["aasa", "AppFileSupport", "EndToEnd", "ScriptedServer", "TestRunning", "TLSTestSupport"]),
    tests(
      "StressTests",
      [
        "aasa", "AppFileSupport", "EndToEnd", "Gzip", "ScriptedServer", "TestRunning",
        "TLSTestSupport",
      ]),

    // What tests share.
    // Keys, certificates and a client, made when tests run.
    support("TLSTestSupport", in: "TLS", ["COpenSSL", "LibC"]),
    // What a catalog serves, in short.
    support("CatalogSupport", in: "Catalog", ["Catalog", "Settings", "HTTP"]),
    // Files of apps.
    support("AppFileSupport", in: "AppFiles", ["Gzip"]),
    // A server that answers what a test says.
    support(
      "ScriptedServer", in: "ScriptedServer",
      ["TLS", "Posix", "LibC", "Diagnostics", "TLSTestSupport"]),
    // The built program, its files and its clients.
    support(
      "EndToEnd", in: "EndToEnd", ["ScriptedServer", "TestRunning", "TLSTestSupport"]),
    // Which tests run, and how many at once.
    support("TestRunning", in: "Running", ["Diagnostics"]),
  ]
)

/// Leaves only these targets, and what they need.
@MainActor func keepOnly(_ names: [String]) {
  var kept = names
  var index = 0
  while index < kept.count {
    let dependencies = package.targets.first { $0.name == kept[index] }?.dependencies ?? []
    for case .byNameItem(let name, _) in dependencies where !kept.contains(name) {
      kept.append(name)
    }
    index += 1
  }
  package.targets.removeAll { !kept.contains($0.name) }
  package.products = []
}

if isPortable {
  keepOnly(["PosixTests", "SettingsTests", "CatalogTests", "KeepingTests", "ServerTests"])
}

/// With AASA_SANITIZED the program is built with the tests of the modules at the C boundary and of
/// those that work on bytes in place. No other module has unsafe code.
if Context.environment["AASA_SANITIZED"] != nil {
  keepOnly([
    "aasa", "BytesTests", "HTTPTests", "PosixTests", "TLSTests", "GzipTests", "ServerTests",
    "ClientTests",
  ])
}

/// With AASA_WITHOUT_TESTS there are no tests, so that an image does not depend on them.
if Context.environment["AASA_WITHOUT_TESTS"] != nil {
  package.targets.removeAll { $0.isTest || $0.path?.hasPrefix("Tests/") == true }
}
