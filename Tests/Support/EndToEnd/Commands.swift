import Foundation
internal import TestRunning
import Testing

extension Finished {
  /// Expects this exit code, and this in what the program has written.
  ///
  /// - Parameters:
  ///   - output: to standard output.
  ///   - errors: to the standard error stream.
  @discardableResult
  func says(
    _ output: Said..., exit code: Int32, errors: Said...,
    at location: SourceLocation = #_sourceLocation
  ) -> Finished {
    #expect(exitCode == code, "\(self)", sourceLocation: location)
    for said in output {
      #expect(said.isIn(text), "standard output: \(said)\n\(self)", sourceLocation: location)
    }
    for said in errors {
      #expect(said.isIn(self.errors), "standard error: \(said)\n\(self)", sourceLocation: location)
    }
    return self
  }
}

extension Workspace {
  /// Runs the program to its end in this folder.
  func aasa(_ arguments: [String], input: String? = nil) throws -> Finished {
    try run(Server.program, arguments, folder: root, input: input)
  }

  func aasa(_ arguments: String..., input: String? = nil) throws -> Finished {
    try aasa(arguments, input: input)
  }

  func text(_ name: String) throws -> String {
    try String(contentsOfFile: path(name), encoding: .utf8)
  }

  func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: path(name)) }

  /// The names in the folder, sorted, including broken links.
  func names(in folder: String = ".") throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path(folder)).sorted()
  }
}

/// The app of the files that commands are tried on.
let shop = "K27TX9P4QD.org.swift.shop"

/// The certificate of the shop's Android app.
let shopFingerprint =
  "5E:8F:16:06:2E:A3:CD:2C:4A:0D:54:78:76:BA:A6:F3:8C:AB:F6:25:19:07:4D:93:0C:B1:F9:7A:2D:64:E8:B0"

/// An association file that gives the shop these components.
func shopFile(components: String) -> String {
  #"{"applinks":{"details":[{"appIDs":["\#(shop)"],"components":\#(components)}]}}"#
}

/// An `assetlinks.json` that lets an app open links, by dynamic rules if there are any.
func statements(_ packageName: String, _ rules: String?) -> String {
  let relation = "delegate_permission/common.handle_all_urls"
  let dynamic =
    rules.map {
      #", "relation_extensions": {"\#(relation)": {"dynamic_app_link_components": \#($0)}}"#
    } ?? ""
  return #"[{"relation": ["\#(relation)"], "target": {"namespace": "android_app", "#
    + #""package_name": "\#(packageName)", "#
    + #""sha256_cert_fingerprints": ["\#(shopFingerprint)"]}\#(dynamic)}]"#
}

/// The same in the form of before iOS 13.
func shopFile(paths: String) -> String {
  #"{"applinks":{"apps":[],"details":[{"appID":"\#(shop)","paths":\#(paths)}]}}"#
}
