import Catalog
import CatalogSupport
import Diagnostics
import Posix
import Settings
import Testing

@testable import Keeping

/// What survives a restart.
@Suite struct KeptVersionTests {
  private typealias Run = DomainRun

  let folder = TestFolder("domains")

  private func write(_ name: String, _ text: String) { folder.write("domains/" + name, text) }
  private var files: [String] { folder.kept("domains") }

  private static func flawed(_ app: String) -> String {
    #"{"applinks":{"details":[{"appIDs":["\#(app)"]}]}}"#
  }

  // MARK: Faulty files

  @Test func `a good version whose file is faulty is served after a restart too`() throws {
    for name in ["a", "b"] { write("\(name).test.json", small) }
    folder.touch("domains/a.test.json", 1_000_000_000)
    do {
      let run = try Run(folder)
      #expect(files.isEmpty)
      write("a.test.json", "{")
      #expect(run.scan() == 0 && files == ["a.test.json"])
    }
    // As users write it: a whole file, with its date.
    let path = folder("state/kept/domains/a.test.json")
    try #expect(readFile(path, limit: 1000) == Array(small.utf8))
    try #expect(status(path).modifiedSeconds == 1_000_000_000 && status(path).mode == 0o600)
    do {
      let run = try Run(folder)
      #expect(run.answer("a.test") == small && run.first.failures == 1)
      #expect(run.first.report.diagnostics.first?.note?.contains("last good version") == true)
      #expect(files == ["a.test.json"])
      // Repaired: nothing is kept any more.
      write("a.test.json", small + " ")
      run.scan()
      #expect(run.answer("a.test") == small + " " && files.isEmpty)
    }
    try #expect(Run(folder).answer("a.test") == small + " ")
  }

  /// The version before, the file at the restart, and what is served then.
  @Test(arguments: [
    (small, small + "\n", small + "\n"), (small, flawed("wrong"), small),
    (flawed("wrong"), "{", flawed("wrong")),
    (flawed("wrong"), flawed("other"), flawed("other")),
  ])
  func `a better version counts, the new one or the kept one`(
    before: String, file: String, served: String
  ) throws {
    write("a.test.json", before)
    do {
      let run = try Run(folder)
      _ = run.loader.scan("a.test")
      write("a.test.json", "{")
      #expect(run.scan() == 0 && files == ["a.test.json"])
    }
    write("a.test.json", file)
    try #expect(Run(folder).answer("a.test") == served)
  }

  /// The files before, the files that break or go, what is kept, and what is served after a restart.
  @Test(arguments: [
    (
      ["a.test/.well-known/apple-app-site-association": small, "a.test/.well-known/webauthn": web],
      ["a.test/.well-known/webauthn": "{"], ["a.test/.well-known/webauthn"], [small, web]
    ),
    (
      ["a.test/.well-known/apple-app-site-association": small, "a.test/.well-known/webauthn": web],
      ["a.test/.well-known/apple-app-site-association": "{", "a.test/.well-known/webauthn": "{"],
      ["a.test.json", "a.test/.well-known/webauthn"], [small, web]
    ),
    (
      ["a.test.json": small, "a.test.assetlinks.json": "[]"], ["a.test.assetlinks.json": "["],
      ["a.test.assetlinks.json"], [small, "[]"]
    ),
    (
      ["a.test.json": everything, "a.test.page.html": "<p>good"], ["a.test.page.html": ""],
      ["a.test.page.html"], [everything, "<p>good"]
    ),
    (
      ["*.a.test.json": small], ["*.a.test.json": "{"], ["_wildcard.a.test.json"], [small]
    ),
    (
      ["a.test/.well-known/security.txt": "Contact: mailto:a@b.test\n", "a.test.json": small],
      ["a.test/.well-known/security.txt": ""], ["a.test/.well-known/security.txt"],
      [small, "Contact: mailto:a@b.test\n"]
    ),
  ])
  func `each file of an entry is kept by itself`(
    before: [String: String], broken: [String: String], kept: [String], served: [String]
  ) throws {
    let name = before.keys.contains { $0.hasPrefix("*") } ? "*.a.test" : "a.test"
    for (file, text) in before { write(file, text) }
    write("z.test.json", small)
    do {
      let run = try Run(folder)
      for (file, text) in broken { write(file, text) }
      #expect(run.scan() == 0 && files == kept)
    }
    do {
      let run = try Run(folder)
      #expect(run.answers(name) == served && files == kept && run.diagnostics.isEmpty)
    }
    // Removed while nothing ran, or repaired.
    for file in broken.keys { folder.remove("domains/" + file) }
    let run = try Run(folder)
    let left = before.filter { broken[$0.key] == nil }.map(\.value)
    #expect(Set(run.answers(name)) == Set(left) && files.isEmpty)
  }

  private static let web = #"{"origins":["https://a.test"]}"#
  private static let everything =
    #"{"applinks":{"details":[{"appIDs":["K27TX9P4QD.a.b"],"components":[{}]}]}}"#

  @Test func `files that a closed folder hides are kept too`() throws {
    folder.write("domains/a.test/.well-known/apple-app-site-association", small)
    folder.write("domains/a.test/.well-known/webauthn", Self.web)
    do {
      let run = try Run(folder)
      folder.rename("domains/a.test/.well-known", to: "away")
      folder.link("domains/a.test/.well-known", to: "nothing")
      #expect(run.scan() == 0 && files == ["a.test.json", "a.test/.well-known/webauthn"])
    }
    // Twice, because what was taken up is kept again.
    for _ in 0..<2 {
      let answers = try Run(folder).answers("a.test")
      #expect(answers.filter { $0 != "unavailable" } == [small, Self.web])
    }
    folder.remove("domains/a.test/.well-known")
    folder.rename("away", to: "domains/a.test/.well-known")
    let run = try Run(folder)
    #expect(run.answer("a.test") == small && files.isEmpty)
  }

  // MARK: Missing files

  @Test func `what was held is held after a restart, until it is back or confirmed`() throws {
    for index in 0..<8 { write("h\(index).test.json", small) }
    do {
      let run = try Run(folder)
      for index in 0..<6 { folder.remove("domains/h\(index).test.json") }
      #expect(run.scan() == 0 && files.count == 6 && run.loader.holds.count == 1)
    }
    do {
      let run = try Run(folder)
      #expect((0..<8).allSatisfy { run.answer("h\($0).test") == small })
      let id = run.loader.holds.first?.id
      #expect(run.loader.scanAndWithdraw().report.removed.isEmpty)
      #expect(run.loader.holds.first?.fault.message.hasPrefix("6 of 8 domains are") == true)
      // One is back: the hold is smaller, and the same.
      write("h0.test.json", small + " ")
      run.scan()
      #expect(run.answer("h0.test") == small + " " && files.count == 5)
      #expect(run.loader.holds.first?.id == id && run.loader.nextWithdrawal == nil)
    }
    do {
      let run = try Run(folder)
      #expect(run.loader.confirmAll().report.removed.count == 5)
      run.keep()
      #expect(files.isEmpty && run.loader.holds.isEmpty && run.loader.sites.count == 3)
    }
    try #expect(Run(folder).loader.holds.isEmpty)
  }

  @Test func `a folder that is missing at the start does not hide what was kept`() throws {
    for index in 0..<4 { write("h\(index).test.json", small) }
    do {
      let run = try Run(folder)
      folder.rename("domains", to: "away")
      #expect(run.scan() == 0 && files.count == 4)
    }
    let run = try Run(folder)
    #expect((0..<4).allSatisfy { run.answer("h\($0).test") == small })
    #expect(run.keep() == 0 && files.count == 4)
    folder.rename("away", to: "domains")
    run.scan()
    #expect(files.isEmpty && run.loader.holds.isEmpty && run.loader.folder.held == nil)
  }

  @Test func `a folder that is empty at the start does not hide what was kept, nor the others`()
    throws
  {
    for index in 0..<4 { write("h\(index).test.json", small) }
    do {
      let run = try Run(folder)
      write("h0.test.json", "{")
      #expect(run.scan() == 0 && files == ["h0.test.json"])
    }
    folder.rename("domains", to: "away")
    folder.makeFolder("domains")
    do {
      let run = try Run(folder)
      #expect(run.answer("h0.test") == small && run.loader.isIncomplete)
      #expect(run.keep() == 0 && files == ["h0.test.json"] && run.loader.folder.held == .empty)
    }
    // Three of four are still missing: what was kept of them stays too.
    write("h3.test.json", small)
    do {
      let run = try Run(folder)
      #expect(run.answer("h0.test") == small && run.answer("h3.test") == small)
      #expect(run.loader.isIncomplete && run.loader.holds.count == 1)
      #expect(run.keep() == 0 && files == ["h0.test.json"])
    }
    folder.remove("domains")
    folder.rename("away", to: "domains")
    let run = try Run(folder)
    #expect(run.answer("h0.test") == small && run.answer("h1.test") == small)
    #expect(!run.loader.isIncomplete && run.loader.holds == [])
  }

  @Test func `a list that was kept alone waits for the folder`() throws {
    write("links.json", small)
    write("links.hosts", "a.test\nb.test\nc.test\nd.test\n")
    do {
      let run = try Run(folder)
      write("links.hosts", "a.test\n")
      run.scan()
      #expect(files == ["links.hosts"] && run.loader.holds.count == 1)
    }
    folder.rename("domains", to: "away")
    let run = try Run(folder)
    #expect(run.keep() == 0 && files == ["links.hosts"] && run.loader.isIncomplete)
    folder.rename("away", to: "domains")
    #expect(run.scan() == 0 && files == ["links.hosts"] && run.loader.holds.count == 1)
    #expect(run.loader.keeper.lists[.named("links")]?.kept.count == 3)
  }

  // MARK: The state folder

  @Test func `what cannot be written is reported once, and written as soon as it can be`() throws {
    for name in ["a", "b"] { write("\(name).test.json", small) }
    let run = try Run(folder)
    for _ in 0..<2 {
      for name in ["a", "b"] { write("\(name).test.json", small + " ") }
      run.scan()
      folder.rename("state/kept/domains", to: "state/away")
      folder.write("state/kept/domains", "no folder")
      let before = run.diagnostics.count
      for name in ["a", "b"] { write("\(name).test.json", "{") }
      #expect(run.scan() == 2 && run.keep() == 2)
      #expect(run.diagnostics.dropFirst(before).map(\.code) == ["H043"])
      folder.remove("state/kept/domains")
      folder.rename("state/away", to: "state/kept/domains")
      #expect(run.keep() == 0 && files == ["a.test.json", "b.test.json"])
    }
  }

  @Test(arguments: ["state", "state/kept", "state/kept/domains", "state/kept/domains/a.test.json"])
  func `what is removed behind the server's back is written again`(gone: String) throws {
    write("a.test.json", small)
    for index in 0..<4 { write("h\(index).test.json", small) }
    do {
      let run = try Run(folder)
      write("a.test.json", "{")
      for index in 0..<4 { folder.remove("domains/h\(index).test.json") }
      #expect(run.scan() == 0 && files.count == 5)
      folder.remove(gone)
      #expect(run.keep() == 0 && files.count == 5)
    }
    let run = try Run(folder)
    #expect(run.answer("a.test") == small && run.answer("h3.test") == small)
    #expect(run.loader.holds.count == 1 && run.diagnostics.isEmpty)
  }

  @Test func `a second server reads what the first one kept, and keeps it once that one ends`()
    throws
  {
    write("a.test.json", small)
    var first: Run? = try Run(folder)
    write("a.test.json", "{")
    first?.scan()
    let second = try Run(folder)
    #expect(second.answer("a.test") == small && second.diagnostics.map(\.code) == ["H043"])
    write("b.test.json", small)
    second.scan()
    write("b.test.json", "{")
    #expect(second.scan() == 2 && files == ["a.test.json"])
    // Only the first one takes the file by which holds are confirmed.
    #expect(first?.kept.versions?.isOwner == true && second.kept.versions?.isOwner == false)
    first = nil
    #expect(second.keep() == 0 && files == ["a.test.json", "b.test.json"])
    #expect(second.diagnostics.count == 1)
  }

  @Test func `without a state folder, or one that can be made, a restart loses it`() throws {
    folder.write("file", "no folder")
    for state in [nil, "file"] {
      write("a.test.json", small)
      do {
        let run = try Run(folder, state: state)
        write("a.test.json", "{")
        #expect(run.scan() == 1)
        #expect(run.diagnostics.map(\.code) == (state == nil ? [] : ["H043"]))
      }
      try #expect(Run(folder, state: state).answer("a.test") == "unavailable")
    }
  }

  @Test func `a damaged file is judged as any other, reported, and removed`() throws {
    write("a.test.json", "{")
    folder.write("state/kept/domains/a.test.json", String(small.dropLast()))
    let run = try Run(folder)
    #expect(run.diagnostics.map(\.code) == ["H044"])
    // The served file may be faulty too.
    #expect(run.diagnostics.first?.help?.contains("repair that file") == true)
    #expect(run.answer("a.test") == "unavailable" && files.isEmpty)
  }

  @Test func `a kept version that cannot be read now stays for another start`() throws {
    write("a.test.json", "{")
    // Even root cannot read this link.
    folder.makeFolder("state/kept/domains")
    folder.link("state/kept/domains/a.test.json", to: "../away")
    do {
      let run = try Run(folder)
      let fault = try #require(run.diagnostics.first)
      #expect(fault.code == "H043" && fault.message.hasPrefix("a stored version is not used: "))
      #expect(run.scan() == 0 && files == ["a.test.json"] && run.diagnostics.count == 1)
    }
    folder.write("state/kept/away", small)
    try #expect(Run(folder).answer("a.test") == small)
  }

  @Test func `what a kill left half-written is removed at once`() throws {
    folder.write("state/kept/domains/a.test/.aasa-1x", "half")
    _ = try Run(folder)
    #expect((try? status(folder("state/kept/domains/a.test/.aasa-1x"))) == nil)
  }

  @Test func `so many files are kept, and always the same, as far as there is room`() {
    var options = HostingOptions()
    options.domains = folder("domains")
    options.state = folder("state")
    let reader = DomainKeeper(options).reader
    var shadow = ShadowFolder(
      folder("state"), LastRunReader(options, reader, nil), files: 4, bytes: 40)
    _ = shadow.read { _ in }
    /// Returns how many of these files are not kept.
    func lost(_ marks: [(String, Int)], bytes: Int = 1) -> Int {
      var wishes = KeptWishes()
      for (name, mark) in marks {
        let content = [UInt8](repeating: 0x20, count: bytes)
        wishes.files["domains/" + name] = KeptFile(mark: mark, content: .bytes(content))
      }
      let written = shadow.bring(to: wishes, isLook: true, isUrgent: true) { _ in }.written
      return wishes.files.count { written[$0.key] != $0.value.mark }
    }
    let many = (0..<6).map { ("h\($0).test.json", 1) }
    #expect(lost(Array(many.prefix(4))) == 0)
    let before = files
    #expect(lost(many) == 2)
    #expect(lost(many.map { ($0.0, 2) }) == 2 && files == before)
    #expect(lost([]) == 0 && files.isEmpty)
    #expect(lost([("a", 1), ("b", 1)], bytes: 20) == 0)
    #expect(lost([("a", 1), ("b", 1)], bytes: 21) == 1)
    #expect(lost([("a", 1), ("b", 2), ("0", 1)], bytes: 20) == 1)
    #expect(lost([("b", 2), ("0", 1)], bytes: 20) == 0 && files == ["0", "b"])
  }

  @Test func `files that break at once are all kept`() throws {
    let count = KeepingLimits.batch + 1
    for index in 0..<count { write("h\(index).test.json", small) }
    let run = try Run(folder)
    for index in 0..<count { write("h\(index).test.json", "{") }
    _ = run.loader.scanAll()
    #expect(run.keep() == 0 && files.count == count)
  }
}
