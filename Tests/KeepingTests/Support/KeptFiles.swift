import Diagnostics
import Settings

@testable import Keeping

/// The folder `kept`, driven step by step: a noncopyable value, in a class.
final class KeptFiles {
  var versions: KeptVersions
  var diagnostics: [Diagnostic]
  /// What the last run kept.
  let found: KeptState

  init(_ options: HostingOptions, state: String?) {
    var options = options
    options.state = state
    var found = KeptState()
    versions = KeptVersions(options, &found)
    self.found = found
    diagnostics = found.diagnostics
  }

  var certificates: Int { versions.certificates }
  var hasWork: Bool { versions.hasWork }

  /// Keeps what is wanted. Returns how many versions a restart would lose.
  @discardableResult
  func keep(_ wishes: [KeptVersions.Wish], _ entry: (KeptKey) -> KeptEntry?) -> Int {
    versions.keep(wishes)
    versions.retry()
    while let key = versions.takeNext() {
      diagnostics += [versions.write(key, entry(key))].compactMap(\.self)
    }
    return versions.lost(of: wishes)
  }
}
