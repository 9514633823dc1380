/// An argument that names nothing that can be checked.
package struct UsageFault: Error {
  /// One sentence that begins with the argument.
  package let message: String

  package init(_ message: String) { self.message = message }
}
