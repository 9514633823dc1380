internal import AppSiteAssociation
internal import ArgumentParser
internal import Diagnostics
internal import JSON

struct MergeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge",
    abstract: "Join several association files.",
    discussion: """
      The rules of the first file come first: if two apps open the same links, the first file's \
      app wins. Writes the merged file only if each app provably keeps all links and services of \
      its own file; otherwise, prints the conflict.

      EXAMPLES:
        aasa merge shop.json account.json -o example.com.json

      EXIT CODES:
        0 written
        1 the files contradict each other, or the output exists
        2 wrong usage, or a file cannot be read or written
      """)

  @Argument(help: "two or more association files", completion: .file()) var files: [String]
  @Flag(help: "leave out white space") var minify = false
  @OptionGroup var result: OutputFile

  func validate() throws {
    if files.count < 2 { throw ValidationError("give two or more files") }
  }

  func run() throws {
    var merged: Document?
    for file in files {
      guard let next = readAssociation(file) else { throw ExitCode.usage }
      merged = try merged.map { try join($0, next) } ?? next
    }
    guard let merged else { throw ExitCode.usage }
    let tree = JSONTree(merged.root)
    let bytes = minify ? tree.minified : tree.indented
    try result.write(bytes, endingLine: minify)
  }

  private func join(_ first: Document, _ second: Document) throws -> Document {
    do throws(MergeConflict) {
      let tree = try merging(first, second)
      let text = SourceText(path: first.source.path, bytes: tree.indented)
      if let document = try? Document(parsing: text) { return document }
    } catch {
      printError("error: \(first.source.path), \(second.source.path): \(error.message)")
    }
    throw ExitCode.found
  }
}
