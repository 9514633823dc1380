import TestRunning
import Testing

@testable import EndToEnd

/// What newcomers write, each with the cause in the first line and a cure that works.
@Suite(.manyAtOnce) struct MistakeTests {
  /// The arguments, separated by spaces; words of the cause; words of the cure.
  private static let mistakes: [(line: String, cause: String, cure: String)] = [
    ("servee", "there is no command servee", "did you mean aasa serve?"),
    ("valid", "there is no command valid", "did you mean aasa validate?"),
    ("serve --port 8080", "unknown option --port", "write --http 8080"),
    ("serve -p 8080", "unknown option -p", "write --http 8080"),
    ("serve --listen 8080", "unknown option --listen", "write --http 8080"),
    ("serve site.json", "unexpected argument site.json", "to try one file: aasa dev site.json"),
    ("serve domains", "unexpected argument domains", "write --domains domains"),
    ("serve --cert certs", "unknown option --cert", "did you mean --certificates?"),
    ("serve --domain a", "unknown option --domain", "did you mean --domains?"),
    ("serve --key a", "unknown option --key", "write --certificates DIR"),
    ("serve --root a", "unknown option --root", "write --domains DIR"),
    ("serve -c server.json", "unknown option -c", "write --config FILE"),
    ("serve --dry-run", "unknown option --dry-run", "write --validate-only"),
    ("serve --verbose", "unknown option --verbose", "write --log-level debug"),
    ("serve --htp 1", "Unknown option '--htp'", "Did you mean '--http'?"),
    ("serve --log-level warn", "`warn` is not one of", "did you mean `warning`?"),
    ("serve --config folder", "cannot read the configuration", "`--config folder/server.json`"),
    ("serve --config gone.json", "cannot read the configuration", "with `--config FILE`"),
    ("serve --http 99999", "is not a port", "write a port from 0 to 65535"),
    ("serve --https on", "is not an address to listen on", "`127.0.0.1:8080`"),
    ("serve --acme letsencript", "neither a known CA", "did you mean `letsencrypt`?"),
    ("check", "give a domain", "such as example.com"),
    ("check site.json", "site.json is a file", "aasa validate site.json checks a file"),
    ("check http//example.com", "`://` is misspelled", "https://example.com"),
    ("check https:example.com", "`://` is misspelled", "https://example.com"),
    ("check example.com/buy", "give only the host", "https://example.com/buy"),
    ("check a.example --host b", "unknown option --host", "aasa check example.com"),
    ("check a.example --app T.b", "unknown option --app", "write --expect TEAM.bundle"),
    ("check a.example --url buy", "is neither a link", "nor a path such as /buy/42"),
    ("check a.example --timeout x", "is not a time", "such as 10s"),
    ("check a.example --set X", "is not of the form", "DOMAIN=example.com"),
    ("init", "give an app", "--app TEAM.bundle"),
    (
      "init --app org.swift.shop", "a bundle identifier without its prefix",
      "begin with the Team ID"
    ),
    ("init -o gone/x --app K27TX9P4QD.a.b", "there is no folder gone", "mkdir -p gone"),
    ("init -o site.json --app K27TX9P4QD.a.b", "exists already", "--force"),
    ("init --entitlements site.json", "an association file", "pass the app's entitlements"),
    ("init --entitlements gone", "cannot read gone", "check the spelling"),
    ("init --project site.json", "cannot read site.json", "a folder such as Shop.xcodeproj"),
    ("init --service applink --app K27TX9P4QD.a.b", "--service applink", "did you mean applinks?"),
    ("init --android org.swift.shop", "--android must be PACKAGE:FINGERPRINT", "such as org.swift"),
    ("init --passkeys -o x", "unknown option --passkeys", "write aasa passkeys FOLDER"),
    ("init --page --name Shop", "unknown option --page", "write aasa page"),
    ("init --code swiftui", "unknown option --code", "write aasa code FRAMEWORK"),
    ("page --name Shop", "give at least one of", "--app-store-id, --android PACKAGE and --site"),
    ("page --site https://a.example", "Missing expected argument '--name", "Usage: aasa page"),
    ("passkeys -o x", "unknown option -o", "aasa passkeys FOLDER"),
    ("passkeys domains/a.example", "give an app", "--app TEAM.bundle"),
    ("passkeys domains/192.0.2.1 --app K27TX9P4QD.a.b", "is an IP address", "domains/example.com"),
    ("code android", "The value 'android' is invalid", "kotlin"),
    ("dev folder", "folder is not a file", "give the association file itself"),
    ("dev gone.json", "cannot read gone.json", "aasa init -o gone.json"),
    ("dev --path /buy", "--path needs --app", "TEAM.bundle"),
    ("validate", "Missing expected argument '<path>", "Usage: aasa validate <path>"),
    ("match site.json", "give at least one URL", "after the file"),
    ("match /buy site.json", "the file comes first", "aasa match site.json /buy"),
    ("match gone.json /buy", "cannot read gone.json", "check the spelling"),
    ("match site.json buy/1", "the URL has no scheme", "begin the URL with https://"),
    ("test site.json", "not a file of expectations", "aasa test --file site.json"),
    ("test gone.cases", "cannot read gone.cases", "check the spelling"),
    ("test --file site.json", "there are no expectations for site.json", "write site.cases"),
    ("diff site.json gone.json", "cannot read gone.json", "check the spelling"),
    ("diff site.json folder", "cannot read folder", "give a file in this folder"),
    (
      "wait a.example", "Missing expected argument '--until",
      "origin-matches (the server has the file of --file) or cdn"
    ),
    ("explain a44", "there is no code a44", "did you mean A044?"),
    ("status https://a.example/x", "is not a domain", "did you mean a.example?"),
    ("confirm", "give the ID of a hold", "see aasa status"),
    ("hosts add https://a.example/x --file a.hosts", "is not a host", "did you mean a.example?"),
    ("hosts add a.example --file a.txt", "reads no list from a.txt", "domains/links.hosts"),
    ("acme a.example", "there is no command a.example", "write one of status, try"),
    ("acme statis", "there is no command statis", "did you mean aasa acme status?"),
    ("convert site.json", "say what to do", "--to components"),
    (
      "convert site.json --to component", "is not a known output format", "did you mean components?"
    ),
    ("merge site.json", "give two or more", "files"),
    ("man servee", "there is no command `servee`", "did you mean `serve`?"),
  ]

  @Test(arguments: mistakes.indices)
  func `the cause comes first, with a cure`(index: Int) throws {
    let (line, cause, cure) = Self.mistakes[index]
    let workspace = try Workspace()
    for name in ["folder", "domains"] { try workspace.makeFolder(name) }
    try workspace.write("site.json", shopFile(components: #"[{"/":"/buy/*"}]"#))
    let run = try workspace.aasa(line.split(separator: " ").map(String.init))
    #expect(run.exitCode != 0)
    let printed = run.errors
    let first = printed.split(separator: "\n").first.map(String.init) ?? ""
    #expect(first.contains(cause), "aasa \(line): \(printed)")
    #expect(printed.contains(cure), "aasa \(line): \(printed)")
  }
}
