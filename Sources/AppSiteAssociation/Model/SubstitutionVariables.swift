package import JSON
package import Rules

/// `applinks.substitutionVariables`: names for sets of texts.
package struct SubstitutionVariables: Sendable {
  package struct Variable: Sendable {
    package let name: Located<String>
    package let source: Value
    /// The strings of the array. A variable whose value is not an array has no strings and never
    /// matches.
    package let values: [Located<String>]
  }

  /// The variables in the order of the file; the last counts if a name is repeated.
  package let all: [Variable]
  private let indexes: [ExactText: Int]

  package static let empty = SubstitutionVariables(nil)

  /// Reads the variables; empty if the member is missing or its value is not an object.
  init(_ member: Member?) {
    var all: [Variable] = []
    var indexes: [ExactText: Int] = [:]
    if let member {
      for member in member.value.members {
        let variable = Variable(
          name: Located(member.key, range: member.keyRange), source: member.value,
          values: member.value.locatedStrings)
        let key = ExactText(variable.name.value)
        if let index = indexes[key] {
          all[index] = variable
        } else {
          indexes[key] = all.count
          all.append(variable)
        }
      }
    }
    self.all = all
    self.indexes = indexes
  }

  /// The variable of that name, which hides a predefined one. Names are case-sensitive.
  package subscript(name: String) -> Variable? {
    indexes[ExactText(name)].map { all[$0] }
  }
}
