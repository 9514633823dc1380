// swift-tools-version: 6.2
import PackageDescription

// The fuzz harness: the modules that read foreign bytes, compiled for libFuzzer. Separate from the
// main package, because every file is compiled with other options; `Sources` is a link to its
// sources. Build and run it with `./run`.
let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]
/// Edge coverage guides libFuzzer, and AddressSanitizer finds faults in C. One flag, because the
/// last of several wins.
let instrumented =
  settings + [
    .unsafeFlags(["-sanitize=fuzzer,address", "-parse-as-library"])
  ]

func module(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: instrumented)
}

let package = Package(
  name: "aasa",
  platforms: [.macOS("26.0")],
  targets: [
    .systemLibrary(name: "COpenSSL", pkgConfig: "openssl"),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib"),
    .systemLibrary(name: "CSystem"),
    .systemLibrary(name: "CResolver"),
    module("Bytes"),
    module("Diagnostics", ["Bytes"]),
    module("JSON", ["Diagnostics", "Bytes"]),
    module("HTTP", ["Bytes"]),
    module("Rules", ["JSON", "Diagnostics", "Bytes"]),
    module("AppSiteAssociation", ["Rules", "JSON", "Diagnostics", "Bytes"]),
    module("LibC", ["CSystem", "CResolver"]),
    module("Posix", ["LibC", "Bytes"]),
    module("TLS", ["Posix", "LibC", "COpenSSL", "Diagnostics", "Bytes"]),
    module("Gzip", ["CZlib"]),
    module(
      "DigitalAssetLinks", ["AppSiteAssociation", "Rules", "JSON", "Diagnostics", "Bytes"]),
    module("AppFiles", ["JSON", "Diagnostics", "Posix", "TLS", "Gzip"]),
    module("Settings", ["Rules", "JSON", "Diagnostics", "Bytes", "HTTP", "Posix"]),
    module("Catalog", ["Settings", "Diagnostics", "Bytes", "HTTP", "Posix", "TLS", "Gzip"]),
    module(
      "Keeping",
      [
        "Catalog", "Settings", "AppSiteAssociation", "DigitalAssetLinks", "Rules", "JSON",
        "Diagnostics", "Bytes", "HTTP", "Posix", "TLS",
      ]),
    module("Client", ["TLS", "HTTP", "Posix", "Gzip", "Bytes"]),
    module(
      "Checking",
      [
        "Client", "Catalog", "Settings", "AppFiles", "AppSiteAssociation", "DigitalAssetLinks",
        "Rules",
        "JSON",
        "Diagnostics", "Bytes", "HTTP", "Posix", "TLS", "Gzip",
      ]),
    // Its types are its own.
    .target(
      name: "Issuance",
      dependencies: [
        "Settings", "Client", "TLS", "HTTP", "JSON", "Posix", "Diagnostics", "Bytes",
      ],
      swiftSettings: instrumented + [.unsafeFlags(["-enable-testing"])]),
    // One file of the server's.
    .target(
      name: "Proxies", dependencies: ["Bytes", "Posix"], path: "Sources/Server/Proxies",
      sources: ["ProxyHeader.swift"], swiftSettings: instrumented),
    .executableTarget(
      name: "fuzz",
      dependencies: [
        "AppFiles", "Checking", "Issuance", "Proxies", "Rules", "JSON", "HTTP",
        "AppSiteAssociation",
        "DigitalAssetLinks",
        "TLS", "Posix", "Keeping", "Settings", "Diagnostics", "Bytes",
      ],
      path: "Harness", swiftSettings: instrumented,
      // The gold linker fails on the sanitizer's debug information.
      linkerSettings: [
        .unsafeFlags(["-sanitize=fuzzer,address"]),
        .unsafeFlags(["-use-ld=lld"], .when(platforms: [.linux])),
      ]),
  ]
)
