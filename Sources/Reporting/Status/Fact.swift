package import Diagnostics

/// A fact in a report, in two forms: members of a JSON object for programs, and rows or lines for
/// people. Each report lists its facts once for each form, because the two forms have a different
/// order.
package struct Fact {
  package var members: [(String, JSONTree?)]
  package var rows: [(name: String, text: String)]

  package init(_ members: [(String, JSONTree?)] = [], rows: [(name: String, text: String)] = []) {
    self.members = members
    self.rows = rows
  }

  package init(_ key: String, _ json: JSONTree?, _ name: String, _ text: String) {
    self.init([(key, json)], rows: [(name, text)])
  }

  /// A fact with one member and one row. The key is also the name of the row.
  package init(_ key: String, _ json: JSONTree?, _ text: String) {
    self.init(key, json, key, text)
  }

  init(_ members: [(String, JSONTree?)], lines: [String]) {
    self.init(members, rows: lines.map { ("", $0) })
  }

  /// The texts of the rows, without the names of the rows.
  var lines: [String] { rows.map(\.text) }
}
