import CatalogSupport
import Diagnostics
import Posix
import Testing

@testable import Catalog
@testable import Keeping
@testable import Settings

@Suite struct DomainReloadTests {
  let folder = TestFolder("domains")
  var loader: DomainRunner

  init() {
    loader = DomainRunner(root: folder("domains"))
  }

  func write(_ name: String, _ text: String) { folder.write("domains/" + name, text) }

  @Test(arguments: ["", "a.test/", "a.test/.well-known/"], [true, false])
  mutating func `an empty list of statements is served over a good one only on purpose`(
    place: String, isAlone: Bool
  ) {
    let file = place.isEmpty ? "a.test.assetlinks.json" : place + "assetlinks.json"
    if !isAlone {
      write(place.isEmpty ? "a.test.json" : place + "apple-app-site-association", small)
    }
    write(file, statements)
    _ = loader.scanAll()
    write(file, "[]")
    #expect(loader.scanAll().folderCodes == ["D102"])
    #expect(loader.assetLinks("a.test") == statements)
    write(place + ".aasa.json", #"{"ignore": ["D102"]}"#)
    #expect(loader.scanAll().folderCodes == [])
    #expect(loader.assetLinks("a.test") == "[]")
  }

  @Test mutating func `the last good version is kept until a better one or none is there`() {
    // The text to write, the served text, and the reported codes.
    let steps: [(text: String?, served: String, codes: [String])] = [
      (small, small, []),
      // broken: kept
      ("{", small, ["J"]),
      // the same version again: reported once
      ("{", small, []),
      // another version, broken in the same way: reported again
      (#"{"a" 1}"#, small, ["J"]),
      (#"{"b" 1}"#, small, ["J"]),
      // broken in another way
      ("[]", small, ["A002"]),
      // fixed
      (small + " ", small + " ", []),
      ("", small + " ", ["J"]),
      // removed: gone
      (nil, "no site", []),
      // broken and never good
      ("[]", "unavailable", ["A002"]),
      (small, small, []),
    ]
    write("b.test.json", small)
    _ = loader.scanAll()
    for (text, served, codes) in steps {
      if let text { write("a.test.json", text) } else { folder.remove("domains/a.test.json") }
      let before = loader.association("a.test")
      let outcome = loader.scanAndWithdraw()
      #expect(loader.association("a.test") == served)
      #expect(
        outcome.folderCodes.map { $0.hasPrefix("J") ? "J" : $0 } == codes)
      // An unchanged answer is not reported as changed.
      let name: [DomainName] = before == served ? [] : [.host("a.test")]
      #expect(outcome.report.added == (before == "no site" ? name : []))
      #expect(outcome.report.removed == (served == "no site" ? name.map(\.description) : []))
      #expect(
        outcome.report.changed == (before == "no site" || served == "no site" ? [] : name))
    }
  }

  @Test mutating func `another version with the same error is reported again`() {
    write("a.test.json", small)
    _ = loader.scanAll()
    for end in ["", " ", "  "] {
      write("a.test.json", #"{"applinks":{"details":[{"appIDs":["wrong"]}]}}"# + end)
      #expect(!loader.scanAll().codes.isEmpty && loader.association("a.test") == small)
    }
  }

  @Test mutating func `a file that was emptied is to be put back, not written anew`() {
    let help = "put the file's content back, or remove the file"
    write("a.test.json", "")
    let fault = loader.scanAll().report.diagnostics.first
    #expect(fault?.code == "J001" && fault?.help != help)
    write("a.test.json", small)
    _ = loader.scanAll()
    for text in ["", "\n"] {
      write("a.test.json", text)
      #expect(loader.scanAll().report.diagnostics.first?.help == help)
    }
  }

  @Test mutating func `what is due while the folder is gone is read when it is back`() {
    write("a.test.json", "1")
    write("b.test.json", small)
    _ = loader.scanAll()
    folder.rename("domains", to: "away")
    let times = loader.scan("a.test").again.filter { $0.key == .domain(.named("a.test")) }
    #expect(times.map { $0.time > Posix.Clock.monotonicMilliseconds() } == [true])
    folder.rename("away", to: "domains")
    #expect(loader.scan("a.test").again.isEmpty)
  }

  /// What Maintenance does: nothing is read as if it were final.
  private mutating func look(at host: String) -> Outcome {
    let name = DomainName.named(host)
    return loader.scan([name], settled: [name])
  }

  @Test mutating func `a link that leads nowhere is reported only if that lasts for a second`()
    throws
  {
    folder.write("kept", small)
    folder.link("domains/a.test.json", to: "../kept")
    _ = loader.scanAll()
    for lasts in [false, true] {
      folder.link("domains/a.test.json", to: "nothing")
      let first = look(at: "a.test")
      #expect(first.report.isEmpty && first.failures == 0 && loader.association("a.test") == small)
      let due = try #require(first.again.map(\.time).min())
      #expect(due <= Posix.Clock.monotonicMilliseconds() + ObservationLimits.lastingFault)
      if lasts {
        #expect(eventually { Posix.Clock.monotonicMilliseconds() >= due })
        let second = look(at: "a.test")
        #expect(second.codes == ["H003"] && second.failures == 1)
        #expect(look(at: "a.test").report.isEmpty && loader.association("a.test") == small)
      }
      folder.link("domains/a.test.json", to: "../kept")
      let back = look(at: "a.test")
      #expect(back.report.diagnostics.isEmpty && back.failures == 0)
      #expect(loader.problems[.named("a.test")]?.hasErrors != true)
    }
  }

  @Test mutating func `the same bytes with another time are sent with that time`() {
    write("a.test.json", small)
    var sent: [Int64] = []
    for time in [2_000_000, 1_000_000, 9_000_000_000] {
      folder.touch("domains/a.test.json", time)
      #expect(!loader.scanAll().changes.isEmpty)
      if case .served(let file)? = loader.site("a.test")?.association {
        sent.append(file.lastModified)
      }
    }
    #expect(sent.prefix(2) == [2_000_000, 1_000_000])
    // But with none that is still to come.
    let now = Posix.Clock.wallSeconds()
    #expect(sent.count == 3 && (now - 60...now).contains(sent[2]))
  }

  @Test(arguments: [true, false])
  func `a folder that changed a moment ago is listed again`(isRecent: Bool) throws {
    var runner = DomainRunner(root: folder("domains"))
    let listing = try DomainListing(
      identity: status(folder("domains")), isUnsettled: isRecent, isEmpty: true,
      policy: DomainObserver.policyIdentity(in: Directory(folder("domains"))),
      folder: DomainFolder(path: folder("domains"), names: []))
    _ = runner.run(.listed(.success(listing), Pass()))
    #expect(runner.isFolderChanged == isRecent)
  }

  @Test mutating func `only the domains that are named are read`() {
    write("a.test.json", small)
    write("b.test.json", small)
    _ = loader.scanAll()
    write("a.test.json", noted("a1"))
    write("b.test.json", noted("b1"))
    #expect(loader.scan("a.test").report.changed == [.host("a.test")])
    #expect(loader.association("a.test") == noted("a1"))
    // Not read: it still serves the old bytes.
    #expect(loader.association("b.test") == small)
    #expect(loader.scan("b.test").report.changed == [.host("b.test")])
    #expect(loader.association("b.test") == noted("b1"))
  }

  @Test mutating func `a domain moves from a file to a folder and back`() {
    write("a.test.json", small)
    _ = loader.scanAll()
    write("a.test/apple-app-site-association", small + " ")
    folder.remove("domains/a.test.json")
    let moved = loader.scan("a.test")
    #expect(loader.association("a.test") == small + " ")
    #expect(moved.report.changed == [.host("a.test")] && moved.report.removed.isEmpty)
    folder.remove("domains/a.test")
    write("a.test.json", small)
    _ = loader.scan("a.test")
    #expect(loader.association("a.test") == small)
    // Both at once, one after the other.
    write("a.test/apple-app-site-association", small + " ")
    #expect(loader.scan("a.test").folderCodes == ["H006"])
    #expect(loader.association("a.test") == small)
    folder.remove("domains/a.test.json")
    _ = loader.scan("a.test")
    #expect(loader.association("a.test") == small + " ")
  }

  @Test
  mutating func
    `a file that is put into a folder is served, and one that is taken out is withdrawn`()
  {
    folder.makeFolder("domains/a.test")
    _ = loader.scanAll()
    #expect(loader.association("a.test") == "absent")
    write("a.test/.well-known/apple-app-site-association", small)
    #expect(loader.scan("a.test").report.changed == [.host("a.test")])
    #expect(loader.association("a.test") == small)
    folder.remove("domains/a.test/.well-known")
    #expect(loader.scan("a.test").changes.isEmpty)
    #expect(loader.association("a.test") == small)
    #expect(loader.withdraw().report.removed == ["a.test"])
    #expect(loader.association("a.test") == "absent")
  }

  @Test mutating func `of conflicting names the same one is used however they came`() {
    write("A.TEST.json", noted("upper1"))
    _ = loader.scanAll()
    #expect(loader.association("a.test") == noted("upper1"))
    write("a.test.json", noted("lower1"))
    #expect(eventually { loader.scanAll().folderCodes == ["H005"] })
    #expect(loader.association("a.test") == noted("lower1"))
    // Reported once.
    #expect(loader.scanAll().folderCodes.isEmpty)
    folder.remove("domains/a.test.json")
    _ = loader.scanAll()
    #expect(loader.association("a.test") == noted("upper1"))
  }

  @Test mutating func `a name in unusual letters is found by the event that mentions it`() {
    write("b.test.json", small)
    settle()
    _ = loader.scanAll()
    write("A.Test.JSON", small)
    let outcome = loader.run(
      .due(Pass(names: [.host("a.test"): ["A.Test.JSON"]], isListing: false, isFinal: true)))
    #expect(outcome.report.added == [.host("a.test")])
    #expect(loader.association("a.test") == small)
  }

  @Test mutating func `a name that means nothing is reported once`() {
    write("a.test.json", small)
    write("one.txt", "")
    #expect(eventually { loader.scanAll().folderCodes == ["H004"] })
    #expect(loader.scanAll().folderCodes.isEmpty)
    write("two.txt", "")
    // Another one does not report the first again.
    let two = folder("domains/two.txt")
    #expect(
      eventually { loader.scanAll().report.diagnostics.compactMap(\.location?.path) == [two] })
    #expect(loader.scanAll().folderCodes.isEmpty)
  }

  @Test mutating func `a change shows in the identity, without reading`() {
    write("a.test.json", small)
    write("b.test/apple-app-site-association", small)
    folder.link("domains/c.test.json", to: "nothing")
    folder.makePipe("domains/p.test.json")
    folder.makeFolder("domains/q.test/apple-app-site-association")
    settle()
    _ = loader.scanAll()
    func changed(_ loader: DomainRunner) -> Set<DomainName> {
      Set(loader.changed(loader.items.keys))
    }
    #expect(changed(loader) == [] && !loader.isFolderChanged)
    // The same bytes in another file.
    write(".new", small)
    folder.rename("domains/.new", to: "domains/a.test.json")
    settle()
    #expect(changed(loader) == [.host("a.test")] && loader.isFolderChanged)
    _ = loader.scanAll()
    #expect(changed(loader) == [])
    // The same file, the same length, an older time.
    folder.touch("domains/a.test.json", 1_000_000_000)
    #expect(changed(loader) == [.host("a.test")] && !loader.isFolderChanged)
    _ = loader.scanAll()
    // A file that was missing.
    write("b.test/.well-known/apple-app-site-association", small)
    #expect(changed(loader) == [.host("b.test")])
    _ = loader.scanAll()
    write("nothing", small)
    #expect(changed(loader) == [.host("c.test")])
    // A folder that can be read in the place of a file is another one by its time.
    folder.write("domains/q.test/apple-app-site-association/x", "")
    settle()
    _ = loader.scanAll()
    #expect(changed(loader) == [])
    // Adding and removing a name changes the folder.
    folder.remove("domains/c.test.json")
    #expect(changed(loader) == [.host("c.test")] && loader.isFolderChanged)
  }

  @Test mutating func `a good version that the rules have not seen yet is a good one`() {
    let flawed = #"{"applinks":{"details":[]},"activitycontinuation":"#
    write("a.test.json", small)
    write("b.test.json", flawed + "1}")
    _ = loader.scanAll(.usability)
    #expect(loader.hasBackgroundWork)
    // Before the background has come to them.
    write("a.test.json", flawed + "2}")
    write("b.test.json", flawed + "3}")
    let outcome = loader.scanAll()
    #expect(loader.association("a.test") == small)
    #expect(loader.association("b.test") == flawed + "3}")
    #expect(outcome.failures == 2)
    #expect(loader.problems[.named("a.test")]?.isLastGood == true)
    #expect(loader.problems[.named("b.test")]?.isLastGood == false)
  }

  /// Waits until the folder's last change lies so far back that its names count as settled.
  private func settle() {
    _ = eventually {
      (try? DomainListing(folder("domains")))?.identity.settlingTime(
        now: Posix.Clock.wallNanoseconds())
        == 0
    }
  }
}
