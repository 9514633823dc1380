import Foundation
import Testing

@testable import EndToEnd

/// axe-core, which finds what keeps people from using a page, as Python's package
/// axe-playwright-python has it.
enum Axe {
  static let source: String? = {
    let find = """
      import importlib.util
      print(importlib.util.find_spec('axe_playwright_python').submodule_search_locations[0])
      """
    guard let python = Tool.python3.path, let found = try? run(python, ["-c", find]) else {
      return nil
    }
    let folder = found.text.trimmingCharacters(in: .whitespacesAndNewlines)
    return try? String(contentsOfFile: folder + "/axe.min.js", encoding: .utf8)
  }()
}

extension Trait where Self == ConditionTrait {
  static var needsAxe: Self { .enabled(if: Axe.source != nil, "axe-core is not installed") }
}

extension Browser {
  /// Returns each rule that the page violates, with the elements.
  func violations() throws -> [String] {
    guard let source = Axe.source else { throw Failure("axe-core is not installed") }
    return try value(
      source
        + """
        ;return window.axe.run(document).then((found) => found.violations.map(
          (one) => one.id + ': ' + one.nodes.map((node) => node.html).join(' ')))
        """)
  }
}
