import AppSiteAssociation
import Diagnostics
import Foundation
import Rules
import Testing

@testable import Development
@testable import aasa

@Suite struct InitTests {
  @Test func `exclusions come first and the file is clean`() {
    var plan = AssociationPlan()
    plan.apps = ["K27TX9P4QD.org.swift.shop", "K27TX9P4QD.org.swift.pay"]
    plan.appClips = ["K27TX9P4QD.org.swift.shop.Clip"]
    plan.services = ["webcredentials"]
    plan.setPaths(["/buy/*", "NOT /buy/\"secret\"", "/help"])
    let text = plan.text
    let report = validate(SourceText(path: "f", bytes: Array(text.utf8)))
    #expect(report.diagnostics.filter { $0.code != "A094" } == [])
    let excluded = text.range(of: "secret")
    let opened = text.range(of: "/buy/*")
    #expect((excluded?.lowerBound ?? text.endIndex) < (opened?.lowerBound ?? text.startIndex))
  }

  @Test(arguments: [[], ["NOT /a"], ["/b"]])
  func `without paths every link opens the app`(paths: [String]) {
    var plan = AssociationPlan()
    plan.apps = ["K27TX9P4QD.org.swift.shop"]
    plan.services = ["applinks"]
    plan.setPaths(paths)
    let report = validate(SourceText(path: "f", bytes: Array(plan.text.utf8)))
    #expect(report.diagnostics.filter { $0.code != "A072" } == [])
    #expect(plan.text.contains(#"{ "/": "*" }"#) == !paths.contains("/b"))
  }

  @Test func `a project's apps are found, tests and extensions left out`() {
    let project = XcodeProject(
      """
      buildSettings = {
        DEVELOPMENT_TEAM = K27TX9P4QD;
      };
      buildSettings = {
        PRODUCT_BUNDLE_IDENTIFIER = org.swift.shop;
        PRODUCT_BUNDLE_IDENTIFIER_SUFFIX = x;
      };
      buildSettings = {
        "DEVELOPMENT_TEAM[sdk=iphoneos*]" = "B27TX9P4QD";
        PRODUCT_BUNDLE_IDENTIFIER = "org.swift.shop.Clip";
      };
      buildSettings = {
        PRODUCT_BUNDLE_IDENTIFIER = org.swift.shop;
      };
      buildSettings = {
        PRODUCT_BUNDLE_IDENTIFIER = org.swift.shop.widget;
      };
      buildSettings = {
        PRODUCT_BUNDLE_IDENTIFIER = org.swift.shopUITests;
      };
      buildSettings = {
        PRODUCT_BUNDLE_IDENTIFIER = "$(BASE).app";
      """)
    #expect(
      project.targets == [
        .init(bundle: "org.swift.shop", team: "K27TX9P4QD"),
        .init(bundle: "org.swift.shop.Clip", team: "B27TX9P4QD"),
      ])
  }

  @Test func `a file is written once`() throws {
    let path = FileManager.default.temporaryDirectory.path + "/aasa-init-\(UUID().uuidString).json"
    defer { try? FileManager.default.removeItem(atPath: path) }
    func run(_ more: String...) -> Int32 {
      Program.run(
        ["init", "--app", "K27TX9P4QD.org.swift.shop", "-o", path] + more, output: { _ in },
        errors: { _ in })
    }
    #expect(run() == 0)
    #expect(run() == 1)
    #expect(run("--force") == 0)
    #expect(Program.run(["validate", "--strict", path]) == 0)
  }

  @Test(
    arguments: [
      // Arguments and exit code.
      ([], 2), (["--app", "shop"], 2), (["--app", "org.swift.shop"], 2),
      (["--android", "org.swift.shop"], 2),
      (["--app", "K27TX9P4QD.org.swift.shop", "--android", "org.swift.shop:5E"], 2),
      (["--android", "org.swift.shop:5E"], 2),
      (["--entitlements", "/nonexistent"], 1), (["--project", "/nonexistent.xcodeproj"], 1),
      (["--team", "K27TX9P4QD"], 2), (["--team", "K27TX9P4QD", "--bundle", "org.swift.shop"], 0),
    ] as [([String], Int32)]) func `the exit code identifies the fault`(
      arguments: [String], code: Int32
    )
  {
    #expect(Program.run(["init"] + arguments, output: { _ in }, errors: { _ in }) == code)
  }
}
