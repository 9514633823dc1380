import CatalogSupport
import Diagnostics
import Posix
import Testing

@testable import Keeping

/// What survives a start without the folder, and files of the state folder that cannot be read.
@Suite struct KeptListTests {
  private typealias Run = KeptVersionTests.Run

  let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private var files: [String] { (try? listDirectory(folder("state/kept/hosts")))?.sorted() ?? [] }

  @Test func `a list that was kept alone waits for the folder`() {
    folder.write("domains/links.json", small)
    folder.write("domains/links.hosts", "a.test\nb.test\nc.test\nd.test\n")
    do {
      let run = Run(folder)
      folder.write("domains/links.hosts", "a.test\n")
      _ = run.loader.scanAll()
      run.keep()
      #expect(files == ["links"] && run.loader.holds.count == 1)
    }
    folder.rename("domains", to: "away")
    let run = Run(folder)
    #expect(run.keep() == 0 && files == ["links"])
    #expect(run.loader.isIncomplete)
    folder.rename("away", to: "domains")
    _ = run.loader.scanAndWithdraw()
    #expect(run.keep() == 0 && files == ["links"] && run.loader.holds.count == 1)
    #expect(run.loader.lists[.named("links")]?.kept.count == 3)
  }

  @Test func `a kept version that cannot be read now stays for another start`() throws {
    folder.write("domains/a.test.json", small)
    do {
      let run = Run(folder)
      folder.write("domains/a.test.json", "{")
      _ = run.loader.scanAll()
      run.keep()
    }
    // Even root cannot read a folder as a file.
    folder.rename("state/kept/hosts/a.test", to: "kept")
    folder.makeFolder("state/kept/hosts/a.test")
    do {
      let run = Run(folder)
      let fault = try #require(run.diagnostics.first)
      #expect(fault.code == "H043" && fault.message.hasPrefix("a kept version cannot be read: "))
      run.keep()
      #expect(files == ["a.test"] && run.diagnostics.count == 1)
    }
    folder.remove("state/kept/hosts/a.test")
    folder.rename("kept", to: "state/kept/hosts/a.test")
    #expect(Run(folder).served("a.test") == small)
  }

  @Test func `a folder whose times are whole seconds is listed again`() {
    folder.write("domains/a.test.json", small)
    let now = Int(Clock.wallSeconds())
    folder.touch("domains", now)
    var loader = DomainLoader(root: folder("domains"))
    _ = loader.scanAll()
    folder.write("domains/b.test.json", small)
    // The second name within that second.
    folder.touch("domains", now)
    #expect(loader.isFolderChanged)
  }
}
