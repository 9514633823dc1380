// swift-tools-version: 6.2
import PackageDescription

/// A package of somebody else that tests its association file: it sees only what is public.
let package = Package(
  name: "LibraryTests",
  platforms: [.macOS("26.0")],
  dependencies: [.package(name: "aasa", path: "../..")],
  targets: [
    .testTarget(
      name: "LibraryTests",
      dependencies: [.product(name: "AppSiteAssociation", package: "aasa")],
      swiftSettings: [.swiftLanguageMode(.v6)])
  ]
)
