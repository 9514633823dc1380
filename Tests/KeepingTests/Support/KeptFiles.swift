import Catalog
import CatalogSupport
import Diagnostics
import Posix
import Settings
import Testing

@testable import Keeping

/// The folder `kept` of a server that is driven step by step. Its thread ends with it.
final class KeptFiles {
  /// Nil without a state folder.
  let versions: KeptVersions?
  let lastRun: LastRun
  private(set) var diagnostics: [Diagnostic]

  init(_ options: HostingOptions, _ certificates: CertificateReader? = nil) throws {
    versions = try KeptVersions(options, DomainKeeper(options).reader, certificates)
    lastRun = versions?.takeLastRun() ?? LastRun()
    diagnostics = lastRun.diagnostics
  }

  deinit { #expect(versions?.stop() != false) }

  /// Keeps what is wanted, and looks whether it is there. Returns how many versions a restart would
  /// lose.
  @discardableResult func keep(_ wishes: KeptWishes, names: [DomainName]? = nil) -> Int {
    versions?.keep(wishes, names: names)
    look()
    return versions?.lost(of: wishes) ?? wishes.files.count
  }

  /// Looks whether everything is there.
  func look() {
    versions?.look()
    #expect(versions?.finish(milliseconds: 45_000) != false)
    diagnostics += versions?.takeNews() ?? []
  }
}

/// The domains of a server that is driven step by step, over its restarts.
final class DomainRun {
  var loader: DomainRunner
  let kept: KeptFiles
  let first: Outcome
  var diagnostics: [Diagnostic] { kept.diagnostics }

  init(_ folder: TestFolder, state: String? = "state") throws {
    loader = DomainRunner(root: folder("domains")) { $0.state = state.map { folder($0) } }
    kept = try KeptFiles(loader.options)
    loader.keeper.take(kept.lastRun, at: .now())
    first = loader.scanAll(.usability)
    keep()
  }

  /// Keeps what is at risk now, and the names that are known. Returns how many versions a restart
  /// would lose.
  @discardableResult func keep() -> Int {
    let names = loader.folder.names.unseen.union(loader.items.keys)
    return kept.keep(loader.keeper.atRisk, names: loader.folder.wasRead ? Array(names) : nil)
  }

  /// Reads everything, and keeps it. Returns how many versions a restart would lose.
  @discardableResult func scan() -> Int {
    _ = loader.scanAndWithdraw()
    return keep()
  }

  /// What a loop answers for a host.
  func answer(_ host: String) -> String {
    Catalog(sites: loader.sites, isIncomplete: loader.isIncomplete, material: nil)
      .association(host)
  }

  /// All answers of an entry, without absent ones.
  func answers(_ name: String) -> [String] {
    let all = loader.items[.named(name)]?.answers.map { bodyText($0) } ?? []
    return all.filter { $0 != "absent" }
  }
}

extension TestFolder {
  /// The files in a folder of the state folder's `kept`.
  func kept(_ name: String) -> [String] {
    Store(self("state/kept")).files(in: name, depth: 4).map {
      String($0.dropFirst(name.utf8.count + 1))
    }
  }
}
