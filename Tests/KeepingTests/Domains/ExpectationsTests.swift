import CatalogSupport
import Diagnostics
import Testing

@testable import Catalog
@testable import Keeping
@testable import Settings

@Suite struct `Expectations beside association files` {
  let folder = TestFolder()

  private static let file = "example.com/.well-known/apple-app-site-association"

  private static func association(_ path: String) -> String {
    #"{"applinks":{"details":[{"appID":"K27TX9P4QD.org.swift.shop","paths":["\#(path)"]}]}}"#
  }

  private static func expectation(_ path: String) -> String {
    "\(path) opens K27TX9P4QD.org.swift.shop\n"
  }

  private func loader(_ change: (inout HostingOptions) -> Void = { _ in }) -> DomainRunner {
    DomainRunner(root: folder.path, change)
  }

  private func errors(_ outcome: Outcome) -> [Diagnostic] {
    outcome.report.diagnostics.filter { $0.severity == .error }
  }

  @Test(
    arguments: [
      "example.com.cases", "example.com/example.com.cases",
      "example.com/.well-known/example.com.cases", "example.com/apple-app-site-association.cases",
      "example.com/.well-known/apple-app-site-association.cases",
    ])
  func `a file that breaks its expectations does not replace a good one`(name: String) {
    folder.write(Self.file, Self.association("/buy/*"))
    folder.write(name, "# why\n" + Self.expectation("/buy/1") + "/help browser\n")
    var loader = loader()
    #expect(errors(loader.scanAll()) == [])

    folder.write(Self.file, Self.association("/help"))
    let found = errors(loader.scanAll())
    #expect(found.map(\.code) == ["E010", "E010"])
    #expect(found.compactMap { $0.location?.place?.line }.sorted() == [2, 3])
    #expect(found.contains { $0.note == "the last good version of the file is still served" })
    #expect(loader.association("example.com") == Self.association("/buy/*"))
    #expect(loader.problems[.host("example.com")]?.isLastGood == true)

    // Corrected expectations let the new version in.
    folder.write(name, Self.expectation("/help"))
    #expect(loader.scanAll().report.changed == [.host("example.com")])
    #expect(loader.association("example.com") == Self.association("/help"))
    #expect(loader.problems[.host("example.com")]?.isLastGood != true)
  }

  @Test(arguments: [DomainReader.Depth.usability, .rules])
  func `where nothing good is known a file is served although it breaks its expectations`(
    depth: DomainReader.Depth
  ) {
    folder.write(Self.file, Self.association("/help"))
    folder.write("example.com.cases", Self.expectation("/buy/1"))
    var loader = loader()
    let outcome = loader.scanAll(depth)
    #expect(errors(outcome).map(\.code) == ["E010"] && outcome.failures == 1)
    #expect(errors(outcome).first?.note?.contains("served anyway") == true)
    #expect(loader.association("example.com") == Self.association("/help"))
    // Another one that breaks them is not worse.
    folder.write(Self.file, Self.association("/other"))
    #expect(loader.scanAll().report.changed == [.host("example.com")])
    // A good one replaces it, and stays.
    folder.write(Self.file, Self.association("/buy/*"))
    #expect(errors(loader.scanAll()) == [])
    folder.write(Self.file, Self.association("/other"))
    #expect(errors(loader.scanAll()).map(\.code) == ["E010"])
    #expect(loader.association("example.com") == Self.association("/buy/*"))
  }

  @Test(arguments: [true, false])
  func `strict expectations refuse it even then, until they are met or strict no more`(
    areMet: Bool
  ) {
    folder.write(Self.file, Self.association("/help"))
    folder.write("example.com.cases", Self.expectation("/buy/1"))
    var loader = loader { $0.requiresExpectations = true }
    #expect(errors(loader.scanAll(.usability)).map(\.code) == ["E010"])
    #expect(loader.association("example.com") == "unavailable")
    if areMet {
      folder.write("example.com.cases", Self.expectation("/help"))
    } else {
      loader.change { $0.requiresExpectations = false }
    }
    #expect(loader.scanAll().report.changed == [.host("example.com")])
    #expect(loader.association("example.com") == Self.association("/help"))
  }

  @Test func `faulty expectations keep the last good version too`() {
    folder.write(Self.file, Self.association("/buy/*"))
    var loader = loader()
    _ = loader.scanAll()
    folder.write("example.com.cases", "what is this\n")
    folder.write(Self.file, Self.association("/help"))
    #expect(!errors(loader.scanAll()).isEmpty)
    #expect(loader.association("example.com") == Self.association("/buy/*"))
  }

  @Test(arguments: [true, false])
  func `expectations that are missing for a moment, or cannot be read, hold as they were`(
    isMissing: Bool
  ) {
    folder.write(Self.file, Self.association("/buy/*"))
    folder.write("example.com.cases", Self.expectation("/buy/1"))
    var loader = loader { $0.withdrawAfter = 1_000_000 }
    _ = loader.scanAll()
    folder.remove("example.com.cases")
    if !isMissing { folder.link("example.com.cases", to: "example.com.cases") }
    let faults = isMissing ? [] : ["H030"]
    #expect(errors(loader.scanAll()).map(\.code) == faults)
    folder.write(Self.file, Self.association("/help"))
    #expect(errors(loader.scanAll()).map(\.code).sorted() == ["E010"] + faults)
    #expect(loader.association("example.com") == Self.association("/buy/*"))
    folder.remove("example.com.cases")
    folder.write("example.com.cases", Self.expectation("/help"))
    _ = loader.scanAll()
    #expect(loader.association("example.com") == Self.association("/help"))
  }

  @Test func `expectations that were removed for good hold no longer`() {
    folder.write(Self.file, Self.association("/buy/*"))
    folder.write("example.com.cases", Self.expectation("/buy/1"))
    var loader = loader()
    _ = loader.scanAll()
    folder.remove("example.com.cases")
    _ = loader.scanAndWithdraw()
    #expect(loader.folder.names.missing.isEmpty)
    folder.write(Self.file, Self.association("/help"))
    #expect(errors(loader.scanAll()) == [])
    #expect(loader.association("example.com") == Self.association("/help"))
  }

  @Test func `expectations hold as long as their loss is held`() {
    for index in 0..<6 { folder.write("h\(index).test.json", Self.association("/buy/*")) }
    folder.write("example.com.json", Self.association("/buy/*"))
    folder.write("example.com.cases", Self.expectation("/buy/1"))
    var loader = loader()
    _ = loader.scanAll()
    for index in 0..<6 { folder.remove("h\(index).test.json") }
    folder.remove("example.com.cases")
    _ = loader.scanAndWithdraw()
    #expect(loader.holds.count == 1)
    folder.write("example.com.json", Self.association("/help"))
    #expect(errors(loader.scanAll()).map(\.code).contains("E010"))
    #expect(loader.association("example.com") == Self.association("/buy/*"))
  }

  @Test func `expectations in a folder that cannot be entered are not missing`() {
    folder.write(Self.file, Self.association("/buy/*"))
    folder.write("example.com/.well-known/example.com.cases", Self.expectation("/buy/1"))
    var loader = loader { $0.withdrawAfter = 1_000_000 }
    _ = loader.scanAll()
    folder.rename("example.com/.well-known", to: ".away")
    folder.link("example.com/.well-known", to: "nothing")
    #expect(errors(loader.scanAll()).map(\.code) == ["H003"])
    #expect(loader.association("example.com") == Self.association("/buy/*"))
    #expect(loader.folder.names.missing.isEmpty && loader.nextWithdrawal == nil)
  }

  @Test(arguments: ["example.com.json", file])
  func `expectations that come between listing and reading count for the new file`(path: String) {
    folder.write(path, Self.association("/buy/*"))
    var loader = loader()
    _ = loader.scanAll()
    let listed = loader.items.mapValues(\.entry)
    folder.write("example.com.cases", Self.expectation("/buy/1"))
    folder.write(path, Self.association("/help"))
    let outcome = loader.read(listed.values, isFinal: true)
    #expect(errors(outcome).map(\.code) == ["E010"])
    #expect(loader.association("example.com") == Self.association("/buy/*"))
  }

  @Test func `expectations in a host's folders are looked up after the files that they judge`() {
    let observer = DomainObserver(root: folder.path)
    let roles = observer.ownPlaces(of: .init(name: .any), observer.wellKnown.files.indices).map(
      \.role)
    let first = roles.firstIndex(of: .cases) ?? 0
    #expect(first > 0 && roles[first...].allSatisfy { $0 == .cases })
    #expect(roles.count - first == 4)
  }
}
