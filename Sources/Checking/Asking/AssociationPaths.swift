package import HTTP

/// The two paths at which Apple looks for the file, in Apple's order.
package let associationPaths = [
  "/.well-known/apple-app-site-association", "/apple-app-site-association",
]

/// Returns a description of a wrong content type; nil if the type is right.
package func contentTypeProblem(of head: ReceivedHead) -> String? {
  let types = head.values(of: "content-type")
  if Set(types).count > 1 {
    return "there are \(types.count) Content-Type fields, and clients choose different fields: "
      + (head.value(of: "content-type") ?? "")
  }
  return switch head.mediaType {
  case "application/json", "application/pkcs7-mime": nil
  case let type?: "the content type is \(type) instead of application/json"
  case nil: "there is no content type; it should be application/json"
  }
}
