package import AppSiteAssociation
internal import Diagnostics

/// A line of a list of domains.
package struct ListedDomain {
  package let text: String
  /// `domains.txt:3`
  package let place: String
}

/// The domains of a list, separated by line ends, blanks or commas; a `#` begins a comment.
///
/// - Parameter name: The name of the list.
package func domains(in list: [UInt8], named name: String) -> [ListedDomain] {
  var domains: [ListedDomain] = []
  let source = SourceText(path: name, bytes: list)
  let text = source.withoutByteOrderMark ?? source
  let lines = String(decoding: text.bytes, as: UTF8.self).split(
    omittingEmptySubsequences: false, whereSeparator: \.isNewline)
  for (index, line) in lines.enumerated() {
    // The first word may be followed by a remark.
    let words = line.prefix { $0 != "#" }.split { $0.isWhitespace || $0 == "," }
    if let word = words.first {
      domains.append(ListedDomain(text: String(word), place: "\(name):\(index + 1)"))
    }
  }
  return domains
}

extension CheckedSubject {
  /// A line of a list that is not a host; nil if the policy ignores that.
  package init?(_ domain: ListedDomain, _ fault: UsageFault, _ policy: VerdictPolicy) {
    let finding = Finding(.lineIsNoHost, fault.message, help: "correct the line, or remove it")
    self.init(domain.place, [finding], policy)
  }
}

extension Kind {
  static let lineIsNoHost = Kind(
    "F090", "line-is-no-host", "a line of a list is not a host",
    "its domain was not checked",
    nil,
    fix: "write one host on each line, such as example.com")
}
