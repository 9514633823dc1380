/// Returns the value of an expression. If the expression throws, throws the error converted by
/// `map`.
package func mapping<Value: ~Copyable, Old: Error, New: Error>(
  _ expression: @autoclosure () throws(Old) -> Value, to map: (Old) -> New
) throws(New) -> Value {
  do throws(Old) { return try expression() } catch { throw map(error) }
}
