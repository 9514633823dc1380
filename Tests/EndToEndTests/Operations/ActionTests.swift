import Foundation
import TestRunning
import Testing

@testable import EndToEnd

/// The steps of the action, with the variables and files that a runner gives them, and a program in
/// the place of `gh`.
@Suite("GitHub action", .manyAtOnce) struct ActionTests {
  private let workspace: Workspace
  private static let old = shopFile(components: #"[{"/":"/buy/*"},{"/":"/help/*"}]"#)
  private static let new = shopFile(components: #"[{"/":"/buy/*"}]"#)

  init() throws {
    workspace = try Workspace()
    try workspace.write("domains/example.com.json", Self.old)
    try workspace.write("domains/example.org.json", Self.old)
    try git("init", "--quiet", "--initial-branch", "main")
    try commit()
    try git("tag", "base")
  }

  @discardableResult
  private func git(_ arguments: String...) throws -> Finished {
    let finished = try run(
      Tool.git.path ?? "",
      ["-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false"]
        + arguments,
      folder: workspace.root)
    #expect(finished.exitCode == 0, "\(finished)")
    return finished
  }

  private func commit() throws {
    try git("add", "domains")
    try git("commit", "--quiet", "--message", "a")
  }

  /// Runs the steps as on a pull request.
  ///
  /// - Parameter comment: the number of the comment that is there already.
  private func act(comment: Int? = nil, _ inputs: [String: String] = [:]) throws -> Finished {
    try workspace.writeScript(
      "bin/gh",
      """
      echo "$@" >> "$GH_LOG"
      case "$*" in
        "release download"*)
          [ -n "${RELEASE:-}" ] || { echo "release not found" >&2; exit 1; }
          while [ "$1" != --dir ]; do shift; done
          mkdir -p "$2" && cp "$RELEASE"/* "$2" ;;
        *--jq*) echo \(comment.map(String.init) ?? "") ;;
        *) for last; do :; done; cat "${last#body=@}" >> "$GH_LOG" ;;
      esac
      """)
    try workspace.write("summary", "")
    try workspace.write("gh.log", "")
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    let runner = [
      "PATH": workspace.path("bin") + ":" + path, "GH_LOG": workspace.path("gh.log"),
      "GITHUB_STEP_SUMMARY": workspace.path("summary"), "GITHUB_REPOSITORY": "swift/shop",
      "INPUT_PROGRAM": Server.program, "INPUT_COMMENT": "true",
      "RUNNER_TEMP": workspace.path("temp"),
      "INPUT_PATHS": ":(glob)**/apple-app-site-association\n:(glob)domains/**/*.json\n",
      "BASE": try git("rev-parse", "base").text.trimmingCharacters(in: .whitespacesAndNewlines),
      "PULL_REQUEST": "7",
    ]
    return try run(
      repositoryFile("Config/action/run"), [], environment: runner.merging(inputs) { $1 },
      folder: workspace.root)
  }

  private static let table = """
    <!-- aasa -->
    ## What changes for users

    ### `domains/example.com.json`

    | app | change | for example | old rule | new rule |
    |---|---|---|---|---|
    | `\(shop)` | ❌ opens → browser | `https://example.com/help` | line 1: `{"/":"/help/*"}` | none |

    """

  @Test(.needs(.git)) func `what changes for users is a comment, and in the summary`() throws {
    try workspace.write("domains/example.com.json", Self.new)
    try commit()
    let first = try act()
    #expect(first.exitCode == 0, "\(first)")
    let log = try workspace.text("gh.log")
    log.says("--method POST repos/swift/shop/issues/7/comments", .part(Self.table))
    try #expect(workspace.text("summary") == Self.table)
    // The same comment is changed by the next push.
    _ = try act(comment: 99)
    let again = try workspace.text("gh.log")
    again.says("--method PATCH repos/swift/shop/issues/comments/99")
    #expect(!again.contains("POST"))
    // A comment of anybody else is left alone.
    again.says(#"select(.user.login == "github-actions[bot]")"#)
  }

  @Test(.needs(.git))
  func `only changed files are checked, with annotations at their lines`() throws {
    try workspace.write("domains/example.com.json", "{\n  \"applinks\": }\n")
    try workspace.write("other.json", "{")
    try commit()
    let finished = try act()
    #expect(finished.exitCode == 1, "\(finished)")
    let lines = finished.text.split(separator: "\n").filter { $0.hasPrefix("::error") }
    #expect(lines.count == 1 && lines[0].contains("example.com.json,line=2"), "\(finished)")
    // Nothing can be compared with it, so there is no comment.
    try #expect(!workspace.text("gh.log").contains("POST"))
  }

  @Test(.needs(.git))
  func `nothing has changed: nothing is said, but an old comment says so`() throws {
    let finished = try act()
    #expect(finished.exitCode == 0 && finished.text == "" && finished.errors == "")
    try #expect(!workspace.text("gh.log").contains("POST"))
    try #expect(workspace.text("summary") == "")
    _ = try act(comment: 99)
    try #expect(workspace.text("gh.log").contains("No association file has changed."))
  }

  @Test(.needs(.git)) func `expectations fail the job, and so does a live domain`() throws {
    try workspace.write("app.cases", "/help/1  opens  \(shop)\n")
    let good = try act([
      "INPUT_CASES": "app.cases\n", "INPUT_FILE": "domains/example.com.json",
    ])
    #expect(good.exitCode == 0, "\(good)")
    try workspace.write("app.cases", "/help/1  browser\n")
    let bad = try act(["INPUT_CASES": "app.cases\n", "INPUT_FILE": "domains/example.com.json"])
    #expect(bad.exitCode == 1 && bad.text.contains("app.cases:1:"), "\(bad)")
    // Reserved: it has no address (RFC 6761).
    let live = try act(["INPUT_DOMAINS": "  shop.invalid\n"])
    #expect(live.exitCode == 1, "\(live)")
    try #expect(workspace.text("summary").contains("## Live domains\n\n| domain | verdict |"))
  }

  @Test(.needs(.git)) func `a name of a file is not a command, and no markup`() throws {
    let name = "domains/$(touch hacked)`touch hacked`<b>|\n# @team.json"
    try workspace.write(name, Self.new)
    try commit()
    let finished = try act()
    #expect(finished.exitCode == 0, "\(finished)")
    #expect(!workspace.exists("hacked"))
    try #expect(
      workspace.text("summary").contains(
        "### `domains/$(touch hacked)?touch hacked?<b>|?# @team.json`\n"))
  }

  @Test(.needs(.git)) func `a file that becomes a link, and a link's new target, are changes`()
    throws
  {
    try workspace.write("shared/new.json", Self.new)
    try workspace.write("shared/shop.json", Self.old)
    try FileManager.default.removeItem(atPath: workspace.path("domains/example.com.json"))
    try workspace.link("domains/example.com.json", to: "../shared/new.json")
    try workspace.link("domains/linked.example.json", to: "../shared/shop.json")
    try git("add", "shared")
    try commit()
    try #expect(act().exitCode == 0)
    try #expect(workspace.text("gh.log").contains(Self.table))
    // Only what a link leads to is another.
    try git("tag", "--force", "base")
    try workspace.write("shared/shop.json", Self.new)
    try git("add", "shared")
    try commit()
    try #expect(act().exitCode == 0)
    let log = try workspace.text("gh.log")
    #expect(log.contains("### `domains/linked.example.json`"), "\(log)")
    #expect(log.contains("opens → browser") && !log.contains("example.com.json"), "\(log)")
    try workspace.write("shared/shop.json", "{")
    try git("add", "shared")
    try commit()
    let faulty = try act()
    #expect(faulty.exitCode == 1 && faulty.text.contains("file=domains/linked.example.json"))
  }

  @Test(.needs(.git), arguments: ["/etc/passwd", "../../outside", "../.git/config"])
  func `a link out of the repository stops the job, and nothing of its target is said`(
    target: String
  ) throws {
    try workspace.link("domains/example.net.json", to: target)
    try commit()
    let finished = try act()
    #expect(finished.exitCode == 1, "\(finished)")
    #expect(
      finished.text
        == "::error::domains/example.net.json is a link out of the repository: copy the file into it\n"
    )
  }

  @Test(.needs(.git)) func `a wildcard's entry is compared too`() throws {
    try workspace.write("domains/*.example.com.json", Self.old)
    try commit()
    try git("tag", "--force", "base")
    try workspace.write("domains/*.example.com.json", Self.new)
    try commit()
    try #expect(act().exitCode == 0)
    let log = try workspace.text("gh.log")
    #expect(log.contains("### `domains/*.example.com.json`") && log.contains("→ browser"), "\(log)")
  }

  @Test(.needs(.git)) func `a comment that is cut says so, and the summary has everything`() throws
  {
    let entries = (0..<60).map {
      #"{"appIDs":["ABCDE12345.com.example.app\#($0)"],"components":[{"/":"/very/long/\#($0)/*"}]}"#
    }
    for name in 0..<12 {
      try workspace.write(
        "domains/h\(name).example.com.json",
        #"{"applinks":{"details":[\#(entries.joined(separator: ","))]}}"#)
    }
    try commit()
    _ = try act()
    let log = try workspace.text("gh.log")
    #expect(log.contains("**The rest did not fit here:** see the summary of the job."))
    #expect(!log.contains("h9.example.com.json"))
    try #expect(workspace.text("summary").contains("h9.example.com.json"))
  }

  /// A folder with the archive of a release, whose program is the built one, and its checksums.
  private func release() throws -> String {
    let machine = try run("/bin/uname", ["-m"]).text.trimmingCharacters(in: .newlines)
    let name = "aasa-9.9.9-linux-\(machine)"
    try workspace.writeScript("archive/\(name)/bin/aasa", #"exec "\#(Server.program)" "$@""#)
    try workspace.makeFolder("release")
    let command = """
      tar -czf release/\(name).tar.gz -C archive \(name)
      cd release && sha256sum -- *.gz > SHA256SUMS
      """
    let made = try run("/bin/sh", ["-c", command], folder: workspace.root)
    #expect(made.exitCode == 0, "\(made)")
    return workspace.path("release")
  }

  @Test(.needs(.git)) func `a release brings the program, once`() throws {
    try workspace.write("domains/example.com.json", "{\n  \"applinks\": }\n")
    try commit()
    let inputs = [
      "INPUT_PROGRAM": "", "INPUT_VERSION": "9.9.9", "RELEASE": try release(),
      "ACTION_REPOSITORY": "swift/aasa",
    ]
    let first = try act(inputs)
    #expect(first.exitCode == 1 && first.text.contains("example.com.json,line=2"), "\(first)")
    let log = try workspace.text("gh.log")
    log.says("release download 9.9.9 --repo swift/aasa ")
    let again = try act(inputs)
    #expect(again.text.contains("example.com.json,line=2"), "\(again)")
    try #expect(!workspace.text("gh.log").contains("release"))
  }

  @Test(.needs(.git)) func `another version in the same job brings another program`() throws {
    let inputs = ["INPUT_PROGRAM": "", "RELEASE": try release()]
    for version in ["9.9.9", "9.9.8"] {
      let finished = try act(inputs.merging(["INPUT_VERSION": version]) { $1 })
      #expect(finished.exitCode == 0, "\(finished)")
      try #expect(workspace.text("gh.log").contains("release download \(version) "))
    }
  }

  @Test(.needs(.git))
  func `the folder in the cache is the one that a release is unpacked into`() throws {
    let action = try String(contentsOfFile: repositoryFile("action.yml"), encoding: .utf8)
    let folder = try #require(action.firstMatch(of: /\n +path: (.*)\n/)).1
      .replacing("${{ runner.temp }}", with: workspace.path("temp"))
      .replacing("${{ inputs.version }}", with: "9.9.9")
    let finished = try act([
      "INPUT_PROGRAM": "", "INPUT_VERSION": "9.9.9", "RELEASE": try release(),
    ])
    #expect(finished.exitCode == 0, "\(finished)")
    let names = try workspace.names(in: String(folder))
    #expect(names.count == 1 && names[0].hasPrefix("aasa-9.9.9-linux-"), "\(names)")
  }

  @Test(.needs(.git)) func `an archive with another checksum is not unpacked`() throws {
    let folder = try release()
    let sums = try workspace.text("release/SHA256SUMS")
    try workspace.write(
      "release/SHA256SUMS", String(sums.map { $0 == "a" ? "b" : $0 == "b" ? "a" : $0 }))
    let finished = try act(["INPUT_PROGRAM": "", "INPUT_VERSION": "9.9.9", "RELEASE": folder])
    #expect(finished.exitCode == 1, "\(finished)")
    #expect(
      finished.text.hasPrefix("::error::the checksum of release 9.9.9 of swift/shop is wrong"))
    #expect(!workspace.exists("temp/aasa"))
  }

  @Test(
    .needs(.git),
    arguments: [
      (
        ["INPUT_PROGRAM": "", "INPUT_VERSION": "9.9.9"],
        "::error::there is no release 9.9.9 of swift/shop"
      ),
      (
        [
          "INPUT_PROGRAM": "", "INPUT_VERSION": "9.9.9", "ACTION_REPOSITORY": "",
          "GITHUB_ACTION_PATH": "/runner/_actions/swift/aasa/v1",
        ], "::error::there is no release 9.9.9 of swift/aasa"
      ),
      (["INPUT_PROGRAM": "no-such-program"], "::error::there is no program no-such-program: "),
    ])
  func `without the program it says so, in one annotation`(_ row: ([String: String], String)) throws
  {
    let finished = try act(row.0)
    #expect(finished.exitCode == 1 && finished.errors == "", "\(finished)")
    #expect(finished.text.hasPrefix(row.1) && finished.text.split(separator: "\n").count == 1)
  }

  @Test(.needs(.git)) func `a verdict's options reach the program`() throws {
    try workspace.writeScript("bin/recorder", #"echo "$*" >> "$RECORD""#)
    _ = try act([
      "INPUT_PROGRAM": workspace.path("bin/recorder"), "RECORD": workspace.path("record"),
      "BASE": "", "INPUT_FAIL_ON": " warning\n", "INPUT_DOMAINS": "shop.example\n",
      "INPUT_EXPECT": "\(shop)\n",
    ])
    let calls = try workspace.text("record").split(separator: "\n")
    #expect(calls.count == 2, "\(calls)")
    #expect(calls.first?.hasPrefix("validate --format github --fail-on warning -- ") == true)
    #expect(calls.last?.hasSuffix(" --format markdown --fail-on warning --expect \(shop)") == true)
  }

  @Test func `a hook of pre-commit reads a name that begins like an option as a file's`() throws {
    let hooks = try String(
      contentsOfFile: repositoryFile(".pre-commit-hooks.yaml"), encoding: .utf8)
    let found = hooks.matches(of: /\n  entry: (.*)\n  args: (.*)\n/)
    #expect(found.map { String($0.1) } == ["aasa validate", "/aasa validate"])
    #expect(found.allSatisfy { $0.2 == #"["--"]"# })
    let file = "--trust=x/apple-app-site-association"
    try workspace.write(file, "{")
    let finished = try workspace.aasa("validate", "--", file)
    #expect(finished.exitCode == 1 && finished.text.contains("\(file):1:"), "\(finished)")
  }

  @Test func `every input of the action reaches its steps`() throws {
    let action = try String(contentsOfFile: repositoryFile("action.yml"), encoding: .utf8)
    let steps = try String(contentsOfFile: repositoryFile("Config/action/run"), encoding: .utf8)
    let names = action.matches(of: /(?m)^  ([a-z-]+):\n    description/).map { String($0.1) }
    #expect(names.count == 11)
    #expect(action.contains("$GITHUB_ACTION_PATH/Config/action/run"))
    for name in names {
      #expect(action.contains("${{ inputs.\(name) }}"), "\(name)")
      #expect(
        name == "token" || steps.contains("INPUT_\(name.uppercased().replacing("-", with: "_"))"),
        "\(name)")
    }
  }
}
