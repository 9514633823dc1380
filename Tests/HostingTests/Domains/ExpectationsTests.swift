import Diagnostics
import Foundation
import Testing

@testable import Hosting

@Suite struct `Expectations beside association files` {
  private static func association(_ path: String) -> String {
    #"{"applinks":{"details":[{"appID":"K27TX9P4QD.org.swift.shop","paths":["\#(path)"]}]}}"#
  }

  @Test(arguments: ["example.com.cases", "example.com/.well-known/example.com.cases"])
  func `A file that breaks its expectations is not accepted`(name: String) throws {
    let root = FileManager.default.temporaryDirectory.appending(path: "cases-\(UUID())")
    defer { try? FileManager.default.removeItem(at: root) }
    let folder = root.appending(path: "example.com/.well-known")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let file = folder.appending(path: "apple-app-site-association")
    try Data(Self.association("/buy/*").utf8).write(to: file)
    let cases = root.appending(path: name)
    try Data("# why\n/buy/1 opens K27TX9P4QD.org.swift.shop\n/help browser\n".utf8).write(to: cases)

    var loader = DomainLoader(root: root.path, cacheControl: "max-age=60")
    #expect(loader.loadAll().diagnostics.filter { $0.severity == .error } == [])
    guard case .served(let good)? = loader.sites.first?.association else {
      return #expect(Bool(false), "nothing is served")
    }

    try Data(Self.association("/help").utf8).write(to: file)
    let told = loader.reload(names: ["example.com"]).diagnostics.filter { $0.severity == .error }
    #expect(told.map(\.code) == ["E010", "E010"])
    #expect(told.map { $0.location?.place?.line }.sorted { $0 ?? 0 < $1 ?? 0 } == [2, 3])
    guard case .served(let kept)? = loader.sites.first?.association else {
      return #expect(Bool(false), "the last good version is gone")
    }
    #expect(kept.content === good.content)

    // Corrected expectations let the new version in.
    try Data("/help opens K27TX9P4QD.org.swift.shop\n".utf8).write(to: cases)
    let changed = loader.reload(names: [name.contains("/") ? "example.com" : name])
    #expect(changed.changed == [.host("example.com")])
  }

  @Test func `Expectations alone make no entry`() {
    let folder = DomainFolder(
      path: "domains", names: [(name: "example.com.cases", isDirectory: false)])
    #expect(folder.entries.isEmpty && folder.diagnostics.isEmpty)
  }
}
