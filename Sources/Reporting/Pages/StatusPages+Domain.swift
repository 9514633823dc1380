internal import AppSiteAssociation
internal import Bytes
internal import Catalog
internal import Checking
internal import Diagnostics
internal import Keeping
internal import Rules
internal import Server
internal import Settings

/// The page of one domain.
extension StatusPages {
  /// Returns the page of a host or an entry; nil if no entry serves the name.
  func domainPage(_ name: String) -> Page? {
    guard let site = document.site(of: name) else { return nil }
    let report = DomainReport(site, document, askedFor: name)
    let shown = report.askedFor ?? report.name
    let steps = report.steps(in: document.status.folder)
    let work =
      steps.isEmpty
      ? "<p class=\"verdict\" data-result=\"good\">Nothing that this server knows of.</p>"
      : "<ol class=\"steps\">"
        + steps.map { step in
          "<li><p>\(pageText(step.what))</p>"
            + (step.help.map { "<p class=\"quiet\">\(pageText($0))</p>" } ?? "") + "</li>"
        }.joined() + "</ol>"
    let served = ServedText(site, now: document.now)
    // Omit the diagnostics that the page already shows below the lines of the served file.
    let problems = (report.problem?.diagnostics ?? []).filter { fault in
      !served.diagnostics.contains { $0.code == fault.code && $0.message == fault.message }
    }.map { pageMessage($0) }.joined()
    let commands = report.commands(for: shown, in: document.status.folder)
    return Page(
      title: shown, state: report.isBad ? "broken" : report.isShownInFull ? "older" : "current",
      headline: report.words, more: report.askedFor == nil ? "" : "belongs to \(report.name)",
      content: """
        <div class="column">
        \(pageSection("left", "Left to do", work))
        \(problems.isEmpty
          ? "" : pageSection("faults", "Faults in its files, as last read", problems))
        \(pageSection("file", "The file as served", served.markup))
        </div>
        <div class="column">
        \(pageSection("facts", "Facts", pageFacts(report.facts + report.chainRow)))
        \(pageSection("fetches", "Who fetched it", pageFacts(report.fetchRows)))
        \(pageSection("commands", "Commands", commands.map(pageCommand).joined(separator: "\n")))
        </div>
        """)
  }
}

/// The HTML of the served association file. The file is checked again to find the line of each
/// diagnostic.
private struct ServedText {
  let markup: String
  let diagnostics: [Diagnostic]

  /// The maximum number of lines of a file that is shown completely. For a longer file, the page
  /// shows only the first 40 lines and the lines around each diagnostic.
  private static let lines = 600
  private static let around = 6

  init(_ site: Site, now: Int64) {
    guard case .served(let file) = site.association else {
      markup = "<p class=\"empty\">No association file of this entry is served.</p>"
      diagnostics = []
      return
    }
    let body = file.content.identity.body
    var options = ValidationOptions()
    options.limit = 50
    // Limit the work of a check, because browsers request the page every few seconds.
    options.mostSteps = 250_000
    options.signedContent = { signedContent(of: $0, trust: nil, now: now) }
    let source = SourceText(path: "the served file", bytes: body)
    let judged = AssociationFile(source, options: options)
    let report = judged.report(options)
    let text = judged.text
    let placed = report.diagnostics.filter {
      $0.location?.path == text.path && $0.location?.place != nil
    }
    let rest = report.diagnostics.filter {
      $0.location?.path != text.path || $0.location?.place == nil
    }
    let all = report.diagnostics
    diagnostics = all
    let verdict =
      all.isEmpty
      ? "nothing to fix"
      : Diagnostic.Severity.allCases.reversed().compactMap { severity in
        let count = all.count { $0.severity == severity }
        return count == 0 ? nil : count.counting(severity.rawValue)
      }.joined(separator: ", ")
    let isBad = all.contains { $0.severity == .error }
    let result = isBad ? "bad" : all.contains { $0.severity == .warning } ? "warn" : "good"
    markup =
      "<p class=\"verdict\" data-result=\"\(result)\">\(body.count) bytes: \(verdict)</p>\n"
      + rest.map { pageMessage($0, withPlace: false) }.joined()
      + "<div id=\"file-text\" role=\"region\" aria-label=\"The text of the file\" tabindex=\"0\">"
      + Self.lines(of: text, placed) + "</div>"
  }

  private static func lines(of text: SourceText, _ placed: [Diagnostic]) -> String {
    let index = LineIndex(text.bytes)
    var count = index.starts.count
    if count > 1, index.range(ofLine: count - 1, in: text.bytes).isEmpty { count -= 1 }
    let near = Set(placed.compactMap { $0.location?.place?.line }.map { $0 - 1 })
    func isShown(_ line: Int) -> Bool {
      count <= lines || line < 40 || near.contains { abs($0 - line) <= around }
    }
    var markup = ""
    var hidden = 0
    for line in 0..<count {
      guard isShown(line) else {
        hidden += 1
        continue
      }
      markup += gap(hidden)
      hidden = 0
      markup += Self.line(line, text, index, placed)
      for one in placed {
        // If the line of a diagnostic is after the end of the file, show the diagnostic under the
        // last line.
        let place = (one.location?.place?.line ?? 1) - 1
        if place == line || (line == count - 1 && place > line) {
          markup += pageMessage(one, withPlace: false)
        }
      }
    }
    return markup + gap(hidden)
  }

  private static func gap(_ hidden: Int) -> String {
    hidden == 0 ? "" : "<p class=\"gap\">… \(hidden) lines without diagnostics</p>\n"
  }

  /// Returns the HTML of one line: its number and its text. Marks the parts of the text to which
  /// diagnostics refer.
  private static func line(
    _ number: Int, _ text: SourceText, _ index: LineIndex, _ placed: [Diagnostic]
  ) -> String {
    let bytes = index.range(ofLine: number, in: text.bytes)
    var severities = [Diagnostic.Severity?](repeating: nil, count: bytes.count)
    for one in placed {
      guard let range = one.location?.place?.range.clamped(to: bytes) else { continue }
      for offset in range {
        let before = severities[offset - bytes.lowerBound]
        severities[offset - bytes.lowerBound] = max(before ?? .note, one.severity)
      }
    }
    var code = ""
    var start = 0
    while start < severities.count {
      var end = start + 1
      while end < severities.count, severities[end] == severities[start] { end += 1 }
      let part = text.bytes[bytes.lowerBound + start..<bytes.lowerBound + end]
      let shown = pageText(String(decoding: part, as: UTF8.self))
      let severity = severities[start]?.rawValue
      code += severity.map { "<mark data-severity=\"\($0)\">\(shown)</mark>" } ?? shown
      start = end
    }
    let heaviest = severities.compactMap(\.self).max()?.rawValue
    return """
      <div class="line" id="line-\(number + 1)"\(heaviest.map { " data-severity=\"\($0)\"" } ?? "")>\
      <span class="number">\(number + 1)</span><code>\(code)</code></div>

      """
  }
}
