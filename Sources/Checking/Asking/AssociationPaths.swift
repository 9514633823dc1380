package import HTTP

/// The two paths from which Apple fetches the file, in its order.
package let associationPaths = [
  "/.well-known/apple-app-site-association", "/apple-app-site-association",
]

/// The complaint about a wrong content type; nil if it is right.
package func doubt(aboutTypeOf head: ReceivedHead) -> String? {
  switch head.mediaType {
  case "application/json", "application/pkcs7-mime": nil
  case let type?: "the content type is \(type) instead of application/json"
  case nil: "there is no content type; it should be application/json"
  }
}
