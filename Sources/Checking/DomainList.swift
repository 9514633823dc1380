internal import Diagnostics
package import Rules

/// A domain in a list, and its position in the list.
package struct ListedDomain {
  package let text: String
  /// The file and the line number of the domain, such as `domains.txt:3`.
  package let place: String
}

/// Returns the domains of a list. Each line contains one domain, or several domains separated by
/// commas. Text after a space or a comma is a remark, unless the text looks like a host. `#` begins
/// a comment.
///
/// - Parameters:
///   - name: The name of the list.
///   - takesRemarks: Whether a remark may follow a host after a space. If false, the space and the
///     text after it are a part of the host.
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

/// Returns whether a word that is not the first on its line looks like a host: the last label of
/// the host begins with a letter.
private func looksLikeHost(_ word: Substring) -> Bool {
  let labels = word.split(separator: ".", omittingEmptySubsequences: false)
  return labels.count > 1 && !labels.contains("") && labels.last?.first?.isLetter ?? false
    && (try? HostTarget(String(word))) != nil
}

extension CheckedSubject {
  /// Makes the result for an invalid host in a line of a list; nil if the user ignores this kind of
  /// finding.
  package init?(_ domain: ListedDomain, _ fault: UsageFault, _ policy: VerdictPolicy) {
    let finding = Finding(.notAHost, fault.message)
    self.init(domain.place, [finding], policy)
  }
}

extension Kind {
  static let notAHost = Kind(
    "F090", "not-a-host", "a line in a list of domains is not a host",
    "aasa did not check the domain of this line",
    nil,
    fix: "correct the line, or remove it: each line has one host, such as example.com")
}

/// Returns the text of a file that the user saved. The encoding is UTF-8, or the encoding that a
/// byte order mark indicates. In Windows PowerShell, `>` writes UTF-16.
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
