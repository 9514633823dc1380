package import HTTP

/// The two paths at which Apple looks for the file, in its order.
package let associationPaths = [
  "/.well-known/apple-app-site-association", "/apple-app-site-association",
]

/// What is to be said of a content type that is not the right one; nil of the right ones.
package func doubt(aboutTypeOf head: ReceivedHead) -> String? {
  switch head.mediaType {
  case "application/json", "application/pkcs7-mime": nil
  case let type?: "the content type is \(type) instead of application/json"
  case nil: "there is no content type; it should be application/json"
  }
}
