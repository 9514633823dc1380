internal import Diagnostics
package import Rules

/// A line of a list of domains.
package struct ListedDomain {
  package let text: String
  /// The file and line number, such as `domains.txt:3`.
  package let place: String
}

/// Returns the domains of a list: one per line, or several separated by commas. Text after a space
/// or a comma is a remark if the text does not look like a host. `#` begins a comment.
///
/// - Parameters:
///   - name: The name of the list.
///   - takesRemarks: Whether a remark may follow a host after a space. If not, the text counts as
///     part of the host.
package func domains(
  in list: [UInt8], named name: String, takesRemarks: Bool = true
) -> [ListedDomain] {
  var domains: [ListedDomain] = []
  let lines = savedText(list).split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
  for (index, line) in lines.enumerated() {
    let cells = line.prefix { $0 != "#" }.split(separator: ",")
    let words = cells.compactMap { cell -> Substring? in
      let words = cell.split(whereSeparator: \.isWhitespace)
      if !takesRemarks, let first = words.first, let last = words.last {
        return cell[first.startIndex..<last.endIndex]
      }
      return words.count == 1 || cell.startIndex == line.startIndex ? words.first : nil
    }
    for (position, word) in words.enumerated() where position == 0 || looksLikeHost(word) {
      domains.append(ListedDomain(text: String(word), place: "\(name):\(index + 1)"))
    }
  }
  return domains
}

/// Whether a word that is not the first on its line looks like a host: its last label begins with a
/// letter.
private func looksLikeHost(_ word: Substring) -> Bool {
  let labels = word.split(separator: ".", omittingEmptySubsequences: false)
  return labels.count > 1 && !labels.contains("") && labels.last?.first?.isLetter ?? false
    && (try? HostTarget(String(word))) != nil
}

extension CheckedSubject {
  /// The result for a line that contains no valid host; nil if the policy ignores that fault.
  package init?(_ domain: ListedDomain, _ fault: UsageFault, _ policy: VerdictPolicy) {
    let finding = Finding(.notAHost, fault.message)
    self.init(domain.place, [finding], policy)
  }
}

extension Kind {
  static let notAHost = Kind(
    "F090", "not-a-host", "a line of a list is not a host",
    "its domain was not checked",
    nil,
    fix: "correct the line, or remove it: each line has one host, such as example.com")
}

/// Returns the text of a saved file, in UTF-8 or in the encoding of its byte order mark. `>` in
/// Windows PowerShell writes UTF-16.
func savedText(_ bytes: [UInt8]) -> String {
  if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
    return String(decoding: bytes.dropFirst(3), as: UTF8.self)
  }
  let isLittle = bytes.starts(with: [0xFF, 0xFE])
  guard isLittle || bytes.starts(with: [0xFE, 0xFF]) else {
    return String(decoding: bytes, as: UTF8.self)
  }
  let units = stride(from: 2, to: bytes.count - 1, by: 2).map { place in
    let (one, other) = (UInt16(bytes[place]), UInt16(bytes[place + 1]))
    return isLittle ? other << 8 | one : one << 8 | other
  }
  return String(decoding: units, as: UTF16.self)
}
