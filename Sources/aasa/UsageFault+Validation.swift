internal import ArgumentParser
internal import Checking

/// Reads what was written on the command line. What names nothing that can be asked is reported as
/// wrong usage.
func reading<Value>(
  _ read: @autoclosure () throws(UsageFault) -> Value
) throws(ValidationError) -> Value {
  do {
    return try read()
  } catch {
    throw ValidationError(error.message)
  }
}

/// What an option names to be asked in place of Apple's CDN; nil for `none`.
func cdnAddress(_ text: String) throws(ValidationError) -> CDNAddress? {
  if text == "none" { return nil }
  return try reading(CDNAddress(text))
}
