internal import AppSiteAssociation
package import ArgumentParser
internal import JSON

/// `aasa schema`
package struct SchemaCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "schema",
    abstract: "Print a JSON Schema of association files, for editors.",
    discussion: """
      An editor that knows it completes keys and explains them. aasa validate finds more.

      EXAMPLES:
        aasa schema -o aasa.schema.json

      In .vscode/settings.json:
        "json.schemas": [
          { "fileMatch": ["domains/*.json"], "url": "./aasa.schema.json" }]
      """)

  @Option(
    name: [.customShort("o"), .long],
    help: ArgumentHelp("write into this file instead of standard output", valueName: "FILE"),
    completion: .file())
  var output: String?
  @Flag(help: "replace the output file if there is one") var force = false

  package init() {}

  package func run() throws {
    try writeResult(Schema.tree.indented, to: output, replacing: force, endingLine: false)
  }
}
