/// `text` as a JSON string (RFC 8259 section 7), quotes included.
package func jsonString(_ text: String) -> String { JSONText.string(text) }

/// An object of members whose values are JSON already; those without a value are left out.
package func jsonObject(_ members: [(String, String?)]) -> String { JSONText.object(members) }

package func jsonArray(_ elements: [String]) -> String { JSONText.array(elements) }
