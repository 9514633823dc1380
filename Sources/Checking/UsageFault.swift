/// What somebody wrote names nothing that can be asked.
package struct UsageFault: Error {
  /// One sentence that begins with what was written.
  package let message: String

  package init(_ message: String) { self.message = message }
}
