// swift-tools-version: 6.2
import PackageDescription

let package = Package(name: "Steady", targets: [.testTarget(name: "SampleTests")])
