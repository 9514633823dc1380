package import HTTP

/// The two paths at which Apple's systems look for the association file. The first path is
/// requested first.
package let associationPaths = [
  "/.well-known/apple-app-site-association", "/apple-app-site-association",
]

/// Returns a clause about what is wrong with the content type of a response; nil if the content
/// type is correct.
package func contentTypeProblem(of head: ReceivedHead) -> String? {
  let types = head.values(of: "content-type")
  if Set(types).count > 1 {
    return "the answer has \(types.count) Content-Type fields, and different clients use "
      + "different fields: "
      + (head.value(of: "content-type") ?? "")
  }
  return switch head.mediaType {
  case "application/json", "application/pkcs7-mime": nil
  case let type?: "the content type is \(type) instead of application/json"
  case nil: "the answer has no content type; the content type should be application/json"
  }
}
