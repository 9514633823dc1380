internal import ArgumentParser
internal import Checking

/// Parses an argument. An argument that names nothing to check is wrong usage.
func reading<Value>(
  _ read: @autoclosure () throws(UsageFault) -> Value
) throws(ValidationError) -> Value {
  do {
    return try read()
  } catch {
    throw ValidationError(error.message)
  }
}

/// The CDN in an option's value; nil for `none`.
func cdnAddress(_ text: String) throws(ValidationError) -> CDNAddress? {
  if text == "none" { return nil }
  return try reading(CDNAddress(text))
}
