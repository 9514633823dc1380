internal import Diagnostics

extension PageAnswer {
  /// Adds fields that protect the page against other pages and against the content that it shows.
  ///
  /// - Parameter forms: The targets to which the page's forms may be sent, as in `form-action`.
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

/// Escapes untrusted text for elements and attributes of a page.
package func pageText(_ text: String) -> String { escapingMarkup(escapingInvisible(text)) }
