package import Diagnostics

extension Configuration {
  /// The result of reading server.json again.
  package struct Reload: Sendable {
    /// The values of all settings that are in force from now on.
    package let configuration: Configuration
    /// The settings that have changed.
    package let changed: [Setting]
    /// The new values that take effect only after a restart, keyed by setting.
    package let waiting: [String: String]
    /// One diagnostic for each value that needs a restart and was not reported before.
    package let diagnostics: [Diagnostic]
  }

  /// Combines this configuration with a new one. The result has the new values of the settings that
  /// can change while the server runs. All other settings keep their values.
  ///
  /// - Parameter waiting: The new values that were already reported because they need a restart.
  ///   These values are not reported again.
  package func taking(_ next: Configuration, waiting: [String: String]) -> Reload {
    var result = next
    var changed: [Setting] = []
    var values: [String: String] = [:]
    var diagnostics: [Diagnostic] = []
    for setting in Setting.all where setting.key != "config" {
      let (old, new) = (setting.text(self), setting.text(next))
      if setting.change == .atOnce {
        if old != new { changed.append(setting) }
        continue
      }
      setting.copy(self, &result)
      result.origins[setting.key] = origins[setting.key]
      if old == new { continue }
      values[setting.key] = new
      if new == waiting[setting.key] { continue }
      let origin = next.origin(of: setting)
      diagnostics.append(
        Diagnostic(
          .needsRestart,
          "`\(setting.key)` changed in server.json, and the new value needs a restart",
          at: origin == .default ? .init(path: next.file) : origin.location,
          note: "until the restart, its value is \(old.isEmpty ? "none" : old)"))
    }
    return Reload(
      configuration: result, changed: changed, waiting: values, diagnostics: diagnostics)
  }
}
