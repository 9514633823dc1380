package import Diagnostics
internal import JSON

/// A JSON text without white space between its values, and optionally without comments for people.
///
/// Everything else is kept byte for byte, including escapes, numbers and repeated keys, so that it
/// means the same to every reader. Nil if the text is not JSON.
package func minified(_ source: SourceText, strippingComments: Bool) -> [UInt8]? {
  guard let root = try? Document(parsing: source).root else { return nil }
  let tree = Tree(root)
  return (strippingComments ? tree.withoutComments : tree).minified
}
