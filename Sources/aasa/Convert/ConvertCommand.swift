internal import AppSiteAssociation
package import ArgumentParser
internal import Diagnostics
internal import JSON
internal import Posix

/// `aasa convert`
package struct ConvertCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "convert",
    abstract: "Write an association file in another form that means the same.",
    discussion: """
      Before anything is written it is proven that the result means the same for users; otherwise the \
      reason is told and nothing is written.

      EXAMPLES:
        aasa convert site.json --to components -o new.json
        aasa convert site.json --to paths      # for systems before iOS 13
        aasa convert site.json --strip-comments --minify -o site.json --force

      EXIT CODES:
        0 written, 1 the file cannot be said in that form, or the output file exists already, \
      2 wrong usage or a file cannot be read or written
      """)

  @Argument(help: "the association file, - for standard input", completion: .file()) var file:
    String
  @Option(
    help: ArgumentHelp("components or paths", valueName: "FORM"),
    completion: .list(["components", "paths"]))
  var to: String?
  @Flag(help: "leave white space out") var minify = false
  @Flag(help: "leave comments for people out") var stripComments = false
  @Option(
    name: [.customShort("o"), .long],
    help: ArgumentHelp("write into this file instead of standard output", valueName: "FILE"),
    completion: .file())
  var output: String?
  @Flag(help: "replace the output file if there is one") var force = false

  package init() {}

  package func validate() throws {
    if let to, Conversion.Form(rawValue: to) == nil {
      throw ValidationError("--to \(to) is no form; write components or paths")
    }
    if to == nil && !minify && !stripComments {
      throw ValidationError(
        "say what to do: --to components, --to paths, --minify, --strip-comments")
    }
    if force && output == nil { throw ValidationError("--force needs -o FILE") }
  }

  package func run() throws {
    guard let document = readAssociation(file) else { throw ExitCode.usage }
    let conversion = Conversion(
      form: to.flatMap(Conversion.Form.init), stripsComments: stripComments)
    let tree: Tree
    do throws(ConversionFault) {
      tree = try conversion.convert(document)
    } catch {
      printError(escapingControls("error: \(place(of: error, in: document)): \(error.message)"))
      throw ExitCode.found
    }
    let bytes = minify ? tree.minified : tree.indented
    guard let output else {
      print(String(decoding: bytes, as: UTF8.self), terminator: minify ? "\n" : "")
      return
    }
    do throws(SystemError) {
      try writeFileAtomically(output, bytes, replacing: force)
    } catch {
      if error.isExisting {
        printError(
          escapingControls("error: \(output) exists already; replace it with --force"))
        throw ExitCode.found
      }
      printError(escapingControls("error: cannot write \(output): \(error.reason)"))
      throw ExitCode.usage
    }
  }

  private func place(of fault: ConversionFault, in document: Document) -> String {
    guard case .notExpressible(let reference, _) = fault,
      let applinks = Association(document.root).applinks
    else { return file }
    let rule = applinks.entries[reference.entry].rules[reference.rule]
    let place = document.source.place(of: rule.source.range)
    return "\(document.source.path):\(place.line):\(place.column)"
  }
}
