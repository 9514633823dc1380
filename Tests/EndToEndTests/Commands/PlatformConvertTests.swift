import Foundation
import TestRunning
import Testing

@testable import EndToEnd

/// `aasa convert --to assetlinks`, and the reverse.
@Suite(.manyAtOnce) struct PlatformConvertTests {
  private static let fingerprint =
    "5E:8F:16:06:2E:A3:CD:2C:4A:0D:54:78:76:BA:A6:F3:8C:AB:F6:25:19:07:4D:93:0C:B1:F9:7A:2D:64:E8:B0"
  private static let android = [
    "--to", "assetlinks", "--package", "org.swift.shop", "--fingerprint", fingerprint,
  ]
  private static let association =
    #"{"applinks": {"details": [{"appIDs": ["K27TX9P4QD.org.swift.shop"], "components": ["#
    + #"{"/": "/buy/x", "exclude": true}, {"/": "/buy/*"}]}]}}"#
  private static let list = #"""
    [{"relation": ["delegate_permission/common.handle_all_urls"], "target": {
      "namespace": "android_app", "package_name": "org.swift.shop",
      "sha256_cert_fingerprints": ["\#(fingerprint)"]}}]
    """#

  private struct Outcome {
    let code: Int32
    let output: String
    let errors: String
  }

  private func convert(_ text: String, _ options: [String]) throws -> Outcome {
    let workspace = try Workspace()
    try workspace.write("FILE", text)
    let run = try workspace.aasa(["convert", "FILE"] + options)
    return Outcome(code: run.exitCode, output: run.text, errors: run.errors)
  }

  @Test func `an association file becomes dynamic rules`() throws {
    let outcome = try convert(Self.association, Self.android)
    #expect(outcome.code == 0)
    #expect(
      outcome.output == """
        [
          {
            "relation": ["delegate_permission/common.handle_all_urls"],
            "target": {
              "namespace": "android_app",
              "package_name": "org.swift.shop",
              "sha256_cert_fingerprints": [
                "\(Self.fingerprint)"
              ]
            },
            "relation_extensions": {
              "delegate_permission/common.handle_all_urls": {
                "dynamic_app_link_components": [
                  { "/": "/buy/x", "exclude": true },
                  { "/": "/buy/x/", "exclude": true },
                  { "/": "/buy" },
                  { "/": "/buy/*" }
                ]
              }
            }
          }
        ]

        """)
    #expect(
      outcome.errors
        == "note: Apple and Android compare repeated slashes, percent-encoding and repeated query "
        + "items differently\n")
    let back = try convert(
      outcome.output, ["--to", "applinks", "--app", "K27TX9P4QD.org.swift.shop"])
    #expect(back.code == 0)
    #expect(back.output.contains(#"{ "/": "/buy/x", "exclude": true }"#))
    #expect(back.errors.contains("and also a slash at the end of a path"))
  }

  @Test func `what cannot be said is named, and written nearly on request`() throws {
    let file = Self.association.replacingOccurrences(of: "/buy/*", with: "/*/item")
    let refused = try convert(file, Self.android)
    #expect(refused.code == 1 && refused.output.isEmpty)
    let reason =
      "FILE:1:118: on Android `*` matches only up to the first occurrence of the character "
      + "that follows `*`, so "
      + "`/*/item` does not match `/x/y/item`\n"
    #expect(
      refused.errors
        == "error: \(reason)error: nothing was written; --nearly writes the rules that can be "
        + "converted\n"
    )
    let written = try convert(file, Self.android + ["--nearly", "--minify"])
    #expect(written.code == 0)
    #expect(written.output.contains(#"{"/":"/*/item"}"#))
    #expect(written.errors.hasPrefix("warning: \(reason)"))
  }

  @Test func `a rule that is left out is named`() throws {
    let file = Self.association.replacingOccurrences(of: #""/": "/buy/*""#, with: #""?": "a""#)
    let written = try convert(file, Self.android + ["--nearly"])
    #expect(written.code == 0)
    #expect(
      written.errors.hasPrefix(
        "warning: FILE:1:118: the rule is left out: Android compares individual query items"))
    #expect(!written.output.contains("\"?\""))
  }

  @Test(arguments: [
    (["--to", "assetlinks", "--package", "a.b"], "needs --package and --fingerprint"),
    (["--to", "applinks"], "needs --app TEAM.bundle"),
    (["--to", "applinks", "--app", "A.b", "--fingerprint", "x"], "takes no --fingerprint"),
    (["--to", "components", "--nearly"], "need --to assetlinks or --to applinks"),
    (["--to", "android"], "write components, paths, both, assetlinks or applinks"),
    (["--to", "assetlinks", "--package", "a.b", "--fingerprint", "AA:BB"], "[D134]"),
    (["--to", "assetlinks", "--package", "app", "--fingerprint", fingerprint], "[D122]"),
  ])
  func `wrong usage of convert between platforms is explained`(options: [String], words: String)
    throws
  {
    let outcome = try convert(Self.association, options)
    #expect(outcome.code == 2 && outcome.output.isEmpty)
    outcome.errors.says(.part(words))
  }

  @Test(arguments: [("org.swift.shop", "[A037]"), ("K27TX9P4QD", "[A036]")])
  func `an app that cannot exist is wrong usage`(app: String, code: String) throws {
    let outcome = try convert(Self.list, ["--to", "applinks", "--app", app])
    #expect(outcome.code == 2 && outcome.output.isEmpty)
    outcome.errors.says(.part(code))
  }

  @Test func `a fingerprint is read from a tool's output`() throws {
    let workspace = try Workspace()
    try workspace.write("site.json", Self.association)
    try workspace.write("key.txt", "Owner: CN=Android Debug\n\t SHA256: \(Self.fingerprint)\n")
    let words = ["convert", "site.json", "--to", "assetlinks", "--package", "a.b", "--fingerprint"]
    try workspace.aasa(words + ["key.txt"]).says(
      "\"\(Self.fingerprint)\"", exit: 0,
      errors: .start("warning: key.txt: \(Self.fingerprint) belongs to a debug key"))
    try workspace.write("key.txt", "nothing")
    try workspace.aasa(words + ["key.txt"]).says(
      exit: 2, errors: .start("error: key.txt: the file has no SHA-256 digest of a certificate"))
    try workspace.aasa(words + ["missing.apk"]).says(
      exit: 2, errors: .start("error: cannot read missing.apk: No such file or directory; check"))
  }

  @Test func `faults of the file are explained`() throws {
    let applinks = ["--to", "applinks", "--app", "K27TX9P4QD.org.swift.shop"]
    let object = try convert("{}", applinks)
    #expect(object.code == 1)
    #expect(object.errors == "error: FILE: the file is not a list of statements\n")
    let wrongApp = try convert("[1]", applinks)
    #expect(wrongApp.errors == "error: FILE: the file lists no app for links\n")
    let unknown = try convert(Self.association, Self.android + ["--app", "A.b"])
    #expect(unknown.code == 1)
    #expect(unknown.errors == "error: FILE: the file lists no app A.b for links\n")
  }

  @Test func `without dynamic rules the manifest decides, which is noted`() throws {
    let outcome = try convert(
      Self.list, ["--to", "applinks", "--app", "K27TX9P4QD.org.swift.shop"])
    #expect(outcome.code == 0 && outcome.output.contains(#"{ "/": "*" }"#))
    #expect(outcome.errors.hasPrefix("note: the file has no dynamic rules: on Android"))
  }
}
