internal import Diagnostics
internal import DigitalAssetLinks
internal import HTTP
internal import JSON
internal import Posix
internal import Settings

/// Checks well-known files other than association files and `assetlinks.json`. The server serves
/// these files unchanged.
extension DomainReader {
  /// Returns the fault that prevents a file from being served; nil if the file can be served.
  func formFault(
    of read: ReadFile, _ file: WellKnownFile, _ text: SourceText, _ content: FileContent
  ) throws(SystemError) -> Diagnostic? {
    let path = text.path
    if file.role == .page {
      let fault = faultOfPage(content.bytes, isTruncated: content.isTruncated, path)
      if let fault { return fault }
    }
    if content.isTruncated { return Self.tooLarge(path) }
    if content.bytes.isEmpty {
      return Diagnostic(.wellKnownForm, "the file is empty", at: .init(path: path))
    }
    if file.isJSON { return faultOfJSON(read, file, text, content) }
    // If the host's entry is a link to a folder, the file may be in the target folder.
    let host = path.dropFirst(observer.root.count + 1).prefix { $0 != "/" }
    let found = ForeignFile(path, content, in: observer.root, "\(observer.root)/\(host)")
    // The path that the file really has is unknown, because a folder has become inaccessible or a
    // link has changed since the file was read.
    if found.end == nil { throw .stale("realpath", path) }
    if found.isInside { return nil }
    return Diagnostic(
      .wellKnownLink, "the path of the file leads through a link out of the domains folder",
      at: .init(path: path),
      note:
        "outside the folder only JSON is served, because a link may lead to any file on the machine"
    )
  }

  private func faultOfJSON(
    _ read: ReadFile, _ file: WellKnownFile, _ source: SourceText, _ content: FileContent
  ) -> Diagnostic? {
    let kind: Value.Kind?
    if case .judged(let reading) = read {
      if let fault = reading.fault { return describing(fault, source.path, content) }
      kind = reading.root?.kind
    } else {
      do throws(SyntaxError) {
        kind = try Document(parsing: source).root.kind
      } catch {
        return describing(error.diagnostic(in: source), source.path, content)
      }
    }
    // If the program knows the file only from a setting, check only the JSON syntax of the file.
    if kind == .object || !WellKnownFile.all.contains(file) { return nil }
    return Diagnostic(
      .wellKnownForm, "the file's top level is not a JSON object",
      at: .init(path: source.path), help: "put its members between { and }")
  }

  /// Returns a note about the files in a host's folder `.well-known` that are not served.
  ///
  /// - Parameters:
  ///   - folder: The path of the host's folder.
  ///   - unknown: The names in `.well-known` that are not served.
  ///   - faults: Faults that have already been found for some of these names.
  func noteOfOthers(in folder: String, unknown: [String], _ faults: [Diagnostic]) -> [Diagnostic] {
    let path = "\(folder)/.well-known"
    let reported = faults.compactMap { $0.location?.path }
    let names = unknown.sorted().prefix(LoadingLimits.examinedNames).filter { name in
      let lower = name.lowercased()
      let isBackup = [".bak", ".old", ".orig"].contains { lower.hasSuffix($0) }
      return !isIgnored(name) && !isOfEditor(lower) && !isBackup
        && !reported.contains("\(path)/\(name)")
        && (try? status("\(path)/\(name)"))?.kind == .regular
    }
    guard let first = names.first else { return [] }
    let shown = names.prefix(LoadingLimits.namedFiles)
    let more = names.count - shown.count
    return [
      Diagnostic(
        .wellKnownNotServed,
        "not served from this folder: \(shown.joined(separator: ", "))"
          + (more > 0 ? " and \(more) more" : ""), at: .init(path: path),
        help: "add each file with its type: --well-known \(first)=TYPE, such as text/plain; or "
          + "move the file elsewhere")
    ]
  }
}

/// Returns a warning if `security.txt` has expired and should no longer be used (RFC 9116 section
/// 2.5.5); otherwise nil.
///
/// - Parameter now: Seconds since 1970.
func expiryWarning(ofSecurityText source: SourceText, now: Int64 = Clock.wallSeconds())
  -> Diagnostic?
{
  var start = 0
  for line in source.bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
    let range = start..<(start + line.count)
    start = range.upperBound + 1
    let words = String(decoding: line, as: UTF8.self).split(whereSeparator: \.isWhitespace)
    guard words.count == 2, words[0].lowercased() == "expires:",
      let end = InternetDate.seconds(String(words[1])), end < now
    else { continue }
    return Diagnostic(
      .securityTxtExpired, "security.txt has expired", at: source.location(of: range))
  }
  return nil
}
