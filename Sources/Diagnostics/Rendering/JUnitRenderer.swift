extension [SubjectReport] {
  /// Returns one test case per file, in the XML format of build servers.
  ///
  /// - Parameters:
  ///   - failing: The lowest severity that makes a file fail. Less severe diagnostics become the
  ///     output of the file's test case.
  ///   - suite: The name of the program that made the diagnostics.
  package func junit(failing: Diagnostic.Severity, suite: String = "aasa validate") -> String {
    let errors = count(where: \.isUnknown)
    let failures = count { file in
      !file.isUnknown && file.diagnostics.contains { $0.severity >= file.failing ?? failing }
    }
    var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    text += "<testsuites tests=\"\(count)\" failures=\"\(failures)\" errors=\"\(errors)\">\n"
    text +=
      "  <testsuite name=\"\(escapingMarkup(suite))\" tests=\"\(count)\" failures=\"\(failures)\""
    text += " errors=\"\(errors)\" skipped=\"0\">\n"
    for file in self { text += testCase(file, file.failing ?? failing) }
    return text + "  </testsuite>\n</testsuites>\n"
  }
}

private func testCase(_ file: SubjectReport, _ failing: Diagnostic.Severity) -> String {
  let name =
    "    <testcase classname=\"aasa\" name=\"\(escapingMarkup(escapingInvisible(file.path)))\""
  let head = file.seconds.map { name + " time=\"\($0)\"" } ?? name
  if file.diagnostics.isEmpty { return head + "/>\n" }
  var text = head + ">\n"
  // A test case has at most one failure, because build servers add up the failures to get the
  // number of failed tests.
  let failures = file.diagnostics.filter { $0.severity >= failing }
  if let first = failures.first {
    let more = failures.count > 1 ? ", and \(failures.count - 1) more" : ""
    let element = file.isUnknown ? "error" : "failure"
    text += "      <\(element) type=\"\(first.code)\""
    text += " message=\"\(escapingMarkup(escapingInvisible(first.message + more)))\">"
    text += failures.map { escapingMarkup($0.line) }.joined(separator: "\n") + "</\(element)>\n"
  }
  let rest = file.diagnostics.filter { $0.severity < failing }
  if !rest.isEmpty {
    let lines = rest.map { escapingMarkup($0.line) }.joined(separator: "\n")
    text += "      <system-out>\(lines)</system-out>\n"
  }
  return text + "    </testcase>\n"
}
