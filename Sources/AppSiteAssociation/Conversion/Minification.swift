package import Diagnostics
internal import JSON

/// A JSON text without white space between its values, and if asked for without comments for people.
///
/// What is kept is kept byte for byte, escapes, numbers and repeated keys included, so that it means
/// the same to every reader. Nil when the text is not JSON.
package func minified(_ source: SourceText, strippingComments: Bool) -> [UInt8]? {
  guard let root = try? Document(parsing: source).root else { return nil }
  let tree = Tree(root)
  return (strippingComments ? tree.withoutComments : tree).minified
}
