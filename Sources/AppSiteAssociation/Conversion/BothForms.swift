internal import JSON

/// Writes `applinks` so that systems before iOS 13 and later ones read the same rules: for each app
/// an entry with `appID` and `paths`, and with `appIDs` and `components`.
struct BothForms {
  private let applinks: AppLinks
  private let old: PathsForm
  private let new: ComponentsForm

  init(_ applinks: AppLinks) {
    self.applinks = applinks
    old = PathsForm(applinks)
    new = ComponentsForm(applinks)
  }

  func tree() throws(ConversionFault) -> Tree {
    var members = [TreeMember("apps", .array([]))]
    for member in applinks.source.members {
      let key = member.key
      guard key != "apps", applinks.source.lastMember(key)?.keyRange == member.keyRange else {
        continue
      }
      let isDetails = key == "details" && applinks.detailsForm != .none
      members.append(isDetails ? TreeMember(member, .array(try entries())) : TreeMember(member))
    }
    return .object(members)
  }

  private func entries() throws(ConversionFault) -> [Tree] {
    var result: [Tree] = []
    for (number, entry) in applinks.entries.enumerated() {
      let paths = try old.paths(of: entry, number)
      for app in old.apps[number] {
        var members = [
          TreeMember("appID", .text(app)), TreeMember("paths", paths),
          TreeMember("appIDs", .array([.text(app)])),
        ]
        if let defaults = entry.source.lastMember("defaults") {
          members.append(TreeMember(defaults))
        }
        members.append(TreeMember("components", new.components(of: entry)))
        result.append(.object(members))
      }
    }
    return result
  }
}
