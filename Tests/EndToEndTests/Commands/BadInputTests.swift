import Foundation
import TestRunning
import Testing

@testable import EndToEnd

/// Every command with every kind of bad input: it ends soon, reports the fault, has the right exit
/// code, and leaves no files.
@Suite(.manyAtOnce) struct BadInputTests {
  /// `%` stands for the bad path.
  struct Command: Sendable, CustomTestStringConvertible {
    let line: String
    let code: Int32
    /// Whether the fault is the command's result, which goes to standard output.
    var isReport = false
    /// The code when nothing can be read; the same as for other faults unless said otherwise.
    var codeOfNothing: Int32?
    /// Inputs that are not bad for it: no expectations, or a folder of domains.
    var takes: String?

    var testDescription: String { line }

    func arguments(_ path: String) -> [String] {
      line.split(separator: " ").map { $0 == "%" ? path : String($0) }
    }
  }

  private static let commands = [
    Command(line: "validate %", code: 1, isReport: true, codeOfNothing: 2),
    Command(line: "validate good.json %", code: 1, isReport: true),
    Command(line: "validate --trust % good.json", code: 2),
    Command(line: "match % /buy/1", code: 2),
    Command(line: "match --explain --json % /buy/1", code: 2),
    Command(line: "test % --file good.json", code: 2, takes: "empty"),
    Command(line: "test good.cases --file %", code: 2, takes: "loop"),
    Command(line: "diff % good.json", code: 2),
    Command(line: "diff good.json %", code: 2),
    Command(line: "convert % --to components -o out", code: 2),
    Command(line: "convert % --strip-comments --minify", code: 2),
    Command(line: "init --app K27TX9P4QD.org.swift.shop --entitlements % -o out", code: 1),
    Command(line: "init --app K27TX9P4QD.org.swift.shop --project % -o out", code: 1),
    Command(line: "sign % --certificate good.pem --key good.pem -o out", code: 1),
    Command(line: "sign good.json --certificate % --key good.pem -o out", code: 1),
    Command(line: "explain %", code: 1),
  ]

  private static let inputs: [(name: String, make: @Sendable (Workspace) throws -> Void)] = [
    ("garbage", { try $0.write("garbage", garbage) }),
    ("empty", { try $0.write("empty", "") }),
    ("nulls", { try $0.write("nulls", [UInt8](repeating: 0, count: 5_000)) }),
    ("nest", { try $0.write("nest", String(repeating: "[", count: 100_000)) }),
    ("objects", { try $0.write("objects", String(repeating: #"{"a":"#, count: 20_000)) }),
    // DER that says it has 4 GB.
    ("der", { try $0.write("der", [0x30, 0x84, 0xFF, 0xFF, 0xFF, 0xFF, 0x06, 0x09]) }),
    (
      "large",
      {
        try $0.write("large", "")
        // Nothing of it is on the disk.
        guard truncate($0.path("large"), 1 << 30) == 0 else { throw Failure("no large file") }
      }
    ),
    ("absent", { _ in }),
    ("dangling", { try $0.link("dangling", to: "nowhere") }),
    ("cycle", { try $0.link("cycle", to: "cycle") }),
    (
      "loop",
      {
        try $0.makeFolder("loop/inner")
        try $0.link("loop/inner/back", to: "..")
        try $0.link("loop/again", to: ".")
      }
    ),
    (
      "pipe",
      {
        guard mkfifo($0.path("pipe"), 0o644) == 0 else { throw Failure("no pipe") }
      }
    ),
    ("socket", { try bindSocket(in: $0.root, "socket") }),
    ("good.json/below", { _ in }),
    (
      "secret",
      {
        try $0.write("secret", good)
        try $0.setMode("secret", 0)
      }
    ),
    (String(repeating: "x", count: 5_000), { _ in }),
  ]

  /// Readable inputs of any kind.
  private static let readable = ["garbage", "empty", "nulls", "nest", "objects", "der", "large"]

  private static let good = shopFile(components: #"[{"/":"/buy/*"}]"#)

  /// The same bytes in every run.
  private static let garbage: [UInt8] = (0..<4_000).map { index in
    UInt8(truncatingIfNeeded: (index &* 2_654_435_761) >> 13)
  }

  private static func workspace() throws -> Workspace {
    let workspace = try Workspace()
    try workspace.write("good.json", good)
    try workspace.write("good.cases", "/buy/1 opens \(shop)\n")
    try workspace.write("good.pem", "")
    return workspace
  }

  @Test(arguments: commands)
  func `a command reports the fault of its input`(command: Command) throws {
    let workspace = try Self.workspace()
    for input in Self.inputs {
      // For root nothing is unreadable.
      if input.name == "secret" && geteuid() == 0 || input.name == command.takes { continue }
      try input.make(workspace)
      let isRead = Self.readable.contains(input.name)
      let before = try workspace.names()
      let arguments = command.arguments(input.name)
      let name = "\(arguments.joined(separator: " ").prefix(120))"
      let start = ContinuousClock.now
      let failed = try workspace.aasa(arguments)
      #expect(ContinuousClock.now - start < patience, "\(name)")
      let report = command.isReport ? failed.text : failed.errors
      let code = isRead ? command.code : command.codeOfNothing ?? command.code
      #expect(failed.exitCode == code, "\(name): \(report.prefix(500))")
      #expect(failed.errors.isEmpty == command.isReport, "\(name): \(failed.errors)")
      #expect(command.isReport || failed.output.isEmpty, "\(name): \(failed.text)")
      #expect(report.contains(input.name), "\(name): \(report.prefix(500))")
      #expect(report.utf8.count < 40_000 && !report.contains("\0"), "\(name)")
      #expect(try workspace.names() == before, "\(name)")
    }
  }

  @Test func `a folder that leads to itself is searched once`() throws {
    let workspace = try Self.workspace()
    try workspace.write("loop/domains/example.com.json", Self.good)
    try workspace.link("loop/domains/back", to: "..")
    try workspace.link("loop/again", to: ".")
    // As the server would say, `back` is a folder without an association file.
    try workspace.aasa("validate", "loop").says(
      "domains/back", .end("2 files: 1 with warnings, 1 clean\n"), exit: 0)
    try workspace.write("shop.cases", "https://example.com/buy/1 opens \(shop)\n")
    try workspace.aasa("test", "shop.cases", "--file", "loop/domains").says(exit: 0)
  }

  @Test func `garbage on standard input is reported`() throws {
    let workspace = try Self.workspace()
    for garbage in ["", "\u{1}\u{2}]]", "<html>", String(repeating: "[", count: 60_000)] {
      for (line, code) in [
        ("validate -", Int32(1)), ("match - /a", 2), ("test - --file good.json", 2),
        ("test good.cases --file -", 2), ("diff - good.json", 2), ("convert - --minify -o out", 2),
      ] {
        // A file without expectations is not a mistake.
        if line.hasPrefix("test -"), garbage.isEmpty { continue }
        let failed = try workspace.aasa(
          line.split(separator: " ").map(String.init), input: garbage)
        let report = failed.errors + (code == 1 ? failed.text : "")
        #expect(failed.exitCode == code, "\(line): \(report)")
        #expect(report.contains("standard input"), "\(line): \(report)")
      }
      let batch = try workspace.aasa("match", "--batch", input: garbage + "\n")
      #expect(batch.exitCode == (garbage.isEmpty ? 0 : 1))
      #expect(batch.text.split(separator: "\n").count == (garbage.isEmpty ? 0 : 1))
    }
    #expect(!workspace.exists("out"))
  }

  @Test(arguments: ["convert", "init", "sign"])
  func `where nothing can be written nothing is left`(command: String) throws {
    let workspace = try Self.workspace()
    var words = ["convert", "good.json", "--to", "paths"]
    if command == "init" { words = ["init", "--app", shop] }
    if command == "sign" {
      guard Tool.openssl.path != nil else { return }
      let certificate = try makeCertificate(names: ["example.com"])
      try workspace.write("site.crt", certificate.certificate)
      try workspace.write("site.key", certificate.key)
      words = ["sign", "good.json", "--certificate", "site.crt", "--key", "site.key"]
    }
    try workspace.makeFolder("folder")
    try workspace.makeFolder("locked")
    try workspace.setMode("locked", 0o555)
    try workspace.link("dangling", to: "absent/out")
    try workspace.link("cycle", to: "cycle")
    let long = String(repeating: "x", count: 300)
    let before = try workspace.names()
    // Folders of the kernel's have no room for files, for root neither.
    let outputs = [
      "absent/out", "good.json/out", "folder", "dangling", "cycle", "/proc/out", long,
      "folder/",
    ]
    for output in outputs + (geteuid() == 0 ? [] : ["locked/out"]) {
      for force in [[], ["--force"]] {
        let failed = try workspace.aasa(words + ["-o", output] + force)
        #expect(failed.exitCode == 1 || failed.exitCode == 2, "\(output): \(failed.errors)")
        #expect(failed.output.isEmpty, "\(output)")
        #expect(failed.errors.contains("error: "), "\(output): \(failed.errors)")
        #expect(failed.errors.contains(output), "\(output): \(failed.errors)")
      }
    }
    #expect(try workspace.names() == before)
    #expect(try workspace.names(in: "folder") == [])
    #expect(try workspace.text("good.json") == Self.good)
  }
}

/// A socket in the file system, which is not a file that can be read.
private func bindSocket(in folder: String, _ name: String) throws {
  let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
  defer { close(descriptor) }
  var address = sockaddr_un()
  address.sun_family = sa_family_t(AF_UNIX)
  let path = Array((folder + "/" + name).utf8)
  guard path.count < MemoryLayout.size(ofValue: address.sun_path) else {
    throw Failure("\(folder) is too long for a socket")
  }
  withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
  let size = socklen_t(MemoryLayout<sockaddr_un>.size)
  let code = withUnsafePointer(to: &address) { pointer in
    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, size) }
  }
  guard code == 0 else { throw Failure("no socket: errno \(errno)") }
}
