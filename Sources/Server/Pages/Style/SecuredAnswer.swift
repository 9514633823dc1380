internal import Diagnostics

extension PageAnswer {
  /// Returns the response with additional fields. These fields protect the page against other
  /// pages, and against untrusted content on the page itself.
  ///
  /// - Parameter forms: The targets to which the page's forms may be sent, as a value of the
  ///   directive `form-action`.
  package func secured(forms: String = "'none'") -> PageAnswer {
    var answer = self
    answer.fields += [
      (
        "Content-Security-Policy",
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
          + "connect-src 'self'; base-uri 'none'; form-action \(forms); frame-ancestors 'none'"
      ), ("Referrer-Policy", "no-referrer"), ("Cross-Origin-Resource-Policy", "same-origin"),
    ]
    return answer
  }
}

/// Escapes untrusted text, so that it can be a part of a page's elements and attributes.
package func pageText(_ text: String) -> String { escapingMarkup(escapingInvisible(text)) }
