/// Returns the value of an expression. If it throws, throws the error that `map` makes of its error.
package func mapping<Value: ~Copyable, Old: Error, New: Error>(
  _ expression: @autoclosure () throws(Old) -> Value, to map: (Old) -> New
) throws(New) -> Value {
  do throws(Old) { return try expression() } catch { throw map(error) }
}
