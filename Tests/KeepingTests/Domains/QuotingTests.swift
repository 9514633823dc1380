import Diagnostics
import Testing

@testable import Catalog
@testable import Keeping
@testable import Settings

/// What a link leads to from the domains folder may be any file of the machine.
@Suite struct `Files behind links` {
  let folder = TestFolder()

  init() {
    folder.write("outside/secret", "/hunter2 opens K27TX9P4QD.org.swift.shop\nhunter2=swordfish\n")
    folder.write("outside/service.json", #"{"hunter2": "swordfish", "applinks": {"details": 7}}"#)
    folder.write("outside/almost", #"{"password" "hunter2"}"#)
    folder.write("domains/a.test.json", Self.good)
  }

  private static let good =
    #"{"applinks":{"details":[{"appID":"K27TX9P4QD.org.swift.shop","paths":["/buy/*"]}]}}"#

  private func found() -> [Diagnostic] {
    var loader = DomainRunner(root: folder("domains"))
    return loader.scanAll().report.diagnostics
  }

  private func words(_ diagnostics: [Diagnostic]) -> String {
    diagnostics.map { "\($0.line) \($0)" }.joined(separator: "\n")
  }

  @Test(
    arguments: [
      ("a.test.cases", "../outside/secret"), ("b.test.json", "../outside/secret"),
      ("b.test.json", "../outside/almost"), ("a.test.assetlinks.json", "../outside/almost"),
      ("b.test.json", "../outside/service.json"), ("a.test.hosts", "../outside/secret"),
      (".aasa.json", "../outside/service.json"), ("a.test.assetlinks.json", "../outside/secret"),
    ])
  func `what is outside the folder is never quoted`(name: String, target: String) {
    folder.link("domains/" + name, to: target)
    if name == ".aasa.json" { folder.write("domains/a.test.json", #"{"applinks":{"details":{}}}"#) }
    let diagnostics = found()
    let said = words(diagnostics)
    #expect(!diagnostics.isEmpty)
    #expect(!said.contains("hunter2") && !said.contains("swordfish"), "\(said)")
    let ofLink = diagnostics.filter { $0.location?.path == folder("domains/" + name) }
    #expect(ofLink.allSatisfy { $0.location?.place == nil })
    #expect(said.contains("outside/"), "\(said)")
  }

  @Test func `what is inside the folder is quoted, behind a link too`() {
    folder.write("domains/.data/secret", "/hunter2 opens K27TX9P4QD.org.swift.shop\n")
    folder.link("domains/a.test.cases", to: ".data/secret")
    let diagnostics = found()
    #expect(words(diagnostics).contains("hunter2"))
    #expect(diagnostics.first?.location?.place != nil)
  }
}
