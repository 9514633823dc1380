internal import AppSiteAssociation
internal import ArgumentParser
internal import Diagnostics

struct SchemaCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema",
    abstract: "Print a JSON Schema of the association file, for editors.",
    discussion: """
      With this schema an editor completes and explains keys. aasa validate finds more faults.

      EXAMPLES:
        aasa schema -o aasa.schema.json

      In .vscode/settings.json:
        "json.schemas": [
          { "fileMatch": ["domains/*.json"], "url": "./aasa.schema.json" }]
      """)

  @OptionGroup var result: OutputFile

  func run() throws {
    try result.write(Schema.tree.indented, endingLine: false)
  }
}
