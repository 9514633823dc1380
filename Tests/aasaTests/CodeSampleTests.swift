import Foundation
import Testing

@testable import Development
@testable import aasa

/// What `aasa code` prints.
@Suite struct CodeSampleTests {
  private static let swiftFiles = CodeSample.allCases.flatMap(\.files).filter {
    $0.name.hasSuffix(".swift")
  }

  @Test(
    .enabled(if: compiler != nil, "there is no Swift compiler"), arguments: swiftFiles.map(\.name))
  func `samples in Swift have no syntax error`(name: String) throws {
    let sample = try #require(Self.swiftFiles.first { $0.name == name })
    let file = FileManager.default.temporaryDirectory.path + "/\(UUID().uuidString).swift"
    try Data(sample.text.utf8).write(to: URL(filePath: file))
    defer { try? FileManager.default.removeItem(atPath: file) }
    let process = Process()
    process.executableURL = URL(filePath: try #require(Self.compiler))
    process.arguments = ["-frontend", "-parse", file]
    let errors = Pipe()
    process.standardError = errors
    try process.run()
    let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0, "\(text)")
  }

  private static let compiler: String? = (ProcessInfo.processInfo.environment["PATH"] ?? "")
    .split(separator: ":").map { "\($0)/swiftc" }
    .first { FileManager.default.isExecutableFile(atPath: $0) }
}
