internal import Diagnostics

extension PageAnswer {
  /// Adds fields that protect against other pages and against the shown content.
  ///
  /// - Parameter forms: Where the page's forms may lead.
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

/// Escapes text of others for elements and for attributes of a page.
package func pageText(_ text: String) -> String { escapingMarkup(escapingInvisible(text)) }
